"""How a project is brought into an account, and what the person who did it is told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import open_installation
from webordinary.cli.output import print_json, say
from webordinary.errors import Refused, WebOrdinaryError
from webordinary.routing.project import Project

if TYPE_CHECKING:
    from webordinary.config import Config
    from webordinary.engines.aws.account.account import Account
    from webordinary.engines.aws.account.dns_records import Record
    from webordinary.engines.aws.account.manual_steps import ManualSteps
    from webordinary.engines.aws.account.onboarding import GitSecret, Onboarded, SitesBucketState
    from webordinary.engines.installation import Installation

_FROM_STDIN = "-"

SecretOption = Annotated[
    str | None,
    typer.Option(
        "--git-secret",
        metavar="FILE",
        help="The file that holds the repository's token or private key, `-` for the input.",
    ),
]


def bring_in(config: Config, account: Account, project: Project, secret: str | None, *, as_json: bool) -> None:
    """Do all that a command can do, and say the rest."""
    from webordinary.engines.aws.account.manual_steps import Surroundings  # noqa: PLC0415 - boto3 is an extra
    from webordinary.engines.aws.s3.hosts import Hosts  # noqa: PLC0415 - boto3 is an extra

    made = account.onboard(project, _secret_from(secret))
    here = open_installation(config.path)
    preview = str(config.preview.url) if config.preview.url else None
    hosts = Hosts.of(config).live(project.id, project.site.url)
    around = Surroundings(config.domain, hosts, preview, account.opened.sites.can_lead_visitors())
    shown = account.let_visitors_in(made.known, around)
    site = _show_site(here, made.known)
    if as_json:
        print_json(_record(made, shown, site))
        return
    say(f"{project.id} is known to the account {account.number} in {account.region}.", "bold")
    _say_made(made, shown, site)
    for editor in project.editors:
        say(f"{editor.address} can write to {project.id}@{config.domain}.")
    _say_left(shown.left)


def _secret_from(place: str | None) -> GitSecret | None:
    from webordinary.engines.aws.account.onboarding import GitSecret  # noqa: PLC0415 - boto3 is an extra

    if place is None:
        return None
    try:
        words = sys.stdin.buffer.read() if place == _FROM_STDIN else Path(place).read_bytes()
        return GitSecret(words.decode())
    except OSError as problem:
        raise Refused(f"{place} cannot be read ({problem.strerror}); name the file of the secret.") from None
    except UnicodeDecodeError:
        raise Refused("The secret for git is not UTF-8 text; hand over the file that holds it.") from None


def _show_site(here: Installation, project: Project) -> str:
    """Publish the live branch as it is, unless something is live already; without it a visitor would find nothing."""
    from webordinary.cli.release import publish_first  # noqa: PLC0415 - heavy

    try:
        published = publish_first(here, project)
    except WebOrdinaryError as problem:
        return f"its site could not be shown yet: {str(problem).rstrip('.')}"
    return "its site is shown as its live branch is" if published else "its site is shown already"


def _record(made: Onboarded, shown: SitesBucketState, site: str) -> dict[str, object]:
    return {
        "project": made.project,
        "lanes": list(made.lanes),
        "queues": list(made.queues),
        "git_secret": made.known.git.secret,
        "site": site,
        "site_policy": "changed" if shown.policy_changed else "unchanged",
        "left_to_do": list(shown.left.todo),
        "records": [_record_of(each) for each in shown.left.records],
    }


def _record_of(record: Record) -> dict[str, str]:
    return {"name": record.name, "type": record.kind, "value": record.value, "why": record.why}


def _say_made(made: Onboarded, shown: SitesBucketState, site: str) -> None:
    for lane in made.lanes:
        say(f"  the lane {lane} has its queues")
    if made.known.git.secret:
        say(f"  workers reach its repository with the secret {made.known.git.secret}")
    if shown.policy_changed:
        say("  the policy of the bucket of sites was brought up to date")
    say(f"  {site}")


def _say_left(left: ManualSteps) -> None:
    say("")
    say("These records belong into DNS, as far as they are not there yet:", "bold")
    for record in left.records:
        say(f"  {record.name}  {record.kind}  {record.value}")
        say(f"      {record.why}")
    say("")
    if not left.todo:
        say("Nothing else is left to do by hand.")
        return
    say("Left to do by hand:", "bold")
    for todo in left.todo:
        say(f"  - {todo}")
