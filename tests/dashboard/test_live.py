"""Pages renew themselves: one reader for all viewers, events that name what has changed, and streams that end."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.dashboard.listening import Listener, session
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import Entry, EventType
from webordinary.clock import SystemClock
from webordinary.dashboard.live import news
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

AMY = Viewer("amy", Role.AGENCY)
CLIENT = Viewer("scott", Role.CLIENT, ("amelia",))
STRANGER = Viewer("flo", Role.CLIENT, ("flora",))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """One installation for all: each test has its own dashboard over it."""
    rig = EmbeddedRig(tmp_path_factory.mktemp("live"))
    told = Story(rig)
    told.begin(workers=0)
    yield told
    rig.close()


@pytest.fixture
def face(story: Story) -> Face:
    assert isinstance(story.rig, EmbeddedRig)
    return Face(story.rig.here)


def note(face: Face, what: EventType = EventType.STEP, **about: str) -> int:
    """Let something happen, and return its number."""
    trail = face.house.here.engine.trail
    trail.record(Entry(what, SystemClock().now().wall_at, **about))  # type: ignore[arg-type]  # only texts here
    return trail.last_number()


def test_a_page_hears_which_parts_have_changed_and_no_word_of_a_mail(face: Face, story: Story) -> None:
    with face.served() as address, Listener(address, session(face, AMY), face.house.live.number()) as page:
        assert page.hear("beat").what == "beat"
        job = story.job_of(story.writes(SCOTT, "<b>Our secret sale</b> begins", subject="Sale")).id
        names, said = set[str](), ""
        while not {"needs", "now", "mails", "jobs", "trail", f"job:{job}", "lane:amelia#scott"} <= names:
            heard = page.hear("changed")
            names |= set(heard.names)
            said += heard.data
        assert "sale" not in said.lower()
        assert "project:amelia" in names


def test_the_stream_is_for_a_session_and_never_kept_by_a_proxy(face: Face) -> None:
    with face.served() as address:
        with Listener(address, "nobody") as page:
            assert page.status == 401
        with Listener(address, session(face, AMY)) as page:
            headers = page.answer.headers
            assert headers["Content-Type"] == "text/event-stream; charset=utf-8"
            assert headers["X-Accel-Buffering"] == "no"
            assert headers["Cache-Control"] == "no-store, no-transform"
            assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_one_reader_asks_the_store_whatever_the_number_of_viewers_and_nobody_without(face: Face) -> None:
    live = face.house.live
    with face.served() as address:
        assert live.looks == 0
        with ExitStack() as open_pages:
            cookies = [session(face, AMY) for _ in range(40)]
            pages = [open_pages.enter_context(Listener(address, each, live.number())) for each in cookies]
            for page in pages:
                page.hear("beat")
            looked = live.looks
            number = note(face, lane="amelia#scott")
            assert {page.hear("changed").number for page in pages} == {str(number)}
            # What happened was found by the one who looks ten times a second, and by nobody else.
            assert live.looks - looked < 40
            assert live.viewers == 40


def test_who_comes_back_hears_what_was_missed_and_after_too_much_loads_everything(face: Face) -> None:
    note(face, job="job-0")
    with face.served() as address, Listener(address, session(face, AMY), face.house.live.number()) as other:
        other.hear("beat")
        first = note(face, job="job-1")
        other.hear("changed")
        second = note(face, job="job-2")
        other.hear("changed")
        with Listener(address, session(face, AMY), last_event_id=str(first)) as back:
            missed = back.hear("changed")
            assert (missed.number, "job:job-2" in missed.names, "job:job-1" in missed.names) == (
                str(second),
                True,
                False,
            )
        for after in ("", "0", "-1", "x" * 50, "9" * 50):
            with Listener(address, session(face, AMY), after) as lost:
                assert lost.next().what == "beat"
                assert lost.next().what == "reload"


def test_who_knows_of_more_than_there_is_loads_everything(face: Face) -> None:
    number = note(face)
    with face.served() as address:
        with Listener(address, session(face, AMY), number + 1_000) as from_before_a_restore:
            assert from_before_a_restore.hear("reload").what == "reload"
        with Listener(address, session(face, AMY), number) as up_to_date:
            assert up_to_date.hear("beat").what == "beat"
            note(face)
            while (heard := up_to_date.next()).what == "beat":
                pass
            assert heard.what == "changed"


def test_a_client_hears_only_of_their_projects(face: Face) -> None:
    with face.served() as address, ExitStack() as opened:
        number = face.house.live.number()
        theirs, others, agency = (
            opened.enter_context(Listener(address, session(face, who), number)) for who in (CLIENT, STRANGER, AMY)
        )
        for page in (theirs, others, agency):
            page.hear("beat")
        note(face, lane="amelia#scott", job="job-1")
        assert "job:job-1" in theirs.hear("changed").names
        assert "job:job-1" in agency.hear("changed").names
        # Nothing of a project at all, and then something of the other client's.
        note(face, EventType.WORKER_STARTED, worker="w-1")
        agency.hear("changed")
        note(face, lane="flora#flo", job="job-2")
        heard = others.hear("changed").names
        assert "job:job-2" in heard
        assert not [name for name in heard if "amelia" in name or "job-1" in name]


def test_who_signs_out_hears_no_more(face: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "BEAT_SECONDS", 0.05)
    with face.served() as address:
        cookie = session(face, AMY)
        with Listener(address, cookie, face.house.live.number()) as page:
            page.hear("beat")
            face.house.sessions.end(cookie.partition("=")[2])
            assert page.hear("gone").what == "gone"
            assert page.next().what == ""


def test_more_streams_than_there_are_places_are_refused_and_one_session_has_few(
    face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "MOST_OF_ONE", 1)
    monkeypatch.setattr(news, "MOST_STREAMS", 2)
    with face.served() as address, ExitStack() as opened:
        cookie = session(face, AMY)
        assert opened.enter_context(Listener(address, cookie)).status == 200
        with Listener(address, cookie) as again:
            assert (again.status, again.answer.headers["Retry-After"]) == (503, "30")
        assert opened.enter_context(Listener(address, session(face, AMY))).status == 200
        with Listener(address, session(face, AMY)) as third:
            assert third.status == 503


def test_at_the_end_every_stream_hears_so(face: Face) -> None:
    with ExitStack() as opened:
        with face.served() as address:
            pages = [opened.enter_context(Listener(address, session(face, AMY))) for _ in range(20)]
            for page in pages:
                page.hear("beat")
        assert {page.hear("end").what for page in pages} == {"end"}
        assert {page.next().what for page in pages} == {""}


def test_a_burst_is_told_in_one_word(face: Face) -> None:
    with face.served() as address, Listener(address, session(face, AMY), face.house.live.number()) as page:
        page.hear("beat")
        database = face.house.here.engine.trail._database  # type: ignore[attr-defined]  # noqa: SLF001 - one transaction
        many = "INSERT INTO trail (at, what, job) VALUES (1, 'step', 'job-' || ?)"
        with database.write() as cursor:
            cursor.executemany(many, ((number,) for number in range(300)))
        heard = page.hear("reload")
        assert heard.number == str(face.house.live.number())
