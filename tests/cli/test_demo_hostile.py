"""Hostile visitors of the demo's page: other sites, other names of this machine, and forms that no browser sends."""

from __future__ import annotations

import re
from contextlib import closing
from http.client import HTTPConnection
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import pytest

from webordinary.cli.demo.folder import open_folder
from webordinary.cli.demo.page.server import shown_page
from webordinary.cli.demo.phone import OwnersPhone
from webordinary.cli.demo.stage import DemoStage
from webordinary.config.live import LiveConfig
from webordinary.engines.installation import Installation
from webordinary.serve.doors import open_doors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.cli.demo.phone import Conversation

NASTY = "<img src=x onerror=alert(1)>"
PLAIN = "application/x-www-form-urlencoded"
OK, SEE_OTHER, FORBIDDEN, NOT_FOUND, CONFLICT, MISDIRECTED = 200, 303, 403, 404, 409, 421


class Visitor:
    """Somebody who reaches the page, and sends what they like; let in only after `enters`."""

    def __init__(self, address: str, stage: DemoStage) -> None:
        self.stage = stage
        self._at = urlsplit(address)
        self._cookie: dict[str, str] = {}
        self.csrf = ""

    def asks(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        """Send one request; a header that is given stands instead of what a browser would send."""
        with closing(HTTPConnection(str(self._at.hostname), self._at.port, timeout=60)) as line:
            line.putrequest(method, path, skip_host=True)
            length = {"Content-Length": str(len(body))} if method == "POST" else {}
            for name, value in {"Host": self._at.netloc, **self._cookie, **length, **(headers or {})}.items():
                line.putheader(name, value)
            line.endheaders(body)
            answer = line.getresponse()
            if given := answer.getheader("set-cookie"):
                self._cookie = {"Cookie": given.partition(";")[0]}
            return answer.status, answer.read().decode()

    def enters(self) -> None:
        assert self.asks("GET", self._at.path)[0] == SEE_OTHER
        status, page = self.asks("GET", "/")
        assert status == OK
        self.csrf = cast("re.Match[str]", re.search(r'name="csrf" value="([^"]+)"', page))[1]

    def sends(self, body: bytes, kind: str, **headers: str) -> tuple[int, str]:
        return self.asks("POST", "/do/write", body, {"Content-Type": kind, **headers})

    def attaches(self, name: bytes, kind: bytes = b"image/jpeg", words: bytes = b"Hello.") -> tuple[int, str]:
        """Send a mail with a file, as a browser would that does not care what a name is."""
        fields = {b'name="csrf"': self.csrf.encode(), b'name="words"': words}
        parts = [b"--x\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n" % each for each in fields.items()]
        parts += [
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\nContent-Type: %s\r\n\r\ndata\r\n'
            % (name, kind)
        ]
        return self.sends(b"".join(parts) + b"--x--\r\n", "multipart/form-data; boundary=x")

    @property
    def mails(self) -> list[Conversation]:
        return self.stage.phone.conversations()


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """The page and the real doors; nobody works on what comes in."""
    with open_folder(tmp_path_factory.mktemp("demo") / "demo", fresh=False) as config:
        here = Installation.open(config)
        with open_doors(here, LiveConfig(config)):
            nobody = cast("object", None)
            stage = DemoStage(here, nobody, OwnersPhone(config, here.clock), ("127.0.0.1", 9), config.data / "gates")  # type: ignore[arg-type]  # no worker runs
            with shown_page(stage) as address:
                stranger = Visitor(address, stage)
                assert stranger.asks("GET", "/")[0] == FORBIDDEN
                assert stranger.asks("GET", "/enter/wrong")[0] == NOT_FOUND
                stranger.enters()
                yield stranger


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "amelia.localhost", "evil@localhost", ""])
def test_another_name_that_leads_here_is_not_served(visitor: Visitor, host: str) -> None:
    """DNS that names a page of somebody else and then this machine makes their script ours, but for the name."""
    for path in ("/", "/events", "/static/demo.js", "/photos/oven.jpg"):
        assert visitor.asks("GET", path, headers={"Host": host})[0] == MISDIRECTED


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
    ],
)
def test_a_form_of_another_page_does_nothing(visitor: Visitor, headers: dict[str, str]) -> None:
    before = len(visitor.mails)
    body = f"csrf={visitor.csrf}&words=Hello".encode()

    assert visitor.sends(body, PLAIN, **headers)[0] == FORBIDDEN
    assert visitor.sends(b"csrf=guessed&words=Hello", PLAIN)[0] == FORBIDDEN
    assert visitor.sends(body, PLAIN, Cookie="webordinary-demo=../../x")[0] == FORBIDDEN
    assert len(visitor.mails) == before


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"&".join(b"a=%d" % number for number in range(500)), PLAIN),
        (b"--x\r\n" * 200_000, "multipart/form-data; boundary=x"),
        (b"--x\r\n\r\n\r\n--x--", "multipart/form-data; boundary=x"),
        (b"--x\r\nContent-Disposition: form-data; name*=a'b'c\r\n\r\n--x--", "multipart/form-data; boundary=x"),
        (b"\xff\x00", 'multipart/form-data; boundary=""'),
        (b"\xff\x00", "multipart/form-data; boundary*=nowhere''%ff"),
        (b"{}", "application/json"),
        (b"", ""),
    ],
)
def test_a_form_that_no_browser_sends_is_refused_in_words(visitor: Visitor, body: bytes, kind: str) -> None:
    status, said = visitor.sends(body, kind)

    assert status in {FORBIDDEN, CONFLICT}
    assert "Internal Server Error" not in said


