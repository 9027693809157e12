"""People in DynamoDB and S3: every table is read through once, which nobody asks for often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.audit.entry import Entry, EventType
from webordinary.clock import from_seconds
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.mail_rows import MAIL
from webordinary.engines.aws.dynamodb.records import (
    BOUNCE,
    CALLBACK,
    DEAD,
    OUTBOX,
    OWED,
    PROPOSAL,
    SCHEDULE,
    SENT,
    TRAIL,
    trail_item,
)
from webordinary.engines.aws.dynamodb.shards import kind_of
from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.flow.held import REQUEST
from webordinary.engines.aws.inbox import MAIL_KEY, OURS, file_key, raw_key
from webordinary.engines.aws.projects import address_key
from webordinary.engines.aws.tallies import TALLY
from webordinary.engines.stored_text import text_of
from webordinary.jobs.people import (
    JobTrace,
    MailTrace,
    OpenKind,
    OpenWork,
    PersonOnRecord,
    choose_ids,
    files_in,
    redacted,
    still_open,
)
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names
    from webordinary.engines.aws.s3.bucket import Bucket
    from webordinary.jobs.people import Ids

FORGOTTEN_PERSON = "forgotten"
_AT_ONCE = 25
# The names that the same things have in an export of every engine.
_KINDS = {
    MAIL: "mails",
    MAIL_KEY: "requests",
    REQUEST: "requests",
    OUTBOX: "outbox",
    SENT: "outbox",
    CALLBACK: "callbacks",
    OWED: "callbacks",
    DEAD: "jobs",
    PROPOSAL: "proposals",
    SCHEDULE: "schedules",
    TALLY: "tallies",
    BOUNCE: "bounces",
    TRAIL: "trail",
}
_REDACTED = {TRAIL: ("text", "facts"), PROPOSAL: ("body",), SCHEDULE: ("body", "closedBy"), OUTBOX: ("facts",)}


def _is_named(item: dict[str, Any], ids: Ids) -> bool:
    return ids.owns(item.get("job"), item.get("mail"), item.get("thread"), item.get("id"))


def _is_letter_to(item: dict[str, Any], ids: Ids) -> bool:
    return fold_address(item["recipient"]) == ids.address or ids.owns(item.get("job"), item.get("mail"))


def _is_planned_by(item: dict[str, Any], ids: Ids) -> bool:
    plan = msgspec.json.decode(item["body"])
    return ids.owns(plan.get("thread"), plan.get("job"))


_THEIRS: dict[str, Callable[[dict[str, Any], Ids], bool]] = {
    OUTBOX: _is_letter_to,
    SCHEDULE: _is_planned_by,
    # A letter's key begins with its job or its mail.
    SENT: lambda item, ids: ids.owns(item["letter"].partition(".")[0]),
    BOUNCE: lambda item, ids: ids.address in fold_address(str(item)),
    TALLY: lambda item, ids: any(thing in ids.mails for thing in item.get("things", ())),
}


@dataclass(frozen=True, slots=True)
class _Found:
    """An item, and the table that it lies in."""

    table: str
    kind: str
    item: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DynamoPeople:
    """Looks through the tables, and removes items and objects."""

    client: DynamoDBClient
    names: Names
    mails: Bucket
    media: Bucket

    def find(self, address: str) -> PersonOnRecord:
        return self._look(address)[0]

    def forget(self, address: str, mark: str, by: str, now: Moment) -> PersonOnRecord:
        person, theirs, others = self._look(address)
        if person.open_work:
            raise still_open(person)
        self._remove_objects(person, theirs)
        self._remove_files(person, others)
        for found in others:
            self._redact(found, person.ids.address)
        for found in theirs:
            if found.kind == TRAIL:
                self._put(found.table, {**found.item, "text": "", "facts": "{}"})
        self._delete(found for found in theirs if found.kind != TRAIL)
        with translated(f"the table {self.names.projects}"):
            # Which projects the address has edited is noted beside them.
            self.client.delete_item(TableName=self.names.projects, Key=item_of({"id": address_key(address)}))
        facts = {"mark": mark[:16], "by": by, **{kind: str(count) for kind, count in person.counts.items()}}
        record = {"kind": FORGOTTEN_PERSON, "id": mark, "at": now.seconds, "facts": text_of(facts)}
        self._put(self.names.records, record)
        entry = trail_item(Entry(EventType.PERSON_FORGOTTEN, now.wall_at, facts=facts), self.names.shards)
        self._put(self.names.records, plain_of(entry))
        return person

    def forgotten_at(self, mark: str) -> datetime | None:
        key = item_of({"kind": FORGOTTEN_PERSON, "id": mark})
        with translated(f"the table {self.names.records}"):
            found = self.client.get_item(TableName=self.names.records, Key=key, ConsistentRead=True).get("Item")
        return from_seconds(plain_of(found)["at"]) if found else None

    def _look(self, address: str) -> tuple[PersonOnRecord, list[_Found], list[_Found]]:
        every = list(self._all())
        jobs = [found.item for found in every if found.table == self.names.jobs and "request" in found.item]
        mails = [found.item for found in every if found.kind == MAIL]
        ids = choose_ids(address, [_mail_trace(mail) for mail in mails], [_job_trace(job) for job in jobs])
        theirs = [found for found in every if self._is_theirs(found, ids)]
        marks = {id(found) for found in theirs}
        others = [found for found in every if id(found) not in marks]
        rows: dict[str, list[dict[str, Any]]] = {}
        for found in theirs:
            if found.table != self.names.jobs or "request" in found.item:
                rows.setdefault(_KINDS.get(found.kind, found.kind.partition("#")[0]), []).append(found.item)
        texts = [str(value) for found in theirs for value in found.item.values()]
        mentions = sum(ids.address in fold_address(f"{job['subject']}{job['request']}") for job in jobs)
        own = sum(ids.address in fold_address(f"{job['subject']}{job['request']}") for job in rows.get("jobs", ()))
        return PersonOnRecord(ids, rows, files_in(texts), _open_work(theirs), mentions - own), theirs, others

    def _all(self) -> Iterator[_Found]:
        names = self.names
        for table in (names.jobs, names.records, names.threads, names.interruptions):
            kinds = {names.jobs: "jobs", names.threads: "threads", names.interruptions: "interruptions"}
            with translated(f"the table {table}"):
                for page in self.client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True):
                    for item in map(plain_of, page["Items"]):
                        yield _Found(table, kinds.get(table) or kind_of(str(item["kind"])), item)

    def _is_theirs(self, found: _Found, ids: Ids) -> bool:
        item = found.item
        if found.table != self.names.records:
            pointed = str(item.get("projectUserId", "")).removeprefix("job#")
            named = (item.get("jobId"), pointed, item.get("threadId"), item.get("thread"), item.get("newThreadId"))
            return ids.owns(*named)
        return _THEIRS.get(found.kind, _is_named)(item, ids)

    def _remove_objects(self, person: PersonOnRecord, theirs: list[_Found]) -> None:
        keys = []
        for found in theirs:
            if found.kind == MAIL:
                keys.append(str(found.item.get("object") or raw_key(found.item["digest"])))
            if "sealedAt" in found.item:
                keys.append(str(found.item["sealedAt"]))
        self.mails.delete(keys)
        for mail in person.ids.mails:
            self.mails.delete_folder(f"{OURS}steps/{mail}/")

    def _remove_files(self, person: PersonOnRecord, others: list[_Found]) -> None:
        shared = files_in(str(value) for found in others for value in found.item.values())
        self.media.delete(file_key(digest) for digest in person.files - shared)

    def _redact(self, found: _Found, address: str) -> None:
        """Take the address out of what is kept about others; a letter that was sent loses its words with it."""
        item = dict(found.item)
        for name in _REDACTED.get(found.kind, ()):
            if address in fold_address(str(item.get(name, ""))):
                item[name] = redacted(str(item[name]), address)
        if (
            found.kind == OUTBOX
            and item.get("state") != "due"
            and address.encode() in bytes(item.get("sealed") or b"").lower()
        ):
            del item["sealed"]
        if item != found.item:
            self._put(found.table, item)

    def _put(self, table: str, values: dict[str, Any]) -> None:
        with translated(f"the table {table}"):
            self.client.put_item(TableName=table, Item=item_of(values))

    def _delete(self, items: Iterable[_Found]) -> None:
        keys: dict[str, tuple[str, ...]] = {
            self.names.jobs: ("projectUserId", "sequence"),
            self.names.records: ("kind", "id"),
            self.names.threads: ("threadId",),
            self.names.interruptions: ("messageId",),
        }
        orders: dict[str, list[dict[str, Any]]] = {}
        for found in items:
            key = item_of({name: found.item[name] for name in keys[found.table]})
            orders.setdefault(found.table, []).append({"DeleteRequest": {"Key": key}})
        for table, every in orders.items():
            for first in range(0, len(every), _AT_ONCE):
                asked: dict[str, Any] = {table: every[first : first + _AT_ONCE]}
                with translated(f"the table {table}"):
                    while asked:
                        asked = self.client.batch_write_item(RequestItems=asked)["UnprocessedItems"]


def _mail_trace(row: dict[str, Any]) -> MailTrace:
    author = str(row.get("author") or "").partition(" ")[0]
    senders = (row.get("sender") or "", row.get("mailFrom") or "", author)
    return MailTrace(row["id"], senders, row.get("job"), row.get("thread"))


def _job_trace(row: dict[str, Any]) -> JobTrace:
    request = msgspec.json.decode(row["request"])
    return JobTrace(
        id=row["jobId"],
        lane=row["lane"],
        thread=row["threadId"],
        sequence=row.get("place") or row["sequence"],
        mail=row.get("mail"),
        reply_to=request.get("reply_to"),
    )


def _open_work(theirs: list[_Found]) -> tuple[OpenWork, ...]:
    jobs = [found.item for found in theirs if found.kind == "jobs" and "request" in found.item]
    live = {job["jobId"] for job in jobs if job.get("finishedAt") is None}
    waiting = [found.item["id"] for found in theirs if found.kind == PROPOSAL and found.item["standing"] == "open"]
    planned = [found.item["id"] for found in theirs if found.kind == SCHEDULE and "closedAt" not in found.item]
    undecided = [found.item["id"] for found in theirs if found.kind == MAIL and found.item["state"] == "received"]
    return (
        *(OpenWork(OpenKind.MAIL, mail) for mail in undecided),
        *(OpenWork(OpenKind.REQUEST, job) for job in sorted(live)),
        *(OpenWork(OpenKind.PROPOSAL, thread) for thread in waiting),
        *(OpenWork(OpenKind.TIMED, name) for name in planned),
    )
