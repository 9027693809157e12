"""Runs our own command line beside the dashboard: a build takes long, and its surroundings are those of a worker."""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
import threading
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import run
from webordinary.errors import Refused, WebOrdinaryError
from webordinary.findings import Check, CheckLevel, fail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_log = logging.getLogger(__name__)
_LONGEST_TRIAL = timedelta(minutes=3)
_LONGEST_RELEASE = timedelta(minutes=25)


def try_build(path: Path, text: str, project: str) -> Sequence[Check]:
    """Build a project that is not in the file yet, as `webordinary project check` does."""
    with _draft(path, text) as draft:
        done = _command(draft, "project", "check", project, "--json", deadline=_LONGEST_TRIAL)
    try:
        found = json.loads(done)
    except ValueError:
        last = done.strip().splitlines()[-1:] or ["it took too long"]
        return [fail(project, f"the build could not be tried: {last[0][:400]}")]
    return [Check(each["name"], CheckLevel(each["state"]), each["text"]) for each in _checks(found)]


def publish_first(path: Path, project: str) -> None:
    """Show a new site as it is, beside everything else."""

    def show() -> None:
        try:
            _command(path, "project", "publish", project, deadline=_LONGEST_RELEASE)
        except WebOrdinaryError:
            _log.exception("the first release of %s could not be made", project)

    threading.Thread(target=show, name=f"first release of {project}", daemon=True).start()


def _checks(found: object) -> list[dict[str, str]]:
    rows = found.get("checks", []) if isinstance(found, dict) else found
    return [each for each in rows if isinstance(each, dict)] if isinstance(rows, list) else []


def _command(config: Path, *words: str, deadline: timedelta) -> str:
    argv = [sys.executable, "-m", "webordinary.cli", *words, "--config", str(config)]
    done = run(argv, cwd=config.parent, env=os.environ, deadline=deadline)
    return (done.stdout or done.stderr).decode(errors="replace")


@contextmanager
def _draft(path: Path, text: str) -> Iterator[Path]:
    """Lay the new text beside the file: what is relative in it begins there."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=path.parent, prefix=".trial-", suffix=".toml", delete=False
        ) as file:
            file.write(text)
    except OSError as error:
        raise Refused(f"Nothing can be tried: {path.parent} cannot be written ({error.strerror}).") from None
    draft = Path(file.name)
    try:
        yield draft
    finally:
        draft.unlink(missing_ok=True)
