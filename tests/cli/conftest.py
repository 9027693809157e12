from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.cli.inside import InsideProgram
from tests.cli.on_aws import on_aws
from tests.cli.program import Program
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program in an empty folder."""
    return InsideProgram(tmp_path)


@pytest.fixture
def bakery(tmp_path: Path, bakery_as_new: Path) -> Program:
    """The program in an installation with Amelia's bakery, which Scott edits; nothing runs."""
    shutil.copytree(bakery_as_new, tmp_path, symlinks=True, dirs_exist_ok=True)
    return InsideProgram(tmp_path)


@pytest.fixture(params=["embedded", "aws"])
def any_bakery(request: pytest.FixtureRequest, tmp_path: Path, bakery_as_new: Path) -> Program:
    """The same installation on each engine."""
    shutil.copytree(bakery_as_new, tmp_path, symlinks=True, dirs_exist_ok=True)
    return InsideProgram(tmp_path) if request.param == "embedded" else on_aws(tmp_path)


@pytest.fixture
def aws_bakery(tmp_path: Path, bakery_as_new: Path) -> InsideProgram:
    """The installation on the AWS engine."""
    shutil.copytree(bakery_as_new, tmp_path, symlinks=True, dirs_exist_ok=True)
    return on_aws(tmp_path)


@pytest.fixture(scope="session")
def bakery_as_new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once with the program itself, and never used but copied."""
    program = Program(tmp_path_factory.mktemp("bakery"))
    copy_sample_site(program.folder / "bakery")
    program.run("init", "--domain", "edit.localhost")
    path = program.folder / "webordinary.toml"
    # Any free port, so that installations of other tests are not in the way.
    path.write_text(re.sub(r"127\.0\.0\.1:(2525|8080|8090)", "127.0.0.1:0", path.read_text()))
    program.run("project", "add", "amelia", "--from", "bakery", "--editor", "scott=scott@example.org")
    return program.folder
