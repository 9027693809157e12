"""Projects as rows that onboarding writes: one for each, and one for each address that edits some of them."""

from __future__ import annotations

import hashlib
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.faults import translated
from webordinary.errors import Misconfigured
from webordinary.routing.lane import check_id, is_id
from webordinary.routing.project import Project, fold_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.engines.aws.names import Names

# Two questions of one moment are one; what was changed meanwhile could as well have come after it.
_REMEMBERED_SECONDS = 1.0
# Where a site is published to was read with its job and is asked for again at each step of publishing.
_LATELY_SECONDS = 300.0
_OF_A_SITE = frozenset({"target", "to", "url", "options"})
_OF_SSH = ("ssh_key_file", "ssh_key_variable", "known_hosts", "host_keys")
_MOVED = (*_OF_SSH, "password_file", "password_variable", "certificates", "switch")


# Everybody who edits something has a row once this one is there.
_ALL_ADDRESSES = "addresses#all"
_EDITED = "edits"
UNWELCOMED = "unwelcomed"


class DynamoProjects:
    """Read at each question: a changed row takes effect with the next mail."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.projects
        self._records = names.records
        self._what = f"the table {names.projects}"
        self._last: dict[str, tuple[float, Project | None]] = {}

    def all(self) -> Sequence[Project]:
        with translated(self._what):
            pages = self._client.get_paginator("scan").paginate(TableName=self._table, ConsistentRead=True)
            rows = [plain_of(item) for page in pages for item in page["Items"]]
        projects = [_project_from(row) for row in rows if "project" in row]
        return sorted(projects, key=lambda project: project.id)

    def find(self, project: str) -> Project | None:
        asked, found = self._last.get(project, (float("-inf"), None))
        if time.monotonic() - asked < _REMEMBERED_SECONDS:
            return found
        row = self._read(project) if is_id(project) else {}
        found = _project_from(row) if row else None
        self._last = {project: (time.monotonic(), found)}
        return found

    def remember(self, row: dict[str, Any]) -> None:
        """Know for a moment a project whose row somebody has just read together with something else."""
        self._last = {row["id"]: (time.monotonic(), _project_from(row))}

    def find_lately(self, project: str) -> Project | None:
        """Find a project as it was within the last minutes: for what a job takes from its beginning to its end."""
        asked, found = self._last.get(project, (float("-inf"), None))
        return found if time.monotonic() - asked < _LATELY_SECONDS else self.find(project)

    def find_by_address(self, address: str) -> Sequence[Project]:
        row = self._read(address_key(address))
        if _EDITED not in row and not self._read(_ALL_ADDRESSES):
            # An earlier version has onboarded them; the next onboarding writes the rows of all addresses.
            return [project for project in self.all() if project.editor_by_address(address)]
        found = (self.find(name) for name in sorted(row.get(_EDITED, ())))
        return [project for project in found if project is not None and project.editor_by_address(address)]

    def unwelcomed(self) -> Sequence[Project]:
        """Return the projects that were onboarded since the last look, and what else their editors edit."""
        with translated(self._what):
            notes = self._client.query(
                TableName=self._records,
                KeyConditionExpression="kind = :kind",
                ExpressionAttributeValues=item_of({":kind": UNWELCOMED}),
                ConsistentRead=True,
            )["Items"]
        known = {note["id"]["S"]: self.find(note["id"]["S"]) for note in notes}
        editors = {editor.address for project in known.values() if project for editor in project.editors}
        others = (project for address in editors for project in self.find_by_address(address))
        known |= {project.id: project for project in others}
        return [project for _, project in sorted(known.items()) if project is not None]

    def note_welcomed(self, project: str) -> None:
        with translated(self._what):
            key = item_of({"kind": UNWELCOMED, "id": project})
            self._client.delete_item(TableName=self._records, Key=key)

    def keep(self, project: Project) -> None:
        """Write a project's rows; doing it again is harmless."""
        check_id(project.id, "The project")
        self._last = {}
        for editor in project.editors:
            check_id(editor.user, f"The user of {project.id}")
        before = self._read(project.id)
        self._put({"id": project.id, "project": _text(project), **_shown(project)})
        self._note_addresses(project, _addresses(_project_from(before)) if before else set())
        with translated(self._what):
            self._client.put_item(TableName=self._records, Item=item_of({"kind": UNWELCOMED, "id": project.id}))

    def _note_addresses(self, project: Project, before: set[str]) -> None:
        """Note which projects an address edits; whoever asks looks again in the project's own row."""
        if not self._read(_ALL_ADDRESSES):
            for other in self.all():
                self._change_addresses("ADD", other, _addresses(other))
            self._put({"id": _ALL_ADDRESSES})
        after = _addresses(project)
        self._change_addresses("ADD", project, after)
        self._change_addresses("DELETE", project, before - after)

    def _change_addresses(self, change: str, project: Project, addresses: set[str]) -> None:
        with translated(self._what):
            for address in addresses:
                self._client.update_item(
                    TableName=self._table,
                    Key=item_of({"id": address_key(address)}),
                    UpdateExpression=f"{change} #edited :project",
                    ExpressionAttributeNames={"#edited": _EDITED},
                    ExpressionAttributeValues={":project": {"SS": [project.id]}},
                )

    def _put(self, values: dict[str, Any]) -> None:
        with translated(self._what):
            self._client.put_item(TableName=self._table, Item=item_of(values))

    def _read(self, key: str) -> dict[str, Any]:
        with translated(self._what):
            found = self._client.get_item(TableName=self._table, Key=item_of({"id": key}), ConsistentRead=True)
        return plain_of(found.get("Item", {}))


def address_key(address: str) -> str:
    """Return the key of an address; its hash, because nobody limits how long an address is before it is judged."""
    return f"address#{hashlib.sha256(fold_address(address).encode(errors='replace')).hexdigest()}"


def _addresses(project: Project) -> set[str]:
    return {fold_address(editor.address) for editor in project.editors}


def _text(project: Project) -> str:
    return msgspec.json.encode(project, enc_hook=_plain).decode()


def _plain(value: object) -> object:
    """Return what a configuration has read, such as a duration of its own kind, as what it stands for."""
    if isinstance(value, timedelta):
        return timedelta(seconds=value.total_seconds())
    raise NotImplementedError(type(value).__name__)


def _shown(project: Project) -> dict[str, str]:
    """Return what a person who looks at the table wants to see without reading JSON."""
    instructions = {editor.user: editor.default_instruction or "" for editor in project.editors}
    return {"name": project.name, "defaultInstruction": msgspec.json.encode(instructions).decode()}


def _project_from(row: dict[str, Any]) -> Project:
    try:
        stored = _in_todays_shape(msgspec.json.decode(row["project"], type=dict[str, Any]))
        return msgspec.json.decode(msgspec.json.encode(stored), type=Project)
    except (KeyError, msgspec.MsgspecError) as error:
        raise Misconfigured(
            f"the row of the project {row.get('id')} cannot be read ({error}): onboard the project again"
        ) from error


def _in_todays_shape(project: dict[str, Any]) -> dict[str, Any]:
    """Move what lets us in at a host to where it is kept now; an earlier version kept it beside the place."""
    site = project.get("site")
    if not isinstance(site, dict) or not site.keys() - _OF_A_SITE:
        return project
    beside = {**site, **(site.get("ssh") or {})}
    moved = {key: value for key in _MOVED if (value := beside.get(key)) not in (None, [], "auto")}
    plain = {key: value for key, value in site.items() if key in _OF_A_SITE}
    return {**project, "site": {**plain, "options": {**moved, **(site.get("options") or {})}}}
