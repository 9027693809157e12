"""Held answers in DynamoDB: letters of the outbox under another mark than those that are due."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import EventType
from webordinary.clock import from_seconds
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.letter_rows import LetterRows
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, OUTBOX, letter_from, trail_item, written
from webordinary.engines.aws.dynamodb.tables import DUE_INDEX
from webordinary.engines.aws.faults import translated
from webordinary.engines.stored_text import text_of
from webordinary.reply.held_answers import MOST_HELD, HeldAnswer, about_held
from webordinary.reply.outbox import ANSWER, APPROVED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names
    from webordinary.jobs.job import Job
    from webordinary.reply.outbox import Letter

HELD = "outbox-held"
_STATE = "held"


class DynamoHeldAnswers:
    """Each write asks whether the answer still waits, and still says what was seen."""

    def __init__(self, client: DynamoDBClient, names: Names, find_job: Callable[[str], Job | None]) -> None:
        self._find_job = find_job
        self._client = client
        self._names = names
        self._rows = LetterRows(client, names)
        self._what = f"the table {names.records}"

    def hold(self, letter: Letter, now: Moment) -> bool:
        job = self._find_job(letter.job or "")
        held = HeldAnswer(letter, now.wall_at, job.lane.key if job else "", job.thread if job else "")
        waits = {"state": _STATE, "dueMark": HELD, "dueAt": now.seconds, "tries": 0}
        # Not every letter's row says where it belongs.
        waits |= {name: value for name, value in (("lane", held.lane), ("thread", held.thread)) if value}
        asked = {"state": "due", "tries": letter.tries}
        return self._change(EventType.ANSWER_HELD, held, waits, asked, now, text=letter.words)

    def all(self, *, limit: int = 100) -> Sequence[HeldAnswer]:
        with translated(self._what):
            # An answer of the table ends after a megabyte, which may be fewer.
            pages = self._client.get_paginator("query").paginate(
                TableName=self._names.records,
                IndexName=DUE_INDEX,
                KeyConditionExpression="dueMark = :mark",
                ExpressionAttributeValues=item_of({":mark": HELD}),
                PaginationConfig={"MaxItems": limit},
            )
            return [_read(self._rows.known(item)) for page in pages for item in page["Items"]]

    def find(self, job: str) -> HeldAnswer | None:
        # Their own rows first: the index may lag behind.
        rows = (self._rows.read(f"{job}.{kind}") for kind in (ANSWER, APPROVED))
        found = [_read(item) for item in rows if item and plain_of(item)["state"] == _STATE]
        found += [held for held in self.all(limit=MOST_HELD) if held.job == job]
        return min(found, key=lambda held: held.held_at, default=None)

    def edit(self, held: HeldAnswer, facts: Mapping[str, str], by: str, now: Moment) -> bool:
        return self._change(EventType.ANSWER_EDITED, held, {"facts": text_of(facts)}, _seen(held), now, by)

    def let_go(self, held: HeldAnswer, by: str, now: Moment) -> bool:
        # Due since it was held, as its row says: what waits longer in a conversation is sent first.
        goes = {
            "state": "due",
            "dueMark": self._names.shards.key(OUTBOX, held.letter.key),
            "releasedBy": by or "somebody",
        }
        return self._change(EventType.ANSWER_RELEASED, held, goes, _seen(held), now, by)

    def take_back(self, held: HeldAnswer, by: str, why: str, now: Moment) -> bool:
        ends = {"state": "given up", "dueMark": None, "error": why, "ttl": int((now + KEPT_FOR).seconds)}
        return self._change(EventType.ANSWER_TAKEN_BACK, held, ends, _seen(held), now, by, why)

    def _change(
        self,
        what: EventType,
        held: HeldAnswer,
        values: dict[str, Any],
        when: dict[str, Any],
        now: Moment,
        by: str = "",
        text: str = "",
    ) -> bool:
        """Write the row and the trail together, if the row still is as it was; what is set to None is removed."""
        given = {name: value for name, value in values.items() if value is not None}
        sets = "SET " + ", ".join(f"#{name} = :{name}" for name in given)
        gone = [f"#{name}" for name in values if name not in given]
        update = {
            "TableName": self._names.records,
            "Key": self._rows.key(held.letter.key),
            "UpdateExpression": f"{sets} REMOVE {', '.join(gone)}" if gone else sets,
            "ConditionExpression": " AND ".join(f"#{name} = :if_{name}" for name in when),
            "ExpressionAttributeNames": {f"#{name}": name for name in {*values, *when}},
            "ExpressionAttributeValues": item_of(
                {f":{name}": value for name, value in given.items()}
                | {f":if_{name}": value for name, value in when.items()}
            ),
        }
        entry = trail_item(about_held(what, held, now, text, by), self._names.shards)
        put = {"TableName": self._names.records, "Item": entry}
        return written(self._client, self._what, {"Update": update}, {"Put": put})


def _seen(held: HeldAnswer) -> dict[str, Any]:
    return {"state": _STATE, "facts": text_of(held.letter.facts)}


def _read(item: Mapping[str, Any]) -> HeldAnswer:
    row = plain_of(item)
    held_at = from_seconds(row["dueAt"])
    return HeldAnswer(letter_from(item), held_at, row.get("lane") or "", row.get("thread") or "")
