"""The table of a project's size: how much of a site a build may make, and how much a change may add."""

from __future__ import annotations

from webordinary.config.section import AtLeastOne, Section


class SizeSection(Section, frozen=True, kw_only=True):
    """How large the built site may be, and what a change may add to it; above it nothing is published."""

    files: AtLeastOne = 100_000
    """How many files and folders the site may have."""
    megabytes: AtLeastOne = 4_000
    """How many megabytes all of its files may have together, by what they say they have."""
    largest: AtLeastOne = 500
    """How many megabytes one file may have."""
