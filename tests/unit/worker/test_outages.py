"""What is the machine's fault is told from what a job did wrong."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import BuildFailed, Misconfigured, Outage, TryAgain
from webordinary.worker.outages import find_outage
from webordinary.workspace.git import GitFailed

if TYPE_CHECKING:
    from pathlib import Path


def behind(number: int) -> Exception:
    try:
        try:
            raise OSError(number, os.strerror(number))  # noqa: TRY301 - the chain is what is looked at
        except OSError as first:
            raise Misconfigured("The program 'git' cannot be started") from first
    except Misconfigured as problem:
        return problem


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.ENOMEM])
def test_what_is_used_up_is_an_outage_however_deep_it_is_buried(number: int) -> None:
    found = find_outage(behind(number), None)
    assert found is not None
    assert os.strerror(number) in str(found)


def test_what_git_says_of_a_full_disk_is_an_outage() -> None:
    said = GitFailed("git add failed.", "fatal: write error: No space left on device")
    assert isinstance(find_outage(said, None), Outage)


def test_a_failed_build_is_no_outage_while_there_is_room(tmp_path: Path) -> None:
    assert find_outage(BuildFailed("ENOSPC: too many watchers"), tmp_path) is None
    assert find_outage(behind(errno.ENOENT), tmp_path) is None
    assert find_outage(TryAgain("busy"), tmp_path) is None
