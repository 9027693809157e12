"""Other users of the machine look into the data of an installation."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from webordinary.config import load_config
from webordinary.engines.installation import Installation
from webordinary.workspace.privacy import close_to_others

if TYPE_CHECKING:
    from pathlib import Path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_installation(folder: Path, lines: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    text = f'domain = "edit.example.com"\ndata = "data"\n{lines}[outgoing]\nurl = "maildir:out"\n'
    (folder / "webordinary.toml").write_text(text)
    Installation.open(load_config(folder / "webordinary.toml", {}))
    return folder / "data"


def test_data_are_closed_to_other_users(tmp_path: Path) -> None:
    assert mode(open_installation(tmp_path)) == 0o700


def test_data_that_were_open_are_closed_when_they_are_used_again(tmp_path: Path) -> None:
    data = open_installation(tmp_path)
    data.chmod(0o755)
    open_installation(tmp_path)
    assert mode(data) == 0o700


def test_what_is_meant_for_others_can_be_reached_and_nothing_beside_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "www" / "amelia").mkdir(parents=True)
    (data / "mail").mkdir()
    (data / "state").write_text("private")
    close_to_others(data, (data / "www" / "amelia", data / "lmtp"))
    assert mode(data) == mode(data / "www") == 0o711
    assert mode(data / "www" / "amelia") & 0o055 == 0o055
    assert mode(data / "mail") == 0o700
    assert mode(data / "state") == 0o600


def test_the_way_of_a_program_with_a_uid_of_its_own_stays_open_and_only_that(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "mail").mkdir(parents=True)
    data.chmod(0o711)
    close_to_others(data)
    assert (mode(data), mode(data / "mail")) == (0o711, 0o700)
