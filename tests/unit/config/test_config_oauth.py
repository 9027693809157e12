from __future__ import annotations

from pathlib import Path

import pytest

from webordinary.config import Config, read_config
from webordinary.errors import Misconfigured
from webordinary.oauth.login import Grant, Mechanism, ShowsSecret

HEAD = 'domain = "edit.example.com"\n'
OUT = '[outgoing]\nurl = "maildir:outgoing"\n'
GOOGLE = '[[oauth]]\nname = "bakery"\nprovider = "google"\nclient_id = "123.apps.googleusercontent.com"\n'
MICROSOFT = '[[oauth]]\nname = "bakery"\nprovider = "microsoft"\nclient_id = "1a2b"\n'
OTHER = '[[oauth]]\nname = "bakery"\nclient_id = "app"\ntoken_url = "https://id.example.com/token"\nscopes = ["mail"]\n'
BOX = '[[imap]]\nhost = "imap.example.com"\nuser = "website@example.com"\noauth = "bakery"\n'


def read(text: str, out: str = OUT) -> Config:
    return read_config(f"{HEAD}{out}{text}", Path("/srv/webordinary.toml"), {})


def complaint(text: str, out: str = OUT) -> str:
    with pytest.raises(Misconfigured) as caught:
        read(text, out)
    return str(caught.value)


def test_of_google_everything_is_known() -> None:
    login = read(GOOGLE + BOX).find_login("bakery")
    assert login is not None
    assert login.token_url == "https://oauth2.googleapis.com/token"
    assert (login.authorize_url or "").startswith("https://accounts.google.com/o/oauth2/v2/auth?access_type=offline")
    assert login.device_url is None
    assert login.scopes == ("https://mail.google.com/",)
    assert (login.mechanism, login.shows_secret) == (Mechanism.XOAUTH2, ShowsSecret.BODY)
    assert login.redirect_host == "127.0.0.1"


def test_of_microsoft_everything_is_known_for_people_and_for_applications() -> None:
    login = read(MICROSOFT).find_login("bakery")
    assert login is not None
    assert login.token_url == "https://login.microsoftonline.com/organizations/oauth2/v2.0/token"
    assert login.device_url == "https://login.microsoftonline.com/organizations/oauth2/v2.0/devicecode"
    assert "https://outlook.office.com/IMAP.AccessAsUser.All" in login.scopes
    assert "offline_access" in login.scopes
    assert login.redirect_host == "localhost"

    alone = f'{MICROSOFT}tenant = "example.onmicrosoft.com"\ngrant = "client_credentials"\nclient_secret_file = "s"\n'
    application = read(alone).find_login("bakery")
    assert application is not None
    assert application.token_url == "https://login.microsoftonline.com/example.onmicrosoft.com/oauth2/v2.0/token"
    assert application.scopes == ("https://outlook.office365.com/.default",)
    assert application.grant is Grant.CLIENT_CREDENTIALS


def test_everything_that_is_known_can_be_said_otherwise() -> None:
    lines = (
        'token_url = "https://t.example/"\nauthorize_url = "https://a.example/"\ndevice_url = "https://d.example/"\n'
        'scopes = ["a", "b"]\nredirect_host = "localhost"\nmechanism = "oauthbearer"\nshows_secret = "header"\n'
    )
    login = read(GOOGLE + lines).find_login("bakery")
    assert login is not None
    assert (login.token_url, login.authorize_url, login.device_url) == (
        "https://t.example/",
        "https://a.example/",
        "https://d.example/",
    )
    assert (login.scopes, login.redirect_host) == (("a", "b"), "localhost")
    assert (login.mechanism, login.shows_secret) == (Mechanism.OAUTHBEARER, ShowsSecret.HEADER)


def test_another_provider_is_spoken_to_as_the_standards_say() -> None:
    login = read(OTHER).find_login("bakery")
    assert login is not None
    assert (login.mechanism, login.shows_secret, login.authorize_url) == (None, ShowsSecret.HEADER, None)
    assert login.read_client_secret() is None


