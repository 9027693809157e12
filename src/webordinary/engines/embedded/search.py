"""Search in SQLite: an index of words beside the tables, brought up to date in small pieces."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import one, rows
from webordinary.engines.embedded.documents import DOCUMENTS, Document
from webordinary.engines.stored_text import storable
from webordinary.errors import WebOrdinaryError
from webordinary.overview.search import SearchHit, SearchHits, SearchKind, excerpt_of, terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.inbox import FolderInbox
    from webordinary.overview.search import SearchTerm

# A transaction of so many documents takes a few milliseconds.
_AT_ONCE = 50
# Before a search so many pieces are read: what came in a moment ago can be found.
_PIECES_FIRST = 4
_MICROSECONDS = 1_000_000
_FIND = """
SELECT rowid FROM search_words(:query) WHERE rowid < :before ORDER BY rowid DESC LIMIT :limit
"""
_BEHIND_ALL = 2**62
# A longer number is no moment of ours.
_DIGITS = 18


class _Due(NamedTuple):
    """A document that has to be read; the number of its row if it was there before there was a search."""

    kind: SearchKind
    id: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class SqliteSearch:
    """Reads what the triggers have noted; what is deleted is out of the index in the same transaction."""

    database: Database
    inbox: FolderInbox

    def find(
        self,
        words: str,
        *,
        projects: tuple[str, ...] | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> SearchHits:
        terms = terms_of(storable(words))
        if not terms or projects == ():
            return SearchHits(())
        for _ in range(_PIECES_FIRST):
            # Somebody else writes for long, or the disk is full: what is in the index can be found.
            with suppress(WebOrdinaryError):
                if self.catch_up():
                    break
        before = int(after) if after and after.isdecimal() and len(after) <= _DIGITS else _BEHIND_ALL
        values = {"query": _query(terms, projects), "before": before, "limit": limit}
        with self.database.read() as cursor:
            numbers = [row[0] for row in rows(cursor, _FIND, values)]
            documents = [found for number in numbers if (found := _document(cursor, number)) is not None]
            reaches_to = _read_down_to(cursor)
        hits = [self._hit(kind, name, found, terms) for kind, name, found in documents]
        last = str(numbers[-1]) if len(numbers) == limit else None
        return SearchHits(hits, last, from_seconds(reaches_to) if reaches_to else None)

    def catch_up(self) -> bool:
        with self.database.read() as cursor:
            due = _next_due(cursor)
        if not due:
            return True
        # Files are read before the transaction, which must not wait for the disk.
        read = {each: DOCUMENTS[each.kind].words_of_file(self.database, self.inbox, each.id) for each in due}
        with self.database.write() as cursor:
            for each, words in read.items():
                # A file that is gone by now was forgotten after it was read.
                _index(cursor, each, words if self._has_file(cursor, each) else None)
        return len(due) < _AT_ONCE

    def _has_file(self, cursor: apsw.Cursor, due: _Due) -> bool:
        row = one(cursor, DOCUMENTS[due.kind].file, (due.id,))
        return row is not None and (row[0] is None or self.inbox.has_file(row[0]))

    def _hit(self, kind: SearchKind, name: str, found: Document, terms: Sequence[SearchTerm]) -> SearchHit:
        words = DOCUMENTS[kind].words_of_file(self.database, self.inbox, name) or found.words
        excerpt = excerpt_of(words, terms)
        return SearchHit(
            kind, name, from_seconds(found.at), found.title, excerpt, found.job, found.project, found.person
        )


def _document(cursor: apsw.Cursor, number: int) -> tuple[SearchKind, str, Document] | None:
    row = one(cursor, "SELECT kind, id FROM search_docs WHERE number = ?", (number,))
    if row is None:
        return None
    kind, name = SearchKind(row[0]), row[1]
    found = DOCUMENTS[kind].read(cursor, name)
    return None if found is None else (kind, name, found)


def _query(terms: Sequence[SearchTerm], projects: tuple[str, ...] | None) -> str:
    """Return the question in the language of FTS5: every word in quotes, so that none of them is an operator."""
    wanted = " AND ".join(f'"{term.text}"{" *" if term.is_beginning else ""}' for term in terms)
    query = f"{{words}} : ({wanted})"
    if projects is None:
        return query
    return f"{query} AND {{project}} : ({' OR '.join(_mark(project) for project in projects)})"


def _mark(project: str) -> str:
    """Return one word for a project, whatever signs its name has."""
    return f"p{hashlib.sha256(project.encode()).hexdigest()[:24]}"


def _next_due(cursor: apsw.Cursor) -> list[_Due]:
    """Return what has changed, and then what was there before, the newest first."""
    sql = "SELECT kind, id FROM search_due LIMIT ?"
    due = [_Due(SearchKind(kind), name) for kind, name in rows(cursor, sql, (_AT_ONCE,))]
    for kind, document in DOCUMENTS.items():
        if len(due) >= _AT_ONCE:
            break
        down_to = _watermark(cursor, kind)
        if down_to:
            found = rows(cursor, document.older, (down_to, _AT_ONCE - len(due)))
            due += [_Due(kind, name, row) for row, name in found] or [_Due(kind, "", 1)]
    return due


def _watermark(cursor: apsw.Cursor, kind: SearchKind) -> int:
    row = one(cursor, "SELECT value FROM meta WHERE key = ?", (f"search {kind}",))
    return int(row[0]) if row else 0


def _index(cursor: apsw.Cursor, due: _Due, words_of_file: str | None) -> None:
    """Put one document into the index instead of what stood there of it."""
    cursor.execute("DELETE FROM search_due WHERE kind = ? AND id = ?", (due.kind, due.id))
    if due.row is not None:
        values = (str(due.row - 1), f"search {due.kind}")
        cursor.execute("UPDATE meta SET value = ? WHERE key = ?", values)
    cursor.execute("DELETE FROM search_docs WHERE kind = ? AND id = ?", (due.kind, due.id))
    found = DOCUMENTS[due.kind].read(cursor, due.id)
    if found is None:
        return
    number = int(found.at * _MICROSECONDS)
    while one(cursor, "SELECT 1 FROM search_docs WHERE number = ?", (number,)) is not None:
        number += 1
    words = " ".join((found.title, found.person or "", found.words, words_of_file or ""))
    cursor.execute("INSERT INTO search_docs (number, kind, id) VALUES (?, ?, ?)", (number, due.kind, due.id))
    project = _mark(found.project) if found.project else ""
    cursor.execute("INSERT INTO search_words (rowid, words, project) VALUES (?, ?, ?)", (number, words, project))


def _read_down_to(cursor: apsw.Cursor) -> float:
    """Return until when what was there before the search has been read; 0 when all of it was."""
    moments = [
        row[0]
        for kind, document in DOCUMENTS.items()
        if (down_to := _watermark(cursor, kind)) and (row := one(cursor, document.moment, (down_to,))) is not None
    ]
    return max(moments, default=0.0)
