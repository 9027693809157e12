"""What is known of a walk that was left: the state of each step and its answers, in a file beside the configuration."""

from __future__ import annotations

import json
import os
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.setup.question import Given

_VERSION = 1


class StepState(StrEnum):
    """How far a step is."""

    OPEN = "open"
    BEGUN = "begun"
    WAITING = "waiting"
    LEFT = "left"
    DONE = "done"


class KeptWalk:
    """The file of the walk; no secret ever stands in it."""

    def __init__(self, config: Path) -> None:
        whole = config.absolute()
        self.path = whole.with_name(f".{whole.stem}-setup.json")

    def state(self, step: str) -> StepState:
        try:
            return StepState(self._step(step).get("state", StepState.OPEN))
        except ValueError:
            return StepState.OPEN

    def answers(self, step: str) -> Given:
        found = self._step(step).get("answers", {})
        return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}

    def note(self, step: str, state: StepState, answers: Mapping[str, str]) -> None:
        """Write down how far a step is; whole or not at all, and at once."""
        steps = self._read()
        steps[step] = {"state": state.value, "answers": dict(answers)}
        self._write(steps)

    def _write(self, steps: Mapping[str, Any]) -> None:
        text = json.dumps({"version": _VERSION, "steps": steps}, indent=2) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Only its owner may read a file that is made this way.
        descriptor, draft = tempfile.mkstemp(prefix=".setup-", dir=self.path.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(draft).replace(self.path)
        finally:
            Path(draft).unlink(missing_ok=True)

    def planned(self) -> KeptWalk:
        """Return one that begins alike and writes nothing down, to try out what would be answered."""
        return _Planned(self.path, self._read())

    def _step(self, step: str) -> Mapping[str, Any]:
        found = self._read().get(step, {})
        return found if isinstance(found, dict) else {}

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            steps = found["steps"]
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, KeyError):
            raise Misconfigured(
                f"{self.path} is damaged; remove it, and the walk begins anew with what is written."
            ) from None
        return steps if isinstance(steps, dict) else {}


class _Planned(KeptWalk):
    """What would be known; nothing of it is written."""

    def __init__(self, path: Path, steps: dict[str, Any]) -> None:
        self.path = path
        self._steps = steps

    def _read(self) -> dict[str, Any]:
        return dict(self._steps)

    def _write(self, steps: Mapping[str, Any]) -> None:
        self._steps = dict(steps)
