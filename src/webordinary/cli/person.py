"""`webordinary export` and `webordinary forget`: what is kept about a person, and its end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, JsonOption, examples, open_installation, operator
from webordinary.cli.output import print_json, print_table, say
from webordinary.errors import Refused

if TYPE_CHECKING:
    from webordinary.jobs.people import PersonOnRecord
    from webordinary.serve.person import PersonalData

AddressArgument = Annotated[str, typer.Argument(metavar="ADDRESS", help="The person's mail address.")]
_STAYS = (
    "the website and its history, with the words of published requests: rewriting it would change every later commit",
    "names of lanes and their fences, sums of money without a name, and when something happened, without its words",
    "backups made earlier, mail that others have received, and what providers keep: remove it there",
)


def add_to(app: typer.Typer) -> None:
    """Give the program what a person may ask for."""
    panel = "People"
    app.command(rich_help_panel=panel, epilog=examples("webordinary export scott@example.com --to scott.zip"))(export)
    app.command(rich_help_panel=panel, epilog=examples("webordinary forget scott@example.com"))(forget)


def export(
    address: AddressArgument,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="The ZIP to write.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Write everything that is kept about a person into one ZIP, with an index."""
    data = _open(address, config)
    target = to or Path(f"person-{data.mark[:8]}.zip")
    person = data.export(target)
    if as_json:
        print_json({"file": str(target), "kept": person.counts})
        return
    _tell(person)
    say(f"All of it is in {target}, which only you may read.")


def forget(
    address: AddressArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    end: Annotated[bool, typer.Option("--end", help="First end what of theirs runs, waits or is planned.")] = False,
    config: ConfigOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Remove everything that is kept about a person; `webordinary export` keeps a copy for them before."""
    data = _open(address, config)
    data.refuse_if_configured()
    person = data.find()
    if not person.is_known:
        _tell_that_nothing_is_kept(data, as_json=as_json)
        return
    stays = data.commits_that_stay(person)
    if not as_json:
        _tell(person)
    if not yes and not (not as_json and typer.confirm(f"Forget all of this about {address} for ever?")):
        raise Refused("Nothing was removed; say --yes to do it.")
    if end:
        data.end_work(operator())
    gone = data.forget(operator())
    if as_json:
        print_json({"forgotten": gone.counts, "mark": data.mark[:16], "mentions": gone.mentions, "commits": stays})
        return
    say(f"All of this is gone; the record of it carries the mark {data.mark[:16]}.")
    _tell_what_stays(gone, stays)


def _open(address: str, config: Path | None) -> PersonalData:
    from webordinary.serve.person import PersonalData, check_address  # noqa: PLC0415 - heavy, and --help should be quick

    return PersonalData(open_installation(config), check_address(address))


def _tell(person: PersonOnRecord) -> None:
    print_table(("kept", "how many"), person.counts.items(), "Nothing is kept about this person.")
    for work in person.open_work:
        say(f"Not over yet: {work.kind} {work.id}")


def _tell_that_nothing_is_kept(data: PersonalData, *, as_json: bool) -> None:
    before = data.forgotten_at()
    if as_json:
        print_json({"forgotten": {}, "mark": data.mark[:16], "forgotten_at": before.isoformat() if before else None})
    elif before:
        say(f"This person was forgotten on {before:%Y-%m-%d}; nothing has been kept about them since.")
    else:
        say("Nothing is kept about this person.")


def _tell_what_stays(person: PersonOnRecord, commits: dict[str, int]) -> None:
    say("What stays:")
    for project, count in commits.items():
        say(f"- {count} commits in the history of {project} name them")
    if person.mentions:
        say(f"- {person.mentions} requests of other people in which the address stands")
    for what in _STAYS:
        say(f"- {what}")
