"""Whether a language is complete: nothing that the program asks of it is left out."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webordinary.languages.language import Language


def lacking(language: Language) -> list[str]:
    """Return which fields of a language are not filled; a language without such words says `NOTHING`."""
    found = [each.name for each in fields(language) if each.name != "templates" and _is_empty(language, each.name)]
    for part in ("when", "replies", "programs", "letters", "site", "agent"):
        record = getattr(language, part)
        found += [f"{part}.{each.name}" for each in fields(record) if _is_empty(record, each.name)]
    return found


def _is_empty(record: Any, name: str) -> bool:  # noqa: ANN401 - any of the records above
    value = getattr(record, name)
    if isinstance(value, bool):
        return False
    return not value or (isinstance(value, tuple) and not all(value))
