"""A year of mails on a clock that the test moves: what is left of it, and what each command costs then.

Two hundred mails a day, scaled down: a day has a few of them, and the figures are looked at after the retention
period and at the end of the year.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from tests.rigs.embedded_ports import AMELIA, Postman
from tests.rigs.ports import LIMITS, Ports
from tests.scale import SCALE
from tests.unit.workspace.remote_repository import Remote
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.open import DATABASE
from webordinary.engines.embedded.open import Ports as EmbeddedPorts
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Attached, Ending, Outcome, State
from webordinary.jobs.journal import Journal
from webordinary.jobs.retention import Lifetimes
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.reply.outbox import Letter
from webordinary.site.targets.folder import FolderSites
from webordinary.testing.clock import ManualClock
from webordinary.worker.chores.housekeeping import Housekeeping
from webordinary.worker.chores.prune import Prune

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.engine import Engine

A_DAY = max(1, round(2 * SCALE))
DAYS = 360
KEPT = Lifetimes(jobs=timedelta(days=90), request_keys=timedelta(days=90))
PEOPLE = tuple(f"person{number}@example.org" for number in range(4))
WORDS = "Please change our opening hours on Saturday to nine, and thank you very much. " * 20


@dataclass(frozen=True, slots=True)
class Figures:
    """What a year leaves: sizes in bytes, files and branches by number, and each command's steps in SQLite."""

    database: int
    files: int
    branches: int
    mirror: int
    objects: int
    steps: dict[str, int]


