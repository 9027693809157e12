from __future__ import annotations

import os
import signal
import socket
import threading
from typing import TYPE_CHECKING

import pytest

from tests.ports import free_port
from tests.rigs.aws_ports import aws_clients, aws_server
from webordinary.config import load_config
from webordinary.engines.kept_findings import last_findings
from webordinary.site.web.server import SiteServer
from webordinary.testing.dns import FAILS, NameServer, Zone
from webordinary_local_aws.flow import LocalFlow

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Program

# What the doctor says depends on what is installed.
pytestmark = pytest.mark.programs


def findings(program: Program, code: int = 0) -> dict[str, tuple[str, str]]:
    lines = program.run("doctor", code=code).splitlines()
    parts = [line.split(maxsplit=1) for line in lines]
    return {rest[:14].strip(): (state, rest[15:]) for state, rest in parts}


def test_a_good_installation_has_nothing_that_fails(bakery: Program) -> None:
    found = findings(bakery)

    assert found["python"][0] == found["git"][0] == found["configuration"][0] == found["database"][0] == "ok"
    assert found["agent"] == ("ok", "scripted, the built-in one: it follows simple sentences and needs no key")
    assert found["amelia"][0] == "ok"
    assert found["workers"] == ("warn", "none runs: start them with `webordinary serve`")
    assert found["outgoing mail"][0] == "warn"


def test_without_a_configuration_it_says_how_to_begin(program: Program) -> None:
    assert "webordinary init" in findings(program, code=2)["configuration"][1]


def test_findings_can_be_read_by_a_program(bakery: Program) -> None:
    checks = bakery.read("doctor")

    assert all(check.keys() == {"name", "state", "text"} for check in checks)
    assert {check["state"] for check in checks} <= {"ok", "warn"}


def test_what_it_found_is_left_to_the_dashboard(bakery: Program) -> None:
    checks = bakery.read("doctor")

    kept = last_findings(load_config(bakery.folder / "webordinary.toml", {}).data)
    assert kept is not None
    assert [(each.name, each.says) for each in kept.checks] == [(each["name"], each["text"]) for each in checks]


def test_it_says_how_long_everything_is_kept(bakery: Program) -> None:
    (said,) = [check["text"] for check in bakery.read("doctor") if check["name"] == "retention"]
    assert "ended jobs 180 days, words of letters 30 days, mails and files 30 days, previews 30 days" in said
    assert "keys of requests 400 days; old branches go here and at the remote; the database has" in said


