"""The sample photos of the demo, as they would come from a phone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import NoSuchThing

if TYPE_CHECKING:
    from webordinary.cli.demo.phone import MailFile

_FOLDER = Path(__file__).parent / "photos"
_TYPE = "image/jpeg"


@dataclass
class SamplePhotos:
    """A few pictures that come along with the demo."""

    folder: Path = _FOLDER

    @cached_property
    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("*.jpg"))

    def find(self, name: str) -> MailFile:
        """Return a photo as a mail carries it; a name that is not ours finds nothing."""
        if name not in self.names:
            raise NoSuchThing("There is no such photo.")
        return name, _TYPE, (self.folder / name).read_bytes()
