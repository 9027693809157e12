"""Who is welcomed, once and to all of their sites, on every engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import AMELIA
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.reply.as_text import as_text
from webordinary.reply.words import phrases, wording
from webordinary.routing.project import Editor, PublishRule, Rules
from webordinary.testing.mail import write_mail
from webordinary.worker.chores.welcome import Welcome

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.reply.outbox import Letter
    from webordinary.routing.project import Project

pytestmark = pytest.mark.above_the_store

DAY = timedelta(days=1)
FLORA = replace(AMELIA, id="flora", name="Flora", editors=(Editor("scott", "SCOTT@example.org"),))
BIKES = replace(AMELIA, id="bikes", name="Bikes", editors=(Editor("scott", "scott@example.org"),))


def look(ports: Ports, *projects: Project) -> list[Letter]:
    """Look who is new, and send what there is."""
    outbox = ports.engine.outbox
    Welcome(replace(ports.engine, projects=ConfiguredProjects(projects)), "edit.example.com", ports.clock).look()
    found = outbox.take_due("one", ports.now)
    for letter in found:
        text = as_text(wording(letter.words, "en", {"site": "x", **letter.facts}), phrases("en"))
        raw = write_mail(sender="amelia@edit.example.com", to=letter.to, text=text, subject="x", message_id="<x@y>")
        outbox.seal(letter, raw, f"{letter.key}@edit.example.com", ports.now)
        outbox.mark_sent(letter, ports.now)
    ports.clock.advance(DAY)
    return list(found)


def test_an_editor_is_welcomed_once_in_each_project_for_ever(ports: Ports) -> None:
    maria = Editor("maria", "maria@example.org", "de")
    (letter,) = look(ports, AMELIA)
    assert (letter.to, letter.words) == ("scott@example.org", "welcome")
    assert letter.facts["write_to"] == "amelia@edit.example.com"
    ports.clock.advance(400 * DAY)
    after = (replace(AMELIA, editors=(*AMELIA.editors, maria)), FLORA)
    assert sorted((each.to, each.facts["project"]) for each in look(ports, *after)) == [
        ("SCOTT@example.org", "flora"),
        ("maria@example.org", "amelia"),
    ]
    assert look(ports, *after) == []


def test_one_person_with_three_sites_gets_one_welcome(ports: Ports) -> None:
    (letter,) = look(ports, AMELIA, FLORA, BIKES)
    assert letter.words == "welcome_to_sites"
    assert letter.facts["sites"].split("\n") == [
        "Amelia's Bakery\tamelia@edit.example.com\t",
        "Flora\tflora@edit.example.com\t",
        "Bikes\tbikes@edit.example.com\t",
    ]
    assert look(ports, BIKES, AMELIA, FLORA) == []
    (later,) = look(ports, AMELIA, FLORA, BIKES, replace(FLORA, id="roses", name="Roses"))
    assert (later.words, later.facts["project"]) == ("welcome", "roses")


def test_a_site_whose_name_ends_like_that_of_another_is_another_one(ports: Ports) -> None:
    assert [each.facts["project"] for each in look(ports, AMELIA)] == ["amelia"]
    assert [each.facts["project"] for each in look(ports, AMELIA, replace(AMELIA, id="lia"))] == ["lia"]


def test_a_welcome_that_is_on_its_way_is_not_written_twice(ports: Ports) -> None:
    for projects in ((AMELIA, FLORA), (AMELIA, FLORA, BIKES)):
        engine = replace(ports.engine, projects=ConfiguredProjects(projects))
        Welcome(engine, "edit.example.com", ports.clock).look()
    assert len(look(ports, AMELIA, FLORA)) == 1
    assert [each.facts["project"] for each in look(ports, AMELIA, FLORA, BIKES)] == ["bikes"]


def test_a_welcome_says_whose_ok_changes_need(ports: Ports) -> None:
    mine = replace(AMELIA, rules=Rules(publish=PublishRule.APPROVE))
    theirs = replace(FLORA, rules=Rules(publish=PublishRule.APPROVE, approvers=("maria@example.org",)))
    (letter,) = look(ports, mine)
    assert letter.facts["approval"] == "own"
    assert "after an ok" in as_text(wording("welcome", "en", {"site": "x", **letter.facts}), phrases("en"))
    (later,) = look(ports, mine, theirs)
    assert later.facts["approval"] == "others"
    both = as_text(wording("welcome_to_sites", "de", {"sites": "A\ta@x\town\nB\tb@x\tothers"}), phrases("de"))
    assert "- A: a@x (Änderungen gehen nach Ihrem OK online)" in both
