"""Our page about hooks, word by word: its files, its addresses, its worker and its script, against a real door."""

from __future__ import annotations

import base64
import re
import stat
import subprocess
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.doors.hooks import SECRET, Booth, mailgun, open_booth, postmark, sendgrid
from tests.doors.office import AMELIA, MAIL
from tests.howto import FOLDER, blocks
from tests.node import node_path
from tests.programs import need
from webordinary.config import read_config
from webordinary.doors.hook import Hook
from webordinary.doors.hook_seals import read_seals
from webordinary.doors.hook_ways import WAYS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = "hooks.md"
PREFIX = "/hook"
# What Cloudflare hands to a worker, with a mail that came from there.
SENDER = """
import worker from "./worker.mjs";
const [url, secret, raw, from, to] = process.argv.slice(2);
const said = [];
const message = {
  from, to, rawSize: raw.length,
  raw: new ReadableStream({ start(it) { it.enqueue(Buffer.from(raw, "base64")); it.close(); } }),
  setReject(reason) { said.push(`rejected: ${reason}`); },
};
try {
  await worker.email(message, { HOOK_URL: url, HOOK_SECRET: secret });
} catch (error) {
  said.push(`later: ${error.message}`);
}
console.log(said.join("\\n") || "taken");
"""


@pytest.fixture
def booth(tmp_path: Path) -> Iterator[Booth]:
    booth = open_booth(tmp_path)
    yield booth
    booth.listener.close()


def address_in(heading: str) -> str:
    """Return the one address that the page has a person write down there."""
    found = {str(each) for block in blocks(PAGE, heading) for each in re.findall(r"https://[^\s\")]+", block)}
    assert len(found) == 1
    return found.pop().replace("SECRET", SECRET)


def path_in(heading: str) -> str:
    """Return what reaches the door of it, behind the web server of the page."""
    path = urlsplit(address_in(heading)).path
    assert path.startswith(PREFIX)
    return path.removeprefix(PREFIX)


@pytest.mark.parametrize("heading", ["Open the door", "Mailgun", "SendGrid"])
def test_each_table_can_be_written_as_it_stands(tmp_path: Path, heading: str) -> None:
    (table,) = blocks(PAGE, heading, "toml")
    (tmp_path / "hook-secret").write_text(SECRET)
    (tmp_path / "mailgun-key").write_text("key-0123456789abcdef")
    small = 'domain = "edit.example.com"\n[outgoing]\nurl = "maildir:outgoing"\n'
    hook = read_config(small + table, tmp_path / "webordinary.toml", {}).find_doors(Hook)[0]
    assert hook is not None
    read_seals(hook)


@pytest.mark.programs
def test_the_secret_of_the_page_is_one_and_is_nobody_elses(tmp_path: Path) -> None:
    need("openssl")
    (command,) = blocks(PAGE, "Open the door", "console")
    subprocess.run(["sh", "-ec", command.removeprefix("$ ")], cwd=tmp_path, check=True)
    secret = tmp_path / "hook-secret"
    assert read_seals(Hook(secret_file=secret)).secret is not None
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600


def test_the_addresses_of_the_page_lead_to_the_door(booth: Booth) -> None:
    assert booth.post(path_in("Mailgun"), *mailgun(MAIL, booth.now)[1:])[0] == 200
    assert address_in("Mailgun").endswith("mime")
    assert booth.post(path_in("SendGrid"), *sendgrid(MAIL)[1:])[0] == 200
    shown = urlsplit(address_in("Postmark"))
    assert booth.post(path_in("Postmark"), *postmark(MAIL, secret=shown.password or "")[1:])[0] == 200
    assert set(booth.mails()) == {MAIL}


@pytest.mark.programs
def test_the_script_of_the_page_hands_a_mail_in(booth: Booth, tmp_path: Path) -> None:
    need("curl")
    (command,) = blocks(PAGE, "A script of your own", "console")
    line, said = command.removeprefix("$ ").splitlines()
    (tmp_path / "hook-secret").write_text(SECRET)
    (tmp_path / "mail.eml").write_bytes(MAIL)
    line = line.replace("127.0.0.1:8026", "{}:{}".format(*booth.listener.address))
    done = subprocess.run(["sh", "-ec", line], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert re.fullmatch(r"accepted as mail-[0-9a-f]{12}\n", done.stdout)
    assert re.fullmatch(r"accepted as mail-[0-9a-f]{12}", said)
    assert booth.mails() == [MAIL]


def test_the_worker_of_the_page_hands_mails_in_and_tells_their_senders(booth: Booth, tmp_path: Path) -> None:
    (worker,) = blocks(PAGE, "Cloudflare", "js")
    (tmp_path / "worker.mjs").write_text(worker)
    (tmp_path / "sender.mjs").write_text(SENDER)
    url = "http://{}:{}/mail".format(*booth.listener.address)

    def send(secret: str, sender: str, to: str, at: str = url) -> str:
        argv = ["node", "sender.mjs", at, secret, base64.b64encode(MAIL).decode(), sender, to]
        done = subprocess.run(argv, cwd=tmp_path, check=True, capture_output=True, text=True, env={"PATH": node_path()})
        return done.stdout.strip()

    assert send(SECRET, "scott@example.org", AMELIA) == "taken"
    assert send(SECRET, "", AMELIA) == "taken"
    assert [kept.envelope.mail_from for kept in booth.kept()] == ["scott@example.org", ""]
    assert send(SECRET, "scott@example.org", "flora@edit.example.com") == "rejected: nobody here has this address"
    assert send("wrong", "scott@example.org", AMELIA) == "later: the hook answered 401"
    booth.listener.close()
    assert send(SECRET, "scott@example.org", AMELIA).startswith("later:")


def test_the_page_tells_the_numbers_that_providers_get() -> None:
    text = (FOLDER / PAGE).read_text(encoding="utf-8")
    ways = [WAYS[name] for name in ("mailgun", "postmark", "sendgrid", "mail")]
    rows = [line for line in text.splitlines() if re.search(r"\| \d{3} \|", line)]
    told = [[int(each) for each in re.findall(r"\| (\d{3}) ", row)] for row in rows]
    assert told == [[200] * 4, [way.wrong for way in ways], [503] * 4, [way.never for way in ways]]
