"""Whoever deploys hears of a mistake before anything is written, and what to write instead."""

from __future__ import annotations

import pytest

from infra.settings import Capacity, read_settings, said_on_the_command_line
from webordinary.engines.aws.account.deployment import CDK_CLI
from webordinary.errors import Misconfigured

RIGHT = {"domain": "example.com", "region": "eu-central-1"}


def test_a_domain_and_a_region_are_enough() -> None:
    settings = read_settings(RIGHT.get, {})

    assert (settings.prefix, settings.capacity, settings.min_workers) == ("webordinary", Capacity.EC2, 0)
    assert settings.image_uri("123456789012").startswith("123456789012.dkr.ecr.eu-central-1.amazonaws.com/webordinary:")


def test_the_region_may_come_from_the_surroundings() -> None:
    assert read_settings({"domain": "example.com"}.get, {"AWS_REGION": "eu-west-1"}).region == "eu-west-1"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"domain": None}, "No domain"),
        ({"domain": "Example.COM"}, "lower case"),
        ({"domain": "localhost"}, "such as example.com"),
        ({"region": None}, "No region"),
        ({"region": "us-gov-west-1"}, "take one of"),
        ({"capacity": "lambda"}, "fargate or ec2"),
        ({"capacity": "fargate"}, "take capacity=ec2, or agent=scripted"),
        ({"prefix": "Web_Ordinary"}, "inner hyphens"),
        ({"prefix": "x" * 29}, "2 to 28"),
        ({"prefix": "x"}, "2 to 28"),
        ({"prefix": "9lives"}, "begin with a letter"),
        ({"prefix": "two--hyphens"}, "single inner hyphens"),
        ({"prefix": "sthree-sites"}, "keeps for itself"),
        ({"workers": "many"}, "a number from 0 to 1000"),
        ({"workers": "0"}, "not 0"),
        ({"workers": "2", "min-workers": "3"}, "must not be more"),
        ({"image": "webordinary"}, "REGISTRY/NAME:TAG"),
        ({"alarm-mail": "nobody"}, "a mail address"),
        ({"identity": "mine"}, "new or existing"),
        ({"agent": "parrot"}, "scripted or claude"),
        ({"agent": "acp"}, "needs a command"),
        ({"certificate": "arn:aws:acm:eu-central-1:123456789012:certificate/x"}, "us-east-1"),
    ],
)
def test_every_mistake_is_one_sentence_that_says_what_to_write(said: dict[str, str | None], told: str) -> None:
    with pytest.raises(Misconfigured, match=told):
        read_settings({**RIGHT, **said}.get, {})


def test_fargate_is_for_those_who_need_no_sandbox_there_or_know_better() -> None:
    built_in = read_settings({**RIGHT, "capacity": "fargate", "agent": "scripted"}.get, {})
    better = read_settings({**RIGHT, "capacity": "fargate", "anyway": "yes"}.get, {})

    assert {built_in.capacity, better.capacity} == {Capacity.FARGATE}


def test_whoever_knows_that_a_region_receives_mail_may_say_so() -> None:
    assert read_settings({**RIGHT, "region": "sa-east-1", "anyway": "yes"}.get, {}).region == "sa-east-1"


@pytest.mark.parametrize("found", ["3.0.0", "2.1000.0", "1.204.0"])
def test_another_command_line_of_cdk_is_refused_with_the_one_to_use(found: str) -> None:
    with pytest.raises(Misconfigured, match=f"aws-cdk@{CDK_CLI}"):
        read_settings(RIGHT.get, {"CDK_CLI_VERSION": found})
    assert read_settings(RIGHT.get, {"CDK_CLI_VERSION": CDK_CLI})


def test_the_command_line_takes_only_what_it_knows() -> None:
    assert said_on_the_command_line(["domain=example.com", "prefix="]) == {"domain": "example.com"}
    for wrong in ("colour=red", "domain"):
        with pytest.raises(Misconfigured, match="NAME=VALUE"):
            said_on_the_command_line([wrong])
