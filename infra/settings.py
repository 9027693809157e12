"""What somebody who deploys may choose, read from the context of the app and checked before anything is made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeVar

from webordinary.agent.registry import AGENTS, CLAUDE, SCRIPTED
from webordinary.config.agent import Provider
from webordinary.config.amazon import PREFIX_RULE, is_prefix
from webordinary.engines.aws.account.deployment import CDK_CLI, reads_templates
from webordinary.engines.aws.account.regions import check_receives
from webordinary.engines.aws.names import Names
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

KNOWN = (
    "domain",
    "region",
    "prefix",
    "capacity",
    "image",
    "workers",
    "min-workers",
    "agency",
    "alarm-mail",
    "agent",
    "provider",
    "certificate",
    "identity",
    "dashboard",
    "restored",
    "anyway",
)
MOST_WORKERS = 1000
Choice = TypeVar("Choice", bound=StrEnum)
_DOMAIN = re.compile(r"(?=.{4,200}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}", re.ASCII)
_ADDRESS = re.compile(r"[^\s@<>,;]{1,64}@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,63}", re.ASCII)
_IMAGE = re.compile(r"[a-z0-9][a-z0-9.-]*(?::\d+)?(?:/[a-z0-9._-]+)+(?::[\w.-]{1,128}|@sha256:[0-9a-f]{64})", re.ASCII)
_ENDING = re.compile(r"-[A-Za-z0-9_.-]{1,60}", re.ASCII)
_CERTIFICATE = re.compile(r"arn:aws:acm:us-east-1:\d{12}:certificate/[0-9a-f-]{36}", re.ASCII)


class Capacity(StrEnum):
    """On what the workers run; bubblewrap needs machines of one's own."""

    FARGATE = "fargate"
    EC2 = "ec2"


class YesNo(StrEnum):
    """Whether there is something that can be left out."""

    YES = "yes"
    NO = "no"


class Identity(StrEnum):
    """Whether SES shall be told of the domain, or knows it already: nobody can make an identity twice."""

    NEW = "new"
    EXISTING = "existing"


@dataclass(frozen=True, slots=True)
class Settings:
    """One installation as it shall be."""

    domain: str
    region: str
    prefix: str = "webordinary"
    capacity: Capacity = Capacity.EC2
    image: str | None = None
    min_workers: int = 0
    max_workers: int = 4
    agency: str | None = None
    alarm_mail: str | None = None
    agent: str = CLAUDE
    provider: Provider = Provider.ANTHROPIC
    certificate: str | None = None
    identity: Identity = Identity.NEW
    dashboard: bool = False
    restored: str = ""

    @property
    def names(self) -> Names:
        return Names(self.prefix, restored=self.restored)

    def image_uri(self, account: str) -> str:
        """Return what workers and functions run: this version from the installation's own repository, or another."""
        own = f"{account}.dkr.ecr.{self.region}.amazonaws.com/{self.names.repository}:{version('webordinary')}"
        return self.image or own


