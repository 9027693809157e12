from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from webordinary.errors import Misconfigured
from webordinary.routing.lane import Lane, check_id
from webordinary.routing.project import (
    AgentSettings,
    AnswerRule,
    Budget,
    Editor,
    GitAccess,
    OnNewThread,
    Project,
    PublishRule,
    Rules,
    SiteTarget,
)

SCOTT = Editor("scott", "Scott.Miller+web@Example.com")


def project(repository: str = "/srv/amelia.git") -> Project:
    site = SiteTarget("folder", "/srv/public")
    return Project("amelia", "Amelia", repository, "main", (), ".", Rules(), site, (SCOTT,))


def test_a_lane_is_known_by_its_project_and_its_user() -> None:
    lane = Lane("amelia", "scott")
    assert (lane.key, str(lane)) == ("amelia#scott", "amelia#scott")
    assert Lane.parse("amelia#scott") == lane


@pytest.mark.parametrize("key", ["", "amelia", "amelia#", "#scott", "a#b#c", "Amelia#scott", "a #b"])
def test_what_is_no_key_of_a_lane_is_refused(key: str) -> None:
    with pytest.raises(Misconfigured, match=r"of a lane must be lower-case letters"):
        Lane.parse(key)


@pytest.mark.parametrize("text", ["a", "7", "a-b", "a--b", "x" * 28])
def test_an_id_may_have_letters_digits_and_inner_hyphens(text: str) -> None:
    assert check_id(text, "This") == text


@pytest.mark.parametrize("text", ["", "-a", "a-", "A", "a_b", "a.b", "é", "a\n", "a#b", "x" * 29])
def test_any_other_id_is_refused_with_what_it_is(text: str) -> None:
    with pytest.raises(Misconfigured, match=r"^The project must be lower-case"):
        check_id(text, "The project")


def test_an_editor_is_found_however_the_address_is_capitalised() -> None:
    assert project().editor_by_address("scott.miller+WEB@EXAMPLE.COM") is SCOTT
    assert project().editor("scott") is SCOTT
    assert project().editor("Scott") is None


@pytest.mark.parametrize(
    "address",
    [
        "scottmiller+web@example.com",
        "scott.miller@example.com",
        "scott.miller+web@example.com.",
        "\N{LATIN SMALL LETTER LONG S}cott.miller+web@example.com",
        "",
    ],
)
def test_an_address_that_only_looks_alike_is_somebody_else(address: str) -> None:
    assert project().editor_by_address(address) is None


def test_the_kelvin_sign_is_no_k() -> None:
    erik = Editor("erik", "erik@example.com")
    site = SiteTarget("folder", "/srv/public")
    norway = Project("norway", "Norway", "/srv/a.git", "main", (), ".", Rules(), site, (erik,))
    assert norway.editor_by_address("eri\N{KELVIN SIGN}@example.com") is None


@pytest.mark.parametrize("repository", ["https://a.example/x.git", "git@a.example:x.git", "ssh://a/x"])
def test_a_repository_elsewhere_has_no_folder(repository: str) -> None:
    assert project(repository).local_repository is None
    assert project().local_repository == Path("/srv/amelia.git")


def test_a_budget_says_its_time_as_a_duration() -> None:
    assert Budget(minutes=2).time_limit == timedelta(minutes=2)


def test_rules_are_the_words_that_stand_in_a_configuration() -> None:
    assert [each.value for each in PublishRule] == ["auto", "approve"]
    assert [each.value for each in AnswerRule] == ["send", "hold"]
    assert [each.value for each in OnNewThread] == ["interrupt", "queue", "drop"]


def test_an_agent_has_a_key_of_its_own_wherever_that_lies() -> None:
    for own in (AgentSettings(key_file="key"), AgentSettings(key_variable="KEY"), AgentSettings(secret="key")):
        assert own.has_key is True
    assert AgentSettings().has_key is False


def test_a_commit_names_an_editors_address_only_where_the_project_says_so() -> None:
    told = replace(project(), git=GitAccess(mail_addresses=True))
    nobody = Editor("scott", "")

    assert told.address_in_commits(SCOTT) == SCOTT.address
    assert project().address_in_commits(SCOTT) == "scott@amelia.invalid"
    assert told.address_in_commits(nobody) == "scott@amelia.invalid"
