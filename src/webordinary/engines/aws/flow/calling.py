"""Calls a function of the flow as AWS does, and waits for what it says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.faults import translated
from webordinary.errors import JobFailed, TryAgain

if TYPE_CHECKING:
    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names


def call_function(clients: Clients, names: Names, function: str, event: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever the function returns
    """Return what it answers; JobFailed when it broke."""
    name = names.function(function)
    with translated(f"the function {name}"):
        answer = clients.functions.invoke(FunctionName=name, Payload=json.dumps(event).encode())
        words = answer["Payload"].read()
    try:
        told = json.loads(words)
    except ValueError:
        raise TryAgain(f"the function {name} answered {words[:60]!r}: look at its log") from None
    if answer.get("FunctionError"):
        raise JobFailed(f"the function {name} failed ({told.get('errorMessage', '')}): look at its log")
    return told
