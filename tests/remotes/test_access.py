from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.remotes.ssh_server import SshServer, make_key, ssh_server
from tests.remotes.web_server import TOKEN, USER, WebServer, web_server
from tests.unit.workspace.remote_repository import Remote
from webordinary.engines.embedded.secrets import FileSecrets
from webordinary.errors import Misconfigured
from webordinary.routing.project import GitAccess
from webordinary.workspace.access import Access
from webordinary.workspace.checkout import PushResult, Workspace
from webordinary.workspace.git import LockedOut
from webordinary.workspace.push import PushRefused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return Remote(tmp_path / "far")


@pytest.fixture
def ssh(tmp_path: Path) -> Iterator[SshServer]:
    with ssh_server(tmp_path / "sshd") as server:
        yield server


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebServer]:
    with web_server(tmp_path / "far") as server:
        yield server


@pytest.fixture
def token(tmp_path: Path) -> GitAccess:
    (tmp_path / "token").write_text(f"{TOKEN}\n", encoding="utf-8")
    return GitAccess(token_file=str(tmp_path / "token"), user=USER)


def change_live(folder: Path, access: Access) -> PushResult:
    """Do what a job does with a repository: fetch, work, publish."""
    with Workspace(folder).open_checkout("amelia", access, "main", "scott", "t1", patience=timedelta(0)) as checkout:
        (checkout.path / "index.html").write_text("<h1>We open at nine</h1>\n", encoding="utf-8")
        checkout.commit("Open at nine", author_name="scott", author_email="scott@amelia.invalid")
        prepared = checkout.squash("Open at nine", author_name="scott", author_email="scott@amelia.invalid")
        return checkout.push_live(prepared, lane="amelia#scott", fence=1, job="j-1")


def head_by(folder: Path, access: Access) -> str:
    """Fetch the live branch, and return its newest commit."""
    with Workspace(folder).open_checkout("amelia", access, "main", "maria", "t2", patience=timedelta(0)) as checkout:
        return checkout.tip


@pytest.mark.parametrize("pinned", [True, False])
def test_a_key_opens_a_repository_by_ssh_where_the_server_is_known(
    tmp_path: Path, remote: Remote, ssh: SshServer, *, pinned: bool
) -> None:
    known = {"host_keys": (ssh.host_key,)} if pinned else {"known_hosts": str(ssh.known_hosts)}
    git = replace(GitAccess(ssh_key_file=str(ssh.key)), **known)
    assert change_live(tmp_path / "near", Access(ssh.address(remote.path), git)) == PushResult.PUSHED
    assert "We open at nine" in remote.read("index.html")


