"""`webordinary digest`: prints now what the daily digest would tell the agency tomorrow morning."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from webordinary.cli.options import ConfigOption, JsonOption, examples, open_installation
from webordinary.cli.output import print_json, say
from webordinary.errors import Misconfigured

_DAY = timedelta(days=1)


def add_to(app: typer.Typer) -> None:
    """Give the program its digest."""
    app.command(rich_help_panel="The queue", epilog=examples("webordinary digest", "webordinary digest --send"))(digest)


def digest(
    *,
    config: ConfigOption = None,
    send: Annotated[bool, typer.Option("--send", help="Also mail it to the agency, as soon as workers run.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what the daily mail to the agency would say about the last 24 hours."""
    from webordinary.reply.as_text import as_text  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.reply.words import phrases, wording  # noqa: PLC0415 - heavy
    from webordinary.worker.chores.digest import digest_letter, gather  # noqa: PLC0415 - heavy

    here = open_installation(config)
    now = here.clock.now()
    facts = gather(here.engine, now.wall_at - _DAY, now.wall_at)
    today = now.wall_at.astimezone(ZoneInfo(here.config.timezone)).date()
    letter = digest_letter(here.config.agency.address or "", today, facts, mark=f"-{now.seconds:.0f}")
    if as_json:
        print_json({name: lines.split("\n") for name, lines in facts.items()})
    elif facts:
        language = here.config.language
        for line in as_text(wording("digest", language, letter.facts), phrases(language)).splitlines():
            say(line)
    else:
        say("There is nothing to tell: such a day has no mail.")
    if send and facts:
        if not letter.to:
            raise Misconfigured("Nobody would get it: set agency.address in the configuration.")
        here.engine.outbox.add(letter, now)
