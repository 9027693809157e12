"""Onboarding: what a project needs in the account before its first mail; doing it again brings it up to date."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from webordinary.engines.aws.account.manual_steps import ManualSteps, manual_steps
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.s3.site_policy import SitePolicy
from webordinary.engines.aws.secrets import TableSecrets
from webordinary.engines.aws.sqs.queues import create_queues, installation_queues, lane_queues
from webordinary.errors import Refused
from webordinary.routing.lane import Lane, check_id
from webordinary.routing.project import S3, GitAccess, is_local
from webordinary.workspace.ssh import read_secret

if TYPE_CHECKING:
    from webordinary.engines.aws.account.manual_steps import Surroundings
    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names
    from webordinary.routing.project import Project

# Far below what a row takes.
_LARGEST_SECRET = 64 * 1024
# Longer than any project's id, whose secret for git has that name.
_MODEL_KEY_OF = "the-key-of-the-model-for-site-"


@dataclass(frozen=True, slots=True)
class Onboarded:
    """What is there now: the project as workers know it, its lanes, and the queues of each."""

    known: Project
    lanes: tuple[str, ...]
    queues: tuple[str, ...]

    @property
    def project(self) -> str:
        return self.known.id


@dataclass(frozen=True, slots=True)
class SitesBucketState:
    """How the bucket of the sites is now, and what is left for a person to do."""

    policy_changed: bool
    left: ManualSteps


@dataclass(frozen=True, slots=True)
class GitSecret:
    """A token or a key that a person has handed over."""

    text: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise Refused("The secret for git is empty; hand over the file that holds it.")
        if len(self.text.encode()) > _LARGEST_SECRET:
            raise Refused("The secret for git is too large to be a token or a key; hand over the file that holds it.")


def onboard(project: Project, names: Names, clients: Clients, secret: GitSecret | None = None) -> Onboarded:
    """Make the queues of the project's lanes and write its rows; a project without editors has no lanes yet."""
    check_id(project.id, "The project")
    lanes = [Lane(project.id, check_id(editor.user, f"The user of {project.id}")) for editor in project.editors]
    queues = [queue for lane in lanes for queue in lane_queues(names, lane)]
    secrets = TableSecrets(clients, names)
    known = _with_model_key(_with_secret(project, secrets, secret), secrets)
    # The rows come last: a mail that finds them finds the queues too.
    create_queues(clients.wakeups, [*installation_queues(names), *queues])
    DynamoProjects(clients.dynamodb, names).keep(known)
    return Onboarded(known, tuple(lane.key for lane in lanes), tuple(queue.name for queue in queues))


def let_visitors_in(project: Project, around: Surroundings, names: Names, clients: Clients) -> SitesBucketState:
    """Let CloudFront read the sites, and look at what a person still has to do."""
    policy = SitePolicy(clients, names)
    in_the_bucket = project.site.target == S3
    distributions = policy.distributions() if in_the_bucket else []
    changed = in_the_bucket and policy.bring_up_to_date(distributions)
    return SitesBucketState(changed, manual_steps(project, around, distributions, clients, names))


def _with_secret(project: Project, secrets: TableSecrets, given: GitSecret | None) -> Project:
    """Put what was handed over where workers find it; one that is there goes before what is on this machine."""
    if is_local(project.repository):
        if given is not None:
            raise Refused(f"{project.id} lies in a folder of this machine and needs no secret; leave it out.")
        return project
    name = project.git.secret or project.id
    if given is not None:
        _check_fits(project, given)
        secrets.keep(name, given.text)
    elif not secrets.has(name):
        return project
    own = GitAccess(
        known_hosts=project.git.known_hosts,
        host_keys=project.git.host_keys,
        secret=name,
        user=project.git.user,
        mail_addresses=project.git.mail_addresses,
    )
    return replace(project, git=own)


def _with_model_key(project: Project, secrets: TableSecrets) -> Project:
    """Put the key of a site's own model where workers find it: they cannot read a file of this machine."""
    own = project.agent
    if own.secret is not None or not own.has_key:
        return project
    name = f"{_MODEL_KEY_OF}{project.id}"
    secrets.keep(name, read_secret(own.key_file, own.key_variable, "project.agent.key"))
    return replace(project, agent=replace(own, key_file=None, key_variable=None, secret=name))


def _check_fits(project: Project, given: GitSecret) -> None:
    if project.repository.startswith(("https://", "http://")) and not given.text.strip().isprintable():
        raise Refused(f"{project.shown_repository} wants a token, which is one line; this is something else.")
