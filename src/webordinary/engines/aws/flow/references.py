"""What one step of the flow leaves for the next: the history of an execution holds names and numbers, no words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from webordinary.engines.aws.inbox import OURS
from webordinary.errors import Refused

if TYPE_CHECKING:
    from webordinary.engines.aws.s3.bucket import Bucket

Value = TypeVar("Value")


class References:
    """Objects beside the mails, which go with them; writing one again replaces it."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    def leave(self, mail: str, name: str, value: object) -> None:
        self._bucket.put(_key(mail, name), msgspec.json.encode(value), "application/json")

    def find(self, mail: str, name: str, kind: type[Value]) -> Value:
        found = self._bucket.read(_key(mail, name))
        if found is None:
            raise Refused(f"what was found out about {mail} ({name}) is no longer kept")
        return msgspec.json.decode(found.content, type=kind)


def _key(mail: str, name: str) -> str:
    return f"{OURS}steps/{mail}/{name}.json"
