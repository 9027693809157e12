"""The rules and editors of a project as fields of a form, and back into the text of the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.config.shape import ProjectSection
from webordinary.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webordinary.config.edit import ProjectText
    from webordinary.config.statements import TomlValue

# No short name of a person.
NEW = "+"
_WAS = "was."
_LONGEST = 2_000
_LARGEST = 10**12


@dataclass(frozen=True, slots=True)
class RuleField:
    """One key of the configuration that the form can change."""

    key: str
    label: str
    kind: str = "text"
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""

    @property
    def name(self) -> str:
        return f"rule.{self.key}"

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.key.split("."))

    def said(self, said: Mapping[str, Any]) -> Any:  # noqa: ANN401 - whatever stands in the file
        """Return what the file says; None where it says nothing."""
        value: Any = said
        for key in self.keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def typed(self, value: TomlValue) -> str:
        """Return a value as somebody would type it; what cannot be typed into the field is refused."""
        lines = value if isinstance(value, list) else [str(value)] if isinstance(value, str) else []
        if any(len(line.splitlines()) > 1 for line in lines):
            raise Refused(f"“{self.label}”: write each on one line.")
        text = self._text(int(value) if self.kind == "whole" and isinstance(value, float) else value)
        if len(text) > _LONGEST:
            raise Refused(f"“{self.label}” is longer than {_LONGEST:,} characters; write less.")
        return text

    def shown(self, said: Mapping[str, Any]) -> str:
        """Return what the field shows of what the file says; empty where it says nothing."""
        return self._text(self.said(said))

    @staticmethod
    def _text(value: TomlValue) -> str:
        if isinstance(value, list):
            return "\n".join(map(str, value))
        if isinstance(value, bool):
            return "true" if value else ""
        return "" if value is None else str(value)

    def read(self, form: Mapping[str, str]) -> TomlValue:
        """Return what was typed as a value; nothing typed means that the default holds again."""
        text = _tidy(form.get(self.name, ""))
        match self.kind:
            case "flag":
                return True if text else None
            case "lines":
                return [line.strip() for line in text.split("\n") if line.strip()] or None
            case "number" | "whole":
                return _number(self.label, text, whole=self.kind == "whole") if text else None
            case _:
                return text or None


_ALL = (
    RuleField("name", "Name that people read"),
    RuleField("group", "Group", hint="such as Hotels"),
    RuleField(
        "publish", "A change goes live", "choice", (("auto", "by itself"), ("approve", "after somebody said ok"))
    ),
    RuleField("answers", "Answers", "choice", (("send", "go out at once"), ("hold", "wait for the agency's eye"))),
    RuleField("approvers", "Who may say ok", "lines", hint="editors or addresses, one a line; else every editor"),
    RuleField(
        "on_new_thread",
        "A newer mail in another conversation",
        "choice",
        (("interrupt", "goes first"), ("queue", "waits"), ("drop", "ends the older one")),
    ),
    RuleField("allowed_paths", "Files that may change", "lines", hint="patterns, one a line; else all content"),
    RuleField("templates", "Templates may change too", "flag"),
    RuleField("max_files", "The agency is asked above so many files", "whole"),
    RuleField("max_deleted_lines", "… above so many deleted lines", "whole"),
    RuleField("language", "Language of answers", hint="two letters"),
    RuleField("timezone", "Time zone", hint="such as Europe/Vienna"),
    RuleField("budget.usd", "USD for one job", "number"),
    RuleField("budget.usd_a_day", "USD in a day", "number"),
    RuleField("budget.usd_a_month", "USD in a month", "number"),
    RuleField("budget.when_spent", "When the money is spent", "choice", (("fail", "jobs fail"), ("wait", "jobs wait"))),
)
# What this version of the configuration knows.
RULE_FIELDS = tuple(each for each in _ALL if each.keys[0] in ProjectSection.__struct_fields__)


@dataclass(frozen=True, slots=True)
class EditorFields:
    """One editor's row of the form, by the short name; the last row is for a new one."""

    at: str
    user: str = ""
    address: str = ""
    language: str = ""
    is_gone: bool = False

    @classmethod
    def typed(cls, at: str, form: Mapping[str, str], before: str = "") -> EditorFields:
        names = ("user", "address", "language")
        said = {name: form.get(f"{before}editor.{at}.{name}", "").strip()[:_LONGEST] for name in names}
        if at != NEW:
            said["user"] = at
        return cls(at, **said, is_gone=bool(form.get(f"editor.{at}.gone")) and not before)

    def items(self, before: str = "") -> Iterator[tuple[str, str]]:
        for name in ("user", "address", "language"):
            yield f"{before}editor.{self.at}.{name}", getattr(self, name)
        if self.is_gone and not before:
            yield f"editor.{self.at}.gone", "true"


