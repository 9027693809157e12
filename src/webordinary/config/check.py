"""What no single value can get wrong alone: values that do not fit together."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from webordinary.agent.registry import AGENTS
from webordinary.config.agent import WAYS_TO_KEY, ModelKey, OwnAgent, Provider
from webordinary.config.dashboard import complaints_about_dashboard
from webordinary.config.describe import dotted
from webordinary.config.doors import complaints_about_doors, listening
from webordinary.config.git import complaints_about_git
from webordinary.config.lines import KeyPath
from webordinary.config.oauth import complaints_about_oauth
from webordinary.config.options import check_options
from webordinary.config.outgoing import OutgoingRoute
from webordinary.config.shape import EngineKind, SandboxMode
from webordinary.config.site import complaints_about_site
from webordinary.config.traits import TRAITS
from webordinary.config.webhook import complaints_about_webhooks
from webordinary.mail.door import DOORS, DoorSurroundings
from webordinary.routing.lane import is_id
from webordinary.routing.project import FOLDER, RESERVED_IDS, WhenSpent, fold_address
from webordinary.site.targets.registry import TARGETS
from webordinary.values import Listen
from webordinary.variants import complaints_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from webordinary.config.agent import AgentChoice
    from webordinary.config.load import Config
    from webordinary.config.outgoing import Outgoing
    from webordinary.config.shape import BudgetSection, File, ProjectSection
    from webordinary.config.source import Source
    from webordinary.routing.project import Project


def complaints_about_outgoing(outgoing: Outgoing, logins: Collection[str]) -> Iterator[tuple[KeyPath, str]]:
    """Say what is wrong with the way in at the outgoing server."""
    oauth, file = outgoing.oauth, outgoing.password_file
    if outgoing.plain_password and not Listen((outgoing.host, 0)).is_loopback:
        why = "is only for a server on this machine (127.0.0.1, ::1 or localhost): remove it, others would read along"
        yield ("outgoing", "plain_password"), why
    if file is not None and (outgoing.user is None or outgoing.password is not None or oauth is not None):
        why = "must have a user and no password beside `outgoing.password_file`, and `outgoing.oauth` must be left out"
        yield ("outgoing", "url"), why
        return
    if oauth is None:
        if outgoing.user is not None and outgoing.password is None and file is None:
            ways = "`outgoing.oauth` or `outgoing.password_file` beside it"
            yield ("outgoing", "url"), f"must have both a user and a password, or {ways}"
        return
    if oauth not in logins:
        yield ("outgoing", "oauth"), f'is "{oauth}", and no `[[oauth]]` has that name'
    if outgoing.user is None or outgoing.password is not None:
        why = "must have a user and no password beside `outgoing.oauth`, such as smtp://USER@smtp.example.com:587"
        yield ("outgoing", "url"), why


Complaint: TypeAlias = tuple[KeyPath, str]

# In the place of a key that is not read before it is used.
_KEPT_ELSEWHERE = ModelKey("kept elsewhere")

# As long as a proposal waits, and a day.
_SHORTEST_MEMORY = timedelta(days=15)
_NEVER_ZERO = (
    "lease",
    "beat",
    "idle_lease",
    "idle_beat",
    "look",
    "sweep",
    "git_look",
    "prepare_by",
    "patience",
    "deadline",
)


def check(file: File, source: Source) -> None:
    """Refuse the first thing that does not fit, in the order of the file's tables."""
    for path, complaint in _complaints(file):
        raise source.refuse(path, complaint)
    check_options(AGENTS.find(file.agent.kind).options, file.agent.options, ("agent", "options"), source)
    for index, project in enumerate(file.project):
        if own := project.agent.options:
            kind = AGENTS.find(str(project.agent.kind or file.agent.kind))
            check_options(kind.options, own, ("project", index, "agent", "options"), source)
    for index, door in enumerate(file.door):
        check_options(DOORS.find(door.kind).options, door.options, ("door", index, "options"), source)
    for index, project in enumerate(file.project):
        target = TARGETS.find(str(project.site.target or TRAITS[file.engine].own_target))
        check_options(target.options, project.site.options, ("project", index, "site", "options"), source)


