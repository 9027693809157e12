"""The embedded engine as scenarios use it: real processes, real git, a real maildir, a real web server."""

from __future__ import annotations

import mailbox
import os
import re
import signal
import urllib.error
import urllib.request
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import TYPE_CHECKING

from tests.rigs.ahead import AHEAD, Ahead
from tests.rigs.dying_worker import go_on_file
from tests.rigs.nursery import Nursling
from webordinary.actions.known import QUEUES
from webordinary.child import run
from webordinary.clock import SystemClock
from webordinary.config import example_config, load_config, project_block, with_project
from webordinary.doors.deliver import deliver
from webordinary.engines.installation import Installation
from webordinary.intake import roll_back
from webordinary.mail.inbox import Envelope
from webordinary.site.web.server import SiteServer, folder_for_host
from webordinary.testing.rig import Received
from webordinary.testing.samples import copy_sample_site
from webordinary.worker.loop import new_worker_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from webordinary.audit.entry import Entry
    from webordinary.clock import Clock
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView, MailView
    from webordinary.testing.rig import SiteSetup

GIT_AUTHOR = {
    "PATH": os.environ["PATH"],
    "GIT_AUTHOR_NAME": "Agency",
    "GIT_AUTHOR_EMAIL": "agency@example.com",
    "GIT_COMMITTER_NAME": "Agency",
    "GIT_COMMITTER_EMAIL": "agency@example.com",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "HOME": "/nonexistent",
}


def git(folder: Path, *words: str) -> str:
    """Run git as the agency would on its own machine."""
    finished = run(["git", *words], cwd=folder, env=GIT_AUTHOR)
    assert finished.succeeded, finished.stderr.decode()
    return finished.stdout.decode()


def make_repository(folder: Path, name: str, sample: str = "sample_site") -> Path:
    """Make a bare repository with a sample site on its live branch."""
    work, bare = folder / f"{name}-work", folder / f"{name}.git"
    copy_sample_site(work, sample)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(bare))
    git(work, "init", "--quiet", "--initial-branch=main")
    git(work, "add", "--all")
    git(work, "commit", "--quiet", "--message=The site as it was")
    git(work, "push", "--quiet", str(bare), "main")
    return bare


