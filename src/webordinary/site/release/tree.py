"""The files of a built site as they are uploaded to places that know no links of ours."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import PublishFailed
from webordinary.site.release.content_types import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_NAME = 900


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file of the site: its name with slashes, and where its bytes are now."""

    name: str
    path: Path

    @property
    def content_type(self) -> str:
        return TYPES.get(self.path.suffix.lower(), "application/octet-stream")


def files_of(built: Path) -> list[SiteFile]:
    """Return every file; a link inside the site becomes a copy, one that leads out is refused."""
    root = Path(os.path.realpath(built))
    return list(_files_in(root, root, "", (root,)))


def _files_in(root: Path, folder: Path, name: str, above: tuple[Path, ...]) -> Iterator[SiteFile]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            inner = _checked(f"{name}{entry.name}")
            path = Path(os.path.realpath(entry.path))
            if not path.is_relative_to(root):
                raise PublishFailed(f"{inner} in the built site is a link that leads out of the site")
            if path.is_dir():
                if path in above:
                    raise PublishFailed(f"{inner} in the built site is a link to a folder that it lies in itself")
                yield from _files_in(root, path, f"{inner}/", (*above, path))
            elif path.is_file():
                yield SiteFile(inner, path)
            elif path.exists():
                raise PublishFailed(f"{inner} in the built site is neither a file nor a folder")


def _checked(name: str) -> str:
    try:
        length = len(name.encode())
    except UnicodeEncodeError:
        raise PublishFailed(f"{ascii(name)[:100]} in the built site has a name that is not Unicode") from None
    if length > _LONGEST_NAME:
        raise PublishFailed(f"{name[:60]}… in the built site has a name longer than {_LONGEST_NAME} bytes")
    return name
