"""The way of the product with a change, from the committed edit to the mail that the owner reads, in one process.

Everything that judges and tells is the real thing. Only what keeps records stands in: git, the database, the publisher.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from tests.checks.case import read_site
from webordinary.agent.agent import WhyStopped
from webordinary.errors import JobFailed
from webordinary.intake.hear import hear
from webordinary.jobs.job import Attached, Ending, FileKind, Job, Kind, Outcome, Request, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.limits import Limits
from webordinary.mail.parse import parse_message
from webordinary.mail.tokens import ReplyKey
from webordinary.ownership.claim import Claim
from webordinary.reply.outbox import Letter
from webordinary.reply.write import Writer
from webordinary.routing.lane import Lane
from webordinary.routing.project import Editor, Project, Rules, SiteTarget
from webordinary.site.sites import Switched
from webordinary.testing.clock import ManualClock
from webordinary.testing.mail import write_mail
from webordinary.worker.attempt import _ending_of
from webordinary.worker.change.candidate import Candidates
from webordinary.worker.change.edit import Edit
from webordinary.worker.change.files import with_files
from webordinary.worker.change.hired import Hired
from webordinary.worker.change.live_site import KnownSites
from webordinary.worker.change.pictures import Pictures
from webordinary.worker.change.publish import Publish
from webordinary.worker.heartbeat import AttemptControl
from webordinary.worker.run import Run
from webordinary.workspace.change import Change
from webordinary.workspace.change import ChangeKind as Changed
from webordinary.workspace.checkout import Checkout
from webordinary.workspace.push import Prepared, PushResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.checks.case import Case, Files
    from webordinary.engine import Engine

OWNER, AGENCY = "amelia@bakery.example", "agency@studio.example"
_JOB, _THREAD, _LIVE = "job-1", "thread-1", "0" * 40


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a change, and what the owner reads about it."""

    outcome: Outcome | None
    words: str
    # Which reasons to wait and which sorts of changes it names, by the names that the answer's words have.
    reasons: tuple[str, ...]
    kinds: tuple[str, ...]
    text: str = field(repr=False)
    html: str = field(repr=False)
    # What a check broke with.
    broke: str = ""

    @property
    def is_live(self) -> bool:
        return self.outcome is Outcome.PUBLISHED


def answer(case: Case, folder: Path) -> Answered:
    """Take a change the way that it takes in the product, with all that is in it: what is found is judged here."""
    return _answer(_Desk(case, folder))


def answer_least(case: Case, folder: Path) -> tuple[Answered, Files]:
    """Take it the whole way, on which what the request does not need is taken out; return the files at its end too."""
    desk = _Desk(case, folder, is_least=True)
    return _answer(desk), desk.checkout.files_now()


def _answer(desk: _Desk) -> Answered:
    try:
        ending = desk.end()
    except Exception as broken:  # noqa: BLE001 - a check that breaks is one of the outcomes that must not be
        return Answered(None, "our_fault", (), (), "", "", f"{type(broken).__name__}: {broken}")
    letter = Letter("letter-1", "answer", OWNER, ending.template, ending.facts, job=_JOB)
    mail = desk.writer().write(letter, "<letter-1@webordinary.example>", desk.clock.now().wall_at)
    reasons, kinds = (_first_fields(ending.facts.get(name, "")) for name in ("reasons", "changes"))
    return Answered(ending.outcome, ending.template, reasons, kinds, mail.text, mail.html)


def _first_fields(fact: str) -> tuple[str, ...]:
    return tuple(line.partition("\t")[0] for line in fact.split("\n") if line)


