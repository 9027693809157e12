"""One case of the corpus: a mail, what an agent made of it, and the one right outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

SITES = Path(__file__).parent / "sites"

# A site: what each of its files holds.
Files: TypeAlias = dict[str, bytes]
# What becomes of a file: another content, nothing at all, or what stands where something else stood.
Edit: TypeAlias = "str | bytes | list[tuple[str, str]] | None"


class Want(StrEnum):
    """What has to become of a change."""

    # It waits for an ok, and whoever is asked reads what would change.
    HELD = "held"
    # It goes live, and the answer says the part that nobody asked for.
    TOLD = "told"
    # It goes live, and the answer says so.
    LIVE = "live"
    # Nothing was to be seen of it.
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Case:
    """`says` are words that the owner has to read in the answer, `silent` words that must not stand there.

    Of words with a bar between them one is enough.
    """

    name: str
    mail: str
    edit: Mapping[str, Edit]
    want: Want
    says: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    site: str = "bakery"
    subject: str = "Our website"
    # What the agent says it has done.
    summary: str = ""
    files: tuple[tuple[str, str, bytes], ...] = ()
    # What differs in a second build of what is live; a site that is built has one.
    again: Mapping[str, Edit] | None = None
    # Files of the site before the edit, besides those of `site`.
    given: Mapping[str, Edit] = field(default_factory=dict)
    # Which point of the promise it is about.
    point: int = 1

    @property
    def is_correct(self) -> bool:
        """Whether nothing is wrong with the edit."""
        return self.want is Want.LIVE

    def was(self) -> Files:
        return apply(read_site(self.site), self.given)

    def now(self) -> Files:
        return apply(self.was(), self.edit)

    def built_again(self) -> Files:
        return apply(self.was(), self.again or {})


def read_site(name: str) -> Files:
    """Return the files of one of the sample sites."""
    folder = SITES / name
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def apply(site: Files, edit: Mapping[str, Edit]) -> Files:
    """Return the site after an edit; a name with a star stands for every file that it fits."""
    after = dict(site)
    for pattern, change in edit.items():
        names = [name for name in site if fnmatchcase(name, pattern)] if "*" in pattern else [pattern]
        for name in names:
            if change is None:
                del after[name]
            else:
                after[name] = _changed(name, after.get(name, b""), change)
    return after


def _changed(name: str, content: bytes, change: str | bytes | list[tuple[str, str]]) -> bytes:
    if isinstance(change, bytes):
        return change
    if isinstance(change, str):
        return change.encode()
    text = content.decode()
    for old, new in change:
        if old not in text:
            raise ValueError(f"{old!r} does not stand in {name}")
        text = text.replace(old, new)
    return text.encode()
