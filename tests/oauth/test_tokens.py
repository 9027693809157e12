"""A token for whoever needs one: renewed in time, by one process at a time, and never seen."""

from __future__ import annotations

import errno
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.doors.certificates import write_certificate
from tests.doors.token_server import SECRET
from tests.oauth.logins import Desk, desk_at
from tests.tree import ROOT
from webordinary.errors import LoginNeeded, Misconfigured, TryAgain
from webordinary.oauth import server as asking
from webordinary.oauth.login import Grant, ShowsSecret
from webordinary.oauth.tokens import KeptLogin, TokenRefused

if TYPE_CHECKING:
    from pathlib import Path

    from tests.doors.token_server import TokenServer

REFRESH = "refresh_token"


@pytest.fixture
def desk(giver: TokenServer, tmp_path: Path) -> Desk:
    return desk_at(giver, tmp_path)


def test_a_token_is_asked_for_once_and_shared_by_everybody(desk: Desk) -> None:
    first = desk.tokens.current()
    assert [desk.tokens.current() for _ in range(3)] == [first] * 3
    assert desk.giver.grants == [REFRESH]


def test_a_token_is_renewed_before_it_runs_out(desk: Desk) -> None:
    first = desk.tokens.current()
    desk.clock.advance(timedelta(minutes=54))
    assert desk.tokens.current() == first
    desk.clock.advance(timedelta(minutes=2))
    assert desk.tokens.current() != first


def test_a_token_that_lives_for_seconds_is_not_renewed_at_each_question(desk: Desk) -> None:
    desk.giver.life = 20
    assert desk.tokens.current() == desk.tokens.current()
    desk.clock.advance(timedelta(seconds=11))
    desk.tokens.current()
    assert desk.giver.grants == [REFRESH] * 2


def test_a_refresh_token_that_is_replaced_is_kept_before_the_new_token_is_used(desk: Desk) -> None:
    for _ in range(3):
        desk.tokens.current()
        desk.clock.advance(timedelta(hours=1))
    assert desk.kept.refresh_token in desk.giver.refresh
    assert len(desk.giver.spent) == 3


def test_a_refresh_token_that_stays_is_kept_too(desk: Desk) -> None:
    desk.giver.rotates = False
    desk.tokens.current()
    desk.clock.advance(timedelta(hours=1))
    desk.tokens.current()
    assert desk.kept.refresh_token in desk.giver.refresh


def test_a_token_that_was_refused_is_renewed_once_for_all_who_were(desk: Desk) -> None:
    first = desk.tokens.current()
    renewed = {desk.tokens.instead_of(first) for _ in range(3)}
    assert len(renewed) == 1
    assert first not in renewed
    assert desk.giver.grants == [REFRESH] * 2


def test_a_server_that_refuses_twice_is_told_with_what_to_do(desk: Desk) -> None:
    shown: list[str] = []

    def refuse(token: str) -> None:
        shown.append(token)
        raise TokenRefused("NO")

    with pytest.raises(LoginNeeded, match=r"website at imap .*bakery \(NO\): run `webordinary mailbox login bakery`"):
        desk.tokens.use(refuse, "website at imap")
    assert len(set(shown)) == 2


def test_only_its_owner_can_read_what_is_kept(desk: Desk, tmp_path: Path) -> None:
    desk.tokens.current()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "secrets").iterdir()}
    assert set(modes.values()) == {0o600}
    assert set(modes) == {"oauth-bakery", ".oauth-bakery.turn"}
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700


def test_nothing_of_it_is_in_what_python_prints(desk: Desk) -> None:
    token = desk.tokens.current()
    assert token not in repr(desk.kept)
    assert str(desk.kept.refresh_token) not in repr(desk.kept)
    assert SECRET not in repr(desk.login)


def test_without_a_login_it_is_said_what_to_do(desk: Desk) -> None:
    desk.secrets.keep("oauth-bakery", "{}")
    with pytest.raises(LoginNeeded, match=r"nobody has logged in .*run `webordinary mailbox login bakery`"):
        desk.tokens.current()


def test_a_login_that_was_taken_back_is_a_sentence_without_a_secret_and_heals(desk: Desk) -> None:
    desk.giver.end_everything()
    with pytest.raises(LoginNeeded, match=r"no longer taken \(invalid_grant: .*expired or revoked") as caught:
        desk.tokens.current()
    assert not any(secret in str(caught.value) for secret in desk.giver.all_secrets())
    assert "Trace" not in str(caught.value)

    desk.secrets.keep("oauth-bakery", desk.giver.give_refresh_token())
    assert desk.tokens.current() in desk.giver.access


