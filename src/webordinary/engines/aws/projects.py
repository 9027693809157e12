"""Projects as rows that onboarding writes: one for each project, and one for each address of an editor."""

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


class DynamoProjects:
    """Read at each question: a changed row takes effect with the next mail."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.projects
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

    def find_lately(self, project: str) -> Project | None:
        """Find a project as it was within the last minutes: for what a job takes from its beginning to its end."""
        asked, found = self._last.get(project, (float("-inf"), None))
        return found if time.monotonic() - asked < _LATELY_SECONDS else self.find(project)

    def find_by_address(self, address: str) -> Sequence[Project]:
        """Return the projects that the person of this address edits."""
        named = self._read(address_key(address)).get("projects", ())
        found = [self.find(project) for project in sorted(named)]
        # The project's own row is the truth; a row by address may be older.
        return [project for project in found if project and project.editor_by_address(address)]

    def keep(self, project: Project) -> None:
        """Write a project's rows; doing it again is harmless."""
        check_id(project.id, "The project")
        self._last = {}
        for editor in project.editors:
            check_id(editor.user, f"The user of {project.id}")
            self._note_address(editor.address, project.id)
        self._put({"id": project.id, "project": _text(project), **_shown(project)})

    def _note_address(self, address: str, project: str) -> None:
        with translated(self._what):
            # Added to what is there: two projects of one editor may be onboarded at the same time.
            self._client.update_item(
                TableName=self._table,
                Key=item_of({"id": address_key(address)}),
                UpdateExpression="SET #address = :address ADD #projects :project",
                ExpressionAttributeNames={"#address": "address", "#projects": "projects"},
                ExpressionAttributeValues={":address": {"S": fold_address(address)}, ":project": {"SS": [project]}},
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
        return msgspec.json.decode(row["project"], type=Project)
    except (KeyError, msgspec.MsgspecError) as error:
        raise Misconfigured(
            f"the row of the project {row.get('id')} cannot be read ({error}): onboard the project again"
        ) from error
