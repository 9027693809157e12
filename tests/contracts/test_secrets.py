"""What every engine promises about the secrets that it keeps."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from tests.rigs import PORTS
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports


def test_a_secret_that_was_kept_is_read_and_a_newer_one_replaces_it(ports: Ports) -> None:
    secrets = ports.engine.secrets
    assert not secrets.has("amelia")
    secrets.keep("amelia", "first")
    assert (secrets.has("amelia"), secrets.read("amelia")) == (True, "first")

    secrets.keep("amelia", "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n")
    assert secrets.read("amelia") == "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n"
    assert not secrets.has("flora")


def test_a_secret_that_is_missing_is_said_with_what_to_do(ports: Ports) -> None:
    with pytest.raises(Misconfigured, match=r"amelia.* (onboard|write)"):
        ports.engine.secrets.read("amelia")


def test_a_name_cannot_lead_anywhere_else(ports: Ports) -> None:
    for name in ("../amelia", "a/b", "", "a" * 200):
        with pytest.raises(Misconfigured, match="name of a secret"):
            ports.engine.secrets.read(name)
        with pytest.raises(Misconfigured, match="name of a secret"):
            ports.engine.secrets.keep(name, "x")


@pytest.mark.parametrize("engine", PORTS)
def test_another_process_reads_it_and_another_installation_does_not(engine: str, tmp_path: Path) -> None:
    first, second, other = (PORTS[engine](tmp_path / name) for name in ("here", "here", "there"))
    first.engine.secrets.keep("amelia", "word")

    assert second.engine.secrets.read("amelia") == "word"
    assert not other.engine.secrets.has("amelia")


def test_one_is_alone_with_a_secret_at_a_time(ports: Ports) -> None:
    secrets, inside, done = ports.engine.secrets, threading.Event(), threading.Event()
    order: list[str] = []

    def second() -> None:
        inside.wait(30)
        with secrets.alone("amelia"):
            order.append("second")
        done.set()

    other = threading.Thread(target=second)
    other.start()
    with secrets.alone("amelia"), secrets.alone("flora"):
        inside.set()
        secrets.keep("amelia", "word")
        order.append("first")
    assert done.wait(30)
    other.join()
    assert order == ["first", "second"]
