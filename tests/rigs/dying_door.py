"""`webordinary serve` that dies as soon as a mail is to be decided: `python -m tests.rigs.dying_door ARGUMENTS`."""

from __future__ import annotations

import os
import signal

from webordinary.cli.program import main
from webordinary.intake import Intake


def _die(*_: object) -> None:
    """End as if the power had gone: the mail is kept, its sender was told so, and nobody has looked at it."""
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    Intake.decide = _die  # type: ignore[assignment,method-assign]  # the step at which this one dies
    main()
