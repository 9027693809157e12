"""Every place where a chaos run can happen, by the name that its processes are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.chaos.ground import OneMachine
from tests.chaos.many_machines import ManyMachines
from tests.chaos.the_flow import TheFlow

if TYPE_CHECKING:
    from tests.chaos.ground import Place

PLACES: dict[str, Place] = {"one-machine": OneMachine(), "many-machines": ManyMachines(), "the-flow": TheFlow()}
