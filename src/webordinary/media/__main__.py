"""The process that looks at files: a list of them on stdin, one line about each on stdout, in their order.

It limits itself before it opens the first one: the kernel ends it when a decoder takes too much memory or time.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from webordinary.media.limits import MediaLimits
from webordinary.media.sandbox import enter_sandbox
from webordinary.media.treat import Treated, treat

_STACK = 4 * 1024 * 1024
_LARGEST_OUTPUT = 64 * 1024 * 1024


def main() -> int:
    """Look at the files that are named on stdin, in the current folder."""
    asked = json.load(sys.stdin)
    given = asked["limits"]
    limits = MediaLimits(**{**given, "deadline": timedelta(seconds=given["deadline"])})
    _limit_myself(limits)
    enter_sandbox(Path.cwd())
    _tell({"ready": True})
    for each in asked["files"]:
        signal.setitimer(signal.ITIMER_REAL, limits.deadline.total_seconds())
        treated = treat(
            Path(each["file"]).read_bytes(),
            each["name"],
            each["declared"],
            limits,
            in_signature=each["in_signature"],
        )
        _tell(_laid_down(treated, each["file"]))
    return 0


def _limit_myself(limits: MediaLimits) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A thread's stack is counted as large as it may become.
    resource.setrlimit(resource.RLIMIT_STACK, (_STACK, _STACK))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_OUTPUT, _LARGEST_OUTPUT))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))


def _laid_down(treated: Treated, file: str) -> dict[str, Any]:
    """Write each version beside the file, and return what is to be told about them."""
    versions = []
    for number, photo in enumerate(treated.photos):
        name = f"{file}-{number}"
        Path(name).write_bytes(photo.content)
        told = {"file": name, "content_type": photo.content_type, "width": photo.width, "height": photo.height}
        versions.append(told)
    return {
        "fate": treated.fate.value,
        "content_type": treated.content_type,
        "problem": treated.problem.value,
        "limit": treated.limit,
        "versions": versions,
    }


def _tell(said: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