def test_what_is_too_large_is_refused_before_it_is_kept(visitor: Visitor) -> None:
    before = len(visitor.mails)
    status, said = visitor.sends(b"x" * 30_000_001, PLAIN)

    assert (status, len(visitor.mails)) == (CONFLICT, before)
    assert "30 MB is the most" in said


@pytest.mark.parametrize(
    ("name", "kind", "kept"),
    [
        (b"../../etc/passwd", b"image/jpeg", "passwd"),
        (b"..\\\\..\\\\boot.ini", b"image/jpeg", "boot.ini"),
        (b"a\r\n Bcc: all@example.org\r\n b.jpg", b"image/jpeg", None),
        (b"a\x00b\x1b[2Jc.jpg", b"image/jpeg", None),
        (b"\xff\xfe.jpg", b"image/jpeg", None),
        (b"%2e%2e%2f.jpg", b"image/jpeg", "%2e%2e%2f.jpg"),
        (b"x" + NASTY.encode() + b".svg", b"image/svg+xml", f"x{NASTY}.svg"),
        (b"mail.eml", b"message/rfc822", "mail.eml"),
        (b"parts", b"multipart/mixed; boundary=y", "parts"),
        (b"x.txt", b"text/plain; charset=nowhere", "x.txt"),
        (b"x", b"\xff/ \r\n\ty", "x"),
    ],
)
def test_a_file_is_a_file_whatever_its_name_says(visitor: Visitor, name: bytes, kind: bytes, kept: str | None) -> None:
    status, _ = visitor.attaches(name, kind)
    assert status == SEE_OTHER
    (file,) = visitor.mails[0].mails[0].files

    assert kept in {None, file}
    assert not re.search(r"[\x00-\x1f/\\]", file)
    status, page = visitor.asks("GET", "/")
    assert status == OK
    assert NASTY not in page


def test_words_and_subjects_are_words(visitor: Visitor) -> None:
    body = (
        f"csrf={visitor.csrf}&words=%00a%0d%0a.%0d%0aQUIT%0d%0a{NASTY}&subject={NASTY}%00%0d%0aBcc:%20all@b.c".encode()
    )
    assert visitor.sends(body, PLAIN)[0] == SEE_OTHER
    mail = visitor.mails[0].mails[0]

    assert mail.subject == f"{NASTY} Bcc: all@b.c"
    assert mail.text.splitlines()[1:] == [".", "QUIT", NASTY]
    page = visitor.asks("GET", "/")[1]
    assert NASTY not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


@pytest.mark.parametrize(
    "path",
    [
        "/mail/..%2f..%2fwebordinary.toml",
        "/mail/../webordinary.toml",
        "/photos/..%2fapp.py",
        "/static/..%2f..%2fserver.py",
        "/shared/%2e%2e/guard.py",
        "/photos//etc/passwd",
        "/do/write",
    ],
)
def test_no_path_leads_out_of_what_is_shown(visitor: Visitor, path: str) -> None:
    assert visitor.asks("GET", path)[0] in {NOT_FOUND, 405}


@pytest.mark.parametrize(
    "query", ["talk=%22%3E%3Cscript%3E", "try=%22%3E%3Cscript%3E", "show=%22%3E%3Cscript%3E", "new=%00"]
)
def test_what_an_address_asks_for_is_never_a_script(visitor: Visitor, query: str) -> None:
    status, page = visitor.asks("GET", f"/?{query}")

    assert status == OK
    assert '"><script>' not in page
