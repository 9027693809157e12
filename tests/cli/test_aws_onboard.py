"""Onboarding for real: the secret of git, the bucket's policy, SES, and what is left to do by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_aws import change, names_of
from tests.remotes.web_server import TOKEN, USER, web_server
from tests.rigs.aws_ports import aws_clients
from tests.unit.workspace.remote_repository import Remote
from webordinary.config import load_config
from webordinary.engines.aws.clients import AwsSettings
from webordinary.engines.aws.open import open_engine
from webordinary.engines.aws.s3.site_policy import ONLY_TLS, VISITORS
from webordinary.routing.project import AgentSettings, ModelPrice
from webordinary.serve.agents import read_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.inside import InsideProgram

PROVEN = {"NextSigningKeyLength": "RSA_2048_BIT"}


@pytest.fixture
def far_bakery(aws_bakery: InsideProgram, tmp_path: Path) -> Iterator[InsideProgram]:
    """The bakery's repository on a server that wants a token."""
    remote = Remote(tmp_path / "far")
    with web_server(tmp_path / "far") as server:
        path = aws_bakery.folder / "webordinary.toml"
        near = str(load_config(path, {}).projects[0].repository)
        text = path.read_text()
        written = next(line for line in text.splitlines() if line.startswith("repository = "))
        path.write_text(text.replace(written, f'repository = "{server.address(remote.path)}"'))
        assert near not in path.read_text()
        yield aws_bakery


def policy_of(program: InsideProgram) -> dict[str, dict[str, Any]]:
    read = aws_clients().s3.get_bucket_policy(Bucket=bucket_of(program))["Policy"]
    return {statement["Sid"]: statement for statement in json.loads(read)["Statement"]}


def bucket_of(program: InsideProgram) -> str:
    return f"{names_of(program).prefix}-sites-{aws_clients().account}"


def distribution_for(bucket: str) -> tuple[str, str]:
    """Make a distribution as the stack does; return its ARN and its host."""
    origin = {
        "Id": "sites",
        "DomainName": f"{bucket}.s3.eu-central-1.amazonaws.com",
        "S3OriginConfig": {"OriginAccessIdentity": ""},
    }
    behaviour = {
        "TargetOriginId": "sites",
        "ViewerProtocolPolicy": "redirect-to-https",
        "MinTTL": 0,
        "ForwardedValues": {"QueryString": False, "Cookies": {"Forward": "none"}},
        "TrustedSigners": {"Enabled": False, "Quantity": 0},
    }
    wanted = {
        "CallerReference": bucket,
        "Comment": "",
        "Enabled": True,
        "Origins": {"Quantity": 1, "Items": [origin]},
        "DefaultCacheBehavior": behaviour,
    }
    made = aws_clients().more("cloudfront").create_distribution(DistributionConfig=wanted)["Distribution"]
    return made["ARN"], made["DomainName"]


@pytest.mark.thorough
def test_a_token_goes_to_secrets_manager_and_workers_reach_the_repository_with_it(far_bakery: InsideProgram) -> None:
    change(far_bakery, "[outgoing]", f'[git]\nuser = "{USER}"\n\n[outgoing]')
    token = far_bakery.folder / "token"
    token.write_text(f"{TOKEN}\n")

    without = far_bakery.read("aws", "onboard", "amelia")
    first = far_bakery.read("aws", "onboard", "amelia", "--git-secret", str(token))
    again = far_bakery.read("aws", "onboard", "amelia")

    assert "its site could not be shown yet" in without["site"]
    assert any("--git-secret FILE" in todo for todo in without["left_to_do"])
    assert (without["git_secret"], first["git_secret"], again["git_secret"]) == (None, "amelia", "amelia")
    assert (first["site"], again["site"]) == ("its site is shown as its live branch is", "its site is shown already")
    assert not any("--git-secret" in todo for todo in again["left_to_do"])
    engine = open_engine(
        AwsSettings(names_of(far_bakery).prefix),
        load_config(far_bakery.folder / "webordinary.toml", {}).limits,
        aws_clients(),
    )
    row = engine.projects.find("amelia")
    assert row is not None
    assert (row.git.secret, engine.secrets.read("amelia")) == ("amelia", f"{TOKEN}\n")
    assert TOKEN not in far_bakery.run("aws", "onboard", "amelia", "--git-secret", "-", stdin=TOKEN.encode())
    assert "may be written to" in far_bakery.run("doctor", code=1)


