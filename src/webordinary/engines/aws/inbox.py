"""The inbox: raw mails and files in S3 by content hash, written before the row in DynamoDB that names them."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from webordinary.audit.entry import Entry, EventType
from webordinary.clock import from_seconds
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.letter_rows import LetterRows
from webordinary.engines.aws.dynamodb.mail_lines import MailLines, line_item, place_in_line
from webordinary.engines.aws.dynamodb.mail_rows import MAIL, mail_kind, new_mail
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, outbox_item, trail_item
from webordinary.engines.aws.dynamodb.tables import DUE_INDEX
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.engines.aws.flow.held import HeldMails
from webordinary.engines.stored_text import text_of
from webordinary.errors import Refused
from webordinary.intake import LARGEST_MAIL
from webordinary.mail.author import author_in, author_of
from webordinary.mail.inbox import Decision, Envelope, Kept, KeptMail
from webordinary.mail.mime.parts import HEADER_BLOCK_LIMIT
from webordinary.mail.outcomes import ENTRY_OF, MailOutcome
from webordinary.mail.sender import Vouch
from webordinary.reply.outbox import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.items import Item
    from webordinary.engines.aws.dynamodb.shards import Shards
    from webordinary.engines.aws.names import Names
    from webordinary.engines.aws.s3.bucket import Bucket
    from webordinary.mail.tallies import TallyLimit

# What we put into the bucket of the mails ourselves; everything else in it has come from outside.
OURS = "kept/"
# The process that puts a mail there invokes intake too, with what it vouches for: the bucket's own event knows less.
TESTS = "tests/"
# What anybody puts there is told to intake by the bucket itself, with nobody's word but the mail's own signature.
REPLAYS = "replay/"
MAIL_KEY = "mail-key"
# Whose line a mail stands in, and since when.
KeptLine: TypeAlias = "tuple[str, datetime]"
_MOST_UNDECIDED = 20
_MOST_PLACES = 100
_DECIDE = (
    "SET #state = :decided, #write = :write, #outcome = :outcome, #reason = :reason, #subject = :subject,"
    " #decided = :now, #ttl = :ttl{more} REMOVE #dueMark, #dueAt"
)


class S3Inbox:
    """Mails and files in two buckets, because they are kept for different times; their state in the records."""

    def __init__(self, client: DynamoDBClient, names: Names, mails: Bucket, media: Bucket) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"
        self._shards = names.shards
        self._letters = LetterRows(client, names)
        self._mails = mails
        self._media = media
        self._held = HeldMails(client, names)
        self._lines = MailLines(client, names)
        self._places: dict[str, str] = {}
        self._stands_in: dict[str, KeptLine] = {}

    @property
    def bucket(self) -> str:
        """Return where mails from outside are put."""
        return self._mails.name

    def keep(self, raw: bytes, envelope: Envelope, now: Moment) -> Kept:
        digest = hashlib.sha256(raw).hexdigest()
        self._mails.put(raw_key(digest), raw, "message/rfc822")
        known = replace(envelope, transport_key=envelope.delivery_key(digest))
        kept = KeptMail(new_mail(self._shards), known, now.wall_at, author=author_of(raw, envelope))
        return self._note(kept, {"digest": digest}, {"bytes": str(len(raw))}, now)

    def keep_object(
        self,
        key: str,
        envelope: Envelope,
        now: Moment,
        arrived_at: datetime | None = None,
        authors: Sequence[str] | None = None,
    ) -> Kept:
        """Keep a mail that SES or a person has put into the bucket; it stays where it is.

        Events may overtake each other on their way to us: what counts is when SES had the mail.
        """
        known = replace(envelope, transport_key=envelope.transport_key or f"object:{key}")
        author = author_in(authors, envelope) if authors is not None else self._author_of(key, envelope)
        kept = KeptMail(new_mail(self._shards), known, min(arrived_at or now.wall_at, now.wall_at), author=author)
        return self._note(kept, {"object": key}, {"object": key}, now)

    def _author_of(self, key: str, envelope: Envelope) -> str:
        found = self._mails.read(key, at_most=HEADER_BLOCK_LIMIT + 1)
        return author_of(found.content, envelope) if found else ""

    def read(self, mail: str) -> bytes:
        """Return the mail as it came; of one that is larger than anybody takes only so much that this can be seen."""
        place = self._places.get(mail) or self._place_of(mail, self._row(mail))
        if not place:
            raise Refused(f"there is no mail {mail}")
        found = self._mails.read(place, at_most=LARGEST_MAIL + 1)
        if found is None:
            raise Refused(f"the text of {mail} is no longer kept")
        return found.content

    def find(self, mail: str) -> KeptMail | None:
        row = self._row(mail)
        self._place_of(mail, row)
        kept = _mail_from(row) if row else None
        if kept is not None and kept.author and not kept.is_decided:
            if len(self._stands_in) >= _MOST_PLACES:
                self._stands_in.clear()
            self._stands_in[mail] = kept.author, kept.received_at
        return kept

    def _place_of(self, mail: str, row: dict[str, Any]) -> str:
        """Return where a mail's bytes lie, which never changes; the next who reads it need not ask."""
        if not row:
            return ""
        if len(self._places) >= _MOST_PLACES:
            self._places.clear()
        self._places[mail] = str(row.get("object") or raw_key(row["digest"]))
        return self._places[mail]

    def undecided(self, before: datetime) -> Sequence[KeptMail]:
        """The index only says where to look; what a mail's own row says counts when it is decided."""
        found = [item for mark in self._shards.keys(MAIL) for item in self._undecided(mark, before)]
        mails = sorted(map(_mail_from, map(plain_of, found)), key=lambda kept: kept.due_at or kept.received_at)
        return mails[:_MOST_UNDECIDED]

    def _undecided(self, mark: str, before: datetime) -> list[Item]:
        with translated(self._what):
            found = self._client.query(
                TableName=self._table,
                IndexName=DUE_INDEX,
                KeyConditionExpression="#mark = :mail AND #due <= :before",
                ExpressionAttributeNames={"#mark": "dueMark", "#due": "dueAt"},
                ExpressionAttributeValues=item_of({":mail": mark, ":before": before.timestamp()}),
                Limit=_MOST_UNDECIDED,
            )
        return list(found["Items"])

    def older(self, kept: KeptMail) -> Sequence[KeptMail]:
        return [each for mail in (self._lines.before(kept) if kept.author else ()) for each in self._waiting(mail)]

    def _waiting(self, mail: str) -> Iterator[KeptMail]:
        """Return a mail that stands in a line, unless it is over; then it leaves the line."""
        row = self._row(mail)
        if not row:
            return
        kept = _mail_from(row)
        if kept.is_decided or row.get("job"):
            self._lines.leave(kept)
        else:
            yield kept

    def place(self, mail: str, job: str) -> None:
        self._held.place(mail, job)

    def put_off(self, mail: str, until: datetime, *, is_try: bool = True) -> None:
        self._held.put_off(mail, until, is_try=is_try)

    def take_key(self, key: str, mail: str, now: Moment) -> str:
        return self._held.take_key(key, mail, now)

    def take_counted_key(self, key: str, mail: str, tallies: Sequence[TallyLimit], now: Moment) -> bool:
        return self._held.take_counted_key(key, mail, tallies, now)

    def key_holder(self, key: str) -> str | None:
        return self._held.key_holder(key)

    def vouch_for(self, mail: str, vouch: Vouch, now: Moment) -> bool:
        return self._held.vouch_for(mail, vouch, now)

    def turn_away(self, mail: str, reason: str, now: Moment) -> bool:
        return self._held.turn_away(mail, reason, now)

    def decide(self, mail: str, decision: Decision, now: Moment) -> bool:
        write = secrets.token_hex(8)
        writes = self.decision_writes(mail, decision, now, write)
        if decision.answer and decision.sender and not self._was_said(decision.answer_key):
            writes.append({"Put": self._fresh(outbox_item(answer_to(mail, decision), now, self._shards))})
        try:
            self._write(*writes)
        except (Stale, Unknown):
            row = self._row(mail)
            if row.get("state") == "received":
                # Nobody has decided it; two that tried at the same moment have hindered each other.
                raise
            return bool(row) and row.get("write") == write
        return True

    def decision_writes(
        self, mail: str, decision: Decision, now: Moment, write: str = "", line: KeptLine | None = None
    ) -> list[dict[str, Any]]:
        """Return what decides a mail: its row, the trail, and its place in the line of its author, which it leaves."""
        writes: list[dict[str, Any]] = [{"Update": self._decided(mail, decision, write, now)}]
        what = ENTRY_OF.get(decision.outcome)
        if what is not None:
            entry = Entry(what, now.wall_at, mail=mail, text=decision.reason, facts=decision.entry_facts)
            writes.append({"Put": self._fresh(trail_item(entry, self._shards))})
        stands_in = line or self._stands_in.pop(mail, None)
        if stands_in is not None and decision.outcome is not MailOutcome.HELD:
            writes.append({"Delete": {"TableName": self._table, "Key": place_in_line(*stands_in, mail)}})
        return writes

    def keep_file(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        self._media.put(file_key(digest), content)
        return digest

    def read_file(self, digest: str) -> bytes:
        found = self._media.read(file_key(digest))
        if found is None:
            raise Refused(f"the file {digest[:12]} is no longer kept")
        return found.content

    def forget_before(self, before: datetime) -> int:  # noqa: ARG002 - the buckets count the days themselves
        return 0

    def _note(self, kept: KeptMail, place: dict[str, str], facts: dict[str, str], now: Moment) -> Kept:
        """Write down where the mail is, once for each delivery."""
        key, mail = _key_id(kept.envelope.transport_key or ""), kept.id
        entry = Entry(EventType.MAIL_RECEIVED, now.wall_at, mail=mail, facts={"door": kept.envelope.door, **facts})
        items = [_key_item(key, mail, now), _mail_item(kept, place, now, self._shards), trail_item(entry, self._shards)]
        if kept.author:
            items.append(line_item(kept, now))
        try:
            self._write(*({"Put": self._fresh(item)} for item in items))
        except (Stale, Unknown):
            # The same delivery came before; or our own write had arrived and only its answer was lost.
            known = self._known(key)
            if known is None:
                raise
            return Kept(known, fresh=known == mail)
        return Kept(mail, fresh=True)

    def _was_said(self, answer_key: str | None) -> bool:
        return answer_key is not None and bool(self._letters.read(answer_key))

    def _known(self, key: str) -> str | None:
        found = self._read(MAIL_KEY, key)
        return str(found["mail"]) if found else None

    def _row(self, mail: str) -> dict[str, Any]:
        return self._read(mail_kind(mail), mail)

    def _read(self, kind: str, key: str) -> dict[str, Any]:
        with translated(self._what):
            asked = item_of({"kind": kind, "id": key})
            found = self._client.get_item(TableName=self._table, Key=asked, ConsistentRead=True)
        return plain_of(found.get("Item", {}))

    def _fresh(self, item: Item) -> dict[str, Any]:
        return {
            "TableName": self._table,
            "Item": item,
            "ConditionExpression": "attribute_not_exists(#id)",
            "ExpressionAttributeNames": {"#id": "id"},
        }

    def _decided(self, mail: str, decision: Decision, write: str, now: Moment) -> dict[str, Any]:
        judged = decision.judged
        named = {
            "sender": decision.sender,
            "job": decision.job,
            "thread": decision.thread,
            "project": decision.project,
            "verdict": judged.verdict.value if judged else None,
            "method": judged.method if judged else None,
            "reasons": text_of(judged.reasons) if judged else None,
        }
        given = {name: value for name, value in named.items() if value is not None}
        always = ("state", "write", "outcome", "reason", "subject", "ttl", "dueMark", "dueAt")
        values: dict[str, Any] = {
            ":decided": "decided",
            ":received": "received",
            ":write": write,
            ":outcome": decision.outcome.value,
            ":reason": decision.reason,
            ":subject": decision.subject,
            ":now": now.seconds,
            ":ttl": int((now + KEPT_FOR).seconds),
        }
        return {
            "TableName": self._table,
            "Key": item_of({"kind": mail_kind(mail), "id": mail}),
            "UpdateExpression": _DECIDE.format(more="".join(f", #{name} = :{name}" for name in given)),
            "ConditionExpression": "#state = :received",
            "ExpressionAttributeNames": {f"#{name}": name for name in (*always, *given)} | {"#decided": "decidedAt"},
            "ExpressionAttributeValues": item_of(values | {f":{name}": value for name, value in given.items()}),
        }

    def _write(self, *writes: Any) -> None:  # noqa: ANN401 - the driver's own nested dictionaries
        with translated(self._what):
            self._client.transact_write_items(TransactItems=writes)


def raw_key(digest: str) -> str:
    """Return where the bytes of a mail lie that we have put there ourselves."""
    return f"{OURS}{digest[:2]}/{digest}"


def file_key(digest: str) -> str:
    """Return where a file that came with a mail lies."""
    return f"files/{digest[:2]}/{digest}"


def _key_id(transport_key: str) -> str:
    """Return the key under which a delivery is known; hashed, because recipients can make it longer than a key is."""
    return hashlib.sha256(transport_key.encode(errors="replace")).hexdigest()


def _key_item(key: str, mail: str, now: Moment) -> Item:
    # No delivery is repeated after such a time.
    return item_of({"kind": MAIL_KEY, "id": key, "mail": mail, "ttl": int((now + KEPT_FOR).seconds)})


def _mail_item(kept: KeptMail, place: Mapping[str, str], now: Moment, shards: Shards) -> Item:
    envelope = kept.envelope
    return item_of(
        {
            "kind": mail_kind(kept.id),
            "id": kept.id,
            **place,
            "door": envelope.door,
            "peer": envelope.peer,
            "mailFrom": envelope.mail_from,
            "recipients": text_of(envelope.recipients),
            "vouch": text_of(envelope.vouch) if envelope.vouch else None,
            "transportKey": envelope.transport_key,
            "helo": envelope.helo,
            "user": envelope.user,
            "authservId": envelope.authserv_id,
            "verdicts": text_of(envelope.verdicts),
            "receivedAt": kept.received_at.timestamp(),
            "author": kept.author or None,
            "state": "received",
            "subject": "",
            "dueMark": shards.key(MAIL, kept.id),
            "dueAt": now.seconds,
        }
    )


def _mail_from(row: Mapping[str, Any]) -> KeptMail:
    envelope = Envelope(
        door=row["door"],
        recipients=tuple(msgspec.json.decode(row["recipients"], type=list[str])),
        mail_from=row.get("mailFrom"),
        peer=row.get("peer"),
        vouch=msgspec.json.decode(row["vouch"], type=Vouch) if row.get("vouch") else None,
        transport_key=row.get("transportKey"),
        helo=row.get("helo"),
        user=row.get("user"),
        authserv_id=row.get("authservId"),
        verdicts=msgspec.json.decode(row.get("verdicts", "{}"), type=dict[str, str]),
    )
    is_decided = row.get("state") == "decided"
    received_at, due = from_seconds(row["receivedAt"]), row.get("dueAt")
    due_at = from_seconds(due) if due is not None else None
    return KeptMail(row["id"], envelope, received_at, row.get("tries", 0), is_decided, row.get("author", ""), due_at)
