"""What policies say about one request: Amazon's own rules for actions, resources, principals and conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

Statement = Mapping[str, Any]


class Verdict(StrEnum):
    """A denial counts more than any permission; without a word nothing is allowed."""

    DENIED = "denied"
    ALLOWED = "allowed"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Request:
    """One thing that somebody wants to do; facts are what conditions may ask about."""

    action: str
    resource: str
    facts: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    # Everything that the caller is called: only policies of resources ask for it.
    callers: tuple[str, ...] = ()


def verdict(statements: Iterable[Statement], request: Request) -> Verdict:
    concerned = {statement["Effect"] for statement in statements if _concerns(statement, request)}
    if "Deny" in concerned:
        return Verdict.DENIED
    return Verdict.ALLOWED if concerned else Verdict.SILENT


def statements_of(document: Mapping[str, Any]) -> list[Statement]:
    return list(_listed(document.get("Statement", [])))


def _concerns(statement: Statement, request: Request) -> bool:
    return (
        _is_among(statement, "Action", request.action.lower(), str.lower)
        and _is_among(statement, "Resource", request.resource)
        and _is_for(statement.get("Principal", "*"), request.callers)
        and all(_holds(name, asked, request.facts) for name, asked in statement.get("Condition", {}).items())
    )


def _is_among(statement: Statement, key: str, value: str, form: Callable[[str], str] = str) -> bool:
    if f"Not{key}" in statement:
        return not any(_like(form(each), value) for each in _listed(statement[f"Not{key}"]))
    return any(_like(form(each), value) for each in _listed(statement[key]))


def _is_for(principal: Any, callers: Sequence[str]) -> bool:  # noqa: ANN401 - a text or a table in a policy
    if principal == "*":
        return True
    named = [str(each) for each in _listed(principal.get("AWS", ()))]
    return any(each == "*" or each in callers for each in named)


def _holds(operator: str, asked: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Say whether every key of one operator is as it should be; several values of a key mean: one of them."""
    quantifier, _, plain = operator.rpartition(":")
    plain, may_lack = plain.removesuffix("IfExists"), operator.endswith("IfExists")
    known = {key.lower(): value for key, value in facts.items()}
    compare = _OPERATORS[plain]
    for key, wanted in asked.items():
        found = known.get(key.lower())
        if plain == "Null":
            if (found is None) != (str(_listed(wanted)[0]).lower() == "true"):
                return False
        elif found is None:
            if not (may_lack or quantifier == "ForAllValues" or plain in _NEGATIVE):
                return False
        elif not _compare(quantifier, compare, [str(each) for each in _listed(wanted)], _listed(found)):
            return False
    return True


def _compare(quantifier: str, compare: Callable[[str, str], bool], wanted: Sequence[str], found: Sequence[Any]) -> bool:
    holds = [any(compare(each, str(one)) for each in wanted) for one in found]
    return all(holds) if quantifier == "ForAllValues" else any(holds)


@lru_cache(maxsize=4096)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("".join({"*": ".*", "?": "."}.get(each, re.escape(each)) for each in text), re.DOTALL)


def _like(pattern: str, text: str) -> bool:
    return _pattern(pattern).fullmatch(text) is not None


def _listed(value: Any) -> Sequence[Any]:  # noqa: ANN401 - one or several, as policies like
    return value if isinstance(value, (list, tuple)) else [value]


def _same(wanted: str, found: str) -> bool:
    return wanted == found


def _same_word(wanted: str, found: str) -> bool:
    return wanted.lower() == found.lower()


_NEGATIVE = {"StringNotEquals", "StringNotLike", "ArnNotLike", "ArnNotEquals"}
# A policy with any other operator fails loudly: better than a right that was never looked at.
_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "StringEquals": _same,
    "StringEqualsIgnoreCase": _same_word,
    "StringLike": _like,
    "StringNotEquals": lambda wanted, found: wanted != found,
    "StringNotLike": lambda wanted, found: not _like(wanted, found),
    "ArnEquals": _like,
    "ArnLike": _like,
    "ArnNotEquals": lambda wanted, found: not _like(wanted, found),
    "ArnNotLike": lambda wanted, found: not _like(wanted, found),
    "Bool": _same_word,
    "Null": _same_word,
    "NumericLessThan": lambda wanted, found: float(found) < float(wanted),
}
