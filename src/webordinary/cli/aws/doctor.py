"""`webordinary aws doctor`: whether the account is ready to be deployed to, and what was deployed ready for mail."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.agent.registry import CLAUDE
from webordinary.cli.doctor.aws import check_parts
from webordinary.config import Config
from webordinary.config.agent import Provider
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn
from webordinary.routing.project import S3, Project, is_local

if TYPE_CHECKING:
    from webordinary.engines.aws.account.account import Account

_PATIENCE = timedelta(seconds=60)


def checks_of_account(config: Config, account: Account) -> Iterator[Check]:
    """Look at everything; what cannot be asked about is a finding too."""
    yield _cdk()
    looks = {
        "bootstrap": _bootstrap,
        "region": _region,
        "parts": check_parts,
        "secrets": _own_secrets,
        "projects": _projects,
        "mail": _mail,
        "sites": _sites,
    }
    for name, look in looks.items():
        try:
            yield from look(config, account)
        except WebOrdinaryError as problem:
            yield fail(name, str(problem))


def _cdk() -> Check:
    from webordinary.child import run  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.engines.aws.account.deployment import CDK_CLI, reads_templates  # noqa: PLC0415 - boto3 is an extra

    right = f"`npx aws-cdk@{CDK_CLI} deploy`"
    program = shutil.which("cdk")
    if program is None:
        return ok("cdk", f"not installed here, which is only needed to deploy: {right} fetches the right one")
    said = run([program, "--version"], cwd=Path.cwd(), env=os.environ, deadline=_PATIENCE).stdout.decode(
        errors="replace"
    )
    fits = reads_templates(said)
    if fits is None:
        return fail("cdk", f"{program} does not tell its version: use {right}")
    if not fits:
        return fail("cdk", f"{program} is {said.split()[0]}, which cannot read these templates: use {right}")
    return ok("cdk", f"{program} is {said.split()[0]}")


def _bootstrap(_: Config, account: Account) -> Iterator[Check]:
    from webordinary.engines.aws.account.deployment import CDK_CLI, OLDEST_BOOTSTRAP  # noqa: PLC0415 - boto3 is an extra

    found = account.deployment.bootstrap()
    command = f"`npx aws-cdk@{CDK_CLI} bootstrap aws://{account.number}/{account.region}`"
    if found is None:
        yield fail("bootstrap", f"{account.region} is not prepared for CDK: run {command} once")
    elif found < OLDEST_BOOTSTRAP:
        yield fail("bootstrap", f"its version {found} is too old: run {command} again")
    else:
        yield ok("bootstrap", f"version {found}")


def _region(_: Config, account: Account) -> Iterator[Check]:
    from webordinary.engines.aws.account.regions import RECEIVING  # noqa: PLC0415 - only here

    if account.region in RECEIVING:
        yield ok("region", f"SES receives mail in {account.region}")
    else:
        known = ", ".join(sorted(RECEIVING))
        yield fail("region", f"SES is not known to receive mail in {account.region}: deploy to one of {known}")


def _own_secrets(config: Config, account: Account) -> Iterator[Check]:
    from webordinary.engines.aws.account.deployment import SecretState  # noqa: PLC0415 - boto3 is an extra
    from webordinary.engines.aws.account.own_secrets import MODEL, SECRETS  # noqa: PLC0415 - the same

    needs_model = _needs_model(config, account)
    for secret in SECRETS:
        name, state = account.names.own_secret(secret.name), account.deployment.secret(secret)
        put = f"`aws secretsmanager put-secret-value --secret-id {name} --secret-string file://FILE`"
        if state is SecretState.MISSING:
            yield fail("secret", f"{name} is missing: deploy the stack, which makes it")
        elif state is SecretState.UNSET and (secret is not MODEL or needs_model):
            yield fail("secret", f"{name} was never set: put it there with {put}")
        else:
            yield ok("secret", f"{name} is {'set' if state is SecretState.SET else 'not needed'}")


def _needs_model(config: Config, account: Account) -> bool:
    """Tell whether the workers want a key of the model: by what those in the account are told, if there are any."""
    told = account.deployment.variables_of_workers()
    if told is None:
        return config.agent.kind == CLAUDE and config.agent.provider is not Provider.BEDROCK
    is_claude = told.get("WEBORDINARY_AGENT_KIND") == CLAUDE
    return is_claude and told.get("WEBORDINARY_AGENT_PROVIDER") != Provider.BEDROCK.value


def _projects(config: Config, account: Account) -> Iterator[Check]:
    for project in config.projects:
        known = account.opened.engine.projects.find(project.id)
        if known is None:
            yield fail(project.id, f"it is not known to the account: `webordinary aws onboard {project.id}`")
        else:
            yield _repository(known, account)
            yield from _model_key(known, account)


def _repository(project: Project, account: Account) -> Check:
    from webordinary.engines.aws.account.manual_steps import complaint_about_repository  # noqa: PLC0415 - boto3 is an extra

    name = project.git.secret
    if name and not account.opened.engine.secrets.has(name):
        place = f"{account.names.secrets}/{name}"
        again = f"`webordinary aws onboard {project.id} --git-secret FILE`"
        return fail(project.id, f"its secret {place} is missing: put it there with {again}")
    if complaint := complaint_about_repository(project):
        return warn(project.id, complaint) if is_local(project.repository) else fail(project.id, complaint)
    return ok(project.id, "workers can read what lets them in at its repository")


def _model_key(project: Project, account: Account) -> Iterator[Check]:
    """Look for the key of a site's own model."""
    name = project.agent.secret
    if name and not account.opened.engine.secrets.has(name):
        again = f"`webordinary aws onboard {project.id}` puts it there from `key_file`"
        yield fail(
            project.id, f"the secret {account.names.secrets}/{name} with the key of its model is missing: {again}"
        )


def _mail(config: Config, account: Account) -> Iterator[Check]:
    from webordinary.engines.aws.account.manual_steps import complaints_about_mail  # noqa: PLC0415 - boto3 is an extra

    mail = account.mail_domain(config.domain)
    complaints = list(complaints_about_mail(mail))
    for complaint in complaints:
        yield fail("mail", complaint)
    if not complaints:
        yield ok("mail", f"SES receives and sends mail of {config.domain}")


def _sites(config: Config, account: Account) -> Iterator[Check]:
    from webordinary.engines.aws.account.manual_steps import NO_PREVIEWS, is_public  # noqa: PLC0415 - boto3 is an extra

    if any(project.site.target == S3 for project in config.projects):
        found = account.site_policy.distributions()
        names = ", ".join(each.host for each in found)
        yield (
            ok("sites", f"shown by {names}") if found else warn("sites", "no distribution of CloudFront shows them yet")
        )
        yield _visitors(account)
    url = str(config.preview.url or "")
    yield ok("previews", url) if is_public(url) else warn("previews", NO_PREVIEWS)


def _visitors(account: Account) -> Check:
    if account.opened.sites.can_lead_visitors():
        return ok("visitors", "CloudFront is told of every release")
    listed = "`aws cloudfront list-key-value-stores`"
    return warn("visitors", f"CloudFront is told nothing from here: set [aws] key_value_store, which {listed} names")
