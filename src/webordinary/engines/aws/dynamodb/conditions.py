"""Conditions of writes, with the names and values that they mention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import value_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def condition_of(condition: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a condition with the names and values that it mentions: `#name` is that attribute, `:name` that value.

    Names always go this way: `state`, `owner` and many others are words of DynamoDB's own.
    """
    if not condition:
        return {}
    words = condition.replace("(", " ").replace(")", " ").replace(",", " ").split()
    made: dict[str, Any] = {
        "ConditionExpression": condition,
        "ExpressionAttributeNames": {word: word[1:] for word in words if word.startswith("#")},
    }
    wanted = {word: value_of(values[word[1:]]) for word in words if word.startswith(":")}
    return {**made, "ExpressionAttributeValues": wanted} if wanted else made
