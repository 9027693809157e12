"""The items of a menu that stand in a file of figures: an object of JSON, a table of TOML, an entry of YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.agent.scripted.edit_price import PRICE, styled
from webordinary.agent.scripted.formats import Format, format_of
from webordinary.agent.scripted.markup import Splice, newline_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.agent.scripted.instruction import AddItem
    from webordinary.agent.scripted.pages import SourcePage

_NAMES = re.compile(r"name|title|item|label|dish|drink|product|what", re.IGNORECASE)
_PRICES = re.compile(r"price|cost|preis|prix|precio|prezzo|prijs|amount", re.IGNORECASE)
_OBJECT = re.compile(r"\{[^{}\[\]]{1,2000}\}")
_TABLE = re.compile(r"^\[\[(?P<list>[^\[\]\n]{1,60})\]\][ \t]*\r?\n(?:(?![ \t]*\[)[^\n]*\n?){1,20}", re.MULTILINE)
_ENTRY = re.compile(
    r"^(?P<lead>[ \t]*)- (?P<first>[\w-]{1,40}:[^\n]*)\n(?:(?P=lead)  [\w-]{1,40}:[^\n]*(?:\n|\Z)){1,20}", re.MULTILINE
)
_FIELD = re.compile(
    r"(?:\"(?P<quoted>[\w-]{1,40})\"|(?P<bare>[\w-]{1,40}))\s*[:=]\s*"
    r"(?:\"(?P<double>[^\"\\\n]*)\"|'(?P<single>[^'\\\n]*)'|(?P<plain>[^\s,\"'{}\[\]][^,\n{}\[\]]*?))(?=\s*(?:[,}\n]|\Z))"
)
_LIST_NAME = re.compile(r"\"?(?P<name>[\w-]{1,40})\"?\s*[:=]\s*(?:\[[^\[\]]*|\r?\n(?:[ \t#-][^\n]*\n|\n)*)\Z")
_SAFE = re.compile(r"[^\"'\\\n:#{}\[\],]{1,80}")


@dataclass(frozen=True, slots=True)
class RecordField:
    """One value of a record."""

    key: str
    text: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MenuRecord:
    """A thing with a name and a price, and where it stands in its file."""

    page: SourcePage
    form: Format
    list: str
    span: tuple[int, int]
    fields: tuple[RecordField, ...]

    @property
    def name(self) -> str:
        return next((each.text for each in self.fields if _NAMES.fullmatch(each.key)), "")

    @property
    def price(self) -> RecordField | None:
        priced = (each for each in self.fields if _PRICES.fullmatch(each.key))
        return next((each for each in priced if PRICE.search(each.text)), None)

    def cut(self) -> Splice:
        """Return what takes it out of its list, with the comma or the empty line that belongs to it."""
        start, end = self.span
        text = self.page.text
        if self.form is not Format.JSON:
            return Splice(start, end, "")
        if (behind := re.compile(r"\s*,\s*").match(text, end)) is not None:
            return Splice(start, behind.end(), "")
        before = re.search(r",\s*\Z", text[:start])
        return Splice(before.start() if before else start, end, "")

    def beside(self, wish: AddItem) -> Splice | None:
        """Return what puts another thing behind it; None where it has more to say than a name and a price."""
        price, text = self.price, self.page.text
        named = next((each for each in self.fields if _NAMES.fullmatch(each.key)), None)
        if price is None or named is None or len(self.fields) != len((price, named)) or not _SAFE.fullmatch(wish.item):
            return None
        old = PRICE.search(price.text)
        amount = PRICE.sub(
            lambda found: found[0].replace(found["amount"], styled(found["amount"], wish.amount)), price.text
        )
        item = wish.item[:1].upper() + wish.item[1:] if named.text[:1].isupper() else wish.item
        start, end = self.span
        fresh = text[start:end]
        for field, value in sorted(((named, item), (price, amount)), key=lambda each: -each[0].span[0]):
            fresh = fresh[: field.span[0] - start] + value + fresh[field.span[1] - start :]
        if old is None:
            return None
        return Splice(end, end, self._joined(fresh))

    def _joined(self, fresh: str) -> str:
        start, end = self.span
        text, newline = self.page.text, newline_of(self.page.text)
        if self.form is Format.JSON:
            lead = text[text.rfind("\n", 0, start) + 1 : start]
            return f",{newline}{lead}{fresh}" if lead and not lead.strip() else f", {fresh}"
        gap = "" if text[:end].endswith("\n") else newline
        blank = newline if self.form is Format.TOML and not text[start:end].endswith(newline * 2) else ""
        return f"{gap}{blank}{fresh}" if end == len(text) else f"{fresh}{blank}"


def records_on(page: SourcePage) -> Iterator[MenuRecord]:
    """Yield the records of a file of figures."""
    form = format_of(page.path)
    pattern = {Format.JSON: _OBJECT, Format.TOML: _TABLE, Format.YAML: _ENTRY}.get(form) if form else None
    if pattern is None or form is None:
        return
    for match in pattern.finditer(page.text):
        body = (match.start("first") if form is Format.YAML else match.start(), match.end())
        fields = tuple(_fields(page.text, *body))
        if any(_NAMES.fullmatch(each.key) for each in fields):
            above = match["list"] if form is Format.TOML else _list_above(page.text, match.start())
            yield MenuRecord(page, form, above, match.span(), fields)


def _fields(text: str, start: int, end: int) -> Iterator[RecordField]:
    for match in _FIELD.finditer(text, start, end):
        value = next(name for name in ("double", "single", "plain") if match[name] is not None)
        yield RecordField(match["quoted"] or match["bare"], match[value], match.span(value))


def _list_above(text: str, at: int) -> str:
    found = _LIST_NAME.search(text[max(0, at - 4000) : at].replace("}", " ").replace("{", " "))
    return found["name"] if found else ""
