"""Policies are read as Amazon reads them."""

from __future__ import annotations

from typing import Any

import pytest

from webordinary_local_aws.rights import Request, Verdict, statements_of, verdict

TABLE = "arn:aws:dynamodb:eu-central-1:123456789012:table/jobs"


def allow(**more: Any) -> dict[str, Any]:  # noqa: ANN401 - any part of a statement
    return {"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": TABLE, **more}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (allow(), "allowed"),
        (allow(Action=["s3:*", "dynamodb:get*"]), "allowed"),
        (allow(Action="dynamodb:PutItem"), "silent"),
        (allow(Resource=f"{TABLE}/index/*"), "silent"),
        (allow(Resource=["arn:aws:s3:::x", TABLE[:-1] + "?"]), "allowed"),
        (allow(Effect="Deny"), "denied"),
        (allow(Principal="*"), "allowed"),
        (allow(Principal={"AWS": "arn:aws:iam::123456789012:role/me"}), "allowed"),
        (allow(Principal={"AWS": "arn:aws:iam::123456789012:role/other"}), "silent"),
        (allow(Principal={"Service": "cloudfront.amazonaws.com"}), "silent"),
        (allow(Condition={"Bool": {"aws:SecureTransport": "true"}}), "allowed"),
        (allow(Condition={"Bool": {"aws:SecureTransport": False}}), "silent"),
        (allow(Condition={"StringEquals": {"s3:prefix": ["a", "b"]}}), "allowed"),
        (allow(Condition={"StringLike": {"S3:Prefix": "c*"}}), "silent"),
        (allow(Condition={"StringEquals": {"aws:unheard": "x"}}), "silent"),
        (allow(Condition={"StringEqualsIfExists": {"aws:unheard": "x"}}), "allowed"),
        (allow(Condition={"StringNotEquals": {"aws:unheard": "x"}}), "allowed"),
        (allow(Condition={"Null": {"aws:unheard": "true", "s3:prefix": "false"}}), "allowed"),
        (allow(Condition={"ForAllValues:StringEquals": {"keys": ["k1", "k2"]}}), "allowed"),
        (allow(Condition={"ForAllValues:StringEquals": {"keys": ["k1"]}}), "silent"),
        ({"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}, "allowed"),
        ({"Effect": "Deny", "Action": "*", "NotResource": TABLE}, "silent"),
    ],
)
def test_a_statement_concerns_what_its_parts_say(statement: dict[str, Any], expected: str) -> None:
    facts = {"aws:SecureTransport": "true", "s3:prefix": "b", "keys": ["k1", "k2"]}
    caller = ("arn:aws:iam::123456789012:role/me",)
    assert verdict([statement], Request("dynamodb:GetItem", TABLE, facts, caller)).value == expected


def test_a_denial_counts_more_than_a_permission() -> None:
    statements = statements_of({"Statement": [allow(), allow(Effect="Deny", Action="*")]})
    assert verdict(statements, Request("dynamodb:GetItem", TABLE)) is Verdict.DENIED
    assert verdict(statements_of({"Statement": allow()}), Request("dynamodb:GetItem", TABLE)) is Verdict.ALLOWED


def test_a_condition_that_nobody_has_taught_us_is_no_permission() -> None:
    with pytest.raises(KeyError, match="IpAddress"):
        verdict([allow(Condition={"IpAddress": {"aws:SourceIp": "::1"}})], Request("dynamodb:GetItem", TABLE))
