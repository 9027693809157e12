"""The table of the files that come with mails."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from webordinary.config.section import Section
from webordinary.media import MediaLimits

_MEGABYTE = 1_000_000
Pixels = Annotated[int, Meta(ge=100, le=8000)]
# A mail has at most 25 megabytes.
Megabytes = Annotated[int, Meta(ge=1, le=25)]


class Media(Section, frozen=True, kw_only=True):
    """What comes with a mail."""

    long_side: Pixels = 1600
    """How many pixels the longer side of a photo keeps; smaller photos stay as they are."""
    file_megabytes: Megabytes = 20
    """How large one attached file may be; larger ones are refused and the rest of the mail goes on."""

    def limits(self) -> MediaLimits:
        return MediaLimits(long_side=self.long_side, file_bytes=self.file_megabytes * _MEGABYTE)
