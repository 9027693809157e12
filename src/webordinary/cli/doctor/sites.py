"""What the doctor looks at on other machines: whether sites can be published there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok
from webordinary.site.targets.registry import TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config import Config


def check_sites(config: Config) -> Iterator[Check]:
    """Reach each place that a site is published to, and see that it may be written."""
    for project in config.projects:
        name = f"site of {project.id}"
        try:
            with TARGETS.answering(project.site.target) as target:
                seen = target.doctor(project)
        except WebOrdinaryError as problem:
            yield fail(name, str(problem))
            continue
        if seen is not None:
            yield ok(name, seen)