@dataclass
class _Desk:
    """What keeps records while one change takes its way."""

    case: Case
    folder: Path
    clock: ManualClock = field(default_factory=ManualClock)
    kept: dict[str, bytes] = field(default_factory=dict)
    is_least: bool = False

    def __post_init__(self) -> None:
        self.is_built = self.case.again is not None
        self.project = _project(is_built=self.is_built)
        self.job = _job(self.case, self.clock, self.keep)
        self.claim = Claim(self.job.lane, 1, "worker-1", "nonce")
        self.checkout = _Checkout(self.case, self.folder, is_built=self.is_built)

    def end(self) -> Ending:
        edit = Edit(
            engine=self.engine(),
            workspace=cast("Any", None),
            agent_of=lambda _: Hired(cast("Any", None)),
            publish=self._publish(),
            clock=self.clock,
            scratch=self.folder,
            agency=AGENCY,
        )
        pulse = AttemptControl(self.claim, self.job, Limits().drain)
        checkout = cast("Any", self.checkout)
        run = Run(edit.engine, self.clock, self.claim, self.job, self.project, checkout, pulse)
        try:
            ending = edit._carry_out(run)  # noqa: SLF001 - behind it stands a git repository
        except JobFailed as failed:
            ending = _ending_of(failed)
        return replace(ending, facts=with_files(ending, self.job))

    def _publish(self) -> Publish:
        engine = self.engine()
        candidates = (_LeastCandidates if self.is_least else _Candidates)(
            engine=engine,
            limits=Limits(),
            sandbox=cast("Any", None),
            scratch=self.folder,
            dependencies=cast("Any", None),
            preview_of=lambda project, thread: f"https://{thread}.preview.example/{project.id}/",
            known=KnownSites(self.folder / "known"),
        )
        return Publish(engine, Limits(), candidates, Pictures(), lambda _: "https://bakery.example/")

    def engine(self) -> Engine:
        nothing = SimpleNamespace(find=lambda *_, **__: None, open=lambda *_, **__: ())
        ports = SimpleNamespace(
            inbox=SimpleNamespace(keep_file=self.keep, read_file=self.kept.__getitem__),
            overview=SimpleNamespace(job=lambda name: self.job if name == _JOB else None, jobs=lambda **_: ()),
            attempts=SimpleNamespace(
                journal=self._journal,
                take_publish_slot=lambda *_: True,
                leave_publish_slot=lambda *_: None,
                pass_commit_point=lambda _, __, commit, ___: self._note(commit=commit),
            ),
            sites=SimpleNamespace(
                live=lambda _: _LIVE,
                take_release=lambda _, __, built: built,
                folder_of=lambda *_: None,
                show_preview=lambda *_: None,
                switch_live=lambda *_, **__: Switched.SWITCHED,
                remove_old=lambda *_, **__: None,
            ),
            projects=SimpleNamespace(find=lambda _: self.project),
            proposals=nothing,
            schedules=_Everything(),
        )
        return cast("Engine", ports)

    def writer(self) -> Writer:
        engine = self.engine()
        return Writer(
            outbox=cast("Any", None),
            overview=engine.overview,
            inbox=engine.inbox,
            projects=engine.projects,
            reply_keys=cast("Any", SimpleNamespace(current=lambda: ReplyKey(b"k" * 32))),
            domain="webordinary.example",
            clock=self.clock,
        )

    def keep(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        self.kept[digest] = content
        return digest

    def _journal(self, _claim: Claim, _job: Job, step: str, facts: dict[str, str], *_: object, **__: object) -> Job:
        return self._note(journal=Journal({**self.job.journal.stored, step: "", **facts}))

    def _note(self, **known: Any) -> Job:  # noqa: ANN401 - whatever a job consists of
        self.job = replace(self.job, **known)
        return self.job


class _Everything:
    """A port of which nobody here wants an answer."""

    def __getattr__(self, _: str) -> Callable[..., tuple[()]]:
        return lambda *_, **__: ()


class _Candidates(Candidates):
    """Makes candidates from what the builds left, without running them again."""

    __slots__ = ()

    def _builder(
        self,
        _project: object,
        checkout: Any,  # noqa: ANN401 - it stands in for a checkout
        *_: object,
        hear: object = None,  # noqa: ARG002 - nobody listens to this build
    ) -> Callable[[Path, Path], Path]:
        return cast("Callable[[Path, Path], Path]", checkout.build)

    def _extras(self, *_: object) -> tuple[()]:
        return ()

    def _smaller(self, _: Any) -> Any:  # noqa: ANN401 - what it leaves alone
        return None


class _LeastCandidates(_Candidates):
    """Takes out of them what nobody asked for."""

    __slots__ = ()

    def _smaller(self, least: Any) -> Any:  # noqa: ANN401 - it hands it on
        return Candidates._smaller(self, least)  # noqa: SLF001 - it is the one that is left out above


class _Checkout:
    """Two folders, what is live and what would be, where the product has a git repository."""

    tip, branch, lock = "1" * 40, _THREAD, 0

    def __init__(self, case: Case, folder: Path, *, is_built: bool) -> None:
        self._folder = folder
        self._was, self._now, self._again = case.was(), case.now(), case.built_again()
        self._is_built = is_built
        self._site, self._is_sample = case.site, not case.given
        self._builds = 0
        self.path = _written(folder / "now", self._now)
        if is_built:
            # The files that a mail may change are no matter here: one page of the source stands for them.
            self.path = _written(folder / "source", {"content/index.md": b"changed\n"})

    def remove_build(self) -> None:
        """Leave the builds as they are."""

    def told_diff(self, _prepared: object) -> bytes:
        """Nobody looks at it here."""
        return b""

    def build(self, source: Path, into: Path) -> Path:
        if source == self.path:
            return self._folder / "now" if self._is_built else shutil.copytree(self.path, into)
        self._builds += 1
        if self._builds > 1:
            return _written(self._folder / "again", self._again)
        return _sample(self._site) if self._is_sample else _written(self._folder / "was", self._was)

    @contextmanager
    def exported(self, _commit: str, scratch: Path) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            yield Path(folder)

    def changes_for_live(self) -> tuple[Change, ...]:
        if self._is_built:
            return (Change("content/index.md", Changed.CHANGED, 1, 1),)
        paths = sorted({*self._was, *self._now})
        return tuple(_change(path, self._was, self._now) for path in paths if self._differs(path))

    def differs_from_live(self) -> bool:
        return self._is_built or any(map(self._differs, {*self._was, *self._now}))

    def _differs(self, path: str) -> bool:
        return self._was.get(path) != self._now.get(path)

    def file_at(self, commit: str, path: str) -> bytes | None:
        return (self._was if commit == _LIVE else self._now).get(path)

    def files_now(self) -> Files:
        return dict(self._now)

    def discard_changes(self) -> None:
        shutil.rmtree(self.path)
        _written(self.path, self._now)

    def lay(self, files: Mapping[str, bytes | None]) -> None:
        self.discard_changes()
        Checkout.put(cast("Any", self), files)

    def commit(self, *_: object, **__: object) -> str:
        found = (path for path in sorted(self.path.rglob("*")) if path.is_file())
        self._now = {str(path.relative_to(self.path)): path.read_bytes() for path in found}
        return self.tip

    def live_commit(self) -> str:
        return _LIVE

    def has(self, _commit: str) -> bool:
        return True

    def job_of(self, _commit: str) -> None:
        return None

    def squash(self, *_: object, **__: object) -> Prepared:
        return Prepared("2" * 40, _LIVE)

    def push_live(self, *_: object, **__: object) -> PushResult:
        return PushResult.PUSHED

    def keep_at_remote(self, *_: object, **__: object) -> bool:
        return True

    def descends(self, *_: object) -> bool:
        return True

    def follows(self, *_: object) -> bool:
        return True

    def knows(self, _commit: str) -> bool:
        return True

    def look_at_live(self) -> str:
        return _LIVE

    def merge_seen_live(self) -> None: ...

    def put_back(self) -> None: ...


def _change(path: str, was: Files, now: Files) -> Change:
    kind = Changed.ADDED if path not in was else Changed.REMOVED if path not in now else Changed.CHANGED
    before, after = was.get(path, b"").splitlines(), now.get(path, b"").splitlines()
    return Change(path, kind, len(set(after) - set(before)), len(set(before) - set(after)))


@cache
def _sample(site: str) -> Path:
    """Lay a sample site out once for all cases that begin with it."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return _written(folder / site, read_site(site))


def _written(folder: Path, files: Files) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def _project(*, is_built: bool) -> Project:
    return Project(
        id="bakery",
        name="Amelia's Bakery",
        repository="site.git",
        branch="main",
        build=("make", "site") if is_built else (),
        output="dist" if is_built else ".",
        rules=Rules(timezone="Europe/Berlin"),
        site=SiteTarget("folder", "site", "https://bakery.example/"),
        editors=(Editor("amelia", OWNER),),
    )


def _job(case: Case, clock: ManualClock, keep: Callable[[bytes], str]) -> Job:
    raw = write_mail(sender=OWNER, to="bakery@webordinary.example", text=case.mail, subject=case.subject)
    message = parse_message(raw)
    heard = hear(message, None)
    request = Request(
        text=heard.text,
        cut=heard.cut,
        attachments=tuple(_attached(*file, keep) for file in case.files),
        reply_to=OWNER,
        message_id=message.message_id,
    )
    journal = {
        Step.EDITED.value: "",
        **dict([Journal.commit("1" * 40), Journal.summary(case.summary), Journal.stopped(WhyStopped.DONE)]),
    }
    return Job(
        id=_JOB,
        lane=Lane("bakery", "amelia"),
        thread=_THREAD,
        sequence=1,
        kind=Kind.INSTRUCTION,
        state=State.RUNNING,
        subject=message.subject,
        request=request,
        received_at=clock.now().wall_at,
        journal=Journal(journal),
    )


def _attached(name: str, content_type: str, content: bytes, keep: Callable[[bytes], str]) -> Attached:
    fate = FileKind.PHOTO if content_type.startswith("image/") else FileKind.DOCUMENT
    return Attached(name, content_type, keep(content), fate, len(content))
