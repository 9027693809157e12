"""The outbox in DynamoDB, delivered by SES.

SES cannot tell a repeated mail from a new one. So a letter is marked `sending` before the one call that sends it, and
a letter that is found so marked is set aside for a person to look at, because it may have arrived.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from webordinary.audit.entry import Entry, EventType
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.letter_rows import LetterRows
from webordinary.engines.aws.dynamodb.records import (
    KEPT_FOR,
    OUTBOX,
    OWED,
    SENT,
    keep_message,
    letter_from,
    outbox_item,
    short_key,
    trail_item,
    written,
)
from webordinary.engines.aws.dynamodb.tables import DUE_INDEX
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.engines.aws.inbox import OURS
from webordinary.errors import JobFailed, Misconfigured, TryAgain
from webordinary.reply.outbox import RESERVED, WELCOME, delay_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.items import Item
    from webordinary.engines.aws.names import Names
    from webordinary.engines.aws.s3.bucket import Bucket
    from webordinary.jobs.job import Job
    from webordinary.reply.outbox import Letter

# An item may have 400 KB; a letter with pictures in it is kept beside the mails instead.
_LONGEST_SEALED = 300_000
_OURS = "#state = :if_state AND tries = :if_tries"
_MOST_PLACES = 1000
_IN_DOUBT = "outbox-in-doubt"
# Long enough for the mail to the agency; after that the letter's own row still says so.
_SHOWN_FOR = timedelta(days=1)
_DOUBT = "nobody knows whether it was sent, so it was not sent again: ask the person whether it arrived"


class SesTransport(Protocol):
    """Takes a mail or says why not; Unknown when it may have been sent all the same.

    Returns the Message-ID under which the mail leaves, if it is another one than ours.
    """

    def deliver(self, raw: bytes, to: str) -> str | None: ...


class SesOutbox:
    """Letters, each recorded once by its key; a reservation is known by the number of its try."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: Names,
        letters: Bucket,
        postman: SesTransport,
        find_job: Callable[[str], Job | None],
    ) -> None:
        self._client = client
        self._names = names
        self._rows = LetterRows(client, names)
        self._what = f"the table {names.records}"
        self._letters = letters
        self._postman = postman
        # What SES called the letters that it has taken, until that is written down with the rest.
        self._sent_as: dict[str, str] = {}
        self._heard = ""
        # A job never changes its lane or thread.
        self._place_of = lru_cache(maxsize=1024)(lambda job: _place(find_job(job)))
        self._places: dict[str, tuple[str, str | None]] = {}

    def add(self, letter: Letter, now: Moment) -> bool:
        if self._rows.read_earlier(letter.key):
            return False
        item = outbox_item(letter, now, self._names.shards)
        put = {"TableName": self._names.records, "Item": item, "ConditionExpression": "attribute_not_exists(id)"}
        return self._written({"Put": put})

    def take_due(self, sender: str, now: Moment, *, limit: int = 10) -> Sequence[Letter]:
        letters: list[Letter] = []
        for item in self._due(now, limit):
            letter = letter_from(self._rows.known(item))
            if item["state"]["S"] == "sending":
                # Its sender died before it could record the result.
                self._set_aside(letter, now, "its sender has died while it was sent")
            else:
                letters.extend(self._reserve(item, sender, now))
        return letters

    def take(self, key: str, sender: str, now: Moment) -> Letter | None:
        """Ask the letter's own row in one write: the index may not know it yet."""
        mark = secrets.token_hex(8)
        reserve = {
            "TableName": self._names.records,
            "Key": self._rows.key(key),
            "UpdateExpression": "SET #dueAt = :until, #sender = :sender, #reserved = :mark ADD #tries :one",
            "ConditionExpression": "#state = :due AND #dueAt <= :now",
            "ExpressionAttributeNames": {
                f"#{name}": name for name in ("dueAt", "sender", "reserved", "tries", "state")
            },
            "ExpressionAttributeValues": item_of(
                {
                    ":until": (now + RESERVED).seconds,
                    ":sender": sender,
                    ":mark": mark,
                    ":one": 1,
                    ":due": "due",
                    ":now": now.seconds,
                }
            ),
        }
        return next(iter(self._reserved(key, mark, reserve)), None)

    def seal(self, letter: Letter, raw: bytes, message_id: str, now: Moment) -> bytes:
        sealed: dict[str, Any] = {"sealed": raw}
        if len(raw) > _LONGEST_SEALED:
            sealed = {"sealedAt": f"{OURS}letters/{hashlib.sha256(raw).hexdigest()}"}
            self._letters.put(sealed["sealedAt"], raw, "message/rfc822")
        condition = "attribute_not_exists(sealed) AND attribute_not_exists(sealedAt)"
        writes = [self._change(letter, condition, {}, {**sealed, "messageId": message_id})]
        writes += self._known_as(message_id.strip("<>"), letter, now)
        # Not written: it was sealed before, and that text is the one that counts.
        return raw if self._written(*writes) else self.written(letter.key) or raw

    def written(self, key: str) -> bytes | None:
        item = self._read(key)
        return self._with_text(letter_from(item), item).sealed if item else None

    def find_sent(self, message_id: str) -> Letter | None:
        with translated(self._what):
            key = item_of({"kind": SENT, "id": _sent_key(message_id)})
            sent = self._client.get_item(TableName=self._names.records, Key=key, ConsistentRead=True).get("Item")
        item = self._read(sent["letter"]["S"]) if sent else None
        return letter_from(item) if item else None

    def deliver(self, letter: Letter, raw: bytes) -> None:
        if not self._begin(letter):
            raise TryAgain(f"{letter.key} is being sent by somebody else")
        try:
            name = self._postman.deliver(raw, letter.to)
        except Unknown:
            raise
        except (TryAgain, JobFailed, Misconfigured) as error:
            self._written(self._change(letter, _OURS, _ours(letter, "sending"), {"state": "due"}))
            if isinstance(error, Misconfigured):
                # A person has to mend it, and then the letter is still there to be sent.
                raise TryAgain(str(error)) from error
            raise
        if name:
            self._sent_as[letter.key] = name

    def mark_sent(self, letter: Letter, now: Moment) -> None:
        # Taken is taken, even if the reservation was over by then and somebody else has set the letter aside.
        open_states = {"due": "due", "sending": "sending", "doubt": "in doubt"}
        done = {"state": "sent", "sentAt": now.seconds, "ttl": _end_of(letter, now), "dueMark": None}
        change = self._change(letter, "#state IN (:if_due, :if_sending, :if_doubt)", open_states, done)
        name = self._sent_as.pop(letter.key, None)
        known_as = self._known_as(name, letter, now) if name else []
        entry = self._entry(EventType.ANSWERED, letter, now, letter.words)
        self._written(change, entry, *known_as, *self._struck(letter))

    def note_heard(self, job: str) -> None:
        """Note that the flow has heard how a job ended: nobody has to tell it again."""
        self._heard = job

    def _struck(self, letter: Letter) -> list[dict[str, Any]]:
        if letter.job is None or letter.job != self._heard:
            return []
        return [{"Delete": {"TableName": self._names.records, "Key": item_of({"kind": OWED, "id": letter.job})}}]

    def mark_delayed(
        self, letter: Letter, why: str, now: Moment, *, for_good: bool = False, counts: bool = True
    ) -> bool:
        delay = delay_of(letter, for_good=for_good, counts=counts)
        later: dict[str, Any] = {"dueAt": (now + delay.wait).seconds, "error": why, "tries": delay.tries}
        if delay.is_given_up:
            later = {"state": "given up", "error": why, "ttl": _end_of(letter, now), "dueMark": None}
        change = self._change(letter, _OURS, _ours(letter, "due"), later)
        what = EventType.ANSWER_GIVEN_UP if delay.is_given_up else EventType.ANSWER_DELAYED
        if self._written(change, self._entry(what, letter, now, why)):
            return delay.is_given_up
        self._set_aside(letter, now, why)
        return False

    def in_doubt(self, now: Moment) -> Sequence[Letter]:
        since = now + -_SHOWN_FOR
        return [letter_from(item) for item in self._marked(_IN_DOUBT, now, 100, since=since.seconds)]

    def _known_as(self, message_id: str, letter: Letter, now: Moment) -> list[dict[str, Any]]:
        """Return the writes by which a reply to this id, or a report about it, finds the letter and its thread."""
        note = item_of({"kind": SENT, "id": _sent_key(message_id), "letter": letter.key, "ttl": _ttl(now)})
        writes: list[dict[str, Any]] = [{"Put": {"TableName": self._names.records, "Item": note}}]
        _, thread = self._about(letter)
        if thread is not None:
            writes.append({"Update": keep_message(self._names.threads, message_id, thread, now)})
        return writes

    def _begin(self, letter: Letter) -> bool:
        """Mark the letter before it is sent; False when it is no longer ours to send."""
        mark = secrets.token_hex(8)
        try:
            marked = {"state": "sending", "sendingMark": mark}
            if self._written(self._change(letter, _OURS, _ours(letter, "due"), marked)):
                return True
        except Unknown:
            pass
        # Our own write may have arrived and only its answer was lost.
        return plain_of(self._read(letter.key)).get("sendingMark") == mark

    def _set_aside(self, letter: Letter, now: Moment, why: str) -> None:
        """Take a letter that may have been sent out of the line, and say so; one that was not begun stays."""
        doubt = f"{_DOUBT} ({why})"
        aside = {"state": "in doubt", "error": doubt, "dueMark": _IN_DOUBT, "dueAt": now.seconds}
        change = self._change(letter, _OURS, _ours(letter, "sending"), aside)
        self._written(change, self._entry(EventType.ANSWER_DELAYED, letter, now, doubt))

    def _due(self, now: Moment, limit: int) -> list[Item]:
        """Return some letters that are due; of many keys, those that have any."""
        found: list[Item] = []
        for mark in self._names.shards.keys(OUTBOX, first=secrets.token_hex(2)):
            found += self._marked(mark, now, limit - len(found))
            if len(found) >= limit:
                break
        return found

    def _marked(self, mark: str, now: Moment, limit: int, *, since: float = 0) -> list[Item]:
        """Look into the index, which may lag behind; every write decides by the letter's own row."""
        with translated(self._what):
            found = self._client.query(
                TableName=self._names.records,
                IndexName=DUE_INDEX,
                KeyConditionExpression="dueMark = :mark AND dueAt BETWEEN :since AND :now",
                ExpressionAttributeValues=item_of({":mark": mark, ":since": since, ":now": now.seconds}),
                Limit=limit,
            )
        return list(found["Items"])

    def _reserve(self, item: Item, sender: str, now: Moment) -> list[Letter]:
        """Make the letter ours for one try; nothing when somebody else was quicker."""
        letter = letter_from(item)
        mark = secrets.token_hex(8)
        reserved = {"dueAt": (now + RESERVED).seconds, "sender": sender, "tries": letter.tries + 1, "reserved": mark}
        return self._reserved(letter.key, mark, self._change(letter, _OURS, _ours(letter, "due"), reserved)["Update"])

    def _reserved(self, key: str, mark: str, change: dict[str, Any]) -> list[Letter]:
        try:
            with translated(self._what):
                taken = self._client.update_item(**change, ReturnValues="ALL_NEW")["Attributes"]
        except (Stale, Unknown):
            # Our own write may have arrived and only its answer was lost; nobody else would send it for minutes then.
            taken = self._read(key)
            if plain_of(taken).get("reserved") != mark:
                return []
        if "lane" in taken and "job" in taken:
            place = plain_of(taken)
            if len(self._places) >= _MOST_PLACES:
                self._places.clear()
            self._places[place["job"]] = place["lane"], place.get("thread")
        return [self._with_text(letter_from(taken), taken)]

    def _read(self, key: str) -> Item:
        return self._rows.read(key)

    def _with_text(self, letter: Letter, item: Item) -> Letter:
        if "sealedAt" not in item:
            return letter
        found = self._letters.read(item["sealedAt"]["S"])
        return replace(letter, sealed=found.content) if found else letter

    def _change(
        self, letter: Letter, condition: str, when: dict[str, Any], values: dict[str, Any]
    ) -> dict[str, dict[str, Any]]:
        """Return an update of the letter's row; what is set to None is removed."""
        names = {f"#{name}": name for name in values} | ({"#state": "state"} if "#state" in condition else {})
        given = {name: value for name, value in values.items() if value is not None}
        gone = [f"#{name}" for name, value in values.items() if value is None]
        sets = "SET " + ", ".join(f"#{name} = :{name}" for name in given)
        return {
            "Update": {
                "TableName": self._names.records,
                "Key": self._rows.key(letter.key),
                "UpdateExpression": f"{sets} REMOVE {', '.join(gone)}" if gone else sets,
                "ConditionExpression": condition,
                "ExpressionAttributeNames": names,
                "ExpressionAttributeValues": item_of(
                    {f":{name}": value for name, value in given.items()}
                    | {f":if_{name}": value for name, value in when.items()}
                ),
            }
        }

    def _entry(self, what: EventType, letter: Letter, now: Moment, text: str) -> dict[str, Any]:
        lane, thread = self._about(letter)
        facts = {"kind": letter.kind, "tries": str(letter.tries)}
        entry = Entry(what, now.wall_at, lane, thread, letter.job, letter.mail, text=text, facts=facts)
        return {"Put": {"TableName": self._names.records, "Item": trail_item(entry, self._names.shards)}}

    def _about(self, letter: Letter) -> tuple[str | None, str | None]:
        """Return the lane and thread of a letter: most rows say it themselves."""
        if not letter.job:
            return None, None
        return self._places.get(letter.job) or self._place_of(letter.job)

    def _written(self, *writes: Any) -> bool:  # noqa: ANN401 - the driver's own nested dictionaries
        return written(self._client, self._what, *writes)


def _sent_key(message_id: str) -> str:
    """Return the key of a Message-ID; SES itself speaks of its ids without their domain."""
    name, _, domain = message_id.rpartition("@")
    return short_key(name if domain.endswith("amazonses.com") else message_id)


def _ours(letter: Letter, state: str) -> dict[str, Any]:
    return {"state": state, "tries": letter.tries}


def _place(job: Job | None) -> tuple[str | None, str | None]:
    return (job.lane.key, job.thread) if job else (None, None)


def _end_of(letter: Letter, now: Moment) -> int | None:
    return None if letter.kind == WELCOME else _ttl(now)


def _ttl(now: Moment) -> int:
    return int((now + KEPT_FOR).seconds)