class Year:
    """An installation whose days pass when the test says so."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = ManualClock()
        self.remote = Remote(folder / "far")
        self.project = replace(AMELIA, repository=self.remote.url)
        self.database = Database(folder / "data" / DATABASE)
        self._hurry(self.database)
        sites = FolderSites(folder / "data" / "previews", {"amelia": folder / "sites" / "amelia"})
        made = EmbeddedPorts(folder / "data", LIMITS, Postman(), sites, (self.project,))
        self.engine: Engine = made.on(self.database)
        self.ports = Ports(self.engine, self.clock, LIMITS, [], lambda _: None)
        self.housekeeping = Housekeeping(self.engine, self.clock, KEPT, folder / "data")
        self.prune = Prune(self.engine, self.clock, KEPT)
        self._built = folder / "built"
        self._built.mkdir()
        (self._built / "index.html").write_text("<h1>Bakery</h1>", encoding="utf-8")
        self._count = 0
        self._aged: set[Path] = set()

    @staticmethod
    def _hurry(database: Database) -> None:
        """Wait for no disk: a year of them would take longer than anybody waits for a test."""
        database._connection().pragma("synchronous", "off")  # noqa: SLF001 - not in production

    def live_a_day(self) -> None:
        for _ in range(A_DAY):
            self._mail()
            self.clock.advance(timedelta(days=1) / A_DAY)
        for _ in range(40):
            self.prune.look()

    def live_a_month(self) -> None:
        for _ in range(30):
            self.live_a_day()
        self._add_branches()
        self._age_files()
        for _ in range(3):
            self.housekeeping.tidy_up()

    def _mail(self) -> None:
        """Let a mail come in, be done, be shown, be published and be answered."""
        self._count += 1
        number, engine, now, who = self._count, self.engine, self.clock.now(), PEOPLE[self._count % len(PEOPLE)]
        raw = f"From: {who}\nMessage-ID: <{number}@phone>\n\n{WORDS} {number}".encode()
        mail = engine.inbox.keep(raw, Envelope("smtp", ("amelia@edit.example.com",), mail_from=who), now).mail
        engine.inbox.take_key(f"mail:amelia:{who}:{number}", mail, now)
        lane, thread = f"amelia#{who.partition('@')[0]}", f"t{number // 2}"
        job = replace(self.ports.new_job(lane, thread, reply_to=who), mail=mail)
        engine.lanes.accept(job, now)
        photo = Attached("a.jpg", "image/jpeg", engine.inbox.keep_file(os.urandom(2_000)))
        engine.lanes.enqueue(job.id, InterruptRule(), now, attachments=(photo,))
        engine.inbox.decide(mail, Decision(MailOutcome.QUEUED, "asked", who, "Hours", "amelia", job.id, thread), now)
        self._work(job.id, who, mail, thread)

    def _work(self, job: str, who: str, mail: str, thread: str) -> None:
        engine, now = self.engine, self.clock.now()
        claimed = engine.claims.claim("w1", now)
        assert claimed is not None
        assert claimed.job is not None
        index = engine.inbox.keep_file(f"index of {job}".encode() * 100)
        noted = dict([Journal.index(index), Journal.commit_live("c0ffee"), Journal.summary(WORDS[:500])])
        done = engine.attempts.journal(claimed.claim, claimed.job, "built", noted, now)
        done = engine.attempts.pass_commit_point(claimed.claim, done, "c0ffee", now)
        engine.attempts.finish(claimed.claim, done, Ending(State.DONE, Outcome.PUBLISHED), now)
        engine.claims.give_back(claimed.claim, now)
        engine.sites.show_preview("amelia", thread, self._built)
        letter = Letter(f"{job}.answer", "answer", who, "done", {"summary": "nine"}, job, mail)
        engine.outbox.add(letter, now)
        engine.outbox.seal(letter, WORDS.encode() * 4, f"{job}@edit.example.com", now)
        engine.outbox.mark_sent(letter, now)

    def _age_files(self) -> None:
        """Let what was made this month be of this month on the clock of the test too."""
        made = (self.clock.now().wall_at - timedelta(days=15)).timestamp()
        data = self.folder / "data"
        for path in {*(data / "mail").glob("??/*"), *(data / "previews" / "amelia").glob("[!.]*")} - self._aged:
            os.utime(path, (made, made), follow_symlinks=False)
            self._aged.add(path)
        # Git asks the machine's clock.
        for path in (data / "workspace" / "projects" / "amelia" / "mirror.git" / "objects").rglob("*"):
            os.utime(path, (0, 0))

    def _add_branches(self) -> None:
        """Let each conversation of the month have its branch at the remote, of about its day."""
        at = int((self.clock.now().wall_at - timedelta(days=15)).timestamp())
        main, first = self.remote.commit("main"), self._count - 30 * A_DAY
        lines = []
        for thread in sorted({f"t{number // 2}" for number in range(first + 1, self._count + 1)}):
            page = f"<p>{thread}</p>\n"
            lines.append(
                f"commit refs/heads/thread-{thread}\ncommitter WebOrdinary <webordinary@localhost> {at} +0000\n"
                f"data {len(thread)}\n{thread}\nfrom {main}\nM 100644 inline {thread}.html\ndata {len(page)}\n{page}\n"
            )
        self.remote.run(self.remote.path, "fast-import", "--quiet", "--force", stdin="".join(lines).encode())

    def figures(self) -> Figures:
        data, mirror = self.folder / "data", self.folder / "data" / "workspace" / "projects" / "amelia" / "mirror.git"
        refs = self.remote.git("for-each-ref", "--format=%(refname)", "refs/heads/thread-*").splitlines()
        self.database._connection().pragma("wal_checkpoint(TRUNCATE)")  # noqa: SLF001 - to see the file's own size
        return Figures(
            database=(data / DATABASE).stat().st_size,
            files=sum(len(names) for _, _, names in os.walk(data / "mail")),
            branches=len(refs),
            mirror=sum(path.stat().st_size for path in mirror.rglob("*") if path.is_file()),
            objects=len(list((mirror / "objects").glob("??/*"))),
            steps=self._steps(),
        )

    def _steps(self) -> dict[str, int]:
        """Count the steps of SQLite's machine that each question takes, which no other work on the machine changes."""
        engine, now = self.engine, self.clock.now()
        newest = engine.overview.jobs(limit=1)[0]
        commands = {
            "show jobs": lambda: engine.overview.jobs(limit=100),
            "show jobs of a lane": lambda: engine.overview.jobs(lane=newest.lane.key, limit=100),
            "show job": lambda: engine.overview.job(newest.id),
            "show mails": lambda: engine.overview.mails(limit=100),
            "show lanes": lambda: engine.overview.lanes(now),
            "show trail": lambda: engine.trail.newest(limit=100),
            "dead letters": lambda: engine.overview.dead_without_alarm(limit=100),
            "sweep": lambda: engine.lanes.sweep(now),
            "due letters": lambda: engine.outbox.take_due("w1", now),
            "claim": lambda: engine.claims.claim("w2", now),
        }
        return {name: self._count_steps(command) for name, command in commands.items()}

    def _count_steps(self, command: Any) -> int:  # noqa: ANN401 - any call
        steps = []
        connection = self.database._connection()  # noqa: SLF001 - the one that the command uses
        connection.trace_v2(
            apsw.SQLITE_TRACE_PROFILE, lambda told: steps.append(told["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"])
        )
        command()
        connection.trace_v2(0)
        return sum(steps)


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_a_year_leaves_little(tmp_path: Path) -> None:
    year = Year(tmp_path)
    with_mirror(year)
    seen = []
    for _ in range(DAYS // 30):
        year.live_a_month()
        seen.append(year.figures())
    # Three months are kept; one more for what is looked at once a month here.
    settled, last = seen[4], seen[-1]
    print(f"after 150 days: {settled}\nafter {DAYS} days: {last}")  # noqa: T201 - the figures are the point
    assert last.database <= settled.database * 1.1
    assert last.files <= settled.files * 1.1
    assert last.branches <= settled.branches * 1.1
    assert last.objects <= max(500, settled.objects * 1.1)
    assert last.mirror <= settled.mirror * 1.5
    grown = {
        name: (settled.steps[name], steps)
        for name, steps in last.steps.items()
        if steps > settled.steps[name] * 1.2 + 200
    }
    assert grown == {}


def with_mirror(year: Year) -> None:
    """Let the project's mirror be there, as after a first job."""
    from webordinary.workspace.access import Access  # noqa: PLC0415 - only here
    from webordinary.workspace.checkout import Workspace  # noqa: PLC0415 - only here

    with Workspace(year.folder / "data" / "workspace").open_checkout(
        "amelia", Access(year.remote.url), "main", "person0", "t0"
    ):
        pass
