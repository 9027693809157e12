"""`webordinary aws local`: all of AWS on this machine, a mail into its bucket, and the flow state by state."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.audit.entry import EventType
from webordinary.cli.demo.folder import DOMAIN, OWNER, OWNER_ADDRESS, PROJECT, make_site
from webordinary.cli.demo.proof import changed_lines
from webordinary.cli.demo.run import MailProgress, stoppable
from webordinary.cli.follow import say_entry
from webordinary.cli.options import CONFIG_NAME
from webordinary.cli.output import say
from webordinary.clock import SystemClock
from webordinary.config import Config, example_config_on_aws, load_config, project_block, with_project
from webordinary.errors import JobFailed, Misconfigured
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from webordinary_local_aws.server import LocalAws
    from webordinary_local_aws.stack import LocalStack

MAIL = "Hello,\n\nwe open at nine now.\n\nThanks, Scott\n"
_MARK = ".aws-local"
_WORKERS = 2
_PATIENCE_SECONDS = 120.0
_LOOK_EVERY_SECONDS = 0.2
_DRAIN = timedelta(seconds=20)
_INTERRUPTED = 130

FolderOption = Annotated[Path, typer.Option("--folder", help="Where its configuration and site lie; made anew.")]


def local(
    *,
    once: Annotated[bool, typer.Option("--once", help="Exit when the first mail is answered.")] = False,
    folder: FolderOption = Path("aws-local"),
) -> None:
    """Run all of it on this machine: a local AWS server, the real functions and workers; needs no account.

    A mail goes into the bucket, and each state of its flow is shown. It runs until Ctrl-C and forgets everything
    then; with --once it exits 0 as soon as the answer is there. It needs the local AWS server, which is a
    package of its own and which the test set brings along.
    """
    try:
        from webordinary_local_aws.server import LocalAws  # noqa: PLC0415 - a package of its own, which few have
        from webordinary_local_aws.stack import LocalStack  # noqa: PLC0415 - the same
    except ModuleNotFoundError as missing:
        raise Misconfigured(
            "The local AWS server is a package of its own: install it from a checkout of WebOrdinary, "
            f"pip install ./local-aws (there is no {missing.name})."
        ) from None

    with stoppable() as stop, LocalAws() as server:
        config = _make(folder, server)
        with LocalStack(server, config) as stack, _workers(config, server):
            _say_where(config, server, folder)
            _show_site(stack)
            _play(stack, stop)
            if not once:
                _go_on(stack, stop)
    if once and stop.is_set():
        raise typer.Exit(_INTERRUPTED)
    say("It works." if once else "Everything has ended.", "bold")


def _make(folder: Path, server: LocalAws) -> Config:
    """Make a bakery's site and a configuration that knows the server; an older one of ours is removed."""
    folder = folder.absolute()
    if folder.exists():
        if not (folder / _MARK).exists():
            raise Misconfigured(f"{folder} is not a folder of `aws local`; name another one with --folder.")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()
    make_site(folder)
    block = project_block(
        id=PROJECT,
        name="Amelia's Bakery",
        repository=f"{PROJECT}.git",
        site_target="s3",
        editors=[(OWNER, OWNER_ADDRESS)],
    )
    where = server.environment()
    text = example_config_on_aws(domain=DOMAIN, prefix="local").replace(
        'prefix = "local"\n',
        f'prefix = "local"\nendpoint = "{server.endpoint}"\nregion = "{where["AWS_REGION"]}"\n'
        f'account = "{where["AWS_ACCOUNT_ID"]}"\n',
    )
    path = folder / CONFIG_NAME
    path.write_text(with_project(text, block), encoding="utf-8")
    return load_config(path, {})


@contextmanager
def _workers(config: Config, server: LocalAws) -> Iterator[None]:
    """Run real workers beside us, each alone as in a task of ECS; what they say goes into a file."""
    from webordinary.child import Child  # noqa: PLC0415 - heavy

    program = [sys.executable, "-m", "webordinary.cli", "--config", str(config.path.absolute()), "work"]
    with (config.path.parent / "workers.log").open("a", encoding="utf-8") as log:

        def note(line: str) -> None:
            with suppress(ValueError):
                log.write(f"{line.rstrip()}\n")
                log.flush()

        surroundings = {**os.environ, **server.environment()}
        with ExitStack() as stack:
            for _ in range(_WORKERS):
                task = Child(program, cwd=config.path.parent, env=surroundings, on_line=note)
                stack.callback(task.stop, _DRAIN)
            yield


