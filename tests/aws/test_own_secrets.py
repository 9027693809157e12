"""A function of the flow knows the same reply key as the workers, and reads it from Secrets Manager."""

from __future__ import annotations

import boto3
import pytest

from tests.aws.conftest import Place
from tests.rigs.aws_ports import aws_clients, aws_server
from webordinary.config import config_of_surroundings
from webordinary.engines.aws.account.own_secrets import REPLY_KEY_SECRET, SECRETS, UNSET, with_secrets
from webordinary.engines.aws.flow.handlers import open_here
from webordinary.engines.aws.secrets import TableSecrets
from webordinary.errors import Misconfigured

KEY = "k" * 64
FUNCTION = {"WEBORDINARY_ENGINE": "aws", "WEBORDINARY_DOMAIN": "example.com"}


@pytest.fixture(autouse=True)
def in_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in aws_server().environment().items():
        monkeypatch.setenv(name, value)


def test_a_function_reads_the_reply_key_that_a_variable_names() -> None:
    boto3.client("secretsmanager").create_secret(Name="keys/reply-key", SecretString=KEY)
    known = with_secrets({**FUNCTION, REPLY_KEY_SECRET: "keys/reply-key"})

    assert known == {**FUNCTION, "WEBORDINARY_MAIL_REPLY_KEY": KEY}
    here = open_here(config_of_surroundings(known), aws_clients())
    assert here.mails.aws.engine.reply_keys.current().secret == KEY.encode()


def test_a_secret_that_is_missing_is_told() -> None:
    with pytest.raises(Misconfigured, match="nowhere/reply-key"):
        with_secrets({REPLY_KEY_SECRET: "nowhere/reply-key"})


def test_a_function_without_a_secret_asks_nobody() -> None:
    assert with_secrets(FUNCTION) == FUNCTION


def test_a_secret_that_nobody_has_set_keeps_no_worker_from_starting() -> None:
    unset = {secret.variable: KEY if secret.is_made_up else UNSET for secret in SECRETS}

    assert config_of_surroundings({**FUNCTION, **unset})


def test_what_an_earlier_version_kept_is_read_until_something_newer_is_kept() -> None:
    place = Place(aws_clients())
    earlier = place.clients.more("secretsmanager")
    earlier.create_secret(Name=place.names.secret("amelia"), SecretString="of yesterday")
    secrets = TableSecrets(place.clients, place.names)
    assert (secrets.has("amelia"), secrets.read("amelia")) == (True, "of yesterday")

    secrets.keep("amelia", "of today")
    assert secrets.read("amelia") == "of today"
    found = earlier.get_secret_value(SecretId=place.names.secret("amelia"))
    assert found["SecretString"] == "of yesterday", "a worker of the version before still reads it"
