"""What no command can do for a person: DNS, production access of SES, and choices; each with the exact words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webordinary.engines.aws.account.dns_records import Wanted, records
from webordinary.engines.aws.account.mail_domain import MailDomain
from webordinary.engines.aws.account.regions import RECEIVING
from webordinary.engines.aws.s3.site_policy import SitePolicy
from webordinary.routing.project import S3, is_local

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.engines.aws.account.dns_records import Record
    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names
    from webordinary.engines.aws.s3.site_policy import Distribution
    from webordinary.routing.project import Project

_ASK_FOR_PRODUCTION = (
    "SES is in its sandbox and delivers only to addresses that were proven: ask for production access with "
    "`aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --website-url URL`"
)
NO_PREVIEWS = (
    "previews have no public address, so links in answers would lead to localhost: "
    'set [preview] url, such as "https://{thread}--{project}.example.com/"'
)


@dataclass(frozen=True, slots=True)
class ManualSteps:
    """Sentences for a person, and the records of DNS."""

    todo: tuple[str, ...]
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the settings say besides the project: domain, the site's hosts, the pattern of previews.

    `leads_visitors` says whether a publisher of this installation tells CloudFront of it.
    """

    domain: str
    hosts: tuple[str, ...]
    preview: str | None
    leads_visitors: bool = True


def manual_steps(
    project: Project,
    around: Surroundings,
    distributions: Sequence[Distribution],
    clients: Clients,
    names: Names,
) -> ManualSteps:
    """Look at the account, and say what is still missing and only a person can do."""
    mail, region = MailDomain(clients, names, around.domain), clients.dynamodb.meta.region_name
    identity = mail.identity()
    wanted = Wanted(around.domain, region, project.id, around.hosts, around.preview, identity, distributions)
    store = None if around.leads_visitors else SitePolicy(clients, names).store()
    todo = [
        *_for_region(region),
        *_for_repository(project),
        *complaints_about_mail(mail),
        *_for_sites(project, around, distributions),
        *_for_visitors(store),
    ]
    return ManualSteps(tuple(todo), tuple(records(wanted)))


def complaints_about_mail(mail: MailDomain) -> Iterator[str]:
    """Say what keeps mail from coming in or going out."""
    identity = mail.identity()
    if not identity.exists:
        yield f"SES does not know {mail.domain}: deploy the stack, which makes its identity, and run this again"
    elif identity.domain != mail.domain:
        # SES would send by it; the roles of the stack name the domain itself and nothing above it.
        yield (
            f"SES knows {identity.domain} and not {mail.domain}, as which alone the functions may send: "
            "deploy the stack with IDENTITY=new, which makes its identity"
        )
    elif not identity.is_verified:
        yield f"SES has not verified {identity.domain} yet: write its DKIM records and wait, which can take a day"
    if not mail.is_received():
        yield _receiving(mail)
    if mail.is_in_sandbox():
        yield _ASK_FOR_PRODUCTION


def _receiving(mail: MailDomain) -> str:
    ready = next(iter(mail.rule_sets()), None)
    if ready is None:
        return f"no receipt rule of SES takes mail to {mail.domain}: deploy the stack, which makes one"
    command = f"aws ses set-active-receipt-rule-set --rule-set-name {ready}"
    return f"mail is not received yet: put the rules of the stack in force with `{command}`"


def complaint_about_repository(project: Project) -> str | None:
    """Say why workers in the account could not reach a repository, as far as its settings tell."""
    git, is_web = project.git, project.repository.startswith(("https://", "http://"))
    if is_local(project.repository):
        return f"{project.id} lies in a folder of this machine, which workers do not see: push it to a server"
    if not is_web and not git.host_keys:
        return f"workers do not know the server of {project.id}: write its public keys as `host_keys` in [project.git]"
    if git.secret or git.token_variable or git.ssh_key_variable or project.shown_repository != project.repository:
        return None
    if git.token_file or git.ssh_key_file:
        return f"the access to {project.id} is a file that workers do not see: hand it over with --git-secret FILE"
    return f"nothing lets workers in at {project.shown_repository}: hand a token or a key over with --git-secret FILE"


def _for_region(region: str) -> Iterator[str]:
    if region not in RECEIVING:
        yield f"SES is not known to receive mail in {region}: deploy to one of {', '.join(sorted(RECEIVING))}"


def _for_repository(project: Project) -> Iterator[str]:
    if complaint := complaint_about_repository(project):
        yield complaint


def _for_sites(project: Project, around: Surroundings, distributions: Sequence[Distribution]) -> Iterator[str]:
    if not distributions and project.site.target == S3:
        yield "no distribution of CloudFront shows the sites yet: deploy the stack with its sites"
    for host in around.hosts:
        if distributions and not any(each.answers_to(host) for each in distributions):
            yield f"CloudFront does not answer to {host}: deploy with a certificate for it, and with it among its names"
    if not is_public(around.preview):
        yield NO_PREVIEWS


def _for_visitors(store: str | None) -> Iterator[str]:
    if store is not None:
        line = f'key_value_store = "{store}"'
        yield f"CloudFront hears of no release from here: write `{line}` under [aws] and do this again"


def is_public(preview: str | None) -> bool:
    """Say whether a pattern of addresses leads anywhere from a phone."""
    host = urlsplit(preview or "").hostname or "localhost"
    return host != "localhost" and not host.endswith(".localhost")