def test_it_says_whether_answers_show_pictures_and_why_not(bakery: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(bakery)["pictures"] == ("ok", "off: answers say in words what changed")

    monkeypatch.setenv("WEBORDINARY_PICTURES_MODE", "auto")
    monkeypatch.setenv("WEBORDINARY_PICTURES_BROWSER", "/nowhere/chromium")
    state, said = findings(bakery)["pictures"]

    assert state == "warn"
    assert "correct `pictures.browser`" in said


@pytest.mark.thorough
def test_it_says_as_whom_programs_run_that_are_not_ours(bakery: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    whom = "a uid of their own for each checkout, never as root" if os.geteuid() == 0 else "your own user"
    assert whom in findings(bakery)["sandbox"][1] or findings(bakery)["sandbox"][0] == "warn"

    monkeypatch.setenv("WEBORDINARY_SANDBOX_MODE", "none")
    assert whom in findings(bakery)["sandbox"][1]


def test_a_script_that_agents_could_not_read_is_named(bakery: Program, tmp_path: Path) -> None:
    script = tmp_path / "edit.py"
    script.write_text("")
    script.chmod(0o600)
    change(bakery, 'kind = "scripted"', f'kind = "command"\ncommand = ["sh", "{script}"]')
    is_root = os.geteuid() == 0
    state, said = findings(bakery, code=1 if is_root else 0)["agent"]

    assert (state, f"{script} is closed to agents" in said) == (("fail", True) if is_root else ("ok", False))


@pytest.mark.thorough
def test_a_port_in_use_is_found(bakery: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        listen(bakery, "preview", port)

        state, said = findings(bakery, code=1)["sites"]

    assert state == "fail"
    assert "change preview.listen" in said


@pytest.mark.thorough
def test_ports_that_our_own_server_uses_are_fine(bakery: Program) -> None:
    ports = [free_port(), free_port()]
    for section, port in zip(("preview", "smtp"), ports, strict=True):
        listen(bakery, section, port)
    with bakery.start("serve") as server:
        server.line_with("is ready")

        found = findings(bakery)
        server.end()

    assert found["mail in"] == ("ok", f"127.0.0.1:{ports[1]}, WebOrdinary listens there already")
    assert found["sites"] == ("ok", f"127.0.0.1:{ports[0]}, WebOrdinary listens there already")


def test_the_ports_of_another_installation_are_not_taken_for_ours(bakery: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mail:
        site = SiteServer(("127.0.0.1", 0), lambda _: None, "0123456789ab")
        site.start()
        listen(bakery, "preview", site.address[1])
        listen(bakery, "smtp", mail.getsockname()[1])
        greeting = b"220 edit.localhost WebOrdinary 0123456789ab"

        def greet() -> None:
            with mail.accept()[0] as caller:
                caller.sendall(greeting)

        greeter = threading.Thread(target=greet)
        greeter.start()

        found = findings(bakery, code=1)

        greeter.join()
        site.close()
    for name, key in (("mail in", "smtp.listen"), ("sites", "preview.listen")):
        assert found[name][0] == "fail"
        assert "another installation of WebOrdinary" in found[name][1]
        assert f"change {key}" in found[name][1]


def test_an_outgoing_server_that_does_not_answer_is_found(bakery: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    change(bakery, "maildir:outgoing", f"smtp://127.0.0.1:{port}")

    state, said = findings(bakery, code=1)["outgoing mail"]

    assert state == "fail"
    assert "correct outgoing.url" in said


def test_a_missing_repository_is_found(bakery: Program) -> None:
    (bakery.folder / "data" / "repositories" / "amelia.git").rename(bakery.folder / "elsewhere")

    assert findings(bakery, code=1)["amelia"][0] == "fail"


def test_an_agent_program_that_is_not_there_is_found(bakery: Program) -> None:
    change(bakery, 'kind = "scripted"', 'kind = "command"\ncommand = ["no-such-agent-here"]')

    assert "there is no program no-such-agent-here" in findings(bakery, code=1)["agent"][1]


@pytest.mark.thorough
def test_living_workers_are_counted(bakery: Program) -> None:
    with bakery.start("work", "--count", "2") as workers:
        workers.line_with("is ready")
        workers.line_with("is ready")
        bakery.run("ask", "amelia", "scott", "We open at nine now.", "--wait")

        assert findings(bakery)["workers"] == ("ok", "2 alive")
        workers.end(signal.SIGTERM)


def listen(program: Program, section: str, port: int) -> None:
    head, found, tail = (program.folder / "webordinary.toml").read_text().partition(f"[{section}]\n")
    assert found
    changed = tail.replace('listen = "127.0.0.1:0"', f'listen = "127.0.0.1:{port}"', 1)
    (program.folder / "webordinary.toml").write_text(head + found + changed)


def change(program: Program, before: str, after: str) -> None:
    path = program.folder / "webordinary.toml"
    head, found, tail = path.read_text().rpartition(before)
    assert found
    path.write_text(head + after + tail)


@pytest.mark.thorough
def test_on_aws_everything_of_the_prefix_is_looked_at(aws_bakery: Program) -> None:
    config = load_config(aws_bakery.folder / "webordinary.toml", {})
    LocalFlow(aws_server(), config, aws_clients())

    found = findings(aws_bakery)

    assert found["aws"][1].startswith("account 123456789012, region eu-central-1, prefix c")
    assert (found["tables"], found["buckets"]) == (("ok", "all 7 are there"), ("ok", "all 3 are there"))
    assert found["queues"] == ("ok", "all 7 are there")
    assert (found["functions"], found["flow"]) == (("ok", "all 11 are there"), ("ok", "it is there"))
    assert found["outgoing mail"] == ("ok", "goes out by SES")
    assert found["workers"][0] == "warn"
    assert "database" not in found


def test_on_aws_what_is_missing_is_named(aws_bakery: Program) -> None:
    change(aws_bakery, 'prefix = "c', 'prefix = "d')

    found = findings(aws_bakery, code=1)

    assert found["tables"][0] == found["buckets"][0] == found["queues"][0] == "fail"
    assert "webordinary aws onboard" in found["queues"][1]
    assert "check prefix and region" in found["tables"][1]


def test_name_servers_are_asked_because_senders_are_known_by_them(
    bakery: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = NameServer(Zone({("_dmarc.example.org", "TXT"): ["v=DMARC1; p=none"]}))
    monkeypatch.setenv("WEBORDINARY_MAIL_DNS_SERVER", f"127.0.0.1:{server.address[1]}")
    assert findings(bakery)["name servers"] == ("ok", "they answer about example.org")

    server.zone.put("_dmarc.example.org", "TXT", FAILS)
    state, said = findings(bakery)["name servers"]
    server.close()
    assert state == "warn"
    assert "mail.dns_server" in said
