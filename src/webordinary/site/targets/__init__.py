"""The kinds of places that a site can be published to."""

from __future__ import annotations