@pytest.mark.thorough
def test_a_sites_own_agent_is_in_its_row_and_the_key_of_its_model_in_secrets_manager(aws_bakery: InsideProgram) -> None:
    key = "sk-of-amelia-alone"
    (aws_bakery.folder / "amelia.key").write_text(f"{key}\n")
    model = 'model = "opus"\nmodels = ["*opus*"]'
    agent = f'[project.agent]\nkind = "claude"\n{model}\nkey_file = "amelia.key"\nnotes = "Be brief."\n'
    price = '[[price]]\nmodel = "claude-opus"\ninput = 8\noutput = 9\n'
    path = aws_bakery.folder / "webordinary.toml"
    path.write_text(f'{path.read_text()}\n{agent}\n[project.sandbox]\nmode = "bubblewrap"\n\n{price}')

    assert key not in aws_bakery.run("aws", "onboard", "amelia")

    config = load_config(path, {})
    engine = open_engine(AwsSettings(names_of(aws_bakery).prefix), config.limits, aws_clients())
    row = engine.projects.find("amelia")
    assert row is not None
    assert key not in repr(row)
    assert row.agent.secret is not None
    secret = row.agent.secret
    assert row.agent == AgentSettings("claude", model="opus", models=("*opus*",), notes="Be brief.", secret=secret)
    assert (row.sandbox, row.prices) == ("bubblewrap", (ModelPrice("claude-opus", 8, 9, 10, 0.8),))
    assert read_key(row.agent, engine.secrets) == key
    chosen = config.agent.over(row.agent, read_key(row.agent, engine.secrets))
    assert (chosen.kind, chosen.model, chosen.key) == ("claude", "opus", key)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"\n", "The secret for git is empty"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"x" * 70_000, "too large to be a token"),
        (b"-----BEGIN KEY-----\nAAAA\n", "wants a token, which is one line"),
    ],
)
def test_what_is_no_secret_is_refused_before_anything_is_kept(
    far_bakery: InsideProgram, given: bytes, said: str
) -> None:
    assert said in far_bakery.run("aws", "onboard", "amelia", "--git-secret", "-", stdin=given, code=1)
    assert aws_clients().dynamodb.scan(TableName=names_of(far_bakery).secrets)["Items"] == []


def test_a_secret_for_a_folder_or_from_nowhere_is_refused(aws_bakery: InsideProgram) -> None:
    assert "needs no secret" in aws_bakery.run("aws", "onboard", "amelia", "--git-secret", "-", stdin=b"x", code=1)
    assert "cannot be read (No such file" in aws_bakery.run("aws", "onboard", "amelia", "--git-secret", "gone", code=1)


def test_only_the_distribution_may_read_the_sites_and_what_others_wrote_stays(aws_bakery: InsideProgram) -> None:
    bucket = bucket_of(aws_bakery)
    theirs = {"Sid": "Theirs", "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::123456789012:root"}}
    theirs |= {"Action": "s3:ListBucket", "Resource": f"arn:aws:s3:::{bucket}"}
    document = {"Version": "2012-10-17", "Statement": theirs}
    aws_clients().s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps(document))

    first = aws_bakery.read("aws", "onboard", "amelia")
    before = policy_of(aws_bakery)
    distribution, host = distribution_for(bucket)
    second, third = (aws_bakery.read("aws", "onboard", "amelia") for _ in range(2))
    after = policy_of(aws_bakery)

    assert [each["site_policy"] for each in (first, second, third)] == ["changed", "changed", "unchanged"]
    assert (set(before), set(after)) == ({"Theirs", ONLY_TLS}, {"Theirs", ONLY_TLS, VISITORS})
    assert after["Theirs"] == theirs
    assert after[VISITORS]["Condition"] == {"StringEquals": {"AWS:SourceArn": [distribution]}}
    assert {each.partition("/")[2] for each in after[VISITORS]["Resource"]} == {
        "*/files/*",
        "*/shown/*",
        "_previews/*",
        "_overflow/*",
        "not-found.html",
    }
    assert any("no distribution" in todo for todo in first["left_to_do"])
    assert any("[preview] url" in todo for todo in first["left_to_do"])
    assert any("CloudFront does not answer to amelia.edit.localhost" in todo for todo in second["left_to_do"])
    assert not any("no distribution" in todo for todo in second["left_to_do"])
    assert {"name": "amelia.edit.localhost", "type": "A and AAAA alias", "value": host} in [
        {key: each[key] for key in ("name", "type", "value")} for each in second["records"]
    ]