def _show_site(stack: LocalStack) -> None:
    """Publish the site as it is, as onboarding does."""
    from webordinary.cli.release import publish_first  # noqa: PLC0415 - heavy
    from webordinary.engines.installation import Installation  # noqa: PLC0415 - heavy

    config = stack.flow.config
    here = Installation(config, stack.flow.engine, SystemClock())
    for project in config.projects:
        publish_first(here, project)


def _say_where(config: Config, server: LocalAws, folder: Path) -> None:
    say(f"The local AWS server:  {server.endpoint}", "bold")
    say(f"The configuration:     {config.path}")
    say(f"The workers' words:    {folder / 'workers.log'}")
    say("")


def _play(stack: LocalStack, stop: threading.Event) -> None:
    """Put one mail into the bucket, say what happens, and show what came of it."""
    to = f"{PROJECT}@{DOMAIN}"
    raw = write_mail(sender=OWNER_ADDRESS, to=to, text=MAIL, subject="Opening hours", written_at=datetime.now(UTC))
    before, after = stack.page(PROJECT), stack.flow.engine.trail.last_number()
    say(f"{OWNER_ADDRESS} writes to {to}; the mail goes into the bucket {stack.flow.bucket}.", "bold")
    mail = stack.flow.deliver("inbound/first.eml", raw, sender=OWNER_ADDRESS, recipients=[to])
    way = _watch(stack, MailProgress(mail), after, stop)
    if stop.is_set():
        return
    if way.problem is not None:
        raise JobFailed(f"{way.problem} The workers' words may tell more.")
    _say_outcome(stack, before)


def _watch(stack: LocalStack, way: MailProgress, after: int, stop: threading.Event) -> MailProgress:
    """Say each state of the flow and each entry of the trail until the mail is answered."""
    ends_at = time.monotonic() + _PATIENCE_SECONDS
    is_over = False
    while not is_over and not stop.is_set() and time.monotonic() < ends_at:
        after, entered = _say_news(stack, way, after)
        # The flow goes on for a moment behind the answer.
        is_over = bool(way.entries) and way.entries[-1].what is EventType.ANSWERED and not entered
        stop.wait(_LOOK_EVERY_SECONDS)
    return way


def _say_news(stack: LocalStack, way: MailProgress | None, after: int) -> tuple[int, bool]:
    """Say what is new; return how far the trail was read, and whether the flow moved."""
    entered = False
    for execution, state in stack.new_states():
        entered = True
        say(f"{datetime.now().astimezone():%H:%M:%S}  flow {execution[:13]}: {state}", "cyan")
    while stack.flow.failures:
        say(f"{datetime.now().astimezone():%H:%M:%S}  function {stack.flow.failures.pop(0)}", "red")
    for entry in stack.flow.engine.trail.read(after=after):
        after = entry.number
        say_entry(entry)
        if way is not None:
            way.note(entry)
    return after, entered


def _say_outcome(stack: LocalStack, before: str) -> None:
    answers = stack.letters_to(OWNER_ADDRESS)
    if not answers:
        raise JobFailed("The answer was recorded as sent, but the local SES has none.")
    body = answers[-1].get_body(("plain",))
    say("")
    say("The owner gets this answer:", "bold")
    for line in (body.get_content() if body else "").strip().splitlines():
        say(f"  | {line}")
    say("")
    say("What is different on the page:", "bold")
    for line in changed_lines(before, stack.page(PROJECT)) or ["nothing"]:
        say(f"  {line}", "green" if line.startswith("+") else "red" if line.startswith("-") else "")
    say("")


def _go_on(stack: LocalStack, stop: threading.Event) -> None:
    """Say what happens to further mails until somebody wants to stop."""
    if stop.is_set():
        return
    path = stack.flow.config.path
    say(f"The site in your browser:  {stack.open_site(PROJECT)}", "bold")
    say("")
    say("More from a second terminal, or end everything with Ctrl-C:", "bold")
    say("  export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local")
    say(f'  webordinary --config {path} aws send-test-mail {PROJECT} --text "We open at ten now."')
    say(f"  webordinary --config {path} aws status")
    say("")
    after = stack.flow.engine.trail.last_number()
    while not stop.wait(_LOOK_EVERY_SECONDS):
        after, _ = _say_news(stack, None, after)