def read_settings(context: Callable[[str], object], environ: Mapping[str, str]) -> Settings:
    """Take what the context says; every mistake is one sentence that says what to write."""

    def said(name: str) -> str | None:
        value = context(name)
        return str(value).strip() or None if value is not None else None

    _check_cli(environ.get("CDK_CLI_VERSION"))
    # Not what CDK's command line thinks: where nobody has said anything, that is always us-east-1.
    region = said("region") or environ.get("AWS_REGION")
    fewest, most = _workers(said("min-workers") or "0", "min-workers"), _workers(said("workers") or "4", "workers")
    if fewest > most or most == 0:
        raise Misconfigured(f"min-workers={fewest} must not be more than workers={most}, and that not 0")
    capacity = _choice(Capacity, said("capacity") or Capacity.EC2, "capacity")
    agent = _agent(said("agent") or CLAUDE)
    _check_sandbox(capacity, agent, said("anyway"))
    return Settings(
        domain=_domain(said("domain")),
        region=_region(region, said("anyway")),
        prefix=_prefix(said("prefix") or "webordinary"),
        capacity=capacity,
        image=_matching(_IMAGE, said("image"), "image", "an image with its tag or digest, REGISTRY/NAME:TAG"),
        min_workers=fewest,
        max_workers=most,
        agency=_matching(_ADDRESS, said("agency"), "agency", "a mail address"),
        alarm_mail=_matching(_ADDRESS, said("alarm-mail") or said("agency"), "alarm-mail", "a mail address"),
        agent=agent,
        provider=_choice(Provider, said("provider") or Provider.ANTHROPIC, "provider"),
        identity=_choice(Identity, said("identity") or Identity.NEW, "identity"),
        dashboard=_choice(YesNo, said("dashboard") or YesNo.NO, "dashboard") is YesNo.YES,
        restored=_matching(_ENDING, said("restored"), "restored", "the ending of the restored tables' names, -NAME")
        or "",
        certificate=_matching(
            _CERTIFICATE,
            said("certificate"),
            "certificate",
            "the ARN of a certificate in us-east-1, as CloudFront wants",
        ),
    )


def said_on_the_command_line(arguments: Sequence[str]) -> dict[str, str]:
    """Read `domain=example.com` and the like; what is empty was not said."""
    said: dict[str, str] = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or name not in KNOWN:
            raise Misconfigured(
                f"{argument[:60]!r} means nothing here: write NAME=VALUE with one of {', '.join(KNOWN)}"
            )
        said |= {name: value} if value else {}
    return said


def _check_cli(found: str | None) -> None:
    if found is not None and not reads_templates(found):
        raise Misconfigured(
            f"CDK's command line {found[:20]} does not fit these templates: use `npx aws-cdk@{CDK_CLI}` instead"
        )


def _domain(text: str | None) -> str:
    if text is None:
        raise Misconfigured("No domain: say for which domain mail comes in, `make synth DOMAIN=example.com`")
    if not _DOMAIN.fullmatch(text):
        raise Misconfigured(f"domain={text[:60]!r} must be a domain such as example.com, in lower case")
    return text


def _region(text: str | None, anyway: str | None) -> str:
    if text is None:
        raise Misconfigured("No region: say where it shall run, `make synth REGION=eu-central-1`")
    return text if anyway else check_receives(text)


def _prefix(text: str) -> str:
    if not is_prefix(text):
        raise Misconfigured(f"prefix={text[:60]!r} must be {PREFIX_RULE}")
    return text


def _workers(text: str, name: str) -> int:
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII) or int(text) > MOST_WORKERS:
        raise Misconfigured(f"{name}={text[:60]!r} must be a number from 0 to {MOST_WORKERS}")
    return int(text)


def _choice(kind: type[Choice], text: str, name: str) -> Choice:
    try:
        return kind(text)
    except ValueError:
        known = " or ".join(each.value for each in kind)
        raise Misconfigured(f"{name}={text[:60]!r} must be {known}") from None


def _check_sandbox(capacity: Capacity, agent: str, anyway: str | None) -> None:
    """Refuse what would answer every mail with a failure: Fargate has no sandbox in which such an agent may run."""
    if capacity is Capacity.FARGATE and AGENTS.find(agent).is_foreign and not anyway:
        raise Misconfigured(
            f"capacity=fargate has no sandbox for agent={agent}, so workers would refuse it: "
            "take capacity=ec2, or agent=scripted"
        )


def _agent(text: str) -> str:
    if text not in AGENTS.built_in:
        raise Misconfigured(f"agent={text[:60]!r} must be {' or '.join(AGENTS.built_in)}")
    if text not in {CLAUDE, SCRIPTED}:
        raise Misconfigured(
            f"agent={text} needs a command: put a webordinary.toml into an image of your own and name that"
        )
    return text


def _matching(pattern: re.Pattern[str], text: str | None, name: str, what: str) -> str | None:
    if text is not None and not pattern.fullmatch(text):
        raise Misconfigured(f"{name}={text[:60]!r} must be {what}")
    return text
