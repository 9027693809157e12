"""A worker in a container: named by its task, well or ill, drained by SIGTERM, going on where another one ended."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from tests.aws.stores import new_store, shown_in
from tests.aws.test_container import ARN, metadata
from tests.cli.program import Program
from tests.rigs.aws import AwsRig
from tests.rigs.embedded import git
from tests.scenarios.test_interrupts import QUICK, SLOW
from webordinary.audit.entry import EventType
from webordinary.engines.aws.ecs.container import VARIABLE
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from webordinary.audit.entry import Entry

TASK = ARN.rpartition("/")[2]


@dataclass(frozen=True)
class Container(Program):
    """The program in a folder of its own, with nothing but the variables that its task definition gives it."""

    variables: Mapping[str, str] = field(default_factory=dict)

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), **self.variables}


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[AwsRig]:
    rig = AwsRig(tmp_path)
    yield rig
    rig.close()


@pytest.fixture
def story(rig: AwsRig) -> Story:
    story = Story(rig)
    story.begin(workers=0)
    return story


def container(rig: AwsRig, name: str, **more: str) -> Container:
    """Make an empty container for this installation."""
    folder = rig.folder / name
    folder.mkdir()
    names, clients = rig.flow.names, rig.flow.clients
    variables = {
        **rig.environment(),
        "WEBORDINARY_ENGINE": "aws",
        "WEBORDINARY_DOMAIN": rig.domain,
        "WEBORDINARY_AWS_PREFIX": names.prefix,
        "WEBORDINARY_WORKERS_LEASE": "6 s",
        "WEBORDINARY_WORKERS_BEAT": "1 s",
        "WORKSPACE_PATH": str(folder / "workspace"),
        "UNCLAIMED_QUEUE_URL": clients.sqs.get_queue_url(QueueName=names.unclaimed)["QueueUrl"],
        "OWNERSHIP_TABLE_NAME": names.ownership,
        "ACTIVE_JOBS_TABLE": names.jobs,
    }
    return Container(folder, {**variables, **more})


def by(worker: str, entry: Entry) -> bool:
    return entry.worker == worker


@pytest.mark.thorough
def test_a_container_claims_under_its_tasks_id_and_is_well_until_it_is_drained(rig: AwsRig, story: Story) -> None:
    store = new_store()
    with metadata(json.dumps({"TaskARN": ARN}).encode()) as address:
        here = container(rig, "one", **{VARIABLE: address, "WEBORDINARY_AWS_KEY_VALUE_STORE": store})
        with here.start("work") as worker:
            story.waits_for(EventType.WORKER_STARTED, matching=lambda entry: by(TASK, entry))
            assert "are well" in here.run("work", "--healthy")
            mail = story.writes(SCOTT, "We open at nine now.")
            story.waits_for_answer(SCOTT)
            assert worker.end(signal.SIGTERM) == 0
    assert story.job_of(mail).state.value == "done"
    assert {entry.worker for entry in story.told(EventType.LANE_CLAIMED, EventType.WORKER_GONE)} == {TASK}
    assert (here.folder / "workspace" / "workspace" / "projects" / "amelia").is_dir()
    assert "No worker runs" in here.run("work", "--healthy", code=1)
    # A preview needs no key.
    ((live, release),) = shown_in(store).items()
    assert live == "amelia"
    found = rig.flow.sites.read(f"amelia/files/{release}/contact.html")
    assert found is not None
    assert b"9:00" in found.content


@pytest.mark.thorough
def test_a_container_whose_tables_are_missing_is_ill_and_says_what_to_do(rig: AwsRig, story: Story) -> None:
    assert story.rig is rig
    here = container(rig, "one", WEBORDINARY_AWS_PREFIX="nowhere", OWNERSHIP_TABLE_NAME="", UNCLAIMED_QUEUE_URL="")
    said = here.run("work", "--healthy", code=1)
    assert "does not exist" in said
    assert "does not exist" in here.run("work", code=2)


@pytest.mark.thorough
def test_a_container_without_its_agents_program_says_how_to_make_the_image(rig: AwsRig, story: Story) -> None:
    assert story.rig is rig
    claude = {"KIND": "claude", "PROGRAM": "/nowhere/claude", "KEY": "sk-ant-api03-0123456789abcdef0123456789"}
    told = {f"WEBORDINARY_AGENT_{name}": value for name, value in claude.items()}
    said = container(rig, "one", **told).run("work", code=2)
    assert "make image AGENT=claude" in " ".join(said.split())


@pytest.mark.thorough
def test_several_workers_of_one_container_have_names_of_their_own(rig: AwsRig, story: Story) -> None:
    with metadata(json.dumps({"TaskARN": ARN}).encode()) as address:
        here = container(rig, "one", **{VARIABLE: address})
        with here.start("work", "--count", "2") as workers:
            story.waits_for(EventType.WORKER_STARTED, count=2)
            assert workers.end(signal.SIGTERM) == 0
    assert {entry.worker for entry in story.told(EventType.WORKER_STARTED)} == {TASK, f"{TASK}-2"}


@pytest.mark.thorough
def test_the_lane_of_an_idle_worker_that_died_is_taken_within_seconds(rig: AwsRig, story: Story) -> None:
    """Each container is its own and only supervisor, as a task of ECS is, and no sweep comes to help."""
    rig.stop_sweeping()
    first, second = container(rig, "one"), container(rig, "two")
    with first.start("work") as dies, second.start("work") as lives:
        story.waits_for(EventType.WORKER_STARTED, count=2)
        before = story.writes(SCOTT, "We open at nine now.")
        story.waits_for_answer(SCOTT)
        owner = next(entry.worker for entry in story.told(EventType.JOB_STARTED))
        names = {entry.worker for entry in story.told(EventType.WORKER_STARTED)}
        idle = dies if owner_runs_in(first, owner) else lives
        idle.process.kill()
        idle.process.wait()
        after = story.writes(SCOTT, "We open at ten now.")
        story.waits_for_job(after)
    started = {entry.job: entry for entry in story.told(EventType.JOB_STARTED)}
    taken = story.told(EventType.LANE_CLAIMED)[-1]
    assert started[story.job_of(before).id].worker == owner
    assert started[story.job_of(after).id].worker == taken.worker == (names - {owner}).pop()
    assert taken.facts["from"] == owner


def owner_runs_in(where: Container, owner: str | None) -> bool:
    return owner in {file.name for file in (where.folder / "workspace" / "alive").iterdir()}


def branch(rig: AwsRig, thread: str) -> list[str]:
    """Return what the repository, which all machines share, knows of a thread."""
    return git(rig.folder / "amelia.git", "log", "--format=%s", f"thread-{thread}").splitlines()


@pytest.mark.thorough
def test_another_machine_goes_on_with_what_a_drained_one_has_begun(rig: AwsRig, story: Story) -> None:
    first, second = container(rig, "one"), container(rig, "two")
    with first.start("work") as worker:
        mail = story.writes(SCOTT, "We open at nine now.\nwait for the file oven")
        story.waits_for(EventType.AGENT_SAID)
        assert worker.end(signal.SIGTERM) == 0
    job = story.job_of(mail)
    assert (job.state.value, job.attempt) == ("queued", 0)
    assert branch(rig, job.thread)[0].startswith("Unfinished")

    story.opens_gate("oven")
    with second.start("work") as worker:
        story.waits_for_answer(SCOTT)
        worker.end(signal.SIGTERM)
    assert story.job_of(mail).outcome == "published"
    assert any(subject.startswith("Unfinished") for subject in branch(rig, job.thread))
    assert "9" in rig.page("amelia", "")


@pytest.mark.thorough
def test_another_machine_resumes_what_was_set_aside_for_a_newer_mail(rig: AwsRig, story: Story) -> None:
    soon = {"WEBORDINARY_WORKERS_FIRST_INTERRUPT_AFTER": "0 s"}
    first, second = container(rig, "one", **soon), container(rig, "two", **soon)
    with first.start("work") as worker:
        older = story.writes(SCOTT, SLOW, subject="slow")
        story.waits_for(EventType.AGENT_SAID)
        newer = story.writes(SCOTT, f"{QUICK}\nwait for the file bell", subject="quick")
        story.waits_for(EventType.JOB_PARKED)
        story.waits_for(EventType.AGENT_SAID, count=2)
        assert worker.end(signal.SIGTERM) == 0
    assert branch(rig, story.job_of(older).thread)[0].startswith("Unfinished")
    for gate in ("oven", "bell"):
        story.opens_gate(gate)
    with second.start("work") as worker:
        story.waits_for_job(newer)
        story.waits_for_job(older)
        worker.end(signal.SIGTERM)
    assert {job.outcome for job in rig.jobs()} == {"published"}
