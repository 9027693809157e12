"""Which project a mail is for, and who its sender is there."""

from __future__ import annotations

import pytest

from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.routing.project import Editor, Project, Rules, SiteTarget
from webordinary.routing.route import choose_project, is_ours

DOMAIN = "edit.example.com"
SCOTT = "scott@example.org"
BOTH = "anna@agency.example"


def project(name: str, *addresses: str) -> Project:
    editors = tuple(Editor(address.partition("@")[0], address) for address in addresses)
    site = SiteTarget("folder", f"sites/{name}")
    return Project(name, name.title(), f"{name}.git", "main", (), ".", Rules(), site, editors)


PROJECTS = ConfiguredProjects((project("amelia", SCOTT, BOTH), project("flora", "tom@example.net", BOTH)))


@pytest.mark.parametrize(
    "recipient",
    [
        "scott@amelia.edit.example.com",
        "amelia+scott@edit.example.com",
        "amelia@edit.example.com",
        "edit@edit.example.com",
        "Amelia@EDIT.example.com",
        "anybody@amelia.edit.example.com",
    ],
)
def test_every_form_of_address_leads_to_the_lane_of_the_sender(recipient: str) -> None:
    route = choose_project([recipient], SCOTT, PROJECTS, DOMAIN)
    assert route.lane is not None
    assert route.lane.key == "amelia#scott"


def test_the_lane_belongs_to_who_writes_and_not_to_who_is_named_in_the_address() -> None:
    route = choose_project(["amelia+scott@edit.example.com"], BOTH, PROJECTS, DOMAIN)
    assert route.lane is not None
    assert route.lane.user == "anna"


def test_who_edits_several_projects_has_to_name_one() -> None:
    route = choose_project(["edit@edit.example.com"], BOTH, PROJECTS, DOMAIN)
    assert route.lane is None
    assert (route.candidates, route.is_for_us) == (("amelia", "flora"), True)
    named = choose_project(["flora@edit.example.com"], BOTH, PROJECTS, DOMAIN)
    assert named.lane is not None


@pytest.mark.parametrize(
    ("recipient", "sender"),
    [
        ("amelia@edit.example.com", "eve@elsewhere.example"),
        ("amelia@edit.example.com", None),
        ("nothing@edit.example.com", SCOTT),
        ("edit@edit.example.com", "eve@elsewhere.example"),
        ("edit@edit.example.com", None),
        ("amelia@elsewhere.example", SCOTT),
        ("amelia@notedit.example.com", SCOTT),
        ("amelia", SCOTT),
    ],
)
def test_everything_else_leads_nowhere_and_says_why(recipient: str, sender: str | None) -> None:
    route = choose_project([recipient], sender, PROJECTS, DOMAIN)
    assert route.lane is None
    assert route.problem


@pytest.mark.parametrize(
    ("address", "ours"),
    [
        ("a@edit.example.com", True),
        ("a@amelia.edit.example.com", True),
        ("a@example.com", False),
        ("a@evil-edit.example.com", False),
        ("a@edit.example.com.evil.example", False),
    ],
)
def test_only_our_domain_and_what_is_below_it_is_ours(address: str, ours: bool) -> None:  # noqa: FBT001 - a table
    assert is_ours(address, DOMAIN) == ours


def test_an_address_that_names_a_project_goes_before_the_thread_of_another() -> None:
    amelia, flora = PROJECTS.all()
    route = choose_project(["flora@edit.example.com"], BOTH, PROJECTS, DOMAIN, within=amelia)
    assert route.project == flora


def test_a_thread_goes_before_who_writes() -> None:
    amelia, flora = PROJECTS.all()
    for recipient in ("edit@edit.example.com", "re+lost@edit.example.com"):
        assert choose_project([recipient], BOTH, PROJECTS, DOMAIN, within=flora).project == flora
        assert choose_project([recipient], SCOTT, PROJECTS, DOMAIN, within=flora).lane is None
        assert choose_project([recipient], SCOTT, PROJECTS, DOMAIN).project == amelia


def test_of_several_named_projects_the_one_of_the_thread_is_meant() -> None:
    amelia, flora = PROJECTS.all()
    named = ["amelia@edit.example.com", "flora@edit.example.com"]
    assert choose_project(named, BOTH, PROJECTS, DOMAIN, within=flora).project == flora
    assert choose_project(named, BOTH, PROJECTS, DOMAIN).candidates == ("amelia", "flora")
    assert choose_project(named[:1], BOTH, PROJECTS, DOMAIN, within=None).project == amelia
