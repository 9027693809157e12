"""The functions under Amazon's own runtime client: what is packaged can be called, and errors keep their names."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.aws.flows import Flows, open_flows
from webordinary.engines.aws.flow.functions import FUNCTIONS
from webordinary_local_aws.flow import s3_event
from webordinary_local_aws.runtime import Runtime
from webordinary_local_aws.server import ACCOUNT

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def flows() -> Flows:
    # Processes that have to start first need a longer breath.
    return open_flows(workers='sweep = "3 s"')


@pytest.fixture
def runtimes() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def variables(flows: Flows) -> dict[str, str]:
    """What a function is told about its installation: no file, only variables."""
    return {
        **flows.local.aws.environment(),
        "WEBORDINARY_DOMAIN": flows.local.config.domain,
        "WEBORDINARY_ENGINE": "aws",
        "WEBORDINARY_AWS_PREFIX": flows.local.names.prefix,
        "WEBORDINARY_WORKERS_SWEEP": "3 s",
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }


def start(flows: Flows, runtimes: ExitStack, name: str, **more: str) -> Runtime:
    (function,) = (each for each in FUNCTIONS if each.name == name)
    return runtimes.enter_context(Runtime(function.handler, {**variables(flows), **more}))


@pytest.mark.thorough
def test_a_mail_passes_the_functions_as_amazon_would_run_them(flows: Flows, runtimes: ExitStack) -> None:
    for function in FUNCTIONS:
        flows.local.aws.lambdas.offer(flows.local.names.function(function.name), start(flows, runtimes, function.name))
    flows.write("Two files", files=[("a.txt", "text/plain", b"first")])
    job = flows.work()
    flows.local.invoke("sweep", {})

    assert [flows.engine.inbox.read_file(each.digest) for each in job.request.attachments] == [b"first"]
    assert flows.outcome()["status"] == "SUCCEEDED"
    assert len(flows.letters()) == 1


def test_an_error_that_may_pass_has_one_name_for_the_flow(flows: Flows, runtimes: ExitStack) -> None:
    nowhere = start(flows, runtimes, "check-active-job", AWS_ENDPOINT_URL="http://127.0.0.1:9")
    asked = {"project": "amelia", "user": "scott", "thread": "t1"}
    words, failed = nowhere.answer(json.dumps(asked).encode())
    told = json.loads(words)

    assert failed
    assert told["errorType"] == "TryAgain"
    assert "127.0.0.1:9" in told["errorMessage"]


def test_an_error_that_a_person_has_to_mend_keeps_its_sentence(flows: Flows, runtimes: ExitStack) -> None:
    intake = start(flows, runtimes, "intake", WEBORDINARY_AWS_PREFIX="elsewhere")
    words, failed = intake.answer(json.dumps(s3_event(f"elsewhere-ses-emails-{ACCOUNT}", "k")).encode())
    told = json.loads(words)

    assert failed
    assert told["errorType"] == "Misconfigured"
    assert f"the bucket elsewhere-ses-emails-{ACCOUNT} does not exist" in told["errorMessage"]


def test_a_function_without_its_variables_says_which_is_missing(flows: Flows, runtimes: ExitStack) -> None:
    intake = start(flows, runtimes, "intake", WEBORDINARY_DOMAIN="")
    words, failed = intake.answer(json.dumps(s3_event("b", "k")).encode())

    assert failed
    assert "`domain` is missing" in json.loads(words)["errorMessage"]
