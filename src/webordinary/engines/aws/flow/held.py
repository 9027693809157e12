"""What happens to a mail beside its one decision: put off, its request key taken, vouched for or turned away."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import Entry, EventType
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.mail_rows import MAIL, mail_kind
from webordinary.engines.aws.dynamodb.records import REMEMBERED_FOR, trail_item, written
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.engines.aws.tallies import tally_update
from webordinary.engines.stored_text import text_of
from webordinary.mail.outcomes import MailOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names
    from webordinary.mail.sender import Vouch
    from webordinary.mail.tallies import TallyLimit

REQUEST = "request"


class HeldMails:
    """Conditional writes to a mail's row; the second writer changes nothing."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"
        self._shards = names.shards

    def put_off(self, mail: str, until: datetime, *, is_try: bool) -> None:
        values: dict[str, Any] = {":one": int(is_try), ":until": until.timestamp(), ":received": "received"}
        update = {
            "UpdateExpression": "ADD #tries :one SET #dueAt = :until",
            "ConditionExpression": "#state = :received",
            "ExpressionAttributeNames": {"#tries": "tries", "#dueAt": "dueAt", "#state": "state"},
            "ExpressionAttributeValues": item_of(values),
        }
        self._change(mail, update)

    def place(self, mail: str, job: str) -> None:
        update = {
            "UpdateExpression": "SET #job = :job",
            "ConditionExpression": "#state = :received",
            "ExpressionAttributeNames": {"#job": "job", "#state": "state"},
            "ExpressionAttributeValues": item_of({":job": job, ":received": "received"}),
        }
        self._change(mail, update)

    def take_key(self, key: str, mail: str, now: Moment) -> str:
        item: dict[str, Any] = {
            "kind": REQUEST,
            "id": _key(key),
            "mail": mail,
            "ttl": int((now + REMEMBERED_FOR).seconds),
        }
        try:
            with translated(self._what):
                self._client.put_item(
                    TableName=self._table,
                    Item=item_of(item),
                    ConditionExpression="attribute_not_exists(#id)",
                    ExpressionAttributeNames={"#id": "id"},
                )
        except Stale:
            return self.key_holder(key) or mail
        return mail

    def take_counted_key(self, key: str, mail: str, tallies: Sequence[TallyLimit], now: Moment) -> bool:
        item: dict[str, Any] = {
            "kind": REQUEST,
            "id": _key(key),
            "mail": mail,
            "ttl": int((now + REMEMBERED_FOR).seconds),
        }
        put = {
            "TableName": self._table,
            "Item": item_of(item),
            "ConditionExpression": "attribute_not_exists(#id) OR #mail = :mail",
            "ExpressionAttributeNames": {"#id": "id", "#mail": "mail"},
            "ExpressionAttributeValues": item_of({":mail": mail}),
        }
        counts = [{"Update": tally_update(self._table, each, mail, now)} for each in tallies]
        try:
            return written(self._client, self._what, {"Put": put}, *counts)
        except Unknown:
            # Repeating it is harmless, one after the other too.
            return False

    def key_holder(self, key: str) -> str | None:
        with translated(self._what):
            asked = item_of({"kind": REQUEST, "id": _key(key)})
            found = self._client.get_item(TableName=self._table, Key=asked, ConsistentRead=True)
        row = plain_of(found.get("Item", {}))
        return str(row["mail"]) if row else None

    def vouch_for(self, mail: str, vouch: Vouch, now: Moment) -> bool:
        update = {
            "UpdateExpression": (
                "SET #state = :received, #vouch = :vouch, #dueMark = :mail, #dueAt = #receivedAt"
                " REMOVE #outcome, #tries"
            ),
            "ConditionExpression": "#outcome = :held",
            "ExpressionAttributeNames": {
                f"#{name}": name for name in ("state", "vouch", "dueMark", "dueAt", "receivedAt", "outcome", "tries")
            },
            "ExpressionAttributeValues": item_of(
                {
                    ":received": "received",
                    ":vouch": text_of(vouch),
                    ":mail": self._shards.key(MAIL, mail),
                    ":held": MailOutcome.HELD.value,
                }
            ),
        }
        facts = {"method": vouch.method, "sender": vouch.address or ""}
        return self._change(mail, update, Entry(EventType.MAIL_RELEASED, now.wall_at, mail=mail, facts=facts))

    def turn_away(self, mail: str, reason: str, now: Moment) -> bool:
        update = {
            "UpdateExpression": "SET #outcome = :refused, #reason = :reason",
            "ConditionExpression": "#outcome = :held",
            "ExpressionAttributeNames": {"#outcome": "outcome", "#reason": "reason"},
            "ExpressionAttributeValues": item_of(
                {":refused": MailOutcome.REFUSED.value, ":reason": reason, ":held": MailOutcome.HELD.value}
            ),
        }
        return self._change(mail, update, Entry(EventType.MAIL_TURNED_AWAY, now.wall_at, mail=mail, text=reason))

    def _change(self, mail: str, update: dict[str, Any], entry: Entry | None = None) -> bool:
        row = {"TableName": self._table, "Key": item_of({"kind": mail_kind(mail), "id": mail}), **update}
        writes: list[Any] = [{"Update": row}]
        if entry is not None:
            writes.append({"Put": {"TableName": self._table, "Item": trail_item(entry, self._shards)}})
        return written(self._client, self._what, *writes)


def _key(request: str) -> str:
    """Return a key of the table; hashed, because a Message-ID can be longer than a key is."""
    return hashlib.sha256(request.encode(errors="replace")).hexdigest()
