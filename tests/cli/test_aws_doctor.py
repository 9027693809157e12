"""The doctor of an account: each mistake of a deployment is one sentence that says what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.aws.stores import new_store
from tests.cli.test_aws import change, flow_of, names_of
from tests.cli.test_aws_onboard import distribution_for, receive
from tests.rigs.aws_ports import aws_clients
from webordinary.engines.aws.account.deployment import CDK_CLI
from webordinary.engines.aws.account.own_secrets import MODEL, REPLY_KEY, UNSET
from webordinary.engines.aws.dynamodb.items import item_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.inside import InsideProgram

BOOTSTRAP = "/cdk-bootstrap/hnb659fds/version"


def findings(program: InsideProgram, code: int) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for each in json.loads(program.run("aws", "doctor", "--json", code=code)):
        found.setdefault(each["name"], []).append((each["state"], each["text"]))
    return found


def cdk(program: InsideProgram, folder: Path, version: str) -> None:
    """Put a CDK command line of some version before all others."""
    folder.mkdir(exist_ok=True)
    path = folder / "cdk"
    path.write_text(f"#!/bin/sh\necho '{version} (build 1234567)'\n")
    path.chmod(0o755)
    program.environment["PATH"] = f"{folder}:/usr/bin:/bin"


def test_before_anything_is_deployed_each_thing_that_is_missing_is_named(
    aws_bakery: InsideProgram, tmp_path: Path
) -> None:
    change(aws_bakery, 'prefix = "c', 'prefix = "d')
    change(aws_bakery, 'domain = "edit.localhost"', f'domain = "{names_of(aws_bakery).prefix}.example.com"')
    aws_bakery.environment["AWS_REGION"] = "sa-east-1"
    cdk(aws_bakery, tmp_path / "bin", "3.0.0")

    found = findings(aws_bakery, code=1)

    assert found["cdk"] == [
        ("fail", f"{tmp_path}/bin/cdk is 3.0.0, which cannot read these templates: use `npx aws-cdk@{CDK_CLI} deploy`")
    ]
    assert "aws-cdk@2.1147.0 bootstrap aws://123456789012/sa-east-1" in found["bootstrap"][0][1]
    assert found["region"][0][0] == "fail"
    assert "eu-central-1" in found["region"][0][1]
    for kind in ("tables", "buckets", "queues", "functions", "flow"):
        assert found[kind][0][0] == "fail", kind
    assert [text.partition(":")[0] for _, text in found["secret"]] == [
        f"{names_of(aws_bakery).prefix}/{each.name} is missing" for each in (REPLY_KEY, MODEL)
    ]
    assert any("SES does not know" in text for _, text in found["mail"])
    assert any("production access" in text for _, text in found["mail"])
    assert any("no receipt rule" in text for _, text in found["mail"])
    assert found["previews"][0][0] == "ok"


@pytest.mark.thorough
def test_an_account_in_which_all_is_well_is_said_to_be(aws_bakery: InsideProgram, tmp_path: Path) -> None:
    names, clients = names_of(aws_bakery), aws_clients()
    domain = f"{names.prefix}.example.com"
    change(aws_bakery, 'domain = "edit.localhost"', f'domain = "{domain}"')
    cdk(aws_bakery, tmp_path / "bin", CDK_CLI)
    flow_of(aws_bakery)
    clients.more("ssm").put_parameter(Name=BOOTSTRAP, Value="21", Type="String", Overwrite=True)
    for secret in (REPLY_KEY, MODEL):
        clients.more("secretsmanager").create_secret(Name=names.own_secret(secret.name), SecretString=UNSET)
    receive(aws_bakery, domain, in_force=True)
    distribution_for(f"{names.prefix}-sites-{clients.account}")
    clients.ses.put_account_details(
        MailType="TRANSACTIONAL", WebsiteURL="https://example.com", ProductionAccessEnabled=True
    )
    unset = findings(aws_bakery, code=1)
    clients.more("secretsmanager").put_secret_value(SecretId=names.own_secret(REPLY_KEY.name), SecretString="x" * 40)
    change(aws_bakery, "[aws]\n", f'[aws]\nkey_value_store = "{new_store()}"\n')
    well = findings(aws_bakery, code=0)
    task_with(names.workers, WEBORDINARY_AGENT_KIND="claude", WEBORDINARY_AGENT_PROVIDER="anthropic")
    of_the_workers = findings(aws_bakery, code=1)
    task_with(names.workers, WEBORDINARY_AGENT_KIND="claude", WEBORDINARY_AGENT_PROVIDER="bedrock")
    with_bedrock = findings(aws_bakery, code=0)

    # This machine edits nothing: what the workers in the account were told counts.
    (no_key,) = [text for state, text in of_the_workers["secret"] if state == "fail"]
    assert no_key.startswith(f"{names.own_secret(MODEL.name)} was never set: put it there with `aws secretsmanager")
    assert with_bedrock["secret"] == well["secret"]
    place = names.own_secret(REPLY_KEY.name)
    (never_set,) = [text for state, text in unset["secret"] if state == "fail"]
    assert never_set.startswith(f"{place} was never set: put it there with `aws secretsmanager put-secret-value")
    assert well["bootstrap"] == [("ok", "version 21")]
    assert "key_value_store" in unset["visitors"][0][1]
    assert well["visitors"] == [("ok", "CloudFront is told of every release")]
    assert well["mail"] == [("ok", f"SES receives and sends mail of {domain}")]
    assert {state for each in well.values() for state, _ in each} == {"ok", "warn"}
    assert [name for name, each in well.items() if each[0][0] == "warn"] == ["amelia"]


def task_with(family: str, **variables: str) -> None:
    """Deploy workers that are told this."""
    told = [{"name": name, "value": value} for name, value in variables.items()]
    container = {"name": "worker", "image": "webordinary", "memory": 512, "environment": told}
    aws_clients().more("ecs").register_task_definition(family=family, containerDefinitions=[container])


def test_a_project_whose_secret_is_gone_is_named(aws_bakery: InsideProgram) -> None:
    path = aws_bakery.folder / "webordinary.toml"
    written = next(line for line in path.read_text().splitlines() if line.startswith("repository = "))
    change(aws_bakery, written, 'repository = "https://git.invalid/amelia.git"')
    aws_bakery.run("aws", "onboard", "amelia", "--git-secret", "-", stdin=b"token")
    kept = findings(aws_bakery, code=1)
    aws_clients().dynamodb.delete_item(TableName=names_of(aws_bakery).secrets, Key=item_of({"name": "amelia"}))
    gone = findings(aws_bakery, code=1)

    assert kept["previews"][0][0] == "warn"
    assert kept["amelia"] == [("ok", "workers can read what lets them in at its repository")]
    assert "-secrets/amelia is missing: put it there with `webordinary aws onboard amelia" in gone["amelia"][0][1]
