"""Which container this is: the task's id where ECS tells it, else a name that no container had before."""

from __future__ import annotations

import json
import logging
import re
import secrets
import urllib.request
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.clock import Moment

VARIABLE = "ECS_CONTAINER_METADATA_URI_V4"
_PATIENCE_SECONDS = 2.0
_LONGEST_ANSWER = 1_000_000
_TASK = re.compile(r"arn:[^\s/]+:task/(?:[^\s/]+/)?([A-Za-z0-9_-]{1,64})", re.ASCII)

_log = logging.getLogger(__name__)


def container_id(environ: Mapping[str, str], now: Moment) -> str:
    """Return the name under which this container claims lanes."""
    address = environ.get(VARIABLE, "")
    task = _task_id(address) if address.startswith("http://") else None
    return task or f"container-{int(now.seconds)}-{secrets.token_hex(4)}"


def _task_id(address: str) -> str | None:
    try:
        with urllib.request.urlopen(f"{address}/task", timeout=_PATIENCE_SECONDS) as answer:  # noqa: S310 - checked to be http
            told = json.loads(answer.read(_LONGEST_ANSWER))
        found = _TASK.fullmatch(str(told["TaskARN"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        # A name of our own is as good: it proves nothing anyway, the fence does.
        _log.warning("ECS does not say which task this is: %s", type(error).__name__)
        return None
    return found[1] if found else None