def test_the_secret_of_the_application_is_read_from_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app").write_text("s3cret\n")
    text = f'{HEAD}{OUT}{OTHER}client_secret_file = "app"\n'
    config = read_config(text, tmp_path / "webordinary.toml", {})
    login = config.find_login("bakery")
    assert login is not None
    assert login.read_client_secret() == "s3cret"
    assert "s3cret" not in repr(config)
    (tmp_path / "app").unlink()
    with pytest.raises(Misconfigured, match=r"correct oauth\.client_secret_file"):
        login.read_client_secret()

    monkeypatch.setenv("BAKERY_APP", "other")
    by_variable = read(f'{OTHER}client_secret_variable = "BAKERY_APP"\n').find_login("bakery")
    assert by_variable is not None
    assert by_variable.read_client_secret() == "other"
    monkeypatch.delenv("BAKERY_APP")
    with pytest.raises(Misconfigured, match="the variable BAKERY_APP does not hold the secret of app"):
        by_variable.read_client_secret()


def test_the_outgoing_server_has_a_user_and_no_password() -> None:
    out = '[outgoing]\nurl = "smtp://website@example.com@smtp.example.com"\noauth = "bakery"\n'
    outgoing = read(OTHER, out).outgoing
    assert (outgoing.user, outgoing.password, outgoing.oauth) == ("website@example.com", None, "bakery")
    assert (outgoing.host, outgoing.port) == ("smtp.example.com", 587)


@pytest.mark.parametrize(
    ("url", "more", "wrong"),
    [
        ("smtp://secret@host", "", "must have both a user and a password, or `outgoing.oauth`"),
        ("smtp://user:secret@host", 'oauth = "bakery"', "must have a user and no password"),
        ("smtp://host", 'oauth = "bakery"', "must have a user and no password"),
        ("maildir:secret", 'oauth = "bakery"', "must have a user and no password"),
        ("smtp://secret@host", 'oauth = "flora"', 'is "flora", and no `[[oauth]]` has that name'),
    ],
)
def test_an_outgoing_server_that_cannot_let_us_in_is_refused_without_repeating_it(
    url: str, more: str, wrong: str
) -> None:
    said = complaint(OTHER, f'[outgoing]\nurl = "{url}"\n{more}\n')
    assert wrong in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('[[oauth]]\nname = "bakery"\nclient_id = "a"\n', "needs `provider`, or both `token_url` and `scopes`"),
        (OTHER.replace("https://id", "http://id"), "must begin with https://"),
        (OTHER.replace("https://id", "https://[id"), "must be an address such as"),
        (OTHER + 'tenant = "a"\n', 'is only for `provider = "microsoft"`'),
        (OTHER + 'grant = "client_credentials"\n', "`client_secret_file` or `client_secret_variable` is needed"),
        (OTHER + 'client_secret_file = "a"\nclient_secret_variable = "B"\n', "remove one of them"),
        (OTHER + 'grant = "password"\n', 'must be "refresh_token" or "client_credentials"'),
        (MICROSOFT + 'client_secret_file = "a"\ngrant = "client_credentials"\n', "`tenant` must name the directory"),
        (MICROSOFT + 'tenant = "a/b"\n', "must be a directory (tenant) id"),
        (GOOGLE + 'client_secret_file = "a"\ngrant = "client_credentials"\n', "gives nobody a mailbox that way"),
        (GOOGLE + 'scopes = ["a b"]\n', "without a space"),
        (GOOGLE + GOOGLE, "which another login already is"),
        (BOX, 'is "bakery", and no `[[oauth]]` has that name'),
        (GOOGLE + BOX + 'password_file = "a"\n', "needs exactly one of"),
    ],
)
def test_a_login_that_cannot_work_is_refused(text: str, wrong: str) -> None:
    assert wrong in complaint(text)
