"""The page of a job and of a mail, over a told story."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.pictures import photo
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import Entry, EventType
from webordinary.client import ApiClient, ApiRefused
from webordinary.dashboard.story.difference import FROM_GIT, KEPT, difference_of
from webordinary.dashboard.story.told import tell_story
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role
from webordinary.jobs.job import State
from webordinary.jobs.journal import Journal
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.testclient import TestClient

    from webordinary.jobs.job import Job

# A build that talks a lot, in odd bytes, and that breaks when a page says so.
SCRIPT = (
    "printf 'building\\033[31m red\\033[0m \\377\\000 <script>alert(3)</script>\\n';"
    " mkdir -p out; cp -r *.html *.css pictures out/; echo done >&2; ! grep -q breaks index.html"
)
BAKERY = SiteSetup("amelia", ((SCOTT.user, SCOTT.address),), build=("sh", "-c", SCRIPT), output="out")
FILES = (
    ("list.pdf", "application/pdf", b"%PDF-1.4\n%EOF\n"),
    ("oven.jpg", "image/jpeg", photo()),
    ("x.html", "text/html", b"<script>alert(1)</script>"),
)
ASKS = "Hello,\nwe open at nine now.\nThanks, Scott"


def face_of(story: Story) -> Face:
    assert isinstance(story.rig, EmbeddedRig)
    return Face(story.rig.here)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Face, Job]]:
    """Scott has asked for other hours, with three files, and was answered."""
    rig = EmbeddedRig(tmp_path_factory.mktemp("told"))
    story = Story(rig)
    story.begin(BAKERY)
    mail = story.writes(SCOTT, ASKS, subject="New hours", files=FILES)
    job = story.waits_for_job(mail)
    story.waits_for_answer(SCOTT)
    yield Face(rig.here), job
    rig.close()


def page_of(browser: TestClient, job: Job) -> str:
    answer = browser.get(f"/jobs/{job.id}")
    assert answer.status_code == 200
    return answer.text


def test_the_page_of_a_job_is_its_story(told: tuple[Face, Job]) -> None:
    face, found = told
    browser = face.signed_in()
    page = page_of(browser, found)
    for part in ("New hours", "we open at nine now", "verified", "list.pdf", "What changed for visitors", "Took"):
        assert part in page
    # The change line by line, and where that comes from.
    assert "kept with the job" in page
    assert re.search(r'<div class="added">\+.*9:00', page)
    # The build's log: odd bytes are marks, nothing of it runs.
    assert "building red" in page
    assert "&lt;script&gt;alert(3)" in page
    assert "<script>alert" not in page
    # The answer as it was sent, in words and in a frame.
    assert "Re: New hours" in page
    assert f'src="/jobs/{found.id}/letters/answer"' in page
    # Nobody else's files are given out under the address of this job.
    assert browser.get(f"/jobs/{found.id}/files/{'0' * 64}").status_code == 404


def test_a_file_is_handed_out_and_never_opened(told: tuple[Face, Job]) -> None:
    face, found = told
    browser = face.signed_in()
    links = re.findall(rf"/jobs/{found.id}/files/[0-9a-f]{{64}}", page_of(browser, found))
    assert len(set(links)) >= 4  # a small and a large picture, the page, the change and the log
    for link in set(links):
        answer = browser.get(link)
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
        assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
        assert not answer.headers["content-type"].startswith("text/html")
        assert b"Exif" not in answer.content


def test_a_build_that_breaks_leaves_its_log(story: Story) -> None:
    story.begin(BAKERY)
    found = story.waits_for_job(story.writes(SCOTT, 'Set the heading to "breaks"'))
    page = page_of(face_of(story).signed_in(), found)
    assert found.state == State.FAILED
    assert "s: the site&#39;s build ended with an error (code 1)" in page
    assert "building red" in page


def test_the_change_comes_from_git_where_it_was_not_kept(told: tuple[Face, Job]) -> None:
    face, found = told
    here, kept = face.house.here, difference_of(face.house.here, found)
    facts = {name: text for name, text in found.journal.stored.items() if name != "diff"}
    earlier = replace(found, journal=Journal(facts))
    from_git = difference_of(here, earlier)
    assert kept is not None
    assert from_git is not None
    assert from_git.files == kept.files
    assert (kept.source, from_git.source) == (KEPT, FROM_GIT)
    assert difference_of(here, replace(earlier, commit="--output=/tmp/x")) is None
    assert difference_of(here, replace(earlier, commit="0" * 40)) is None


def test_a_client_sees_the_story_without_what_the_agency_works_with(told: tuple[Face, Job]) -> None:
    face, found = told
    browser = face.signed_in(Role.CLIENT, "amelia")
    page = page_of(browser, found)
    assert "What changed for visitors" in page
    for part in ("Cost", "building red", "The change", "What the agent said"):
        assert part not in page
    assert browser.get(f"/jobs/{found.id}/files/{found.journal.diff}").status_code == 404
    assert browser.get(f"/jobs/{found.id}/transcript").status_code == 403
    assert browser.get(f"/mail/{found.mail}").status_code == 403
    stranger = face.signed_in(Role.CLIENT, "flora")
    for path in ("", "/steps", f"/files/{found.journal.diff}", "/letters/answer"):
        assert stranger.get(f"/jobs/{found.id}{path}").status_code == 404


def test_a_program_reads_the_same_story(told: tuple[Face, Job]) -> None:
    face, found = told
    tokens = ApiTokens(face.house.sessions.folder, face.house.here.clock)
    agency = tokens.add("agency", Role.READER, (), "amy")
    client = tokens.add("client", Role.CLIENT, ("amelia",), "amy")
    stranger = tokens.add("stranger", Role.CLIENT, ("flora",), "amy")
    assert found.mail is not None
    with face.served() as address:
        program, theirs, others = (ApiClient(address, each) for each in (agency, client, stranger))
        work = program.work(found.id)
        assert work.log is not None
        assert "building red" in work.log.text
        assert work.change is not None
        assert any("9:00" in line for file in work.change.files for line in file.lines if line.startswith("+"))
        (answer,) = program.letters(found.id)
        assert (answer.kind, answer.to, answer.subject) == ("answer", SCOTT.address, "Re: New hours")
        assert "Done, your change is live." in answer.text
        assert theirs.letters(found.id) == [answer]
        mail = program.mail(found.mail)
        assert mail.text is not None
        assert "we open at nine now" in mail.text.text
        assert dict(mail.headers)["Subject"] == "New hours"
        assert program.project("amelia").answers == "send"
        for call, status in (
            (lambda: theirs.work(found.id), 403),
            (lambda: theirs.mail(found.mail or ""), 403),
            (theirs.held_answers, 403),
            (lambda: program.held_answer(found.id), 403),
            (lambda: others.letters(found.id), 404),
            (lambda: program.letters("job-0"), 404),
        ):
            with pytest.raises(ApiRefused) as refused:
                call()
            assert refused.value.status == status


def test_a_program_gets_the_files_as_they_are_and_never_as_pages(told: tuple[Face, Job]) -> None:
    face, found = told
    tokens = ApiTokens(face.house.sessions.folder, face.house.here.clock)
    roles = {"files": Role.OPERATOR, "eyes": Role.READER, "own": Role.CLIENT, "other": Role.CLIENT}
    projects = {"own": ("amelia",), "other": ("flora",)}
    secrets = {name: tokens.add(name, role, projects.get(name, ()), "amy") for name, role in roles.items()}
    inbox, mail = face.house.here.engine.inbox, found.mail or ""
    with face.served() as address:
        program, reader, client, stranger = (ApiClient(address, secrets[name]) for name in roles)
        files = {each.name: each for each in program.files(found.id)}
        assert [each.origin for each in files.values()] == ["request"] * 3 + ["work"] * 2
        document, photo_of, page = files["list.pdf"], files["oven.jpg"], files["x.html"]
        assert program.file(found.id, document.digest or "") == FILES[0][2]
        assert (document.content_type, page.content_type) == ("application/octet-stream", "application/octet-stream")
        assert b"Exif" not in program.file(found.id, photo_of.digest or "")
        assert photo_of.thumbnail is not None
        assert program.file(found.id, photo_of.thumbnail) == inbox.read_file(photo_of.thumbnail)
        assert b"building" in reader.file(found.id, found.journal.build_log)
        assert program.pictures(found.id) == client.pictures(found.id) == []
        assert program.raw_mail(mail) == inbox.read(mail)
        # A client gets what they sent, and nothing that the agency works with.
        assert [each.name for each in client.files(found.id)] == ["list.pdf", "oven.jpg", "x.html"]
        assert client.file(found.id, document.digest or "") == FILES[0][2]
        for call, status in (
            (lambda: client.file(found.id, found.journal.build_log), 404),
            (lambda: stranger.file(found.id, document.digest or ""), 404),
            (lambda: stranger.files(found.id), 404),
            (lambda: stranger.pictures(found.id), 404),
            (lambda: program.file(found.id, "0" * 64), 404),
            (lambda: program.file(found.id, "../../etc/passwd"), 404),
            (lambda: reader.raw_mail(mail), 403),
            (lambda: program.raw_mail("mail-0"), 404),
        ):
            with pytest.raises(ApiRefused) as refused:
                call()
            assert refused.value.status == status


def test_what_a_program_gets_has_the_headers_that_the_page_has(told: tuple[Face, Job]) -> None:
    face, found = told
    secret = ApiTokens(face.house.sessions.folder, face.house.here.clock).add("headers", Role.OPERATOR, (), "amy")
    browser, headers = face.signed_in(), {"authorization": f"Bearer {secret}"}
    digests = [each.digest for each in found.request.attachments if each.digest]
    ways = [(f"/jobs/{found.id}/files/{each}", f"/jobs/{found.id}/files/{each}") for each in digests]
    for page, call in (*ways, (f"/mail/{found.mail}/raw", f"/mails/{found.mail}/raw")):
        shown, given = browser.get(page), face.visitor().get(f"/api/v1{call}", headers=headers)
        assert given.status_code == 200
        assert given.content == shown.content
        assert dict(given.headers) == dict(shown.headers)
        assert given.headers["x-content-type-options"] == "nosniff"


def test_a_client_reads_in_the_steps_nothing_that_the_agent_the_build_or_the_checks_said(
    face: Face, story: Story
) -> None:
    found = story.job_of(story.writes(SCOTT, ASKS))
    here = face.house.here
    for what, text, facts in (
        (EventType.AGENT_SAID, "the s3cret of the agent", {}),
        (EventType.STEP, "build broke", {"broke": "s3cret in the log"}),
        (EventType.STEP, "repair started", {"repairs": "1", "found": "s3cret finding"}),
        (EventType.STEP, "of a later version: s3cret", {}),
        (EventType.STEP, "published", {}),
    ):
        trail_entry = Entry(what, here.clock.now().wall_at, job=found.id, lane=found.lane.key, text=text, facts=facts)
        here.engine.trail.record(trail_entry)
    secret = ApiTokens(face.house.sessions.folder, here.clock).add("t", Role.CLIENT, ("amelia",), "amy")
    client, agency = face.signed_in(Role.CLIENT, "amelia"), face.signed_in()
    call = face.visitor().get(f"/api/v1/jobs/{found.id}", headers={"authorization": f"Bearer {secret}"})
    assert call.status_code == 200
    for page in (client.get(f"/jobs/{found.id}"), client.get(f"/jobs/{found.id}/steps"), call):
        assert "s3cret" not in page.text
        assert "the site is live" in page.text
    assert agency.get(f"/jobs/{found.id}").text.count("s3cret") >= 4


def test_a_long_story_shows_its_newest_steps_and_pages_to_the_older_ones(face: Face, story: Story) -> None:
    found = story.job_of(story.writes(SCOTT, ASKS))
    trail, now = face.house.here.engine.trail, face.house.here.clock.now().wall_at
    for number in range(450):
        trail.record(Entry(EventType.STEP, now, job=found.id, lane=found.lane.key, text=f"step number {number}."))
    browser = face.signed_in()
    page = page_of(browser, found)
    assert page.count("step number") == 200
    assert "step number 449." in page
    seen = set(re.findall(r"step number (\d+)\.", page))
    while older := re.search(rf"/jobs/{found.id}/steps\?before=\d+", page):
        page = browser.get(older[0]).text
        seen |= set(re.findall(r"step number (\d+)\.", page))
    assert len(seen) == 450


def test_what_is_huge_or_odd_breaks_no_page(face: Face, story: Story) -> None:
    mail = story.writes(SCOTT, f"We open at nine \u202e now{'x' * 300_000}", subject="\u202e<b>")
    found = story.job_of(mail)
    inbox = face.house.here.engine.inbox
    log = inbox.keep_file(b"\xff\x00" * 25_000_000 + b"the end <b>")
    said = "\n".join(f'{{"type": "assistant", "message": {{"content": "said {n}."}}}}' for n in range(250))
    talk = inbox.keep_file(f"{said}\n{'[' * 100_000}\n\xff".encode())
    diff = inbox.keep_file(b"diff --git a/x b/<b>x\n@@ -1 +1 @@\n" + b"+\x1b[2Jline\n" * 30_000)
    journal = Journal({"build_log": log, "transcript": talk, "diff": diff, "pictures": "x\ty", "changes": "\t\t\t"})
    told = tell_story(face.house.here, replace(found, journal=journal), to_agency=True)
    assert told.log is not None
    assert told.log.text.endswith("the end <b>")
    assert len(told.log.text) <= 64_000
    assert (told.talk.total, told.talk.pages, len(told.talk.lines)) == (250, 3, 100)
    assert told.change is not None
    assert told.change.is_cut
    assert sum(len(file.lines) for file in told.change.files) <= 2_000
    assert "\x1b" not in told.change.files[0].lines[1].text
    page = page_of(face.signed_in(), found)
    assert "\u202e" not in page
    assert "<b>" not in page


def test_a_job_that_waits_says_for_what(face: Face, story: Story) -> None:
    first, second = (story.job_of(story.writes(SCOTT, f"{ASKS} {number}", subject=number)) for number in "12")
    browser = face.signed_in()
    assert "It is the next of its lane." in page_of(browser, first)
    assert "No worker has the lane yet." in page_of(browser, first)
    assert "It waits behind 1 of its lane." in page_of(browser, second)
    assert "No worker" not in page_of(face.signed_in(Role.CLIENT, "amelia"), first)
    assert "Nobody was answered yet." in page_of(browser, first)


def test_the_page_of_a_mail_says_what_became_of_it(face: Face, story: Story) -> None:
    mail = story.writes(SCOTT, "We open at nine now", subject="<i>Hours", verified=False)
    browser = face.signed_in()
    page = browser.get(f"/mail/{mail}").text
    assert "It is held until its sender confirms it" in page
    assert "Nothing proves that this address sent the mail." in page
    assert "We open at nine now" in page
    assert "&lt;i&gt;Hours" in page
    raw = browser.get(f"/mail/{mail}/raw")
    assert raw.content == face.house.here.engine.inbox.read(mail)
    assert raw.headers["content-disposition"] == f"attachment; filename*=UTF-8''{mail}.eml"
    assert browser.get(f"/mail/{mail}/page").text.count("<p>") == 0
    assert browser.get(f"/mail/{mail}/letters/confirm").status_code == 404
    face.house.here.chores("tester").send(f"{mail}.confirm")
    assert "What its sender was written" in browser.get(f"/mail/{mail}").text
    assert "sandbox" in browser.get(f"/mail/{mail}/letters/confirm").headers["content-security-policy"]
    assert browser.get("/mail/mail-nowhere").status_code == 404
