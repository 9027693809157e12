"""The lines of the how-to about the API, run as they stand there, against a dashboard on loopback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.programs import need
from tests.rigs.embedded import EmbeddedRig
from tests.tree import ROOT
from webordinary.config import read_config
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role
from webordinary.errors import Misconfigured
from webordinary.testing.story import Story
from webordinary.worker.hooks.hook import HookEvent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = (ROOT / "docs" / "howto" / "api.md").read_text(encoding="utf-8")


def block(kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    rig = EmbeddedRig(tmp_path)
    Story(rig).begin(workers=0)
    face = Face(rig.here)
    secret = ApiTokens(face.house.sessions.folder, rig.here.clock).add("shop", Role.OPERATOR, (), "amy")
    with face.served() as address:
        yield {"ADDRESS": address, "TOKEN": secret, "PATH": os.environ["PATH"]}
    rig.close()


def test_the_python_of_the_page_runs_as_it_stands(environment: dict[str, str]) -> None:
    ran = subprocess.run([sys.executable, "-c", block("python")], env=environment, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    lines = ran.stdout.decode().splitlines()
    assert lines[0] == "queued ['stop']"
    assert lines[1].startswith("409 ")
    assert any("was stopped" in line for line in lines)


def test_the_lines_for_the_shell_run_as_they_stand(environment: dict[str, str]) -> None:
    need("curl")
    ran = subprocess.run(["sh", "-ec", block("sh")], env=environment, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stdout.count(b'"state":"queued"') == 2


def config_with(tmp_path: Path, lines: str) -> tuple[str, Path]:
    return f'domain = "edit.example.com"\n[outgoing]\nurl = "maildir:out"\n{lines}', tmp_path / "webordinary.toml"


def test_the_webhook_of_the_page_is_read(tmp_path: Path) -> None:
    config = read_config(*config_with(tmp_path, block("toml")), {})
    assert [(hook.url, hook.events) for hook in config.webhooks] == [
        ("https://tools.example.com/webordinary", frozenset(HookEvent))
    ]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ('url = "http://tools.example.com/"', "https://"),
        ('url = "https://me:secret@tools.example.com/"', "no password"),
        ("events = []", "at least one"),
        ('events = ["everything"]', "events"),
    ],
)
def test_a_webhook_that_cannot_be_honoured_is_refused(tmp_path: Path, changed: str, why: str) -> None:
    key = changed.partition(" ")[0]
    lines = re.sub(rf"^{key} = .*$", changed, block("toml"), flags=re.MULTILINE)
    with pytest.raises(Misconfigured, match=why):
        read_config(*config_with(tmp_path, lines), {})