def test_a_key_can_come_from_a_variable_and_leaves_no_file(
    tmp_path: Path, remote: Remote, ssh: SshServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("DEPLOY_KEY", ssh.key.read_text(encoding="ascii"))
    git = GitAccess(ssh_key_variable="DEPLOY_KEY", host_keys=(ssh.host_key,))
    assert change_live(tmp_path / "near", Access(ssh.address(remote.path), git)) == PushResult.PUSHED
    assert list((tmp_path / "temporary").iterdir()) == []


def test_another_server_in_its_place_gets_nothing(tmp_path: Path, remote: Remote, ssh: SshServer) -> None:
    make_key(tmp_path / "another")
    stranger = (tmp_path / "another.pub").read_text(encoding="ascii")
    git = GitAccess(ssh_key_file=str(ssh.key), host_keys=(stranger,))
    with pytest.raises(Misconfigured, match=r"not known to us by its key; correct `git\.known_hosts`"):
        change_live(tmp_path / "near", Access(ssh.address(remote.path), git))


def test_a_key_that_the_server_does_not_know_is_for_a_person_to_correct(
    tmp_path: Path, remote: Remote, ssh: SshServer
) -> None:
    make_key(tmp_path / "another")
    git = GitAccess(ssh_key_file=str(tmp_path / "another"), host_keys=(ssh.host_key,))
    with pytest.raises(LockedOut, match="does not let us in; correct its access"):
        change_live(tmp_path / "near", Access(ssh.address(remote.path), git))


def test_a_key_that_others_may_read_is_named(tmp_path: Path, remote: Remote) -> None:
    make_key(tmp_path / "key")
    (tmp_path / "key").chmod(0o644)
    git = GitAccess(ssh_key_file=str(tmp_path / "key"))
    with pytest.raises(Misconfigured, match=f"Others may read the key {tmp_path}/key"):
        change_live(tmp_path / "near", Access(f"ssh://127.0.0.1:9{remote.path}", git))


def test_a_token_opens_a_repository_by_http(tmp_path: Path, remote: Remote, web: WebServer, token: GitAccess) -> None:
    assert change_live(tmp_path / "near", Access(web.address(remote.path), token)) == PushResult.PUSHED
    assert "We open at nine" in remote.read("index.html")


def test_a_token_stands_in_no_argument_and_in_no_file(
    tmp_path: Path, remote: Remote, web: WebServer, token: GitAccess
) -> None:
    change_live(tmp_path / "near", Access(web.address(remote.path), token))
    assert any(b"remote-http" in seen for seen in web.processes)
    assert not any(TOKEN.encode() in seen for seen in web.processes)
    kept = [path for path in (tmp_path / "near").rglob("*") if path.is_file()]
    assert not [path for path in kept if TOKEN.encode() in path.read_bytes()]


def test_a_password_in_the_address_is_taken_out_of_it(tmp_path: Path, remote: Remote, web: WebServer) -> None:
    address = web.address(remote.path, user=f"{USER}:tok-0123456789-%25%26%24@")
    assert change_live(tmp_path / "near", Access(address)) == PushResult.PUSHED
    assert not any(b"tok-0123456789" in seen for seen in web.processes)


def test_a_token_comes_from_a_variable_and_is_read_anew_each_time(
    tmp_path: Path, remote: Remote, web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = Access(web.address(remote.path), GitAccess(token_variable="SITE_TOKEN", user=USER))
    monkeypatch.setenv("SITE_TOKEN", "of-yesterday")
    with pytest.raises(LockedOut):
        change_live(tmp_path / "near", access)
    monkeypatch.setenv("SITE_TOKEN", TOKEN)
    assert change_live(tmp_path / "near", access) == PushResult.PUSHED


def test_a_token_that_is_not_there_is_named(tmp_path: Path, web: WebServer) -> None:
    nowhere = GitAccess(token_file=str(tmp_path / "nothing"))
    with pytest.raises(Misconfigured, match=rf"{tmp_path}/nothing cannot be read .*correct `git\.token_file`"):
        change_live(tmp_path / "near", Access(f"http://127.0.0.1:{web.port}/x.git", nowhere))
    assert "NO_SUCH_VARIABLE" not in os.environ
    with pytest.raises(Misconfigured, match="The variable NO_SUCH_VARIABLE is empty"):
        change_live(
            tmp_path / "near",
            Access(f"http://127.0.0.1:{web.port}/x.git", GitAccess(token_variable="NO_SUCH_VARIABLE")),
        )


@pytest.mark.thorough
def test_whoever_may_only_read_is_refused_for_good_and_not_left_unsure(
    tmp_path: Path, remote: Remote, web: WebServer, token: GitAccess
) -> None:
    web.may_write = False
    before = remote.refs()
    with pytest.raises(PushRefused, match="needs the right to write"):
        change_live(tmp_path / "near", Access(web.address(remote.path), token))
    assert remote.refs() == before


def test_a_token_is_not_told_to_where_a_server_sends_us(
    tmp_path: Path, remote: Remote, web: WebServer, token: GitAccess
) -> None:
    (tmp_path / "elsewhere").mkdir()
    with web_server(tmp_path / "elsewhere") as elsewhere:
        web.redirect_to = f"http://127.0.0.1:{elsewhere.port}"
        with pytest.raises(LockedOut):
            change_live(tmp_path / "near", Access(web.address(remote.path), token))
        assert set(elsewhere.came) == {""}


@pytest.mark.parametrize("host", ["git.example.com", "localhost.example.com", "10.0.0.1"])
def test_a_token_is_not_sent_where_others_can_read_it(host: str) -> None:
    with pytest.raises(Misconfigured, match="readable on its way"):
        Access(f"http://{host}/site.git", GitAccess(token_variable="SITE_TOKEN"))


@pytest.mark.thorough
def test_a_secret_that_the_engine_keeps_opens_it_either_way_and_can_be_renewed(
    tmp_path: Path, remote: Remote, ssh: SshServer, web: WebServer
) -> None:
    secrets = FileSecrets(tmp_path)
    git = GitAccess(secret="amelia", user=USER, host_keys=(ssh.host_key,))
    by_web, by_ssh = (Access(server.address(remote.path), git, secrets) for server in (web, ssh))
    secrets.keep("amelia", "an old one")
    with pytest.raises(LockedOut):
        change_live(tmp_path / "near", by_web)

    secrets.keep("amelia", f"{TOKEN}\n")
    assert change_live(tmp_path / "near", by_web) == PushResult.PUSHED
    secrets.keep("amelia", ssh.key.read_text(encoding="ascii"))
    assert head_by(tmp_path / "elsewhere", by_ssh) == head_by(tmp_path / "near", by_ssh)


def test_a_secret_that_is_empty_missing_or_out_of_reach_is_said(tmp_path: Path, remote: Remote, web: WebServer) -> None:
    secrets = FileSecrets(tmp_path)
    git, address = GitAccess(secret="amelia"), web.address(remote.path)
    with pytest.raises(Misconfigured, match="amelia cannot be read"):
        change_live(tmp_path / "near", Access(address, git, secrets))
    secrets.keep("amelia", " \n")
    with pytest.raises(Misconfigured, match="amelia is empty"):
        change_live(tmp_path / "near", Access(address, git, secrets))
    with pytest.raises(Misconfigured, match="with the installation open"):
        change_live(tmp_path / "near", Access(address, git))
