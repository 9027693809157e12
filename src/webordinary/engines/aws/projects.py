"""Projects as rows that onboarding writes, one for each."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.faults import translated
from webordinary.errors import Misconfigured
from webordinary.routing.lane import check_id, is_id
from webordinary.routing.project import Project

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

    def keep(self, project: Project) -> None:
        """Write a project's rows; doing it again is harmless."""
        check_id(project.id, "The project")
        self._last = {}
        for editor in project.editors:
            check_id(editor.user, f"The user of {project.id}")
        self._put({"id": project.id, "project": _text(project), **_shown(project)})

    def _put(self, values: dict[str, Any]) -> None:
        with translated(self._what):
            self._client.put_item(TableName=self._table, Item=item_of(values))

    def _read(self, key: str) -> dict[str, Any]:
        with translated(self._what):
            found = self._client.get_item(TableName=self._table, Key=item_of({"id": key}), ConsistentRead=True)
        return plain_of(found.get("Item", {}))


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
