"""A page of a built site: what a visitor sees, what it does, what it says to programs, and how the rest is made."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its title, its texts in their order, its pictures and where its links lead.

    `description` is for search engines and `alts` stand for the pictures; `others` are words outside of the texts, such
    as hints in fields; `data` is what the page tells to programs, and `deeds` are what it does: its programs, frames,
    forms and styles. Everything else is its look, written in `look` by the numbers of its `styles`.
    """

    title: str = ""
    texts: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    description: str = ""
    alts: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    look: str = ""
    others: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    # Nothing of it was read: it was made, or torn, in a way that nobody can read in bounded time.
    is_broken: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that somebody has written."""
        return (self.title, *self.texts, self.description, *self.alts, *self.others)
