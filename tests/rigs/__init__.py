"""The rigs: each engine as scenarios and contracts use it; a new engine adds one line to each table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.rigs.aws import AwsRig
from tests.rigs.aws_ports import open_aws_ports, open_second_ports
from tests.rigs.embedded import EmbeddedRig
from tests.rigs.embedded_ports import open_embedded_ports

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.testing.rig import Rig

RIGS: dict[str, Callable[[Path], Rig]] = {"embedded": EmbeddedRig, "aws": AwsRig}
PORTS: dict[str, Callable[[Path], Ports]] = {
    "embedded": open_embedded_ports,
    "aws": open_aws_ports,
    "second-opinion": open_second_ports,
}
# Engines of one machine: their leases end by its boot clock, and all at once when it restarts.
ON_ONE_MACHINE = ("embedded",)