def _complaints(file: File) -> Iterator[Complaint]:
    yield from _engine(file)
    yield from complaints_about_oauth(file.oauth)
    logins = frozenset(str(each.name) for each in file.oauth)
    around = DoorSurroundings(file.demo, TRAITS[file.engine].is_one_machine, logins)
    yield from complaints_about_doors(file, around)
    yield from complaints_about_outgoing(file.outgoing.inside(Path()), logins)
    yield from complaints_about_webhooks(file.webhook)
    yield from _times(file)
    yield from _listeners(file)
    yield from ((("dashboard", *path), why) for path, why in complaints_about_dashboard(file.dashboard))
    yield from _agent(file.agent, ("agent",))
    yield from _sandbox(file.agent, file.sandbox.mode, ("sandbox", "mode"))
    yield from _prices(file)
    yield from _waiting(file)
    yield from complaints_about_git(file.git, ("git",))
    yield from _project_ids(file)
    for index, project in enumerate(file.project):
        yield from _people(project, ("project", index))
        yield from complaints_about_git(project.git, ("project", index, "git"))
        if project.agent != OwnAgent() or project.sandbox.mode is not None:
            yield from _own_agent(project, file, ("project", index))


def _agent(agent: AgentChoice, path: KeyPath) -> Iterator[Complaint]:
    with AGENTS.answering(agent.kind) as kind:
        complaints = complaints_of(kind.check(agent))
    yield from (((*path, key), why) for key, why in complaints)
    if agent.options and kind.options is None:
        yield (*path, "options"), f'is not asked for with `kind = "{agent.kind}"`; remove it'


def _own_agent(project: ProjectSection, file: File, path: KeyPath) -> Iterator[Complaint]:
    """Say what is wrong with one project's agent, as it is with what it takes over from the installation."""
    yield from (((*path, "agent", key), why) for key, why in project.agent.complaints())
    own = project.agent.settings(str(project.agent.kind or file.agent.kind), Path())
    agent = file.agent.over(own, _KEPT_ELSEWHERE)
    yield from (((*path, "agent", key), why) for key, why in _unused(project.agent, agent))
    needs_key = AGENTS.find(agent.kind).asks_model and agent.provider is not Provider.BEDROCK
    if needs_key and agent.key is None:
        why = f"is needed: the agent of {project.id} asks a model, and no key of `[agent]` opens that one"
        yield (*path, "agent", "key_file"), f"{why}; or name `key_variable` or `secret`"
    yield from _agent(agent, (*path, "agent"))
    if project.agent.options and AGENTS.find(agent.kind).options is None:
        yield (*path, "agent", "options"), f'is not asked for with `kind = "{agent.kind}"`; remove it'
    if project.sandbox.mode is not None:
        yield from _sandbox(agent, project.sandbox.mode, (*path, "sandbox", "mode"))
    else:
        # The mode stands elsewhere, and it is this agent that does not fit to it.
        told = 'set `project.sandbox.mode` to "auto", "bubblewrap" or "landlock" beside it'
        for _ in _sandbox(agent, file.sandbox.mode, ()):
            yield (*path, "agent", "kind"), f'is "{agent.kind}", which the sandbox "uid" cannot hold; {told}'


def _unused(own: OwnAgent, agent: AgentChoice) -> Iterator[tuple[str, str]]:
    """Warn about settings of a project that its agent never reads: their author means another agent."""
    for key in AGENTS.find(agent.kind).no_use:
        if getattr(own, key):
            yield key, f'is not asked for with `kind = "{agent.kind}"`; remove it, or set the `kind` that it is for'
    for key in WAYS_TO_KEY if agent.provider is Provider.BEDROCK else ():
        if getattr(own, key):
            yield key, 'is not asked for with `provider = "bedrock"`, where AWS knows us; remove it'


def _sandbox(agent: AgentChoice, mode: SandboxMode, path: KeyPath) -> Iterator[Complaint]:
    if mode is SandboxMode.UID and AGENTS.find(agent.kind).asks_model:
        why = f'is "uid", and with its model the agent "{agent.kind}" could reach the whole network from there'
        yield path, f'{why}; set it to "auto", "bubblewrap" or "landlock"'


def _prices(file: File) -> Iterator[Complaint]:
    paths: list[KeyPath] = [("price", index, "model") for index in range(len(file.price))]
    yield from _repeated(paths, [each.model.lower() for each in file.price])


def _waiting(file: File) -> Iterator[Complaint]:
    """Refuse jobs that wait for an agency which nobody can tell of it."""
    tables: list[tuple[KeyPath, BudgetSection]] = [(("budget",), file.budget)]
    tables += [(("project", index, "budget"), project.budget) for index, project in enumerate(file.project)]
    for path, budget in tables:
        if budget.when_spent is WhenSpent.WAIT and file.agency.address is None:
            yield (*path, "when_spent"), 'is "wait", so `agency.address` must say who is told that something waits'


