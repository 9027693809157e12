"""A program does one action to all that fits a filter: it looks first, confirms what it saw, and follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.client import ApiClient, ApiRefused
from webordinary.dashboard.viewer import Role
from webordinary.jobs.job import State
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.dashboard.face import Face
    from webordinary.dashboard.api.bulk_shapes import BulkShape
    from webordinary.testing.story import Story


@pytest.fixture
def program(face: Face) -> Iterator[ApiClient]:
    with face.served() as address:
        yield ApiClient(address, face.token(Role.OPERATOR))


def is_over(story: Story, program: ApiClient, bulk: str) -> BulkShape:
    story.waits_until(lambda: program.bulk(bulk).state == "over")
    return program.bulk(bulk)


def wishes(story: Story, number: int) -> list[str]:
    return [story.job_of(story.writes(SCOTT, f"Change {n}", subject=f"Wish {n}")).id for n in range(number)]


def test_a_program_does_exactly_what_it_was_shown_and_each_stands_in_the_trail(
    face: Face, story: Story, program: ApiClient
) -> None:
    wanted = wishes(story, 3)
    look = program.look_at_many("stop", q="wish", project="amelia")
    assert (look.state, look.hit, look.done, look.failed, look.is_cut) == ("waits", 3, 0, 0, False)
    assert sorted(each.id for each in look.things) == sorted(wanted)
    assert {each.told for each in look.things} == {None}
    assert "Wish 0 (amelia#scott)" in {each.label for each in look.things}
    assert "ends for good" in look.tells
    later = story.job_of(story.writes(SCOTT, "Change 9", subject="Wish 9")).id
    assert {job.state for job in story.rig.jobs()} == {State.QUEUED}

    assert program.confirm(look.id, key="once").id == look.id
    over = is_over(story, program, look.id)

    assert (over.hit, over.done, over.failed) == (3, 3, 0)
    assert all("is stopped" in (each.told or "") for each in over.things)
    states = {job.id: job.state for job in story.rig.jobs()}
    assert [states[each] for each in wanted] == [State.STOPPED] * 3
    assert states[later] is State.QUEUED
    acted = [entry for entry in story.told(EventType.ACTED) if entry.facts["action"] == "stop"]
    assert sorted(entry.facts["target"] for entry in acted) == sorted(wanted)
    assert {entry.facts["by"] for entry in acted} == {"operator"}
    # It is the same plan that the page shows.
    assert "3 of 3 are done" in face.signed_in().get(f"/bulk/{look.id}").text


def test_what_could_not_be_done_is_told_and_a_second_confirmation_does_nothing(
    story: Story, program: ApiClient
) -> None:
    first, second = wishes(story, 2)
    look = program.look_at_many("stop")
    story.rig.stop_job(first, "somebody else")
    for _ in range(3):
        program.confirm(look.id)
    over = is_over(story, program, look.id)
    told = {each.id: each for each in over.things}
    assert (over.done, over.failed) == (2, 1)
    assert told[first].has_failed
    assert "is over already" in (told[first].told or "")
    assert not told[second].has_failed
    program.confirm(look.id)
    assert is_over(story, program, look.id) == over


def test_the_same_key_is_the_same_look(story: Story, program: ApiClient) -> None:
    wishes(story, 1)
    assert program.look_at_many("stop", key="look").id == program.look_at_many("stop", key="look").id
    assert program.look_at_many("stop").id != program.look_at_many("stop").id


def test_all_projects_are_paused_for_a_reason(story: Story, program: ApiClient) -> None:
    look = program.look_at_many("pause", state="running")
    program.confirm(look.id, reason="moving the server")
    is_over(story, program, look.id)
    assert program.project("amelia").paused == "moving the server (operator)"


@pytest.mark.parametrize(
    ("action", "where", "status", "words"),
    [
        ("explode", {}, 404, "no action .explode."),
        ("redrive", {"state": "done"}, 409, "is for dead or failed or stopped ones"),
        ("redrive", {}, 409, "There is nothing left"),
        ("stop", {"since": "now"}, 409, "is no day"),
        # A field that the list does not have must not be left out: more would be hit than was meant.
        ("pause", {"project": "amelia"}, 409, "no field project"),
        ("stop", {"colour": "red"}, 409, "no field colour"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    program: ApiClient, action: str, where: dict[str, str], status: int, words: str
) -> None:
    with pytest.raises(ApiRefused, match=words) as refused:
        program.look_at_many(action, **where)
    assert refused.value.status == status


def test_a_reader_sees_and_does_nothing_of_it(face: Face, story: Story, program: ApiClient) -> None:
    wishes(story, 1)
    look = program.look_at_many("stop")
    reader = ApiClient(program.address, face.token(Role.READER))
    calls: list[Callable[[], BulkShape]] = [
        lambda: reader.look_at_many("stop"),
        lambda: reader.bulk(look.id),
        lambda: reader.confirm(look.id),
    ]
    for call in calls:
        with pytest.raises(ApiRefused) as refused:
            call()
        assert refused.value.status == 403
    for name in ("0" * 16, "nothing"):
        with pytest.raises(ApiRefused) as missing:
            program.bulk(name)
        assert missing.value.status == 404
