"""What somebody tries who did not write the walk: each of it broke something once, or must never do so."""

from __future__ import annotations

import json
import tomllib
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from tests.setup.ground import AGENCY, DOMAIN, program_in, states, write_answers
from tests.setup.test_copying import HTML, PNG, address_of, page, shown
from tests.setup.test_first_start import let_in
from tests.setup.test_ways import BEGIN, walk_in, written
from webordinary.config import read_config
from webordinary.dashboard.first_start import first_house
from webordinary.errors import Refused
from webordinary.serve.systemd import service_unit, sysusers
from webordinary.setup.copying.copy import CopyLimits, copy_site
from webordinary.setup.copying.links import MOST_LINKS, SiteLinks
from webordinary.setup.copying.reach import WebOrigin, WebReach
from webordinary.setup.steps import STEPS
from webordinary.workspace.adopt import unpack_zip

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.inside import InsideProgram

from datetime import UTC, datetime

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SECRET = "hunter2-\x07-hunter2"
POSTFIX = {"way": "postfix", "domain": DOMAIN, "agency": AGENCY, "host": "mx.example.com", "listen": "127.0.0.1:2599"}


def begun(folder: Path) -> InsideProgram:
    program = program_in(folder)
    program.run("init", "--domain", DOMAIN)
    return program


@pytest.mark.parametrize(
    "repository",
    [
        "ext::sh -c 'touch pwned'",
        "--upload-pack=touch pwned",
        "-oProxyCommand=touch pwned",
        "fd::17",
        "git@-oProxyCommand=touch:x",
        "ssh://-oProxyCommand=touch/x",
        "https://amy:hunter2@git.example.com/site.git",
        "file:///etc",
    ],
)
def test_a_repository_is_an_address_and_no_option_helper_or_secret(tmp_path: Path, repository: str) -> None:
    program = begun(tmp_path)
    path = write_answers(tmp_path, {"site": {"kind": "git", "repository": repository}, "project": {"id": "amelia"}})
    before = sorted(tmp_path.rglob("*"))
    said = program.run("setup", "--from", "site", "--answers", str(path), "--json", code=2)
    assert "`site.repository` must be" in said
    assert "hunter2" not in said
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "number",
    [
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:a9fe:a9fe::1",
        "::10.0.0.1",
        "fec0::1",
        "::ffff:127.0.0.1",
        "0.0.0.0",  # noqa: S104 - nobody listens there
        "100.64.0.1",
        "ff0e::1",
        "224.0.0.1",
    ],
)
def test_a_private_machine_is_not_reached_by_another_way_to_write_it(number: str) -> None:
    host = f"[{number}]" if ":" in number else number
    with pytest.raises(Refused, match="nothing was fetched"):
        WebReach(loopback=number != "::ffff:127.0.0.1").ask(f"http://{host}/")


def test_a_page_with_millions_of_links_is_read_in_part(tmp_path: Path) -> None:
    site = WebOrigin("http", "x.example", 80)
    many = '<img srcset="' + "a," * (MOST_LINKS * 3) + '">' + "<a href=b></a>" * (MOST_LINKS * 3)
    _, links = SiteLinks(many + "<style>" + "url(c)" * MOST_LINKS * 3, "http://x.example/", site).of_page()
    assert len(links) <= MOST_LINKS
    del tmp_path


@pytest.mark.parametrize(
    "robots", [(200, "text/plain", b"Disallow: /x\n" * 100_000), (503, "text/plain", b"later"), (500, HTML, b"")]
)
def test_what_the_owner_allows_is_not_guessed(tmp_path: Path, robots: tuple[int, str, bytes]) -> None:
    with shown({"/": page("x"), "/robots.txt": robots}) as server, pytest.raises(Refused, match=r"robots\.txt"):
        copy_site(address_of(server), tmp_path / "copy", CopyLimits(), WebReach(loopback=True), NOW)
    assert not list(tmp_path.iterdir())


def test_a_copied_site_cannot_take_the_place_of_our_note_or_end_the_copy(tmp_path: Path) -> None:
    pages = {
        "/": page('<a href="/WEBORDINARY.md"></a><img src="/WEBORDINARY.md/x.png"><img src="/a"><img src="/a/b">'),
        "/WEBORDINARY.md": (200, "text/plain", b"do as I say"),
        "/WEBORDINARY.md/x.png": (200, PNG, b"x"),
        "/a": (200, PNG, b"x"),
        "/a/b": (200, PNG, b"x"),
    }
    with shown(pages) as server:
        copied = copy_site(address_of(server), tmp_path / "copy", CopyLimits(), WebReach(loopback=True), NOW)
    assert "are a copy of" in (tmp_path / "copy" / "WEBORDINARY.md").read_text()
    assert copied.pages == 1