def _engine(file: File) -> Iterator[Complaint]:
    """Refuse what only the other engine can do."""
    on_aws = file.engine is EngineKind.AWS
    if (file.outgoing.url.parse(Path()).kind is OutgoingRoute.SES) != on_aws:
        wanted = 'must be "ses:" with `engine = "aws"`' if on_aws else 'can be "ses:" only with `engine = "aws"`'
        yield ("outgoing", "url"), wanted
    own = TRAITS[file.engine].own_target
    for index, project in enumerate(file.project):
        yield from complaints_about_site(project.site, ("project", index, "site"), own=own)


def _times(file: File) -> Iterator[Complaint]:
    workers = file.workers
    if not workers.backoff:
        yield ("workers", "backoff"), 'must have at least one duration, such as ["10 s"]'
    if not all(workers.overload) or not workers.overload:
        yield ("workers", "overload"), 'must have at least one duration, each longer than 0, such as ["1 min"]'
    for name in _NEVER_ZERO:
        if not getattr(workers, name):
            yield ("workers", name), "must be longer than 0"
    for name in ("", "idle_"):
        lease = getattr(workers, f"{name}lease")
        if getattr(workers, f"{name}beat") >= lease:
            shorter = f"must be shorter than `workers.{name}lease` ({lease.total_seconds():g} s), or lanes are lost"
            yield ("workers", f"{name}beat"), shorter
    kept = file.retention
    if kept.jobs < _SHORTEST_MEMORY:
        yield ("retention", "jobs"), f"must be at least {_SHORTEST_MEMORY.days} days: so long a change waits for an ok"
    if kept.request_keys < kept.jobs:
        yield ("retention", "request_keys"), "must not be shorter than `retention.jobs`, or old mails are done again"


def _listeners(file: File) -> Iterator[Complaint]:
    named = {**listening(file), "preview": file.preview.listen, "dashboard": file.dashboard.listen}
    paths: list[KeyPath] = [(name, "listen") for name, listen in named.items() if listen.port]
    yield from _repeated(paths, [listen for listen in named.values() if listen.port])


def _project_ids(file: File) -> Iterator[Complaint]:
    paths: list[KeyPath] = [("project", index, "id") for index in range(len(file.project))]
    ids = [project.id for project in file.project]
    for path, name in zip(paths, ids, strict=True):
        if name in RESERVED_IDS:
            yield path, f'cannot be "{name}", because mail to that name has another meaning'
    yield from _repeated(paths, ids)


def _people(project: ProjectSection, path: KeyPath) -> Iterator[Complaint]:
    editors: list[KeyPath] = [(*path, "editor", index) for index in range(len(project.editor))]
    users = [str(editor.user) for editor in project.editor]
    yield from _repeated([(*editor, "user") for editor in editors], users)
    addresses = [fold_address(editor.address) for editor in project.editor]
    yield from _repeated([(*editor, "address") for editor in editors], addresses)
    for index, approver in enumerate(project.approvers):
        if is_id(approver) and str(approver) not in users:
            yield (*path, "approvers", index), f'names "{approver}", who is no editor of this project'


def _repeated(paths: Sequence[KeyPath], values: Sequence[object]) -> Iterator[Complaint]:
    seen: dict[object, KeyPath] = {}
    for path, value in zip(paths, values, strict=True):
        first = seen.setdefault(value, path)
        if first != path:
            other = f"`{dotted(first)}`" if dotted(first) != dotted(path) else f"another `{dotted(first)}`"
            yield path, f'is "{value}", which {other} already is; choose another one'


def check_places(projects: Sequence[Project], source: Source) -> None:
    """Refuse two sites in one folder, or one inside the other: each would publish over its neighbour."""
    folders = [project for project in projects if project.site.target == FOLDER]
    places = [Path(project.site.to) for project in folders]
    for index, place in enumerate(places):
        for other, neighbour in zip(folders, places[:index], strict=False):
            if place.is_relative_to(neighbour) or neighbour.is_relative_to(place):
                path = ("project", index, "site", "to")
                raise source.refuse(path, f"shares a folder with the site of {other.id}; choose another one")


def missing_repositories(config: Config) -> tuple[str, ...]:
    """Return one sentence for each project whose repository should be on this machine and is not."""
    folders = ((project.id, project.local_repository) for project in config.projects)
    return tuple(
        f"The repository of {name} is not at {folder}; create it or correct `repository`."
        for name, folder in folders
        if folder is not None and not folder.is_dir()
    )