def test_many_who_wait_for_one_login_ask_the_provider_once_a_minute(desk: Desk) -> None:
    desk.giver.end_everything()
    tokens = desk.tokens
    for _ in range(5):
        with pytest.raises(LoginNeeded, match="no longer taken"):
            tokens.current()
    assert desk.giver.grants == [REFRESH]
    desk.clock.advance(timedelta(minutes=1))
    with pytest.raises(LoginNeeded):
        tokens.current()
    assert desk.giver.grants == [REFRESH] * 2

    desk.secrets.keep("oauth-bakery", desk.giver.give_refresh_token())
    assert tokens.current() in desk.giver.access


def test_a_client_that_is_not_known_is_a_sentence_without_its_secret(desk: Desk, tmp_path: Path) -> None:
    wrong = desk_at(desk.giver, tmp_path, read_client_secret=lambda: "hunter2")
    with pytest.raises(LoginNeeded, match="invalid_client") as caught:
        wrong.tokens.current()
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("shown", ShowsSecret)
def test_the_secret_of_the_client_is_shown_where_the_provider_wants_it(
    giver: TokenServer, tmp_path: Path, shown: ShowsSecret
) -> None:
    assert desk_at(giver, tmp_path, shows_secret=shown).tokens.current() in giver.access


def test_an_application_without_a_secret_says_its_name(giver: TokenServer, tmp_path: Path) -> None:
    assert desk_at(giver, tmp_path, read_client_secret=lambda: None).tokens.current() in giver.access


def test_an_application_comes_in_by_itself(giver: TokenServer, tmp_path: Path) -> None:
    desk = desk_at(giver, tmp_path, grant=Grant.CLIENT_CREDENTIALS)
    assert desk.tokens.current() == desk.tokens.current()
    desk.clock.advance(timedelta(hours=1))
    assert desk.tokens.current() in giver.access
    assert giver.grants == ["client_credentials"] * 2


def test_an_application_whose_secret_has_run_out_is_told_without_a_person(giver: TokenServer, tmp_path: Path) -> None:
    desk = desk_at(giver, tmp_path, grant=Grant.CLIENT_CREDENTIALS, read_client_secret=lambda: "old")
    with pytest.raises(LoginNeeded, match=r"correct oauth\.client_id and its secret"):
        desk.tokens.current()


@pytest.mark.parametrize(
    "trouble",
    [
        (503, b"away"),
        (500, b'{"error": "invalid_grant"}'),
        (400, b'{"error": "temporarily_unavailable"}'),
        (429, b'{"error": "slow down"}'),
        (404, b"<html>"),
        (302, b""),
        (200, b"[]"),
        (200, b"[" * 100_000),
        (200, b"<html>Welcome to our hotel</html>"),
        (200, b'{"access_token": "a\\u0001b", "token_type": "Bearer"}'),
        (200, b'{"access_token": "abc", "token_type": "mac"}'),
        (200, b'{"token_type": "Bearer"}'),
    ],
    ids=lambda trouble: f"{trouble[0]} {trouble[1].decode()[:60]}",
)
def test_a_token_server_in_trouble_is_asked_again_and_nothing_is_lost(desk: Desk, trouble: tuple[int, bytes]) -> None:
    desk.giver.trouble = trouble
    with pytest.raises(TryAgain) as caught:
        desk.tokens.current()
    assert not isinstance(caught.value, LoginNeeded)
    desk.giver.trouble = None
    assert desk.tokens.current() in desk.giver.access


def test_a_refresh_token_is_kept_although_the_token_beside_it_is_worth_nothing(desk: Desk) -> None:
    desk.giver.trouble = (
        200,
        b'{"access_token": "a\\u0001b", "token_type": "Bearer", "refresh_token": "the-next-one"}',
    )
    with pytest.raises(TryAgain):
        desk.tokens.current()
    assert desk.kept.refresh_token == "the-next-one"
    desk.giver.trouble = (200, b'{"access_token": "abc", "token_type": "bearer", "refresh_token": "no\\nline"}')
    assert desk.tokens.current() == "abc"
    assert desk.kept.refresh_token == "the-next-one"


def test_a_token_server_that_is_not_there_is_waited_for(desk: Desk, tmp_path: Path) -> None:
    nowhere = desk_at(desk.giver, tmp_path, token_url="http://127.0.0.1:1/token")
    with pytest.raises(TryAgain, match=r"127\.0\.0\.1 gives no token right now \(Connection refused\)"):
        nowhere.tokens.current()


