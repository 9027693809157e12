"""Servers that repeat what they were told in confidence: whatever spelling they choose, nobody reads it with us."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import pytest

from tests.doors.dovecot import USER
from tests.oauth.logins import Desk, desk_at
from tests.oauth.test_mail_servers import RAW, mailbox_that_says, odd_server, outgoing, postman, section
from webordinary.doors.imap_mailbox import open_mailbox
from webordinary.errors import TryAgain
from webordinary.oauth.login import Mechanism, ShowsSecret
from webordinary.oauth.sasl import first_words

if TYPE_CHECKING:
    from pathlib import Path

    from tests.doors.token_server import TokenServer

# As long as Microsoft's: longer than what is quoted of any answer.
TOKEN = "eyJ0eXAi." + "x" * 1500
SHOWN = base64.b64encode(first_words(Mechanism.XOAUTH2, USER, TOKEN, "localhost", 1)).decode()
REFRESH = "1//0g-the refresh token+of~Google"
CLIENT_SECRET = "GOCSPX-s3cret/of the app"


@pytest.fixture
def desk(giver: TokenServer, tmp_path: Path) -> Desk:
    """Somebody whose token is long."""
    giver.trouble = (200, json.dumps({"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}).encode())
    return desk_at(giver, tmp_path, read_client_secret=lambda: CLIENT_SECRET)


@pytest.mark.parametrize("code", ["535 5.7.3", "454 4.7.0"])
@pytest.mark.parametrize("shown", [TOKEN, "TOKEN"])
def test_an_outgoing_server_that_repeats_a_long_token_is_not_quoted(desk: Desk, code: str, shown: str) -> None:
    with odd_server(outgoing(f"{code} {USER} shows {shown} here")) as port, pytest.raises(TryAgain) as caught:
        postman(port, desk).deliver(RAW, "scott@example.org")
    assert f"{USER} shows … here" in str(caught.value)


@pytest.mark.parametrize("shown", [TOKEN, SHOWN])
@pytest.mark.parametrize("answer", ["TAG NO [UNAVAILABLE] {}\r\n", "TAG NO {}\r\n", "TAG BAD {}\r\n", "{}\r\n"])
def test_a_mailbox_that_repeats_a_long_token_is_not_quoted(desk: Desk, answer: str, shown: str) -> None:
    said = answer.format(f"{shown} is bad").encode()
    with odd_server(mailbox_that_says(said, said)) as port, pytest.raises(TryAgain) as caught:
        open_mailbox(section(port), desk.tokens)
    assert TOKEN[:20] not in str(caught.value)
    assert SHOWN[:20] not in str(caught.value)


@pytest.mark.parametrize("shown", ShowsSecret)
@pytest.mark.parametrize("spelled", [str, quote_plus, lambda text: base64.b64encode(text.encode()).decode()])
def test_a_token_server_that_repeats_the_question_is_not_quoted(
    giver: TokenServer, tmp_path: Path, shown: ShowsSecret, spelled: type[str]
) -> None:
    desk = desk_at(giver, tmp_path, read_client_secret=lambda: CLIENT_SECRET, shows_secret=shown)
    desk.secrets.keep("oauth-bakery", REFRESH)
    basic = base64.b64encode(f"{quote_plus(desk.login.client_id)}:{quote_plus(CLIENT_SECRET)}".encode()).decode()
    why = f"was asked {spelled(REFRESH)} by {spelled(CLIENT_SECRET)}" + (f" {basic}" if shown == "header" else "")
    giver.trouble = (400, json.dumps({"error": "invalid_grant", "error_description": why}).encode())
    with pytest.raises(TryAgain, match="was asked … by …") as caught:
        desk.tokens.current()
    assert basic not in str(caught.value)
