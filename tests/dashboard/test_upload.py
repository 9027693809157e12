"""A form with a file, cut into pieces at every place, and what is no such form."""

from __future__ import annotations

import io

import pytest

from webordinary.dashboard.forms import upload
from webordinary.dashboard.forms.upload import FormReader, boundary_of
from webordinary.errors import Refused

CONTENT = b"PK\x03\x04 \r\n--bou \r\n--boundarx --boundary\r\n\r\n\x00\xff"


def form(*parts: tuple[str, bytes], end: bytes = b"--boundary--\r\n") -> bytes:
    heads = ((b"--boundary\r\nContent-Disposition: form-data; " + head.encode(), content) for head, content in parts)
    return b"".join(head + b"\r\n\r\n" + content + b"\r\n" for head, content in heads) + end


GOOD = form(('name="kind"', b"zip"), ('name="file"; filename="a/../b.zip"', CONTENT), ('name="csrf"', "ü".encode()))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, len(GOOD)])
def test_a_file_arrives_as_it_was_sent_however_it_was_cut(size: int) -> None:
    file = io.BytesIO()
    reader = FormReader("boundary", file)
    for start in range(0, len(GOOD), size):
        reader.feed(GOOD[start : start + size])
    reader.close()
    assert (reader.fields, file.getvalue()) == ({"kind": "zip", "csrf": "ü"}, CONTENT)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"way=imap&csrf=1",
        GOOD[:-8],
        GOOD.replace(b"--boundary--", b"--boundaryxx"),
        form(('name="file"; filename="a.zip"', b"x"), ('name="file"; filename="b.zip"', b"x")),
        form(('name="other"; filename="a.zip"', b"x")),
        form((f'name="{"a" * 5000}"', b"x")),
        form(("x" * 9000, b"x")),
        form(('name="kind"', b"x" * 200_000)),
        form(*[(f'name="k{number}"', b"x") for number in range(200)]),
        form(('name="file"; filename="a.zip"', b"x" * 2000)),
    ],
)
def test_what_is_no_form_or_too_much_is_refused(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(upload, "LARGEST_FILE", 1000)
    reader = FormReader("boundary", io.BytesIO())

    def send() -> None:
        reader.feed(sent)
        reader.close()

    with pytest.raises(Refused):
        send()


@pytest.mark.parametrize(
    ("kind", "boundary"),
    [
        ("multipart/form-data; boundary=abc", "abc"),
        ('multipart/form-data; boundary="a b"', "a b"),
        ("multipart/form-data", None),
        (f"multipart/form-data; boundary={'a' * 200}", None),
        ("multipart/mixed; boundary=abc", None),
        ("application/x-www-form-urlencoded", None),
        ("", None),
    ],
)
def test_only_a_form_with_a_boundary_has_files(kind: str, boundary: str | None) -> None:
    assert boundary_of({"content-type": kind}) == boundary
