"""A flow on the local server for each test: an installation with one project, as short of patience as tests are."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.rigs.aws_ports import aws_clients, aws_server
from webordinary.config import read_config
from webordinary.testing.aws.flow import LocalFlow
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from webordinary.engine import Engine
    from webordinary.jobs.job import Job

_numbers = itertools.count(1)
SCOTT = "scott@example.org"
DOMAIN = "edit.example.com"

_CONFIG = """
domain = "edit.example.com"
engine = "aws"

[aws]
prefix = "flow{number}"
region = "eu-central-1"
account = "123456789012"

[workers]
{workers}

[[project]]
id = "amelia"
repository = "https://git.example.com/amelia.git"
{rules}

[[project.editor]]
user = "scott"
address = "scott@example.org"
"""


@dataclass(frozen=True, slots=True)
class Flows:
    """One installation, and short words for what its tests do all the time."""

    local: LocalFlow

    @property
    def engine(self) -> Engine:
        return self.local.here.mails.aws.engine

    def write(
        self,
        text: str = "We open at nine now",
        *,
        key: str | None = None,
        verified: bool = True,
        sender: str = SCOTT,
        to: str = f"amelia@{DOMAIN}",
        files: Sequence[tuple[str, str, bytes]] = (),
        **headers: Any,  # noqa: ANN401 - what the letter writer takes
    ) -> str:
        """Let a mail come in, and return its id."""
        raw = write_mail(sender=sender, to=to, text=text, files=tuple(files), **headers)
        name = key or f"mail-{next(_numbers)}"
        return self.local.deliver(name, raw, sender=sender, recipients=[to], verified=verified)

    def outcome(self, number: int = 0) -> Mapping[str, Any]:
        """Wait for the end of an execution, and return its description."""
        return self.local.aws.outcome_of(self.local.executions()[number])

    def states(self, number: int = 0) -> list[str]:
        return self.local.states_of(self.local.executions()[number])

    def job(self) -> Job:
        (job,) = self.engine.overview.jobs()
        return job


def open_flows(*, workers: str = 'sweep = "0.1 s"', rules: str = "") -> Flows:
    text = _CONFIG.format(number=next(_numbers), workers=workers, rules=rules)
    config = read_config(text, Path("/nowhere/webordinary.toml"), {})
    return Flows(LocalFlow(aws_server(), config, aws_clients()))
