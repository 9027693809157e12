"""Pictures: which pages are shown, where the frame goes, what a mail says about them, and what happens without them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from PIL import Image, ImageDraw

from tests.golden.every_mail import Desk
from tests.pictures import opened, photo
from tests.rigs.embedded_ports import AMELIA, open_embedded_ports
from webordinary.child import Child, Finished, run
from webordinary.errors import BuildFailed, Refused
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.journal import Journal, Step
from webordinary.languages import codes
from webordinary.reply.pictures import read_scenes
from webordinary.reply.words import phrases
from webordinary.site.receipt.changes import PageChange, Receipt
from webordinary.site.screenshots.__main__ import encode
from webordinary.site.screenshots.camera import Camera
from webordinary.site.screenshots.compare import Box, FrameLimits, Piece, Seen, read_outline, show_difference
from webordinary.site.screenshots.shoot import ORIGIN, Stage, address_of
from webordinary.site.screenshots.shot import NoBrowser, PictureLimits, Side, View, find_browser
from webordinary.worker.change.candidate import Candidate
from webordinary.worker.change.examine import Examination
from webordinary.worker.change.pictures import Pictures, choose_views, pictures_of
from webordinary.worker.change.propose import Ask, propose
from webordinary.worker.chores.waiting import PendingApprovals
from webordinary.worker.heartbeat import AskedToStop, AttemptControl
from webordinary.worker.run import Run
from webordinary.workspace.push import Prepared
from webordinary.workspace.sandbox import Sandbox, SandboxKind

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
LIMITS = FrameLimits(300, 900)


def receipt(
    *paths: str,
    pages_added: tuple[str, ...] = (),
    pages_gone: tuple[str, ...] = (),
    files_changed: tuple[str, ...] = (),
) -> Receipt:
    pages = tuple(PageChange(path, "") for path in paths)
    return Receipt(pages, pages_added=pages_added, pages_gone=pages_gone, files_changed=files_changed)


def test_the_home_page_is_shown_first_then_what_is_high_up_in_the_site(tmp_path: Path) -> None:
    changed = receipt("about/team/us.html", "zoo.html", "index.html", "blog/index.html")
    assert [view.path for view in choose_views(changed, tmp_path, 3)] == ["index.html", "zoo.html", "blog/index.html"]


def test_the_page_that_was_asked_about_is_shown_before_the_home_page(tmp_path: Path) -> None:
    changed = receipt("index.html", "menu.html", "zoo.html")
    assert [view.path for view in choose_views(changed, tmp_path, 2, ["zoo.html"])] == ["zoo.html", "index.html"]


def test_a_new_page_is_shown_as_it_is_and_a_removed_one_as_it_was(tmp_path: Path) -> None:
    changed = receipt("menu.html", pages_added=("new.html",), pages_gone=("old.html",))
    assert choose_views(changed, tmp_path, 3) == [
        View("menu.html"),
        View("new.html", (Side.AFTER,)),
        View("old.html", (Side.BEFORE,)),
    ]


@pytest.mark.parametrize(("file", "pages"), [("style.css", ["index.html"]), ("prices.pdf", [])])
def test_a_new_style_is_shown_on_the_home_page_and_a_document_nowhere(
    tmp_path: Path, file: str, pages: list[str]
) -> None:
    (tmp_path / "index.html").write_text("<p>Hello", encoding="utf-8")
    assert [view.path for view in choose_views(receipt(files_changed=(file,)), tmp_path, 3)] == pages


def drawing(*boxes: Box, height: int = 2000) -> Image.Image:
    picture = Image.new("RGB", (400, height), WHITE)
    for box in boxes:
        ImageDraw.Draw(picture).rectangle(box, fill=BLACK)
    return picture


def reds(picture: Image.Image) -> int:
    colours = picture.getcolors(2**24) or []
    return sum(count for count, colour in colours if colour == (225, 29, 72))


def test_two_pictures_that_are_the_same_show_no_difference() -> None:
    piece = Piece("one", Box(10, 10, 60, 40))
    before, after = Seen(drawing(piece.box), [piece]), Seen(drawing(piece.box), [Piece("two", piece.box)])
    assert show_difference(before, after, LIMITS) is None


def test_what_was_only_moved_has_no_frame_and_both_sides_are_cut_to_the_change() -> None:
    new, moved = Box(10, 1000, 90, 1030), Box(10, 1100, 90, 1130)
    stayed = Piece("stayed", Box(10, 1000, 90, 1030))
    before = Seen(drawing(stayed.box), [stayed])
    after = Seen(drawing(new, moved), [Piece("new", new), Piece("stayed", moved)])
    shown = show_difference(before, after, LIMITS)
    assert shown is not None
    assert [picture.size for picture in shown] == [(400, 300), (400, 300)]
    assert reds(shown[0]) == 0
    # Once around the new one, and around nothing else.
    assert 500 < reds(shown[1]) < 1500


@pytest.mark.parametrize(
    "box", [Box(0, 0, 80, 20), Box(320, 980, 400, 1000), Box(150, 500, 250, 520), Box(0, 700, 400, 720)]
)
def test_a_frame_lies_outside_of_the_text_and_covers_none_of_its_neighbours(box: Box) -> None:
    beside = [
        Box(box.left, box.top - 25, box.right, box.top - 5),
        Box(box.left, box.bottom + 4, box.right, box.bottom + 24),
    ]
    others = [Piece(f"other {each.top}", each) for each in beside if each.top >= 0 and each.bottom <= 1000]
    before, after = (Seen(speckled([box, *beside], seed), [Piece(f"text {seed}", box), *others]) for seed in (1, 2))
    shown = show_difference(before, after, LIMITS)
    assert shown is not None
    assert reds(shown[1]) > 200
    for each in (box, *(other.box for other in others)):
        assert is_inside(after.picture.crop(each), shown[1])


def speckled(boxes: list[Box], seed: int) -> Image.Image:
    """Return a page whose texts can be told from each other by their pixels."""
    picture = Image.new("RGB", (400, 1000), WHITE)
    for number, box in enumerate(boxes):
        noise = Image.effect_noise((box.right - box.left, box.bottom - box.top), 60 + number + seed).convert("RGB")
        picture.paste(noise, (box.left, box.top))
    return picture


def is_inside(part: Image.Image, whole: Image.Image) -> bool:
    """Tell whether a picture is part of another one, pixel by pixel."""
    lines = [part.crop((0, y, part.width, y + 1)).tobytes() for y in range(part.height)]
    rows = [whole.crop((0, y, whole.width, y + 1)).tobytes() for y in range(whole.height)]
    starts = (row.find(lines[0]) for row in rows)
    return any(
        start >= 0 and all(rows[y + down][start : start + len(line)] == line for down, line in enumerate(lines))
        for y, start in enumerate(starts)
        if y + part.height <= whole.height
    )


def test_a_wide_page_is_cut_to_a_part_that_a_phone_can_show() -> None:
    box = Box(900, 400, 1100, 430)
    before, after = (
        Seen(Image.new("RGB", (1280, 2000), colour), [Piece(str(colour), box)]) for colour in (WHITE, (250, 250, 250))
    )
    shown = show_difference(before, after, FrameLimits(300, 900, narrow=560))
    assert shown is not None
    assert [picture.width for picture in shown] == [560, 560]
    wide = [Seen(each.picture, [Piece(each.outline[0].mark, Box(10, 400, 1270, 430))]) for each in (before, after)]
    everything = show_difference(wide[0], wide[1], FrameLimits(300, 900, narrow=560))
    assert everything is not None
    assert everything[1].width == 1280


def test_where_no_text_differs_the_frame_goes_around_the_pixels_that_do() -> None:
    before, after = drawing(), drawing(Box(100, 1500, 200, 1600))
    shown = show_difference(Seen(before), Seen(after), LIMITS)
    assert shown is not None
    assert reds(shown[0]) > 0
    assert BLACK in {shown[1].getpixel((150, y)) for y in range(shown[1].height)}


def test_a_change_that_is_everywhere_is_shown_without_frames_and_not_too_long() -> None:
    places = [Box(10, 100 * number, 90, 100 * number + 30) for number in range(19)]
    before = Seen(drawing(), [Piece(f"a{box.top}", box) for box in places])
    after = Seen(drawing(*places), [Piece(f"b{box.top}", box) for box in places])
    shown = show_difference(before, after, LIMITS)
    assert shown is not None
    assert [(picture.height, reds(picture)) for picture in shown] == [(900, 0), (900, 0)]


def test_a_page_that_tells_nonsense_about_itself_has_no_outline() -> None:
    for told in ("", "{}", '[{"words": 1}]', '[{"words":"a","source":"","left":1e999,"top":0,"right":1,"bottom":1}]'):
        assert read_outline(told, lambda _: b"") == []


def test_a_picture_under_the_same_name_counts_by_its_content() -> None:
    told = '[{"words":"","source":"x.png","left":0,"top":0,"right":1,"bottom":1}]'
    one, two = read_outline(told, lambda _: b"one"), read_outline(told, lambda _: b"two")
    assert one[0].mark != two[0].mark


def test_every_picture_becomes_small_enough_or_is_left_out() -> None:
    noisy = Image.effect_noise((1280, 1300), 90).convert("RGB")
    flat = encode(drawing(height=900), 400, 150_000)
    noise = encode(noisy, 1088, 150_000)
    assert flat is not None
    assert flat[0] == "png"
    assert noise is not None
    assert noise[0] == "jpeg"
    assert len(noise[2]) <= 150_000
    assert opened(noise[2]).size == noise[1].size
    assert encode(noisy, 1088, 2_000) is None


def test_the_stage_answers_with_files_of_its_build_only(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "blog").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (site / "blog" / "index.html").write_text("blog", encoding="utf-8")
    (site / "a b.html").write_text("a b", encoding="utf-8")
    (site / "out.txt").symlink_to(tmp_path / "secret.txt")
    stage = Stage(site)
    found = {
        path: answered.content if (answered := stage.answer(f"{ORIGIN}{path}")) else None
        for path in ("/blog/", "/blog", "/a%20b", "/../secret.txt", "/%2e%2e/secret.txt", "/out.txt", "/%00", "/gone")
    }
    assert found == {"/blog/": b"blog", "/blog": b"blog", "/a%20b": b"a b"} | dict.fromkeys(
        ("/../secret.txt", "/%2e%2e/secret.txt", "/out.txt", "/%00", "/gone"), b""
    )
    assert stage.answer("http://127.0.0.1/") is None
    assert stage.answer("https://site.invalid:8080/") is None
    assert address_of("blog/index.html") == f"{ORIGIN}/blog/"
    assert address_of("a b.html") == f"{ORIGIN}/a%20b.html"


def test_a_browser_is_missing_when_the_extra_or_the_program_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    named = find_browser(tmp_path / "nowhere")
    assert isinstance(named, NoBrowser)
    assert "pictures.browser" in named.why
    monkeypatch.setenv("PATH", str(tmp_path))
    on_path = find_browser()
    assert isinstance(on_path, NoBrowser)
    assert "apt install chromium" in on_path.why
    monkeypatch.setitem(sys.modules, "playwright", None)
    extra = find_browser()
    assert isinstance(extra, NoBrowser)
    assert "webordinary[screenshots]" in extra.why


def test_a_worker_starts_without_the_extra(tmp_path: Path) -> None:
    program = "import sys; sys.modules['playwright'] = None; import webordinary.serve.worker_process"
    finished: Finished = run([sys.executable, "-c", program], cwd=tmp_path, env={"PYTHONPATH": ":".join(sys.path)})
    assert finished.succeeded, finished.stderr.decode()


def broken() -> NoReturn:
    raise BuildFailed("what was live cannot be built any more")


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_embedded_ports(tmp_path)


@dataclass
class Attempted:
    """A change whose old build is broken, in the hands of a worker that takes its pictures."""

    ports: Ports
    camera: Camera | NoBrowser | None
    reply_to: str | None = "scott@example.org"

    def __post_init__(self) -> None:
        self.ports.queue(reply_to=self.reply_to)
        claimed = self.ports.engine.claims.claim("worker", self.ports.now)
        assert claimed is not None
        assert claimed.job is not None
        self.claim, self.job = claimed.claim, claimed.job
        self.pulse = AttemptControl(self.claim, self.job, timedelta(0))

    def take(self) -> Job:
        found = Examination(receipt("index.html"), (), "")
        candidate = Candidate(Prepared("c1", "c0"), Path(), found, broken, lambda _: None)
        nowhere: Any = None
        attempt = Run(self.ports.engine, self.ports.clock, self.claim, self.job, AMELIA, nowhere, self.pulse)
        Pictures(self.camera).take(attempt, candidate)
        return attempt.job


def told_by(ports: Ports, camera: Camera | NoBrowser | None) -> dict[str, str]:
    return dict(Attempted(ports, camera).take().journal.stored)


def test_the_trail_says_why_there_are_no_pictures_and_the_job_goes_on(ports: Ports) -> None:
    assert told_by(ports, NoBrowser("no chromium"))["no_pictures"] == "no chromium"
    trail = [entry.facts.get("no_pictures") for entry in ports.engine.trail.read(limit=100)]
    assert "no chromium" in trail


def test_pictures_for_which_nothing_can_be_built_are_left_out(ports: Ports, tmp_path: Path) -> None:
    camera = Camera(tmp_path / "chromium", lambda: Sandbox(SandboxKind.NONE), tmp_path, PictureLimits())
    told = told_by(ports, camera)
    assert told["no_pictures"] == "what was live cannot be built any more"
    assert told["pictures"] == ""


def test_whoever_is_asked_to_stop_while_pictures_are_taken_stops(ports: Ports, tmp_path: Path) -> None:
    camera = Camera(tmp_path / "chromium", lambda: Sandbox(SandboxKind.NONE), tmp_path, PictureLimits())
    attempted = Attempted(ports, camera)
    attempted.pulse.end(AskedToStop(Why.STOP, "scott"))
    with pytest.raises(AskedToStop):
        attempted.take()
    assert Step.PICTURED not in ports.job(attempted.job.id).journal


def test_a_proposal_shows_the_pictures_of_exactly_its_change(ports: Ports) -> None:
    ports.queue(reply_to="scott@example.org")
    claimed = ports.engine.claims.claim("worker", ports.now)
    assert claimed is not None
    assert claimed.job is not None
    facts = {"pictures": lines("a"), "pictures_of": "c1", "commit_live": "c1"}
    job = ports.engine.attempts.journal(claimed.claim, claimed.job, "pictured", facts, ports.now)
    found, why = Examination(receipt("a.html"), (), ""), Ask("approve", for_agency=True)
    ending = propose(job, AMELIA, "c1", found, why, ports.now.wall_at)
    assert ending.facts["pictures"] == lines("a")
    ports.engine.attempts.finish(claimed.claim, job, ending, ports.now)
    PendingApprovals(ports.engine, ports.clock, "agency@example.com").look_after()
    letters = {letter.to: letter.facts.get("pictures") for letter in ports.engine.outbox.take_due("me", ports.now)}
    assert letters == {"scott@example.org": lines("a"), "agency@example.com": lines("a")}


def test_who_wants_no_pictures_hears_nothing_of_them(ports: Ports) -> None:
    assert "pictured" not in told_by(ports, None)


def test_whoever_asks_on_a_terminal_does_not_wait_for_pictures(ports: Ports) -> None:
    assert Step.PICTURED not in Attempted(ports, NoBrowser("no chromium"), reply_to=None).take().journal


def test_a_browser_with_a_uid_of_its_own_alone_is_not_started(tmp_path: Path) -> None:
    camera = Camera(tmp_path / "chromium", lambda: Sandbox(SandboxKind.OWN_UID), tmp_path, PictureLimits())
    started: list[Child] = []
    taken = camera.take({Side.AFTER: tmp_path}, [View("index.html", (Side.AFTER,))], started.append)
    assert "bubblewrap or Landlock" in taken.problem
    assert started == []


def test_pictures_of_another_try_are_not_shown() -> None:
    assert pictures_of(Journal({"pictures": "x", "pictures_of": "c1", "commit_live": "c1"})) == {"pictures": "x"}
    assert pictures_of(Journal({"pictures": "x", "pictures_of": "c1", "commit_live": "c2"})) == {}
    assert pictures_of(Journal({"pictures": "", "pictures_of": "c1", "commit_live": "c1"})) == {}


def lines(*digests: str) -> str:
    places = [(side, screen) for screen in ("computer", "phone") for side in ("before", "after")]
    shown = zip(digests, places, strict=False)
    return "\n".join("\t".join((digest, "jpeg", *place, "80", "60", "a.html", "Our <menu>")) for digest, place in shown)


@pytest.mark.parametrize("language", codes())
def test_each_picture_says_in_the_owners_language_what_it_is(language: str) -> None:
    known = phrases(language)
    computer, phone = read_scenes(lines("a", "b", "c", "d"), known, lambda digest: digest.encode(), "edit.example.com")
    assert (computer.is_narrow, phone.is_narrow) == (False, True)
    shown = [*computer.pictures, *phone.pictures]
    assert [picture.content for picture in shown] == [b"a", b"b", b"c", b"d"]
    assert len({picture.cid for picture in shown}) == len({picture.alt for picture in shown}) == 4
    assert all("Our <menu>" in picture.alt for picture in shown)
    assert computer.pictures[0].caption != computer.pictures[1].caption


def test_a_picture_that_is_no_longer_kept_and_a_torn_line_cost_only_themselves() -> None:
    def read(digest: str) -> bytes:
        if digest == "a":
            raise Refused("it is no longer kept")
        return digest.encode()

    scenes = read_scenes(f"{lines('a', 'b')}\ntorn\tline", phrases("en"), read, "edit.example.com")
    assert [picture.content for scene in scenes for picture in scene.pictures] == [b"b"]


def test_a_mail_with_pictures_has_the_same_text_and_is_the_same_each_time(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    bare = message_from_bytes(desk.mail("published", "de"), policy=default)
    kept = [desk.ports.engine.inbox.keep_file(photo(orientation=number)) for number in (1, 3, 6, 8)]
    raw = desk.mail("published", "de", {"pictures": lines(*kept)})
    mail = message_from_bytes(raw, policy=default)
    assert raw == desk.mail("published", "de", {"pictures": lines(*kept)})
    text, page = mail.get_body(("plain",)), mail.get_body(("html",))
    before = bare.get_body(("plain",))
    assert text is not None
    assert page is not None
    assert before is not None
    assert text.get_content() == before.get_content()
    assert "Our &lt;menu&gt;, auf dem Handy" in page.get_content()
    named = [str(part["Content-ID"]).strip("<>") for part in mail.walk() if part.get_content_maintype() == "image"]
    assert [f'src="cid:{cid}"' in page.get_content() for cid in named] == [True] * 4