def test_a_stack_that_lets_its_distribution_in_itself_is_left_alone(aws_bakery: InsideProgram) -> None:
    bucket = bucket_of(aws_bakery)
    distribution, _ = distribution_for(bucket)
    arns = [f"arn:aws:s3:::{bucket}", f"arn:aws:s3:::{bucket}/*"]
    closed = {"Sid": "a", "Effect": "Deny", "Principal": {"AWS": "*"}, "Action": "s3:*", "Resource": arns}
    closed["Condition"] = {"Bool": {"aws:SecureTransport": "false"}}
    opened = {"Sid": "b", "Effect": "Allow", "Principal": {"Service": "cloudfront.amazonaws.com"}}
    opened |= {"Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{bucket}/*"}
    opened["Condition"] = {"StringEquals": {"AWS:SourceArn": distribution}}
    document = {"Version": "2012-10-17", "Statement": [closed, opened]}
    aws_clients().s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps(document))

    assert aws_bakery.read("aws", "onboard", "amelia")["site_policy"] == "unchanged"
    assert policy_of(aws_bakery).keys() == {"a", "b"}


@pytest.mark.thorough
def test_what_is_left_to_do_by_hand_is_said_with_the_exact_records(aws_bakery: InsideProgram) -> None:
    above = f"{names_of(aws_bakery).prefix}.example.com"
    domain = f"edit.{above}"
    change(aws_bakery, 'domain = "edit.localhost"', f'domain = "{domain}"')
    unknown = aws_bakery.read("aws", "onboard", "amelia")
    aws_clients().ses.create_email_identity(EmailIdentity=above)
    only_above = aws_bakery.read("aws", "onboard", "amelia")
    aws_clients().ses.create_email_identity(EmailIdentity=domain)
    waiting = aws_bakery.read("aws", "onboard", "amelia")
    receive(aws_bakery, domain, in_force=False)
    ready = aws_bakery.read("aws", "onboard", "amelia")

    assert any(f"SES does not know {domain}" in todo for todo in unknown["left_to_do"])
    assert any(f"SES knows {above} and not {domain}" in todo for todo in only_above["left_to_do"])
    assert any(f"SES has not verified {domain} yet" in todo for todo in waiting["left_to_do"])
    assert any("no receipt rule of SES" in todo for todo in waiting["left_to_do"])
    assert any("set-active-receipt-rule-set --rule-set-name" in todo for todo in ready["left_to_do"])
    records = {(each["name"], each["type"], each["value"]) for each in waiting["records"]}
    tokens = aws_clients().ses.get_email_identity(EmailIdentity=domain)["DkimAttributes"]["Tokens"]
    exchanger = "10 inbound-smtp.eu-central-1.amazonaws.com"
    assert {(f"{each}._domainkey.{domain}", "CNAME", f"{each}.dkim.amazonses.com") for each in tokens} <= records
    assert {(domain, "MX", exchanger), (f"amelia.{domain}", "MX", exchanger)} <= records
    assert {(domain, "TXT", '"v=spf1 include:amazonses.com ~all"')} <= records
    assert {(f"_dmarc.{domain}", "TXT", '"v=DMARC1; p=quarantine"')} <= records
    said = aws_bakery.run("aws", "onboard", "amelia")
    assert all(value in said for record in records for value in record)


def receive(program: InsideProgram, domain: str, *, in_force: bool) -> None:
    """Make the receipt rule of an installation as the stack does."""
    client, prefix = aws_clients().more("ses"), names_of(program).prefix
    client.create_receipt_rule_set(RuleSetName=prefix)
    action = {"S3Action": {"BucketName": f"{prefix}-ses-emails-{aws_clients().account}"}}
    rule = {"Name": "incoming", "Enabled": True, "Recipients": [domain], "Actions": [action]}
    client.create_receipt_rule(RuleSetName=prefix, Rule=rule)
    if in_force:
        client.set_active_receipt_rule_set(RuleSetName=prefix)
