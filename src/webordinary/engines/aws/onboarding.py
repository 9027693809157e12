"""Onboarding: what a project needs in the account before its first mail; doing it again brings it up to date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.queues import create_queues, installation_queues, lane_queues
from webordinary.routing.lane import Lane, check_id

if TYPE_CHECKING:
    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names
    from webordinary.routing.project import Project


@dataclass(frozen=True, slots=True)
class Onboarded:
    """What is there now: the lanes of the project and the queues of each."""

    project: str
    lanes: tuple[str, ...]
    queues: tuple[str, ...]


def onboard(project: Project, names: Names, clients: Clients) -> Onboarded:
    """Make the queues of the project's lanes and write its rows; a project without editors has no lanes yet."""
    check_id(project.id, "The project")
    lanes = [Lane(project.id, check_id(editor.user, f"The user of {project.id}")) for editor in project.editors]
    queues = [queue for lane in lanes for queue in lane_queues(names, lane)]
    # The rows come last: a mail that finds them finds the queues too.
    create_queues(clients.bells, [*installation_queues(names), *queues])
    DynamoProjects(clients.dynamodb, names).keep(project)
    return Onboarded(project.id, tuple(lane.key for lane in lanes), tuple(queue.name for queue in queues))
