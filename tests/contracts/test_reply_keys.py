"""What every engine promises about the key of its reply addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs import PORTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports


def test_the_key_is_made_once_and_stays_the_same(ports: Ports) -> None:
    key = ports.engine.reply_keys.current()

    assert ports.engine.reply_keys.current() == key
    assert len(key.secret) >= 32


@pytest.mark.parametrize("engine", PORTS)
def test_another_process_and_a_restart_know_the_same_key(engine: str, tmp_path: Path) -> None:
    first, second = PORTS[engine](tmp_path), PORTS[engine](tmp_path)
    key = first.engine.reply_keys.current()

    assert second.engine.reply_keys.current() == key
    assert PORTS[engine](tmp_path).engine.reply_keys.current() == key


@pytest.mark.parametrize("engine", PORTS)
def test_two_installations_have_two_keys(engine: str, tmp_path: Path) -> None:
    here, there = PORTS[engine](tmp_path / "here"), PORTS[engine](tmp_path / "there")

    assert here.engine.reply_keys.current() != there.engine.reply_keys.current()
