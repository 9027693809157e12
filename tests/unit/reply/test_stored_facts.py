"""Facts of letters that were recorded before they had types: each is told as it was, also a line that was cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webordinary.jobs.lines import (
    ChangeLine,
    CopyLine,
    ElsewhereLine,
    FileLine,
    KindLine,
    PictureLine,
    RequestLine,
    SiteLine,
    TroubleLine,
    read_line,
    write_line,
)
from webordinary.languages import codes
from webordinary.reply.tell import tell_facts
from webordinary.reply.words import phrases

if TYPE_CHECKING:
    from webordinary.jobs.lines import FactLine

# What rows of letters held, and how the version that wrote them told it in English.
KNOWN = json.loads(Path(__file__).with_name("stored_facts.json").read_text(encoding="utf-8"))
STORED = {name: "\n".join(fact["stored"]) for name, fact in KNOWN.items()}

WHOLE: dict[str, FactLine] = {
    "words@title*12/40\tContact, Menu, …\tOpen at 8\tOpen at 9": ChangeLine(
        "words", ("Contact, Menu, …", "Open at 8", "Open at 9"), "title", "12/40"
    ),
    "page_added\tmenu.html": ChangeLine("page_added", ("menu.html",)),
    "unasked\twords\t4.80 €\t5.20 €": KindLine("unasked", ("words", "4.80 €", "5.20 €")),
    "approve": KindLine("approve"),
    "part_missing\tApple cake is 4.80 now\t4.80": KindLine("part_missing", ("Apple cake is 4.80 now", "4.80")),
    "still_there@link\tContact\t030 1\t0\t030 1\t030 2": CopyLine(
        "still_there", "link", "Contact", "030 1", "0", "030 1", "030 2"
    ),
    "used\tOur oven.heic": FileLine("used", "Our oven.heic"),
    "refused\tcounter.jpg\tunreadable\t": FileLine("refused", "counter.jpg", "unreadable", ""),
    "settings\ttold\tOpen from eight\t_config.yml": ElsewhereLine("settings", "told", "Open from eight", "_config.yml"),
    "running\tOpening hours": RequestLine("running", "Opening hours"),
    "publish_at\tClosed\t2026-12-24T08:00:00+01:00": RequestLine("publish_at", "Closed", "2026-12-24T08:00:00+01:00"),
    "past\t24 Dec": TroubleLine("past", "24 Dec"),
    "differs\ttomorrow\t2026-12-24\t\t\t2026-12-27": TroubleLine(
        "differs", "tomorrow", (("2026-12-24", ""), ("", "2026-12-27"))
    ),
    "Flora\tflora@edit.example.com\t": SiteLine("Flora", "flora@edit.example.com", ""),
    "cc33\tjpeg\tafter\tphone\t80\t60\ta.html\tMenu": PictureLine(
        "cc33", "jpeg", "after", "phone", "80", "60", "a.html", "Menu"
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_recorded_fact_is_told_as_it_was(name: str) -> None:
    assert tell_facts(STORED, phrases("en"))[name].split("\n") == KNOWN[name]["told"]


@pytest.mark.parametrize("language", codes())
def test_a_recorded_fact_is_told_in_every_language(language: str) -> None:
    assert all(tell_facts(STORED, phrases(language)).values())


@pytest.mark.parametrize("line", WHOLE)
def test_a_line_is_written_as_it_is_read(line: str) -> None:
    known = WHOLE[line]
    assert write_line(known) == line
    assert read_line(type(known), line) == known


@pytest.mark.parametrize("kind", sorted({type(known) for known in WHOLE.values()}, key=str))
def test_a_line_that_was_cut_is_read_too(kind: type[FactLine]) -> None:
    line = next(line for line, known in WHOLE.items() if isinstance(known, kind))
    for length in range(len(line) + 1):
        assert read_line(kind, line[:length]).fields
