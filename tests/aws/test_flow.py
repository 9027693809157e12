"""One mail through the flow: from the bucket to the answer."""

from __future__ import annotations

import pytest

from tests.aws.flows import Flows, open_flows


@pytest.fixture
def flows() -> Flows:
    return open_flows()


def test_a_mail_that_nobody_verified_is_held_and_the_flow_ends_there(flows: Flows) -> None:
    flows.write(verified=False)

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states() == ["ChooseStart", "ParseEmail", "ChooseLane", "Held"]
