"""The rights that are listed for each function are those that it uses."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from tests.aws.flows import PUBLISHED, open_flows
from tests.aws.needs import Watch
from webordinary.clock import SystemClock
from webordinary.engines.aws.flow.functions import FUNCTIONS
from webordinary.jobs.job import Ending, State
from webordinary.metrics.emf import EmfMeter
from webordinary.routing.lane import Lane

IMPATIENT = 'sweep = "0.8 s"\nfirst_interrupt_after = "0 s"'


@pytest.mark.thorough
def test_no_function_asks_for_more_than_it_may() -> None:
    flows = open_flows(workers=IMPATIENT)
    # The sweep looks at more when somebody measures.
    flows.local.here.mails.aws.store.meter = EmfMeter(io.StringIO(), SystemClock(), "here")
    with Watch(flows) as watch:
        with flows.sweeping():
            flows.write("A photo", subject="first", files=[("a.txt", "text/plain", b"first")])
            failed = flows.work(Ending(State.FAILED, error="no", template="failed"))
            flows.write("again", subject="Re: first", in_reply_to=f"<{failed.request.message_id}>")
            picture = flows.engine.inbox.keep_file(b"a picture")
            line = f"{picture}\tpng\tafter\tphone\t390\t800\tindex.html\tHome"
            flows.work(replace(PUBLISHED, facts={**PUBLISHED.facts, "pictures": line}))
            flows.write(verified=False)
            flows.write("\n")
            flows.write(subject="slow")
            slow = flows.claim()
            flows.write(subject="quick")
            flows.wait(lambda: flows.interruptions() or None)
            flows.finish(slow)
        # The time of the last one is over.
        last = next(job for job in flows.engine.overview.jobs() if job.state.is_live)
        row = flows.local.here.mails.aws.store.find(last.id)
        assert row is not None
        over = {"job": last.id, "mail": "", "execution": row.execution, "error": {"Error": "States.Timeout"}}
        flows.local.invoke("handle-timeout", over)
        assert flows.dead_letters(Lane("amelia", "scott"))

    listed = {function.name: {need.value for need in function.needs} for function in FUNCTIONS}
    assert set(watch.used) == set(listed)
    assert {name: used - listed[name] for name, used in watch.used.items() if used - listed[name]} == {}
