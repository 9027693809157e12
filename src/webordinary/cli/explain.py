"""`webordinary explain-mail`: what would happen with a mail and why, without doing any of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webordinary.cli.options import ConfigOption, JsonOption, config_path, examples
from webordinary.cli.output import print_json_line, say, say_error
from webordinary.config import example_config, load_config, read_config
from webordinary.errors import Refused
from webordinary.intake.steps import LARGEST_MAIL
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import OPERATOR, Vouch

if TYPE_CHECKING:
    from webordinary.config import Config
    from webordinary.intake import Intake
    from webordinary.intake.explain import Explained

_FAILED = 1
_NOWHERE = "nowhere.invalid"
_DATABASE = "webordinary.db"


def add_to(app: typer.Typer) -> None:
    """Give the program what explains mails."""
    lines = (
        "webordinary explain-mail mail.eml",
        "webordinary explain-mail --json *.eml",
        "webordinary explain-mail mail.eml --peer 192.0.2.10 --mail-from scott@example.com",
    )
    app.command("explain-mail", rich_help_panel="Mail", epilog=examples(*lines))(explain_mail)


def explain_mail(  # noqa: PLR0913 - one for each thing that a mail itself does not tell
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files that hold one mail each.")],
    *,
    config: ConfigOption = None,
    to: Annotated[list[str] | None, typer.Option("--to", metavar="ADDRESS", help="As if it came for this one.")] = None,
    peer: Annotated[str | None, typer.Option("--peer", metavar="IP", help="As if this machine had sent it.")] = None,
    mail_from: Annotated[
        str | None, typer.Option("--mail-from", metavar="ADDRESS", help="As if this were its return path.")
    ] = None,
    helo: Annotated[str | None, typer.Option("--helo", metavar="NAME", help="The name that machine gave.")] = None,
    vouched: Annotated[
        str | None, typer.Option("--as", metavar="ADDRESS", help="As if you vouched for the sender.")
    ] = None,
    received_at: Annotated[
        datetime | None, typer.Option("--at", help="As if it came then; now if it is left out.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Explain step by step what would happen with each mail, and why; nothing is changed and nobody is told.

    With --json each mail is one object on a line of its own.
    """
    envelope = Envelope("smtp" if peer else "deliver", tuple(to or ()), mail_from, peer, helo=helo)
    if vouched:
        envelope = replace(envelope, vouch=Vouch(vouched, OPERATOR))
    at = received_at.replace(tzinfo=received_at.tzinfo or UTC) if received_at else None
    failed = False
    with _open_intake(config) as intake:
        for file in files:
            try:
                raw = _read(file)
            except Refused as refused:
                say_error(str(refused))
                failed = True
                continue
            explained = _explain(intake, raw, envelope, at or intake.clock.now().wall_at)
            _print(file, explained, as_json=as_json)
    if failed:
        raise typer.Exit(_FAILED)


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(LARGEST_MAIL + 1)
    except OSError as error:
        raise Refused(f"{file} cannot be read ({error.strerror}): name a file that holds one mail.") from None


def _explain(intake: Intake, raw: bytes, envelope: Envelope, at: datetime) -> Explained:
    from webordinary.intake.explain import Explained, Explanation  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        return Explanation(intake).explain(raw, envelope, at)
    except Exception as broken:  # noqa: BLE001 - whatever is in one mail, the next has to be explained
        reason = f"it could not be explained ({type(broken).__name__}: {broken})"
        return Explained(Decision(MailOutcome.UNDECIDED, reason), steps=(f"Outcome: undecided, because {reason}.",))


def _print(file: Path, explained: Explained, *, as_json: bool) -> None:
    if as_json:
        print_json_line(explained_record(file, explained))
        return
    say(f"{file}")
    for line in (line for step in explained.steps for line in step.split("\n")):
        say(f"  {line}")


def explained_record(file: Path | str, explained: Explained) -> dict[str, Any]:
    """Return what programs read of one mail."""
    decision = explained.decision
    judged = decision.judged
    return {
        "file": str(file),
        "verdict": judged.verdict.value if judged else "unverified",
        "method": judged.method if judged else "none",
        "sender": decision.sender,
        "project": decision.project,
        "lane": explained.lane,
        "thread": explained.thread,
        "subject": decision.subject,
        "instruction": explained.instruction,
        "attachments": [
            {"name": each.name, "content_type": each.content_type, "bytes": len(each.content)}
            for each in explained.attachments
        ],
        "outcome": decision.outcome,
        "reason": decision.reason,
        "answer": decision.answer,
        "reasons": list(judged.reasons) if judged else [],
        "steps": list(explained.steps),
    }


@contextmanager
def _open_intake(given: Path | None) -> Iterator[Intake]:
    """Open the installation, or an empty one in a folder that is gone afterwards, so that nothing is ever made."""
    from webordinary.clock import SystemClock  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.engines.choose import open_engine  # noqa: PLC0415 - the same
    from webordinary.engines.installation import Installation  # noqa: PLC0415 - the same

    path = config_path(given)
    with tempfile.TemporaryDirectory(prefix="webordinary-") as nowhere:
        config = load_config(path, os.environ) if given or path.exists() else _empty(Path(nowhere))
        if config.traits.is_one_machine and not (config.data / _DATABASE).exists():
            config = replace(config, data=Path(nowhere))
        yield Installation(config, open_engine(config, config.limits), SystemClock()).intake


def _empty(folder: Path) -> Config:
    """Return an installation without projects, which is enough to read a mail."""
    say_error("There is no configuration here, so no project is known; --config names one.")
    text = example_config(domain=_NOWHERE, outgoing="maildir:mailbox", workers=1)
    return read_config(text, folder / "webordinary.toml", {})
