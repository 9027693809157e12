"""The table of the pictures in answers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from webordinary.config.section import Section
from webordinary.config.values import Duration
from webordinary.site.screenshots.shot import PictureLimits

Pages = Annotated[int, Meta(ge=1, le=10)]


class PicturesMode(StrEnum):
    """Whether answers show the changed pages."""

    AUTO = "auto"
    OFF = "off"


class PicturesSection(Section, frozen=True, kw_only=True):
    """The pictures of changed pages in answers."""

    mode: PicturesMode = PicturesMode.AUTO
    """`auto` shows changed pages before and after when a browser is there, `off` never does."""
    pages: Pages = 3
    """How many pages an answer shows at most."""
    deadline: Duration = Duration(seconds=20)
    """How long all pictures of an answer may take; it then goes out with those that there are."""
    browser: Path | None = None
    """Another Chromium than the one that is on the path."""

    def limits(self) -> PictureLimits:
        return PictureLimits(pages=self.pages, deadline=self.deadline)
