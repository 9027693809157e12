"""The lines of the how-to for mailboxes, typed word by word at a provider on loopback in place of the real one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.cli.program import Program
from tests.doors.dovecot import PASSWORD, USER
from tests.oauth.provider import provider
from tests.oauth.test_flows import come
from tests.tree import ROOT
from webordinary.testing.mail import write_mail
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.oauth.provider import Provider

PAGE = (ROOT / "docs" / "howto" / "mailboxes.md").read_text(encoding="utf-8")
MAIL = write_mail(sender="scott@example.org", to="amelia@edit.example.com", text="We open at nine now.")
SECRET = "THE-SECRET"
_BLOCK = re.compile(r"^```(toml|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LAST_TABLE = re.compile(r"^\[outgoing\]\n(?:.*\n)*?(?=\n\[)", re.MULTILINE)


def blocks_under(heading: str) -> list[tuple[str, str]]:
    """Return what is to be written and to be typed, in the order of the page."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return _BLOCK.findall(section)


@pytest.fixture(scope="module")
def house() -> Iterator[Provider]:
    with provider() as one, pytest.MonkeyPatch.context() as here:
        here.setenv("SSL_CERT_FILE", str(one.dovecot.certificate))
        yield one


@dataclass
class Reader:
    """A person who does what the page says, in an installation as `init` and `project add` leave it."""

    program: Program
    house: Provider
    environment: dict[str, str] = field(default_factory=dict)

    def write(self, lines: str) -> None:
        """Put lines into the configuration; only where the servers are is another than on the page."""
        path = self.program.folder / "webordinary.toml"
        text = path.read_text()
        if "[outgoing]" in lines:
            text = _LAST_TABLE.sub("", text)
        path.write_text(f"{text}\n{self.at_home(lines)}")

    def type(self, line: str) -> None:
        """Type one line, and play the person in the browser where one is needed."""
        if line.startswith("export "):
            name, _, value = line.removeprefix("export ").partition("=")
            self.environment[name] = value
        elif "mailbox login" not in line:
            bin_folder = Path(sys.executable).parent
            env = {**os.environ, **self.environment, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
            subprocess.run(["bash", "-ec", self.at_home(line)], cwd=self.program.folder, env=env, check=True)
        elif "--paste" in line:
            self._paste(line.split()[1:])
        else:
            self._log_in(line.split()[1:])

    def at_home(self, lines: str) -> str:
        """Return lines of the page with the servers of this house."""
        giver, dovecot = self.house.giver, self.house.dovecot
        known = re.search(r'^client_id = "(.*)"$', lines, re.MULTILINE)
        if known:
            giver.client, giver.secret = known[1], SECRET
        home = "".join(f'{name}_url = "{giver.address}/{name}"\n' for name in ("token", "authorize", "device"))
        if 'provider = "google"' in lines:
            home = home.replace(f'device_url = "{giver.address}/device"\n', "")
        lines = re.sub(r'^(?:token|authorize|device)_url = "https://.*\n', "", lines, flags=re.MULTILINE)
        lines = re.sub(r"^(client_id = .*\n)", rf"\1{home}", lines, flags=re.MULTILINE)
        here = f'host = "127.0.0.1"\nport = {dovecot.port}\nsecurity = "none"'
        lines = re.sub(r'^host = ".*"$', here, lines, flags=re.MULTILINE)
        lines = re.sub(r"smtps?://(\S+)@smtp\.[\w.]+(?::587)?", rf"smtp://\1@localhost:{dovecot.submission}", lines)
        lines = lines.replace(":THE-PASSWORD@", f":{quote(PASSWORD, safe='')}@")
        return lines.replace("THE-PASSWORD", PASSWORD)

    def _log_in(self, arguments: list[str]) -> None:
        with self.program.start(*arguments) as walk:
            line = walk.line_with("Open ")
            if "enter the code" in line:
                self.house.giver.say_yes(line.rpartition(" code ")[2].split()[0])
            else:
                come(come(line.split()[-1])[1])
            walk.line_with("kept as the secret")
            assert walk.process.wait() == 0

    def _paste(self, arguments: list[str]) -> None:
        command = [sys.executable, "-m", "webordinary.cli", *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, cwd=self.program.folder, **pipes) as walk:  # type: ignore[call-overload]  # as run
            back = come(walk.stdout.readline().split()[-1])[1]
            said, _ = walk.communicate(f"{back}\n")
        assert (walk.returncode, "kept as the secret" in said) == (0, True), said


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation as the quickstart leaves it."""
    program = Program(tmp_path_factory.mktemp("begun"))
    copy_sample_site(program.folder / "bakery")
    program.run("init", "--domain", "edit.example.com")
    path = program.folder / "webordinary.toml"
    path.write_text(re.sub(r"127\.0\.0\.1:(2525|8080|8090)", "127.0.0.1:0", path.read_text()))
    program.run("project", "add", "amelia", "--from", "bakery", "--editor", "scott=scott@example.org")
    return program.folder


@pytest.fixture
def reader(tmp_path: Path, begun: Path, house: Provider) -> Reader:
    shutil.copytree(begun, tmp_path, symlinks=True, dirs_exist_ok=True)
    while not house.post.mails.empty():
        house.post.mails.get_nowait()
    return Reader(Program(tmp_path), house)


HEADINGS = [heading for heading in re.findall(r"^## (.+)$", PAGE, re.MULTILINE) if blocks_under(heading)][1:]


def test_the_page_has_lines_for_every_provider() -> None:
    assert [heading.split()[0].strip(":,") for heading in HEADINGS] == [
        "Google",
        "Microsoft",
        "Microsoft",
        "Fastmail",
        "A",
        "Any",
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("heading", HEADINGS)
def test_what_the_page_says_about_a_provider_lets_mail_in_and_out(
    reader: Reader, house: Provider, heading: str
) -> None:
    blocks = blocks_under(heading)
    typed = [line.removeprefix("$ ") for kind, text in blocks if kind == "console" for line in text.splitlines()]
    before = [line for line in typed if "mailbox login" not in line]
    for line in before:
        reader.type(line)
    for kind, text in blocks:
        if kind == "toml":
            reader.write(text)
    for line in typed:
        if line not in before:
            reader.type(line)
    house.dovecot.put(MAIL)

    for _, text in blocks_under("What every provider needs"):
        for line in text.splitlines():
            reader.type(line.removeprefix("$ "))

    with pytest.MonkeyPatch.context() as here:
        for name, value in reader.environment.items():
            here.setenv(name, value)
        with reader.program.start("serve") as serving:
            answer = house.post.mails.get(timeout=60)
            serving.end()
    assert b"To: scott@example.org" in answer
    sender = any("sender =" in text for _, text in blocks)
    own = f"<{USER}>".encode() in answer.partition(b"\r\nTo:")[0]
    assert own is sender
    assert b"@edit.example.com>" in answer.partition(b"Reply-To:")[2].partition(b"\r\nTo:")[0]
