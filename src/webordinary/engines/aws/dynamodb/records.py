"""What is kept beside the lanes: the trail, letters, callbacks and threads, as items that every port writes alike."""

from __future__ import annotations

import hashlib
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.audit.entry import Entry, EventType
from webordinary.clock import from_seconds
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.faults import Stale, translated
from webordinary.engines.stored_text import storable, text_of
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.shards import Shards

TRAIL = "trail"
OUTBOX = "outbox"
CALLBACK = "callback"
WORKER = "worker"
PROJECT = "project"
BEHIND = "behind"
LANES = "lanes"
LAYOUT = "layout"
SLOT = "slot"
OWED = "owed"
DEAD = "dead"
SPENDING = "spending"
PROPOSAL = "proposal"
SCHEDULE = "schedule"
BOUNCE = "bounce"
SENT = "sent"
VERSION = "version"

# Garbage is collected long after anybody could want it; nothing is decided by it.
KEPT_FOR = timedelta(days=90)
# Longer than any of our reply addresses holds: conversations, and the keys of requests.
REMEMBERED_FOR = timedelta(days=400)
_DIGITS = 20
_LONGEST_KEY = 256


class _Numbers:
    """Numbers from the clock that only grow, also while the clock stands still or is set back."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def next(self) -> int:
        with self._lock:
            self._last = max(self._last + 1, time.time_ns())
            return self._last


next_number = _Numbers().next


def facts_of(text: str) -> dict[str, str]:
    """Read facts back."""
    return msgspec.json.decode(text, type=dict[str, str])


def padded(number: int) -> str:
    """Return a trail number so that text sorts as numbers do."""
    return f"{number:0{_DIGITS}d}"


def trail_item(entry: Entry, shards: Shards) -> Item:
    """Return an entry with the next number, to be written in the transaction that makes it true.

    What happened in one lane stands under one key.
    """
    return item_of(
        {
            "kind": shards.key(TRAIL, entry.lane or entry.mail or ""),
            "id": padded(next_number()),
            # For the index of what happened to one job.
            "trailJob": entry.job,
            "at": entry.at.timestamp(),
            "what": entry.what.value,
            "lane": entry.lane,
            "thread": entry.thread,
            "job": entry.job,
            "mail": entry.mail,
            "worker": entry.worker,
            "fence": entry.fence,
            "text": entry.text,
            "facts": text_of(entry.facts),
        }
    )


def entry_from(item: Mapping[str, Any]) -> Entry:
    """Read an entry back."""
    row = plain_of(item)
    return Entry(
        what=EventType(row["what"]),
        at=from_seconds(row["at"]),
        lane=row.get("lane"),
        thread=row.get("thread"),
        job=row.get("job"),
        mail=row.get("mail"),
        worker=row.get("worker"),
        fence=row.get("fence"),
        text=row.get("text", ""),
        facts=facts_of(row.get("facts", "{}")),
        number=int(row["id"]),
    )


def letter_kind(key: str) -> str:
    """Return the kind under which one letter is kept."""
    return f"{OUTBOX}#{key}"


def callback_kind(token: str) -> str:
    """Return the kind under which the record of one token is kept."""
    return f"{CALLBACK}#{token_id(token)}"


def outbox_item(
    letter: Letter, now: Moment, shards: Shards, lane: str | None = None, thread: str | None = None
) -> Item:
    """Return a letter that is due at once; `dueMark` puts it into the index of what is due until it was sent."""
    return item_of(
        {
            "lane": lane,
            "thread": thread,
            "kind": letter_kind(letter.key),
            "id": letter.key,
            "letter": letter.kind,
            "recipient": letter.to,
            "words": letter.words,
            "facts": text_of(letter.facts),
            "job": letter.job,
            "mail": letter.mail,
            "tries": letter.tries,
            "sealed": letter.sealed,
            "state": "due",
            "dueMark": shards.key(OUTBOX, letter.key),
            "dueAt": now.seconds,
            "addedAt": now.seconds,
        }
    )


def letter_from(item: Mapping[str, Any]) -> Letter:
    """Read a letter back."""
    row = plain_of(item)
    return Letter(
        key=row["id"],
        kind=row["letter"],
        to=row["recipient"],
        words=row["words"],
        facts=facts_of(row.get("facts", "{}")),
        job=row.get("job"),
        mail=row.get("mail"),
        tries=row.get("tries", 0),
        sealed=bytes(row["sealed"]) if row.get("sealed") is not None else None,
        is_let_go="releasedBy" in row,
    )


def written(client: DynamoDBClient, what: str, *writes: Any) -> bool:  # noqa: ANN401 - the driver's own nested dictionaries
    """Write all or nothing, a single write without a transaction; False when a condition does not hold."""
    try:
        with translated(what):
            match writes:
                case ({"Put": put},):
                    client.put_item(**put)
                case ({"Update": update},):
                    client.update_item(**update)
                case _:
                    client.transact_write_items(TransactItems=writes)
    except Stale:
        return False
    return True


def short_key(text: str) -> str:
    """Return the text, or its hash where it is longer than a key may be."""
    if 0 < len(text) <= _LONGEST_KEY:
        return text
    return f"sha256:{hashlib.sha256(text.encode(errors='replace')).hexdigest()}"


def token_id(token: str) -> str:
    """Return the key of a token's record; Step Functions' own tokens may be longer than a key."""
    return short_key(token)


def message_key(message_id: str) -> str:
    """Return the key under which a Message-ID names its thread; a long one is known by its hash."""
    return f"message#{short_key(storable(message_id))}"


def keep_thread(table: str, thread: str, lane: str, now: Moment) -> dict[str, Any]:
    """Return the write that remembers a thread and its lane, and changes nothing that is known of it."""
    return {
        "TableName": table,
        "Key": item_of({"threadId": thread}),
        "UpdateExpression": (
            "SET #lane = if_not_exists(#lane, :lane), #began = if_not_exists(#began, :now), #ttl = :ttl"
        ),
        "ExpressionAttributeNames": {"#lane": "lane", "#began": "beganAt", "#ttl": "ttl"},
        "ExpressionAttributeValues": item_of({":lane": lane, ":now": now.seconds, ":ttl": _end_of_memory(now)}),
    }


def dead_item(job: str, now: Moment) -> Item:
    """Return the note that a job was given up, so that nobody reads all jobs to find the few dead ones."""
    # Marked until somebody has been told.
    mark: dict[str, str | float] = {"dueMark": DEAD, "dueAt": now.seconds}
    return item_of({"kind": DEAD, "id": job, **mark, "ttl": int((now + KEPT_FOR).seconds)})


def lanes_kind(project: str) -> str:
    """Return the kind under which the lanes of one project are noted."""
    return f"{LANES}#{project}"


def keep_message(table: str, message_id: str, thread: str, now: Moment) -> dict[str, Any]:
    """Return the write that remembers in which thread a message was written; the first one holds."""
    return {
        "TableName": table,
        "Key": item_of({"threadId": message_key(message_id)}),
        "UpdateExpression": (
            "SET #thread = if_not_exists(#thread, :thread), #noted = if_not_exists(#noted, :now), #ttl = :ttl"
        ),
        "ExpressionAttributeNames": {"#thread": "thread", "#noted": "notedAt", "#ttl": "ttl"},
        "ExpressionAttributeValues": item_of({":thread": thread, ":now": now.seconds, ":ttl": _end_of_memory(now)}),
    }


def _end_of_memory(now: Moment) -> int:
    return int((now + REMEMBERED_FOR).seconds)
