"""The documents hold together, and what they name is there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.tree import ROOT
from webordinary.cli.reference import commands
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import LIVE, Outcome, State
from webordinary.jobs.limits import Limits
from webordinary.mail.words.verbs import Verb
from webordinary.reply.as_text import as_text
from webordinary.reply.words import phrases, wording

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DOCS = ROOT / "docs"
README = ROOT / "README.md"
CONCEPTS = DOCS / "concepts.md"
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
# The reference pages are made from the code, and tests of their own compare them.
WRITTEN = [page for page in PAGES if page.parent.name != "reference"]

GLOSSARY = """
Owner|Agency|Project|Editor|Lane|Thread|Job|Attempt|Sequence|Dedup key|Verb|Interrupt|Cancel|Parked|Given back
Receipt|Look|Fact|Source|Finding|Round of repair|Old copy|Content|Template|Deed|Noise|Index
Least change|Proposal|Timed change|Schedule|Question|Dead letter|Redrive
Verdict|Held answer|Held|Quarantined
Stranger|Token|Tally|Trail|Retention|Forget
Worker|Supervisor|Claim|Lease|Fence|Unclaimed|Wake-up|Sweep|Drain|Breaker|Agent
Checkout|Live branch|Release|Accepted history|On hold
Preview|Publish slot|Commit point|Settle|Letter|Outbox|Bounce|Task token|Port|Engine
Line|Store|Effects|Door
Login|Moment
"""
WORDS = GLOSSARY.strip().replace("\n", "|").split("|")

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_DRAWN = re.compile(r"^    (\S+) --> (\S+)", re.MULTILINE)
_TYPED = re.compile(r"(?:^\$ (?:\.venv/bin/)?|`(?:\.venv/bin/)?)webordinary ([^`\n]+)", re.MULTILINE)
_MADE = re.compile(r"(?:^\$ |`|&& )make ([a-z-]+)", re.MULTILINE)


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    assert [link for link in links_of(page) if not leads_somewhere(page, link)] == []


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    known = {name.removeprefix("webordinary").strip() for name, _ in commands()}

    assert [typed for typed in _TYPED.findall(read(page)) if command_in(typed, known) is None] == []


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_target_of_make_that_a_page_names_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", read(ROOT / "Makefile"), re.MULTILINE))

    assert set(_MADE.findall(read(page))) <= targets


@pytest.mark.parametrize(
    ("heading", "target"), [("## What can be chosen", "synth"), ("## The image", "image")], ids=["synth", "image"]
)
def test_what_can_be_chosen_for_aws_is_what_make_hands_over(heading: str, target: str) -> None:
    section = read(DOCS / "howto" / "deploy-aws.md").partition(f"{heading}\n")[2].partition("\n## ")[0]
    rows = [row.partition("|")[2].partition("|")[0] for row in section.splitlines() if row.startswith("| `")]
    recipe = read(ROOT / "Makefile").partition(f"\n{target}:")[2].partition("\n\n")[0]

    assert {name for row in rows for name in re.findall(r"`([A-Z_]+)", row)} == {
        name for name in re.findall(r"\$\(([A-Z_]+)\)", recipe) if name not in {"INSTALL", "BIN", "ANYWAY"}
    }


def test_the_readme_shows_the_commands_that_an_agency_begins_with() -> None:
    typed = " ".join(_TYPED.findall(read(README)))

    assert all(name in typed for name in ("init", "project add", "serve", "deliver", "ask", "show jobs", "doctor"))


def test_the_readme_shows_an_answer_as_the_product_writes_it() -> None:
    line = "Butter croissant €{} Folded by hand"
    facts = {
        "summary": "Changed the price of Butter croissant from 2.10 to 2.50 on the menu page.",
        "changes": f"words\tMenu – Amelia’s Bakery\t{line.format('2.10')}\t{line.format('2.50')}",
        "address": "http://amelia.localhost:36829/",
    }
    answer = as_text(wording("published", "en", facts), phrases("en"))

    assert answer.strip() in read(README)


def test_every_word_of_the_glossary_is_explained_once() -> None:
    glossary = read(CONCEPTS).partition("## Glossary")[2].partition("## The life of a mail")[0]
    explained = re.findall(r"^\| \*\*([^*]+)\*\* \|", glossary, re.MULTILINE)

    assert explained == WORDS


@pytest.mark.parametrize("word", [each.value for kind in (State, Outcome, Why, Verb) for each in kind])
def test_every_word_that_a_store_keeps_is_in_the_concepts(word: str) -> None:
    assert re.search(rf"\b{word}\b", read(CONCEPTS))


def test_the_picture_of_the_states_and_the_table_say_the_same() -> None:
    drawn = [("" if source == "[*]" else source, target) for source, target in _DRAWN.findall(read(CONCEPTS))]
    table = read(CONCEPTS).partition("| from | to | when |")[2].partition("\n\n")[0]
    written = re.findall(r"^\| (\w*) ?\| (\w+) \|", table, re.MULTILINE)

    assert written == [(source, target) for source, target in drawn if target != "[*]"]
    assert {source for source, target in drawn if target == "[*]"} == {
        state.value for state in State if state not in LIVE
    }
    assert {state for change in written for state in change} == {"", *(state.value for state in State)}


def test_the_limits_in_the_concepts_are_the_defaults() -> None:
    limits, text = Limits(), read(CONCEPTS)

    assert f"| **patience** (start-by) | {limits.patience.total_seconds() / 3600:g} h |" in text
    assert f"| {limits.lease.total_seconds():g} s, {limits.beat.total_seconds():g} s |" in text
    assert f"| **deadline** | {limits.deadline.total_seconds() / 60:g} min |" in text
    assert f"| prepare-by | {limits.prepare_by.total_seconds() / 60:g} min |" in text


@pytest.mark.parametrize("page", DECISIONS, ids=name_of)
def test_a_decision_says_its_context_itself_and_its_consequence(page: Path) -> None:
    title, *headings = _HEADING.findall(read(page))

    assert title.startswith(f"{page.name[:4]}: ")
    assert headings == ["Context", "Decision", "Consequence"]


def test_every_decision_is_listed_under_its_own_title() -> None:
    listed = read(DOCS / "decisions" / "README.md")
    titles = [_HEADING.findall(read(page))[0].partition(": ") for page in DECISIONS]

    assert [
        page.name
        for page, (number, _, title) in zip(DECISIONS, titles, strict=True)
        if f"| {number} | [{title}]({page.name}) |" not in listed
    ] == []
    assert [int(number) for number, _, _ in titles] == list(range(1, len(DECISIONS) + 1))


def links_of(page: Path) -> Iterator[str]:
    for found in _LINK.findall(_FENCED.sub("", read(page))):
        if not found.startswith(("http://", "https://", "mailto:")):
            yield found


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.exists() and (not anchor or anchor in anchors_of(target))


def anchors_of(page: Path) -> set[str]:
    """The names under which a page's headings can be linked: lower case, hyphens for spaces, nothing else."""
    headings = _HEADING.findall(_FENCED.sub("", read(page)))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def command_in(typed: str, known: set[str]) -> str | None:
    """The command that a typed line begins with; of a family, one of its members has to be named."""
    words = [word for word in re.split(r"[\s|]+", typed) if re.fullmatch(r"[a-z-]+", word)]
    whole = [" ".join(words[:count]) for count in (2, 1) if len(words) >= count]
    return next((name for name in whole if name in known and not is_family(name, known)), None)


def is_family(name: str, known: set[str]) -> bool:
    return name != "demo" and any(other.startswith(f"{name} ") for other in known)
