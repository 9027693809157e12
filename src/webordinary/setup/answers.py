"""Answers from a file, for walks that nobody watches: all of them are read before anything is done."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from webordinary.config.outside import read_outside
from webordinary.config.source import nearest
from webordinary.errors import Misconfigured
from webordinary.setup.question import NO, YES
from webordinary.values import Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from webordinary.setup.walk import SetupWalk

LATER = "later"
_OUTSIDE = ("file", "variable")


class AnswersFile:
    """A TOML file with one table for each step; a secret may stand in it, or lie in a file or a variable."""

    def __init__(self, path: Path, environ: Mapping[str, str]) -> None:
        self.path = path
        self._environ = environ
        try:
            self._tables = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise Misconfigured(f"{path} is not TOML: {error}.") from None
        except RecursionError:
            raise Misconfigured(f"{path} is not TOML that anybody wrote: it has too many brackets.") from None
        except OSError as error:
            raise Misconfigured(f"{path} cannot be read: {error.strerror}.") from None

    def typed(self, step: str) -> dict[str, str]:
        """Return the answers of a step as they would be typed."""
        table = self._tables.get(step, {})
        if not isinstance(table, dict):
            raise self._wrong(step, None, "must be a table of answers")
        return {key: self._text(step, key, value) for key, value in table.items() if key != LATER}

    def leaves(self, step: str) -> bool:
        """Whether the step is to be left for later."""
        table = self._tables.get(step, {})
        found = table.get(LATER, False) if isinstance(table, dict) else False
        if not isinstance(found, bool):
            raise self._wrong(step, LATER, "must be true or false")
        return found

    def require_steps(self, known: Iterable[str]) -> None:
        """Refuse a table that is no step."""
        names = list(known)
        for each in self._tables:
            if each not in names:
                near = nearest(each.lower(), names)
                hint = f"did you mean [{near}]?" if near else f"there is {', '.join(names)}."
                raise Misconfigured(f"{self.path}: there is no step [{each}]; {hint}")

    def require(self, walk: SetupWalk, step: str) -> dict[str, str]:
        """Return the answers of a step, or refuse the first that is missing, unknown or wrong."""
        typed = self.typed(step)
        taken = walk.take(walk.find(step), typed)
        for question in taken.questions:
            if (why := taken.wrong.get(question.key)) is not None:
                missing = f" ({question.asks.rstrip('?.:')})" if question.key not in typed else ""
                raise self._wrong(step, question.key, f"{why}{missing}")
        known = [each.key for each in taken.questions]
        for key in typed:
            if key not in known:
                near = nearest(key.lower(), known)
                hint = f"did you mean `{near}`?" if near else f"asked here: {', '.join(known) or 'nothing'}"
                raise self._wrong(step, key, f"is not asked for; {hint}".rstrip("?") + ("?" if near else ""))
        return dict(taken.given)

    def _text(self, step: str, key: str, value: Any) -> str:  # noqa: ANN401 - whatever TOML holds
        if isinstance(value, bool):
            return YES if value else NO
        if isinstance(value, str | int | float):
            return str(value)
        if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in _OUTSIDE:
            return self._outside(step, key, value)
        raise self._wrong(step, key, 'must be a text, a number, true or false, or { file = "…" } or { variable = "…" }')

    def _outside(self, step: str, key: str, value: Mapping[str, Any]) -> str:
        file, variable = value.get("file"), value.get("variable")
        if not isinstance(file, str | None):
            raise self._wrong(step, key, "must be a text behind `file`")
        place = self.path.absolute().parent / str(file) if file is not None else None
        try:
            name = Variable.read(variable) if variable is not None else None
        except ValueError as problem:
            raise self._wrong(step, key, str(problem)) from None
        return read_outside(place, name, f"the answer `{step}.{key}`", f"{step}.{key} in {self.path}", self._environ)

    def _wrong(self, step: str, key: str | None, why: str) -> Misconfigured:
        name = f"`{step}.{key}`" if key else f"[{step}]"
        return Misconfigured(f"{self.path}: {name} {why.rstrip('.')}{'' if why.endswith('?') else '.'}")
