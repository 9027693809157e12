"""Proposals in DynamoDB: one item for each thread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.engines.aws.dynamodb.conditions import condition_of
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, PROPOSAL, trail_item
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.engines.stored_text import text_of
from webordinary.jobs.proposals import Proposal, Standing, about_proposal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webordinary.audit.entry import Entry
    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.store import DynamoStore


class DynamoProposals:
    """The last proposal of each thread."""

    def __init__(self, store: DynamoStore) -> None:
        self._store = store
        self._table = store.names.records

    def find(self, thread: str) -> Proposal | None:
        item = self._store.item(self._table, {"kind": PROPOSAL, "id": thread})
        return _read(item) if item else None

    def all_open(self, *, project: str | None = None) -> Sequence[Proposal]:
        found = map(_read, self._open())
        mine = (each for each in found if each.standing == Standing.OPEN and project in {None, each.lane.project})
        return sorted(mine, key=lambda each: (each.proposed_at, each.id))

    def _open(self) -> Iterable[Item]:
        if not self._store.notes_lanes:
            return self._store.query(self._table, "kind", PROPOSAL)
        return self._store.marked(PROPOSAL)

    def close(self, proposal: Proposal, standing: Standing, by: str, now: Moment) -> bool:
        closed = replace(proposal, standing=standing, closed_by=by)
        condition = condition_of("#job = :job AND #standing = :open", {"job": proposal.id, "open": Standing.OPEN.value})
        return self._replace(closed, condition, about_proposal(closed, now))

    def mark_reminded(self, proposal: Proposal, now: Moment) -> bool:  # noqa: ARG002 - the letter says when
        condition = condition_of("#body = :body", {"body": text_of(proposal)})
        return not proposal.reminded and self._replace(replace(proposal, reminded=True), condition, None)

    def _replace(self, new: Proposal, condition: dict[str, Any], entry: Entry | None) -> bool:
        writes: list[dict[str, Any]] = [{"Put": {"TableName": self._table, "Item": proposal_item(new), **condition}}]
        if entry is not None:
            writes.append({"Put": {"TableName": self._table, "Item": trail_item(entry, self._store.names.shards)}})
        try:
            with translated("a proposal"):
                self._store.client.transact_write_items(TransactItems=writes)  # type: ignore[arg-type]  # the driver's own dictionary type is closed
        except Stale:
            # Never our own success: the driver repeats a transaction under the same token.
            return False
        except Unknown:
            return self.find(new.thread) == new
        return True


def proposal_item(proposal: Proposal) -> Item:
    """Return the item of a thread's proposal."""
    key: dict[str, str | int] = {"kind": PROPOSAL, "id": proposal.thread, "job": proposal.id}
    if proposal.standing is Standing.OPEN:
        key |= {"dueMark": PROPOSAL, "dueAt": int(proposal.proposed_at.timestamp())}
    else:
        key["ttl"] = int((proposal.expires_at + KEPT_FOR).timestamp())
    return item_of({**key, "standing": proposal.standing.value, "body": text_of(proposal)})


def _read(item: Item) -> Proposal:
    return msgspec.json.decode(plain_of(item)["body"], type=Proposal)
