"""Files that are one thing for an owner: a photo in several sizes and formats, and what follows from pages."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from webordinary.site.receipt.changes import is_picture

if TYPE_CHECKING:
    from collections.abc import Iterable

# The width of a version (`-640`, `-640w`, `-640x480`, `@2x`): the numbers of cameras are written otherwise.
_SIZE = re.compile(r"(?:-(?:[1-9]\d{2,3})(?:w|px|x[1-9]\d{1,3})?|@[1-4]x)$", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"(?:^|/)(?:sitemap[^/]*\.xml|(?:feed|rss|atom|index)\.(?:xml|json)|[^/]+\.(?:map|rss|atom|pf_\w+))$", re.IGNORECASE
)
_MOST_VERSIONS = 8


def follows_pages(path: str) -> bool:
    """Tell whether a file only repeats what the pages say, such as a feed or a map of the sources."""
    return _FOLLOWS.search(path) is not None


def stem_of(path: str) -> str:
    """Return what the versions of one picture have in common; every other file is one thing by itself."""
    if not is_picture(path):
        return path
    return _SIZE.sub("", path.rpartition(".")[0])


def names_by_stem(paths: Iterable[str]) -> dict[str, str]:
    """Return one name for each thing: its shortest file, and what the other ones have behind the same beginning."""
    found = defaultdict[str, list[str]](list)
    for path in dict.fromkeys(paths):
        found[stem_of(path)].append(path)
    return {stem: _name(stem, files) for stem, files in found.items()}


def _name(stem: str, files: list[str]) -> str:
    first, *others = sorted(files, key=lambda path: (len(path), path))
    # The one that every browser shows is the one that people know.
    plain = next((path for path in (first, *others) if path.lower().endswith((".jpg", ".jpeg", ".png"))), first)
    endings = [path.removeprefix(stem) for path in (first, *others) if path != plain]
    if not endings:
        return plain
    more = f" +{len(endings) - _MOST_VERSIONS}" if len(endings) > _MOST_VERSIONS else ""
    return f"{plain} ({', '.join(endings[:_MOST_VERSIONS])}{more})"