class EmbeddedRig:
    """One installation in a temporary folder."""

    domain = "edit.example.com"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gates = folder / "gates"
        self.gates.mkdir()
        self._deaths = folder / "deaths"
        self._workers: dict[str, Nursling] = {}
        self.clock: Clock = SystemClock()
        self._server: SiteServer | None = None

    def may_move_ahead(self) -> Ahead:
        """Let the time of this rig be moved; to be said before anything is set up."""
        self.clock = ahead = Ahead(self.folder / "ahead")
        return ahead

    def set_up(self, sites: Sequence[SiteSetup], settings: Mapping[str, str]) -> None:
        text = example_config(domain=self.domain, outgoing="maildir:mailbox", workers=1)
        for site in sites:
            repository = make_repository(self.folder, site.id, site.sample)
            block = project_block(
                id=site.id,
                repository=str(repository),
                build=site.build,
                output=site.output,
                site_to=f"sites/{site.id}",
                editors=site.editors,
            )
            text = with_project(text, with_rules(with_place(block, site.where), site.rules))
        path = self.folder / "webordinary.toml"
        # Who counts mails in a scenario does not count welcomes.
        text = with_settings(text, {"agency": "welcome = false"})
        path.write_text(with_settings(text, settings), encoding="utf-8")
        self.open(path)

    def open(self, path: Path) -> None:
        """Open the installation of a configuration that exists."""
        self.here = replace(Installation.open(load_config(path, {})), clock=self.clock)
        targets = {project.id: self.folder / "sites" / project.id for project in self.here.config.projects}
        previews = self.here.config.data / "previews"
        self._server = SiteServer(("127.0.0.1", 0), lambda host: folder_for_host(host, previews, targets))
        self._server.start()
        # Made now: a worker that makes it could be caught halfway by somebody who looks.
        mailbox.Maildir(self.folder / "mailbox")

    def deliver(self, raw: bytes, *, as_address: str | None, to: str) -> str:
        mail, _ = deliver(self.here.intake, raw, as_address=as_address, recipients=(to,))
        return mail

    def send(self, raw: bytes, *, sender: str, to: str) -> str:
        mail = self.here.intake.receive(raw, Envelope("smtp", (to,), sender, "127.0.0.1", user=sender)).mail
        self.here.intake.decide(mail)
        return mail

    def start_worker(self) -> str:
        name = new_worker_name()
        if isinstance(self.clock, Ahead):
            self._workers[name] = self._dying("none")
        else:
            arguments = [str(self.here.config.path), name]
            self._workers[name] = Nursling("webordinary.serve.worker_process", arguments, self.environment())
        return name

    def start_dying_workers(self, errand: str, steps: Sequence[str]) -> None:
        """Start one worker for each step, each after the death of the one before it, and one that lives at last."""
        self._workers[new_worker_name()] = self._dying(errand, *steps)

    def lets_go_on(self) -> None:
        """Let the next worker come that was told to wait."""
        go_on_file(self._deaths).touch()

    def _dying(self, *arguments: str) -> Nursling:
        named = [str(self.here.config.path), str(self._deaths), *arguments]
        return Nursling("tests.rigs.dying_worker", named, self.environment())

    def deaths(self) -> list[str]:
        """Return the steps behind which workers have died."""
        if not self._deaths.exists():
            return []
        return [line.partition("\t")[0] for line in self._deaths.read_text(encoding="utf-8").splitlines()]

    def environment(self) -> dict[str, str]:
        """Return what a worker process is started with."""
        return {**os.environ, "WEBORDINARY_SCRIPTED_GATES": str(self.gates), AHEAD: str(self.folder / "ahead")}

    def kill_worker(self, name: str) -> None:
        self._end(name, signal.SIGKILL)

    def drain_worker(self, name: str) -> None:
        self._end(name, signal.SIGTERM)

    def signal_worker(self, name: str, number: signal.Signals) -> None:
        self._workers[name].signal(number)

    def worker_pid(self, name: str) -> int:
        return self._workers[name].pid

    def _end(self, name: str, number: signal.Signals) -> int:
        worker = self._workers.pop(name)
        worker.signal(number)
        return worker.bury()

    def page(self, project: str, path: str, *, thread: str | None = None) -> str:
        try:
            return self._ask(project, path, thread).decode()
        except urllib.error.HTTPError as error:
            with error:
                return f"{error.code}"

    def fetch(self, project: str, path: str) -> bytes:
        try:
            return self._ask(project, path)
        except urllib.error.HTTPError as error:
            with error:
                return b""

    def _ask(self, project: str, path: str, thread: str | None = None) -> bytes:
        assert self._server is not None
        host, port = self._server.address
        name = f"{thread}.{project}.localhost" if thread else f"{project}.localhost"
        request = urllib.request.Request(f"http://{host}:{port}/{path}", headers={"Host": name})
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - loopback
            content: bytes = response.read()
        return content

    def mailbox(self, address: str) -> list[Received]:
        box = mailbox.Maildir(self.folder / "mailbox")
        mails = [
            message_from_bytes(box.get_bytes(key), _class=EmailMessage, policy=policy.default)
            for key in sorted(box.keys(), key=_by_time)
        ]
        return [received(mail) for mail in mails if str(mail["To"]) == address]

    def trail(self, after: int = 0) -> Sequence[Entry]:
        return self.here.engine.trail.read(after=after, limit=100_000)

    def jobs(self) -> Sequence[Job]:
        return self.here.engine.overview.jobs(limit=10_000)

    def lanes(self) -> Sequence[LaneView]:
        return self.here.engine.overview.lanes(self.here.clock.now())

    def mails(self) -> Sequence[MailView]:
        return self.here.engine.overview.mails(limit=10_000)

    def stop_job(self, job: str, by: str) -> str:
        return self.here.engine.lanes.stop(job, by, self.here.clock.now()).value

    def roll_back(self, project: str, commit: str) -> str:
        engine, clock = self.here.engine, self.here.clock
        found = engine.projects.find(project)
        assert found is not None
        assert commit in {release.commit for release in engine.sites.releases(project)}
        job = roll_back(found, commit, "amy", clock)
        engine.lanes.accept(job, clock.now(), ready=QUEUES)
        return job.id

    def live_log(self, project: str) -> list[str]:
        return git(self.folder / f"{project}.git", "log", "--format=%s", "main").splitlines()

    def close(self) -> None:
        for name in list(self._workers):
            self._end(name, signal.SIGKILL)
        if self._server is not None:
            self._server.close()


def _by_time(key: str) -> list[int]:
    """Sort the names of a maildir as they were given: the numbers in them have no leading zeros."""
    return [int(number) for number in re.findall(r"\d+", key)]


def received(mail: EmailMessage) -> Received:
    body, page = mail.get_body(("plain",)), mail.get_body(("html",))
    reply = mail["In-Reply-To"]
    pictures = [part for part in mail.walk() if part.get_content_maintype() == "image"]
    return Received(
        to=str(mail["To"]),
        subject=str(mail["Subject"]),
        text=body.get_content() if body else "",
        message_id=str(mail["Message-ID"]),
        in_reply_to=str(reply) if reply else None,
        reply_to=mail["Reply-To"].addresses[0].addr_spec,
        html=page.get_content() if page else "",
        pictures=tuple((str(part["Content-ID"]).strip("<>"), part.get_content()) for part in pictures),
    )


def with_rules(block: str, rules: str) -> str:
    """Put the rules directly behind the head of the project's table."""
    return block.replace("[[project]]\n", f"[[project]]\n{rules}\n", 1) if rules else block


def with_place(block: str, where: str) -> str:
    """Let a project be published elsewhere than where the engine itself has sites."""
    before, head, after = block.partition("\n[project.site]\n")
    _, bracket, rest = after.partition("\n[")
    return f"{before}{head}{where}\n{bracket}{rest}" if where else block


def with_settings(text: str, settings: Mapping[str, str]) -> str:
    """Put lines directly behind the heads of tables, instead of those that set the same keys."""
    for table, lines in settings.items():
        if f"\n[{table}]\n" not in text:
            text = f"{text}\n[{table}]\n"
        before, head, after = text.partition(f"\n[{table}]\n")
        inside, bracket, rest = after.partition("\n[")
        new = {line.partition("=")[0].strip() for line in lines.splitlines()}
        kept = [line for line in inside.splitlines() if line.partition("=")[0].strip() not in new]
        text = f"{before}{head}{lines}\n" + "\n".join(kept) + bracket + rest
    return text