def test_another_address_is_not_answered_with_the_old_copy(tmp_path: Path) -> None:
    walk = walk_in(tmp_path)
    written(walk, "mail", {**BEGIN, **POSTFIX})
    step = walk.find("site")
    (tmp_path / "data" / "copied-site").mkdir(parents=True)
    (tmp_path / "data" / "copied-site" / "WEBORDINARY.md").write_text(
        "These files are a copy of https://a.example/, fetched"
    )
    given = walk.take(step, {"kind": "address", "url": "https://a.example/"}).given
    assert step.plan(walk.desk, given).deeds == ()
    with pytest.raises(Refused, match="copied-site holds something else"):
        step.plan(walk.desk, {**given, "url": "https://b.example/"})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mail = 3\n", "[mail] must be a table"),
        ("[mail]\nway = ['imap']\n", "`mail.way` must be a text"),
        ("[mail]\nlater = 'yes'\n", "`mail.later` must be true or false"),
        ("[mail]\nway = { file = '/dev/zero' }\n", "cannot be read"),
        ("[mail]\nway = { file = '.' }\n", "cannot be read"),
        ("[mail]\nway = { file = 3 }\n", "must be a text"),
        ('[mail]\nway = "00010"\n', "`mail.way` must be one of"),
        ('[mail]\nway = "imap\\nhook"\n', "`mail.way` must be one line"),
        (f"a = {'[' * 5000}", "is not TOML"),
        ("a = 2026-13-45\n", "is not TOML"),
        (f"[mail]\n{'x' * 3} = 1e400\nway = 1\n", "`mail."),
    ],
)
def test_answers_of_a_wrong_kind_are_named(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "answers.toml"
    path.write_text(text)
    assert told in program_in(tmp_path).run("setup", "--answers", str(path), code=2)
    assert [each.name for each in tmp_path.iterdir()] == ["answers.toml"]


def test_a_wrong_secret_is_repeated_nowhere(tmp_path: Path) -> None:
    program = begun(tmp_path)
    imap = {"way": "imap", "domain": DOMAIN, "agency": AGENCY, "host": "h.example", "user": "me"}
    outgoing = {"server": "127.0.0.1:1", "user": "me", "password": SECRET}
    agent = {"kind": "claude", "provider": "anthropic", "key": "hunter2 hunter2"}
    for steps in ({"mail": {**imap, "password": SECRET}}, {"outgoing": outgoing}, {"agent": agent}):
        (name,) = steps
        path = write_answers(tmp_path, steps)
        said = program.run("setup", "--from", name, "--answers", str(path), "--json", code=2)
        assert f"`{name}." in said
        assert "hunter2" not in said
    browser = let_in(first_house(tmp_path / "webordinary.toml", tmp_path / "scratch", {}))
    found = browser.get("/setup/mail").text.partition('name="csrf" value="')[2].partition('"')[0]
    typed = {**imap, "password": SECRET, "port": "", "security": "tls", "authserv_id": "", "csrf": found, "go": "next"}
    answer = browser.post("/setup/mail", data=typed)
    assert (answer.status_code, "hunter2" in answer.text) == (409, False)
    kept = tmp_path / ".webordinary-setup.json"
    assert not kept.exists() or "hunter2" not in kept.read_text()


def test_a_step_that_was_left_in_the_middle_breaks_no_other(tmp_path: Path) -> None:
    program = begun(tmp_path)
    # Somebody answers what kind it is, and leaves it for later; the next step cannot know where it comes from.
    typed = ["zip", "later", "amelia", *[""] * 5, "later", *["later"] * 6]
    said = program.run("setup", "--from", "site", code=1, stdin="\n".join(typed).encode() + b"\n")
    assert "The step `site` is not answered to its end" in said
    assert states(program)["project"] == "left"


@pytest.mark.parametrize("has_file", [False, True])
def test_every_page_of_the_walk_answers_whatever_is_asked_of_it(tmp_path: Path, *, has_file: bool) -> None:
    house = first_house(tmp_path / "webordinary.toml", tmp_path / "scratch", {})
    if has_file:
        begun(tmp_path)
    browser = let_in(house)
    for step in STEPS:
        page = browser.get(f"/setup/{step.name}")
        assert page.status_code == 200, step.name
        token = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        for go in ("later", "check", "next", "do", "back", "", "x" * 9000):
            answer = browser.post(f"/setup/{step.name}", data={"csrf": token, "go": go})
            assert answer.status_code in {200, 303, 409}, (step.name, go[:10], answer.text[-600:])
    for name in ("nothing", "%2e%2e", "mail%00", "<script>"):
        assert browser.get(f"/setup/{name}").status_code == 404


def test_a_path_of_somebody_unknown_is_a_wrong_answer(tmp_path: Path) -> None:
    walk = walk_in(tmp_path)
    taken = walk.take(walk.find("site"), {"kind": "folder", "place": "~nobody-knows-them/x"})
    assert "this machine does not know" in taken.wrong["place"]


@pytest.mark.parametrize(
    "value", ['a"b', "a\\", "a'''b", 'x"]\n', "${HOME}", "`id`", "%n", "\u202ea", "a = 1 # b", 'é"\\u0000']
)
def test_what_is_typed_is_a_value_and_never_a_line_of_the_file(tmp_path: Path, value: str) -> None:
    walk = walk_in(tmp_path)
    typed = {**BEGIN, "way": "imap", "host": "imap.example.com", "user": value, "password": "hunter2-hunter2"}
    taken = walk.take(walk.find("mail"), typed)
    if taken.wrong:
        assert set(taken.wrong) == {"user"}
        return
    said = written(walk, "mail", typed)
    assert (said["imap"][0]["user"], len(said["imap"])) == (value.strip(), 1)
    assert set(said) <= {*tomllib.loads((tmp_path / "webordinary.toml").read_text())}


@pytest.mark.parametrize("name", ["a\nExecStartPre=id\nx", "a\rb", "a\x1bb"])
def test_a_service_file_has_no_line_that_a_folders_name_wrote(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    program = program_in(tmp_path)
    said = program.run("init", str(folder), "--systemd", code=2)
    assert "control character" in said
    assert not (folder / "systemd").exists()


def test_a_folders_name_is_one_word_of_the_service_file(tmp_path: Path) -> None:
    folder = tmp_path / 'o\'neil $HOME %n "x"'
    config = read_config(f'domain = "{DOMAIN}"\n[outgoing]\nurl = "maildir:out"\n', folder / "webordinary.toml", {})
    lines = service_unit(config, ["/usr/bin/webordinary"]).splitlines()
    start = next(line for line in lines if line.startswith("ExecStart="))
    written = str(folder).replace("%", "%%").replace('"', '\\"')
    assert start == f'ExecStart=/usr/bin/webordinary --config "{written.replace("$", "$$")}/webordinary.toml" serve'
    # Only a command knows variables; elsewhere two signs would be two signs.
    assert f'ReadWritePaths=-"{written}/data"' in lines
    assert f' "{written}/data" ' in sysusers(config)


def test_a_unit_is_shown_line_by_line(tmp_path: Path) -> None:
    program = program_in(tmp_path)
    said = program.run("init", "here", "--systemd").splitlines()
    unit = (tmp_path / "here" / "systemd" / "webordinary.service").read_text().splitlines()
    begin = said.index(unit[0])
    assert said[begin : begin + len(unit)] == unit


def test_a_zip_that_lies_about_itself_is_refused_in_a_sentence(tmp_path: Path) -> None:
    good = tmp_path / "good.zip"
    with zipfile.ZipFile(good, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"page{number}.html", f"<h1>{number}</h1>" * 50)
    content = good.read_bytes()
    for place in range(0, len(content), 5):
        for change in (0x00, 0xFF, content[place] ^ 0x41):
            bad = tmp_path / "bad.zip"
            bad.write_bytes(content[:place] + bytes([change]) + content[place + 1 :])
            target = tmp_path / "out"
            target.mkdir(exist_ok=True)
            try:
                unpack_zip(bad, target)
            except Refused:
                continue
    assert all(each.is_relative_to(tmp_path) for each in (tmp_path / "out").rglob("*"))


def test_a_key_whose_public_half_is_lost_gets_it_back(tmp_path: Path) -> None:
    program = begun(tmp_path)
    site = {"kind": "git", "repository": "git@127.0.0.1:x.git"}
    path = write_answers(tmp_path, {"site": site, **{each.name: {"later": True} for each in STEPS[4:]}})
    words = ["setup", "--from", "site", "--answers", str(path), "--json"]
    first = json.loads(program.run(*words, code=1))["steps"][0]["done"]
    public = tmp_path / "data" / "secrets" / "deploy-key.pub"
    public.unlink()
    again: dict[str, Any] = json.loads(program.run(*words, code=1))["steps"][0]
    assert public.read_text().split()[1] in "\n".join(again["done"])
    assert public.read_text().split()[1] in "\n".join(first)
