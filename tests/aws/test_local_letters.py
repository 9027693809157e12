"""The local SES knows which domains are proven, and whether the account is still in the sandbox."""

from __future__ import annotations

import boto3
import pytest

from tests.rigs.aws_ports import aws_server


def test_a_domain_has_the_records_that_prove_it_and_waits_until_it_is_proven() -> None:
    client = boto3.client("sesv2", **aws_server().connection())
    client.create_email_identity(EmailIdentity="waiting.example.com")
    client.create_email_identity(
        EmailIdentity="proven.example.com", DkimSigningAttributes={"NextSigningKeyLength": "RSA_2048_BIT"}
    )

    waiting = client.get_email_identity(EmailIdentity="waiting.example.com")
    proven = client.get_email_identity(EmailIdentity="proven.example.com")
    with pytest.raises(client.exceptions.NotFoundException):
        client.get_email_identity(EmailIdentity="nowhere.example.com")
    client.close()

    assert [each["VerifiedForSendingStatus"] for each in (waiting, proven)] == [False, True]
    assert [each["DkimAttributes"]["Status"] for each in (waiting, proven)] == ["PENDING", "SUCCESS"]
    tokens = [*waiting["DkimAttributes"]["Tokens"], *proven["DkimAttributes"]["Tokens"]]
    assert len(set(tokens)) == 6


def test_an_account_is_in_the_sandbox_until_somebody_asks() -> None:
    connection = aws_server().connection()
    connection["region_name"] = "eu-west-3"
    client = boto3.client("sesv2", **connection)
    assert not client.get_account()["ProductionAccessEnabled"]
    client.put_account_details(MailType="TRANSACTIONAL", WebsiteURL="https://example.com", ProductionAccessEnabled=True)
    assert client.get_account()["ProductionAccessEnabled"]
    client.close()
