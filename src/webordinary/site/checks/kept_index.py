"""Keeps the index of a built site: a snapshot of the whole site, and beside it only what changed since."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.site.checks.terms import entries_of, terms_of
from webordinary.site.read.index import read_index, write_index
from webordinary.site.read.snapshot import KeptPages, Snapshot, SnapshotWriter, pack

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.site.read.index import SiteIndex

# So many pages may lie beside a snapshot, or one of so many, before it is made anew.
_FEW, _ONE_OF = 20, 50
# The digest of the snapshot stands in an index's memory under this name.
_SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class IndexKeeper:
    """Keeps and finds indexes where files lie under their digests."""

    keep_file: Callable[[bytes], str]
    read_file: Callable[[str], bytes]

    def keep(self, index: SiteIndex) -> str:
        """Keep an index and return its digest."""
        digest = index.memory.get(_SNAPSHOT)
        if not isinstance(digest, str) or len(index.own_pages) > max(_FEW, len(index.pages) // _ONE_OF):
            index, digest = self._with_new_snapshot(index)
        else:
            index = replace(index, entries=terms_of(index).entries, memory={})
        return self.keep_file(write_index(index, digest))

    def read(self, digest: str) -> SiteIndex:
        """Return an index; the store may have forgotten it or its snapshot."""
        index, snapshot = read_index(self.read_file(digest), self.read_file)
        index.memory[_SNAPSHOT] = snapshot
        return index

    def _with_new_snapshot(self, index: SiteIndex) -> tuple[SiteIndex, str]:
        content = _whole(index)
        pages = KeptPages(Snapshot(content), frozenset(), {})
        return replace(index, pages=pages, entries={}, memory={}), self.keep_file(content)


def carry_snapshot(old: SiteIndex, new: SiteIndex) -> None:
    """Note that a new index lies beside the same snapshot as the one that it was made from."""
    if isinstance(new.pages, KeptPages) and _SNAPSHOT in old.memory:
        new.memory[_SNAPSHOT] = old.memory[_SNAPSHOT]


def _whole(index: SiteIndex) -> bytes:
    """Return a snapshot of everything; what the last one has is taken over as it is."""
    writer = SnapshotWriter(index.files)
    kept = index.pages if isinstance(index.pages, KeptPages) else None
    numbers: dict[int, int] = {}
    for number, path in enumerate(kept.snapshot.paths if kept else ()):
        if kept is not None and number not in kept.hidden:
            numbers[number] = writer.add_page(path, kept.snapshot.packed(number))
    for key, postings in kept.snapshot.all_postings() if kept else ():
        left = {payload: [numbers[each] for each in some if each in numbers] for payload, some in postings.items()}
        writer.add_postings(key, {payload: some for payload, some in left.items() if some})
    for path, page in index.own_pages.items():
        writer.add_entries(writer.add_page(path, pack(page)), index.entries.get(path) or entries_of(path, page))
    return writer.content()
