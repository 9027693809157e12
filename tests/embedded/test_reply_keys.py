"""The key file of the embedded engine: private, and made by one of many."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from webordinary.engines.embedded.backup import back_up, restore
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.open import DATABASE
from webordinary.engines.embedded.reply_keys import FILE, FileReplyKeys
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from pathlib import Path


def test_only_its_owner_can_read_the_key_file(tmp_path: Path) -> None:
    FileReplyKeys(tmp_path).current()

    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_many_processes_that_start_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: FileReplyKeys(tmp_path).current().secret, range(32)))

    assert len(set(keys)) == 1


def test_a_key_from_the_configuration_goes_before_the_file(tmp_path: Path) -> None:
    assert FileReplyKeys(tmp_path, "c" * 40).current().secret == b"c" * 40
    assert not (tmp_path / FILE).exists()


def test_a_backup_keeps_the_key_so_that_old_reply_addresses_still_work(tmp_path: Path) -> None:
    data, copy, restored = tmp_path / "data", tmp_path / "copy", tmp_path / "restored"
    Database(data / DATABASE).close()
    key = FileReplyKeys(data).current()
    back_up(data, copy)
    restore(copy, restored, ManualClock().now())

    assert FileReplyKeys(restored).current() == key
    assert stat.S_IMODE((restored / FILE).stat().st_mode) == 0o600
