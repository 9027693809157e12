"""The texts that `webordinary init` and `webordinary project add` write into the file."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.routing.lane import check_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')

_EXAMPLE = """\
# The configuration of WebOrdinary. Every key is explained in docs/reference/configuration.md;
# `webordinary doctor` says whether all of it works.

# The mail domain that people write to: amelia@DOMAIN, scott@amelia.DOMAIN.
domain = {domain}
# Mails, the database, checkouts and sites; relative to this file, like every path here.
data = {data}
timezone = {timezone}
# The language of answers, by its two letters.
language = {language}
{demo}
[agency]
# Reports go here, and questions that only you may answer.
{agency}

[smtp]
listen = {smtp_listen}
{trust_local}
[outgoing]
# smtp://HOST:PORT, smtps://USER:PASSWORD@HOST, or maildir:FOLDER to look at the answers first.
# With a password better not in this file: WEBORDINARY_OUTGOING_URL_FILE names a file that holds the address.
url = {outgoing}

[workers]
count = {workers}
# idle_release = "30 min"

[agent]
# "scripted" follows simple sentences without a model, "claude" is Claude Code,
# "acp" and "command" run a program of yours.
kind = "scripted"
# command = ["my-agent", "--edit"]

[sandbox]
# mode = "auto"

[dashboard]
# Where the agency looks with a browser; `webordinary dashboard` lets you in.
listen = {dashboard_listen}

[preview]
listen = {preview_listen}
# The public address of previews, for people who read their mail on a phone.
# url = "https://{{thread}}.{{project}}.preview.example.com/"

# One block for each website; `webordinary project add` writes it for you.
#
# [[project]]
# id = "amelia"
# name = "Amelia's Bakery"
# repository = "https://git.example.com/amelia.git"
# build = "npm run build"
# output = "dist"
#
# [project.site]
# to = "sites/amelia"
# url = "https://www.example.com/"
#
# [[project.editor]]
# user = "scott"
# address = "scott@example.com"
"""


_EXAMPLE_ON_AWS = """\
# The configuration of WebOrdinary on AWS. Every key is explained in docs/reference/configuration.md;
# `webordinary doctor` says whether all of it works.
engine = "aws"

# The mail domain that people write to: amelia@DOMAIN, scott@amelia.DOMAIN. SES receives its mail.
domain = {domain}
# Only checkouts lie here; mails, jobs and sites are in the account.
data = {data}
timezone = {timezone}
# The language of answers, by its two letters.
language = {language}

[agency]
# Reports go here, and questions that only you may answer.
{agency}

[aws]
# Every table, queue, bucket and function is called PREFIX-…; two installations can share an account.
prefix = {prefix}
# region = "eu-central-1"
# The verified address that SES sends answers from.
# mail_from = "site@edit.example.com"

[agent]
# "scripted" follows simple sentences without a model, "claude" is Claude Code,
# "acp" and "command" run a program of yours.
kind = "scripted"
# command = ["my-agent", "--edit"]

# One block for each website; `webordinary project add` writes it, `webordinary aws onboard ID` makes it known.
#
# [[project]]
# id = "amelia"
# name = "Amelia's Bakery"
# repository = "https://git.example.com/amelia.git"
# build = "npm run build"
# output = "dist"
#
# [project.site]
# url = "https://www.example.com/"
#
# [[project.editor]]
# user = "scott"
# address = "scott@example.com"
"""


def example_config_on_aws(
    *, domain: str = "edit.example.com", agency: str | None = None, prefix: str = "webordinary"
) -> str:
    """Return a commented configuration without projects for the AWS engine."""
    return _EXAMPLE_ON_AWS.format(
        domain=quote(domain),
        data=quote("data"),
        agency=_agency(agency),
        timezone=quote("UTC"),
        language=quote("en"),
        prefix=quote(prefix),
    )


def example_config(  # noqa: PLR0913 - one argument for each thing that a first configuration decides
    *,
    domain: str = "edit.example.com",
    data: str = "data",
    agency: str | None = None,
    timezone: str = "UTC",
    language: str = "en",
    smtp_listen: str = "127.0.0.1:2525",
    preview_listen: str = "127.0.0.1:8080",
    dashboard_listen: str = "127.0.0.1:8090",
    outgoing: str = "maildir:outgoing",
    workers: int = 2,
    demo: bool = False,
) -> str:
    """Return a commented configuration without projects; a demo's also trusts mail from this machine."""
    return _EXAMPLE.format(
        domain=quote(domain),
        data=quote(data),
        agency=_agency(agency),
        timezone=quote(timezone),
        language=quote(language),
        smtp_listen=quote(smtp_listen),
        preview_listen=quote(preview_listen),
        dashboard_listen=quote(dashboard_listen),
        outgoing=quote(outgoing),
        workers=workers,
        demo="# Only a demo may trust local mail.\ndemo = true\n" if demo else "",
        trust_local="trust_local = true\n" if demo else "",
    )


def _agency(address: str | None) -> str:
    return f"address = {quote(address)}" if address else '# address = "agency@example.com"'


def project_block(  # noqa: PLR0913 - one argument for each key that `project add` decides
    *,
    id: str,  # noqa: A002 - the key's own name
    repository: str,
    name: str | None = None,
    group: str | None = None,
    branch: str = "main",
    build: Sequence[str] = (),
    output: str = ".",
    templates: bool = False,
    site_target: str = "folder",
    site_to: str | None = None,
    site_url: str | None = None,
    editors: Iterable[tuple[str, str]] = (),
    ssh_key_file: str | None = None,
    host_keys: Sequence[str] = (),
) -> str:
    """Return the TOML text of one project; the editors are pairs of a user and an address."""
    lines = ["[[project]]", f"id = {quote(check_id(id, 'The id of a project'))}"]
    lines += _pairs(name=name, group=group, repository=repository, branch=branch)
    lines += [f"build = [{', '.join(map(quote, build))}]"] if build else []
    lines += _pairs(output=output)
    lines += ["templates = true"] if templates else []
    lines += ["", "[project.site]", *_pairs(target=site_target, to=site_to, url=site_url)]
    if ssh_key_file or host_keys:
        lines += ["", "[project.git]", *_pairs(ssh_key_file=ssh_key_file)]
        lines += [f"host_keys = [{', '.join(map(quote, host_keys))}]"] if host_keys else []
    for user, address in editors:
        check_id(user, "The user of an editor")
        lines += ["", "[[project.editor]]", *_pairs(user=user, address=address)]
    return "\n".join(lines) + "\n"


def _pairs(**values: str | None) -> list[str]:
    return [f"{key} = {quote(value)}" for key, value in values.items() if value is not None]


def with_project(text: str, block: str) -> str:
    """Return the configuration with one more project at its end."""
    added = f"{text.rstrip()}\n\n{block}" if text.strip() else block
    try:
        tomllib.loads(added)
    except tomllib.TOMLDecodeError:
        message = (
            "The project cannot be appended to this file; see that it is valid TOML and writes its projects"
            " as [[project]] tables, or add it by hand."
        )
        raise Misconfigured(message) from None
    return added


def quote(text: str) -> str:
    """Write any text as a TOML string on one line."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return '"' + _ESCAPED.sub(lambda found: _escape(found[0]), whole) + '"'


def _escape(character: str) -> str:
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
