"""Every route, asked by every role and by somebody who has not signed in."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.dashboard.routes import STREAMS, TABLE, WHO, all_routes, filled, read_table, token_of, visit, was_let_in
from tests.rigs.embedded import EmbeddedRig
from webordinary.dashboard.navigation import NAVIGATION
from webordinary.dashboard.routes import PAGES
from webordinary.dashboard.viewer import Role
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT, Person, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.testclient import TestClient

# A word that only the other project's people, mails and rules have in them.
MARK = "zweifelderball"
CARLA = Person("carla", f"carla@{MARK}.example")
OTHER = SiteSetup("flora", ((CARLA.user, CARLA.address),), rules=f'name = "{MARK} and sons"')
# Nobody but who has signed in comes to a page; these are the ways in, and what browsers report.
OPEN = ("/sign-in", "/signed-out", "/static/", "/csp-report", "/ok/")
# Who owns a site decides about it; who only reads decides about nothing.
DECIDES = {"/do/approve", "/do/withdraw"}
# The way in itself answers 403 to whoever brings nothing.
TRIED_ELSEWHERE = {("POST", "/sign-in")}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    rig = EmbeddedRig(tmp_path_factory.mktemp("roles"))
    story = Story(rig)
    story.begin(BAKERY, OTHER, workers=0)
    yield story
    rig.close()


@pytest.fixture(scope="module")
def face(told: Story) -> Face:
    assert isinstance(told.rig, EmbeddedRig)
    return Face(told.rig.here)


def browser_of(face: Face, who: str) -> TestClient:
    if who == "everybody":
        return face.visitor()
    return face.signed_in(Role(who), *(["amelia"] if who == Role.CLIENT else []))


def test_every_route_has_a_line_in_the_table_and_every_line_a_route(face: Face) -> None:
    routes, table = set(all_routes(face)) - TRIED_ELSEWHERE, read_table()

    assert sorted(routes - table.keys()) == [], f"say in {TABLE.name} who may go there"
    assert sorted(table.keys() - routes) == []


@pytest.mark.parametrize("who", WHO)
def test_each_role_comes_where_the_table_says_and_nowhere_else(face: Face, who: str) -> None:
    table, wrong = read_table(), []
    for method, path in all_routes(face):
        if path in STREAMS and who != "everybody":
            continue
        # A new browser each time: some of these end the session.
        browser = browser_of(face, who)
        token = "" if who == "everybody" else token_of(browser)
        went = was_let_in(*visit(browser, method, filled(path), token))
        if (method, path) in table and went != (who in table[method, path]):
            wrong.append(f"{method} {path}: {who} is {'let in' if went else 'kept out'}")

    assert wrong == []


def test_what_is_open_to_everybody_is_a_short_list() -> None:
    open_now = {path for (_, path), who in read_table().items() if "everybody" in who}

    assert [path for path in open_now if not path.startswith(OPEN)] == []


def test_whoever_may_more_may_all_that_others_may() -> None:
    order = [role.value for role in Role]

    assert [
        path
        for (_, path), who in read_table().items()
        for lower, higher in itertools.pairwise(order)
        if lower in who and higher not in who and path not in DECIDES
    ] == []
    assert {frozenset(who) for (_, path), who in read_table().items() if path in DECIDES} == {
        frozenset({"client", "operator", "agency"})
    }


def test_a_client_never_reads_a_word_of_another_project(face: Face, told: Story) -> None:
    mine = told.job_of(told.writes(SCOTT, "We open at nine now"))
    others = told.job_of(told.writes(CARLA, f"Our {MARK} costs 3 now", site="flora", subject=f"About {MARK}"))
    routes = [path for method, path in all_routes(face) if method == "GET" and path not in STREAMS]
    seen: dict[str, list[str]] = {"agency": [], "client": []}
    for who, pages in seen.items():
        browser = browser_of(face, who)
        for known in _guesses(face, others.id, mine.id):
            addresses = [filled(path, **known) for path in routes]
            pages += [address for address in addresses if MARK in browser.get(address).text]

    assert seen["agency"], "the mark is shown nowhere, so this test shows nothing"
    assert seen["client"] == []


def _guesses(face: Face, others: str, mine: str) -> list[dict[str, str]]:
    """Return what a client may guess for the parts of an address."""
    overview = face.house.here.engine.overview
    names = ("job", "id", "mail", "thread", "person", "user", "lane", "proposal", "letter")
    ids = [others, mine, "carla", "flora-carla", *(mail.id for mail in overview.mails(limit=50))]
    return [dict.fromkeys(names, each) | {"project": "flora"} for each in ids]


def test_the_navigation_leads_each_role_where_it_may_go() -> None:
    roles = {page.path: page.role for page in PAGES if page.method == "GET"}
    assert {link.path: link.role for link in NAVIGATION} == {link.path: roles[link.path] for link in NAVIGATION}
