"""`serve` and `doctor` with a provider's hook, as the how-to sets it up."""

from __future__ import annotations

from http.client import HTTPConnection
from typing import TYPE_CHECKING

from tests.cli.test_doctor import findings
from tests.doors.hooks import SECRET, plain
from tests.doors.postfix import free_port
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program

MAIL = write_mail(sender="scott@example.org", to="amelia@edit.localhost", text="We open at nine now.")


def set_up(bakery: Program, host: str = "127.0.0.1") -> int:
    (bakery.folder / "hook-secret").write_text(f"{SECRET}\n")
    port = free_port()
    path = bakery.folder / "webordinary.toml"
    path.write_text(f'{path.read_text()}\n[hook]\nlisten = "{host}:{port}"\nsecret_file = "hook-secret"\n')
    return port


def test_serving_takes_a_hook_and_says_where(bakery: Program) -> None:
    port = set_up(bakery)
    with bakery.start("serve") as server:
        server.line_with(f"Waiting for providers' hooks on http://127.0.0.1:{port}/.")
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        path, body, headers = plain(MAIL, to="amelia@edit.localhost")
        connection.request("POST", path, body, headers)
        assert connection.getresponse().status == 200
        connection.close()
        server.line_with("is held, nothing will be done")
        assert findings(bakery)["hook"] == ("ok", f"127.0.0.1:{port}, WebOrdinary listens there already")
        server.end()
    assert SECRET not in server.said
    (mail,) = bakery.read("show", "mail")
    assert mail["outcome"] == "held"


def test_the_doctor_looks_at_the_hook(bakery: Program) -> None:
    port = set_up(bakery)
    assert findings(bakery)["hook"] == ("ok", f"127.0.0.1:{port} is free")
    (bakery.folder / "hook-secret").write_text("hunter2")
    state, said = findings(bakery, code=1)["hook"]
    assert (state, "hunter2" in said, "openssl rand -hex 32" in said) == ("fail", False, True)
    (bakery.folder / "hook-secret").unlink()
    assert "correct hook.secret_file" in findings(bakery, code=1)["hook"][1]


def test_the_doctor_warns_of_a_hook_that_is_not_encrypted(bakery: Program) -> None:
    set_up(bakery, "0.0.0.0")  # noqa: S104 - that is what is warned of
    assert findings(bakery)["hook"][0] == "warn"


def test_without_a_readable_secret_nothing_is_served(bakery: Program) -> None:
    set_up(bakery)
    (bakery.folder / "hook-secret").unlink()
    assert "correct hook.secret_file" in bakery.run("serve", code=2)
