"""The snapshot of a kept index: a whole site in one file, of which only those places are read that somebody asks about.

It holds each page, packed, and postings: under a key what stands on which pages. Nobody writes into it; what changed
since lies beside it in the index that names it.
"""

from __future__ import annotations

import hashlib
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from webordinary.site.read.elements import Page

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

# What stands under a key: payloads, each with the numbers of its pages.
Postings = dict[str, list[int]]

_WORD = 8
_FAST = 1


@dataclass(frozen=True, slots=True)
class _Head:
    """How long each part is, what files there are, and the paths of the pages by their numbers."""

    files: dict[str, str]
    paths: list[str]
    keys: int
    pages: int


def key_of(text: str) -> int:
    """Return the number under which a key is found."""
    return int.from_bytes(hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=_WORD).digest(), "little")


class Snapshot:
    """Reads a snapshot."""

    def __init__(self, content: bytes) -> None:
        length = int.from_bytes(content[:_WORD], "little")
        head = msgspec.json.decode(content[_WORD : _WORD + length], type=_Head)
        self.files, self.paths = head.files, head.paths
        self._content = content
        at = _WORD + length
        self._keys, at = _numbers(content, at, head.keys)
        self._ends, at = _numbers(content, at, head.keys)
        self._page_ends, at = _numbers(content, at, head.pages)
        self._pages_at = at
        self._postings_at = at + (self._page_ends[-1] if self._page_ends else 0)

    def page(self, number: int) -> Page:
        return msgspec.json.decode(zlib.decompress(self.packed(number)), type=Page)

    def packed(self, number: int) -> bytes:
        start = self._page_ends[number - 1] if number else 0
        return self._content[self._pages_at + start : self._pages_at + self._page_ends[number]]

    def postings(self, key: int) -> Postings:
        """Return what stands under a key."""
        place = bisect_left(self._keys, key)
        if place == len(self._keys) or self._keys[place] != key:
            return {}
        return self._postings(place)

    def all_postings(self) -> Iterator[tuple[int, Postings]]:
        yield from ((key, self._postings(place)) for place, key in enumerate(self._keys))

    def _postings(self, place: int) -> Postings:
        start = self._ends[place - 1] if place else 0
        return msgspec.json.decode(
            self._content[self._postings_at + start : self._postings_at + self._ends[place]], type=Postings
        )


def _numbers(content: bytes, at: int, count: int) -> tuple[array[int], int]:
    numbers = array("Q")
    end = at + count * _WORD
    numbers.frombytes(content[at:end])
    return numbers, end


def pack(page: Page) -> bytes:
    return zlib.compress(msgspec.json.encode(page), _FAST)


class SnapshotWriter:
    """Puts a snapshot together page by page."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)
        self._paths: list[str] = []
        self._packed = bytearray()
        self._page_ends = array("Q")
        # What stands on one page only is the most of it, and is kept by the number of that page alone.
        self._alone: dict[int, int] = {}
        self._postings: dict[int, Postings] = {}

    def add_page(self, path: str, packed: bytes) -> int:
        """Take a page and return its number."""
        self._paths.append(path)
        self._packed += packed
        self._page_ends.append(len(self._packed))
        return len(self._paths) - 1

    def add_entries(self, number: int, entries: Iterable[tuple[int, str]]) -> None:
        """Take what stands on a page: keys and payloads."""
        for key, payload in entries:
            if not payload and key not in self._alone and key not in self._postings:
                self._alone[key] = number
            else:
                self._shared(key).setdefault(payload, []).append(number)

    def add_postings(self, key: int, postings: Postings) -> None:
        """Take what stands under a key on pages that were taken before."""
        for payload, numbers in postings.items():
            self._shared(key).setdefault(payload, []).extend(numbers)

    def _shared(self, key: int) -> Postings:
        if key not in self._postings:
            self._postings[key] = {"": [self._alone.pop(key)]} if key in self._alone else {}
        return self._postings[key]

    def content(self) -> bytes:
        keys, ends, written = array("Q", sorted((*self._alone, *self._postings))), array("Q"), bytearray()
        for key in keys:
            alone = self._alone.get(key)
            written += msgspec.json.encode(self._postings[key] if alone is None else {"": [alone]})
            ends.append(len(written))
        head = msgspec.json.encode(_Head(self._files, self._paths, len(keys), len(self._paths)))
        numbers = keys.tobytes() + ends.tobytes() + self._page_ends.tobytes()
        return b"".join((len(head).to_bytes(_WORD, "little"), head, numbers, self._packed, written))


class KeptPages(Mapping[str, Page]):
    """The pages of a site of which most lie in a snapshot, each read when somebody asks for it."""

    def __init__(self, snapshot: Snapshot, hidden: frozenset[int], own: dict[str, Page]) -> None:
        self.snapshot, self.hidden, self.own = snapshot, hidden, own
        self._numbers = {path: number for number, path in enumerate(snapshot.paths) if number not in hidden}

    def __getitem__(self, path: str) -> Page:
        found = self.own.get(path)
        return found if found is not None else self.snapshot.page(self._numbers[path])

    def __contains__(self, path: object) -> bool:
        return path in self.own or path in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(sorted((*self._numbers, *self.own)))

    def __len__(self) -> int:
        return len(self._numbers) + len(self.own)

    def path_of(self, number: int) -> str | None:
        """Return the path of a page of the snapshot; None when another one has taken its place."""
        return None if number in self.hidden else self.snapshot.paths[number]

    def without(self, gone: Collection[str]) -> KeptPages:
        """Return the pages without these."""
        hidden = self.hidden.union(self._numbers[path] for path in gone if path in self._numbers)
        return KeptPages(self.snapshot, hidden, {path: page for path, page in self.own.items() if path not in gone})