def test_a_token_server_whose_certificate_nobody_believes_is_told_nothing(desk: Desk, tmp_path: Path) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*write_certificate(tmp_path))
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            line, _ = door.accept()
            with line, suppress(OSError), context.wrap_socket(line, server_side=True) as secure:
                heard.append(secure.recv(1000))

        thread = threading.Thread(target=serve)
        thread.start()
        far = desk_at(desk.giver, tmp_path, token_url=f"https://localhost:{door.getsockname()[1]}/token")
        with pytest.raises(TryAgain, match="the certificate of localhost is not believed"):
            far.tokens.current()
        thread.join()
    assert heard in ([], [b""])


def test_a_token_server_that_never_answers_is_left_after_a_while(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SECONDS_FOR_AN_ANSWER", 0.2)
    desk.giver.gate.clear()
    with pytest.raises(TryAgain, match="gives no token right now"):
        desk.tokens.current()


def test_what_could_not_be_kept_is_not_asked_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with pytest.raises(TryAgain, match="is full"):
        desk.tokens.current()
    assert desk.giver.grants == []


def test_what_another_machine_has_renewed_is_read_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = desk.kept
    (old,) = desk.giver.refresh
    desk.tokens.current()
    newer = desk.kept
    desk.giver.spent.pop(old)
    desk.clock.advance(timedelta(hours=2))
    found = iter([stale, stale])
    tokens = desk.tokens
    monkeypatch.setattr(tokens, "_kept", lambda: next(found, newer))
    assert tokens.current() in desk.giver.access


def test_a_login_that_somebody_made_meanwhile_is_not_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.giver.rotates = False
    stale = desk.kept
    desk.giver.refresh.clear()
    newer = desk.giver.give_refresh_token()
    desk.secrets.keep("oauth-bakery", newer)
    tokens, look = desk.tokens, desk.tokens._kept  # noqa: SLF001 - as another machine sees it
    found = iter([stale, stale])
    monkeypatch.setattr(tokens, "_kept", lambda: next(found, None) or look())
    assert tokens.current() in desk.giver.access
    assert desk.kept.refresh_token == newer


def test_a_secret_that_is_broken_asks_for_a_login(desk: Desk) -> None:
    for text in ("{", '{"refresh_token": 3}', "", " \n"):
        desk.secrets.keep("oauth-bakery", text)
        with pytest.raises(LoginNeeded, match="nobody has logged in"):
            desk.tokens.current()


def test_what_is_kept_is_read_as_it_was_written() -> None:
    kept = KeptLogin("r", "a", 12.5, "2026-03-02T09:00:00Z")
    assert KeptLogin.read(kept.write()) == kept


def test_a_secret_that_others_may_read_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "secrets" / "oauth-bakery").chmod(0o644)
    with pytest.raises(Misconfigured, match="chmod 600"):
        desk.tokens.current()


def test_many_threads_renew_one_token_once(desk: Desk) -> None:
    desk.giver.gate.clear()
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(desk.tokens.current())) for _ in range(8)]
    for thread in threads:
        thread.start()
    desk.giver.gate.set()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 8
    assert desk.giver.grants == [REFRESH]


_PROCESS = """
import sys
from pathlib import Path
from tests.doors.token_server import TokenServer
from tests.oauth.logins import login_at
from webordinary.clock import SystemClock
from webordinary.engines.embedded.secrets import FileSecrets
from webordinary.oauth.tokens import Tokens
tokens = Tokens(login_at(TokenServer(sys.argv[1])), FileSecrets(Path(sys.argv[2])), SystemClock())
print("ready", flush=True)
sys.stdin.readline()
print(tokens.current())
"""


def test_a_process_that_dies_while_it_renews_keeps_nobody_waiting(desk: Desk, tmp_path: Path) -> None:
    desk.giver.gate.clear()
    command = [sys.executable, "-c", _PROCESS, desk.giver.address, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as dying:
        assert dying.stdin is not None
        assert dying.stdout is not None
        dying.stdout.readline()
        dying.stdin.write("go\n")
        dying.stdin.flush()
        assert desk.giver.was_asked.wait(30)
        dying.kill()
    desk.giver.trouble = (503, b"nobody listens any more")
    desk.giver.gate.set()
    assert desk.giver.was_answered.wait(30)
    desk.giver.trouble = None
    assert desk.tokens.current() in desk.giver.access


def test_processes_that_begin_at_the_same_moment_use_a_refresh_token_once(desk: Desk, tmp_path: Path) -> None:
    """A provider ends the whole login when an old refresh token comes back."""
    many = [
        subprocess.Popen(
            [sys.executable, "-c", _PROCESS, desk.giver.address, str(tmp_path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(5)
    ]
    for each in many:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in many:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    said = {each.communicate()[0] for each in many}
    assert len(said) == 1
    assert desk.giver.grants == [REFRESH]
    assert said.pop().strip() in desk.giver.access