@dataclass(frozen=True, slots=True)
class FormState:
    """What all fields say at one moment."""

    values: Mapping[str, str]
    editors: tuple[EditorFields, ...] = ()

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> FormState:
        """Return what the file says."""
        editors = [
            EditorFields(
                str(each.get("user")), str(each.get("user")), each.get("address", ""), each.get("language", "")
            )
            for each in said.get("editor", [])
        ]
        return cls({each.name: each.shown(said) for each in RULE_FIELDS}, (*editors, EditorFields(NEW)))

    @classmethod
    def typed(cls, form: Mapping[str, str], before: str = "") -> FormState:
        """Return what somebody has sent."""
        ends = (f"{_WAS}editor.", ".address")
        users = [key[len(ends[0]) : -len(ends[1])] for key in form if key.startswith(ends[0]) and key.endswith(ends[1])]
        values = {each.name: _tidy(form.get(before + each.name, "")) for each in RULE_FIELDS}
        return cls(values, tuple(EditorFields.typed(at, form, before) for at in users))

    def items(self, before: str = "") -> Iterator[tuple[str, str]]:
        yield from ((before + name, value) for name, value in self.values.items())
        for row in self.editors:
            yield from row.items(before)


@dataclass(frozen=True, slots=True)
class ProjectForm:
    """What was shown and what was made of it: only the difference is a change, whatever others did meanwhile."""

    was: FormState
    now: FormState

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> ProjectForm:
        """Return the form as the file says it."""
        return cls(FormState.of(said), FormState.of(said))

    @classmethod
    def asked(
        cls, said: Mapping[str, Any], values: Mapping[str, TomlValue], editors: Sequence[EditorFields]
    ) -> ProjectForm:
        """Return the form with other values of some keys, and with editors who come, change or go."""
        was = FormState.of(said)
        fields = {each.key: each for each in RULE_FIELDS}
        typed = {fields[key].name: fields[key].typed(value) for key, value in values.items()}
        mine = {row.at: row for row in editors}
        if len(mine) < len(editors):
            raise Refused("An editor is named twice; name each once.")
        rows = {row.at: row for row in was.editors}
        rows |= {at: EditorFields(at) for at in mine if at not in rows}
        before = FormState(was.values, tuple(rows.values()))
        return cls(before, FormState({**was.values, **typed}, tuple(mine.get(at, row) for at, row in rows.items())))

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> ProjectForm:
        """Return the form as somebody has filled it in."""
        return cls(FormState.typed(form, _WAS), FormState.typed(form))

    def applied_to(self, project: ProjectText) -> ProjectText:
        """Return the text of the configuration with all that was typed."""
        made = project
        for each in RULE_FIELDS:
            if self.now.values[each.name] != self.was.values[each.name]:
                made = made.with_key(each.keys, each.read(self.now.values))
        before = {row.at: row for row in self.was.editors}
        for row in self.now.editors:
            if row != before[row.at] and (row.user or row.address):
                made = made.without_editor(row.user) if row.is_gone else made.with_editor(row.user, _said(row))
        return made

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield all names and values, for a page that sends them once more."""
        yield from self.was_fields()
        yield from self.now.items()

    def was_fields(self) -> Iterator[tuple[str, str]]:
        return self.was.items(_WAS)


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").strip()[:_LONGEST]


def _said(row: EditorFields) -> dict[str, TomlValue]:
    return {"address": row.address, "language": row.language or None}


def _number(label: str, text: str, *, whole: bool) -> int | float:
    try:
        found = int(text) if whole else float(text)
    except ValueError:
        raise Refused(f"“{label}”: {text[:40]!r} is no number.") from None
    if not abs(found) < _LARGEST:
        raise Refused(f"“{label}”: {text[:40]!r} is no number that ends.")
    return found
