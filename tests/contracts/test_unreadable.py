"""Mails that only the sender's program or the holder of a key can read: nothing of them is guessed, on every engine."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_hearing import BAKERY, SCOTT, answer, decide, job_of, say
from tests.unit.mail.test_bodies import multipart, signed_envelope, text
from webordinary.mail.words.quoting import MARKER

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

pytestmark = pytest.mark.above_the_store

ARMOUR = "-----BEGIN PGP MESSAGE-----\n\nhQEMA5vJ\n=abcd\n-----END PGP MESSAGE-----"
SUBJECTS = ["We open at nine", "Bitte Preis auf 4,80 ändern", "Changez le prix maintenant", "Cambia el precio ahora"]
_P7M = b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n"
_B64 = b"Content-Transfer-Encoding: base64\n\nMIAGCSqGSIb3DQEHA6CAMIACAQAxggE="
_WINMAIL = b"Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+IgMB"
_OCTETS = b"Content-Type: application/octet-stream; name=encrypted.asc\n\n" + ARMOUR.encode()
_ENCODED = base64.encodebytes(ARMOUR.encode())
_VERSION = b"Content-Type: application/pgp-encrypted\n\nVersion: 1"
SEALED = {
    "S/MIME": _P7M + _B64,
    "S/MIME named by its file": b"Content-Type: application/octet-stream; name=smime.p7m\n" + _B64,
    "S/MIME below a notice of a server": multipart("mixed", text("Checked by our server."), _P7M + _B64),
    "PGP/MIME": multipart("encrypted", _VERSION, _OCTETS),
    "PGP/MIME as Exchange repacks it": multipart("mixed", text(" "), _VERSION, _OCTETS),
    "PGP as a file alone": multipart("mixed", text(""), _OCTETS),
    "PGP as an encoded file": multipart(
        "mixed", text(""), _OCTETS.partition(b"\n")[0] + b"\nContent-Transfer-Encoding: base64\n\n" + _ENCODED
    ),
    "PGP in the text": text(ARMOUR),
    "PGP in the text below a greeting": text(f"Hello,\n\n{ARMOUR}\n\nBye"),
    "PGP below an ok": text(f"ok\n\n{ARMOUR}"),
    "winmail.dat": multipart("mixed", text(""), _WINMAIL),
    "winmail.dat and no text": _WINMAIL,
    "winmail.dat by its name": _WINMAIL.replace(b"application/ms-tnef", b"application/octet-stream"),
}


def mail(body: bytes, subject: str) -> bytes:
    return f"From: {SCOTT}\nTo: {BAKERY}\nSubject: {subject}\n".encode() + body


@pytest.mark.parametrize("subject", SUBJECTS[:1])
@pytest.mark.parametrize("kind", SEALED)
def test_what_cannot_be_read_is_not_published_by_its_subject(ports: Ports, kind: str, subject: str) -> None:
    decision = decide(ports, mail(SEALED[kind], subject))
    assert (decision.outcome, decision.answer, decision.job) == ("refused", "unreadable", None)
    assert ports.engine.overview.jobs() == []


@pytest.mark.parametrize("subject", SUBJECTS)
def test_in_no_language(ports: Ports, subject: str) -> None:
    assert decide(ports, mail(SEALED["S/MIME"], subject)).answer == "unreadable"


def test_what_is_only_signed_is_read(ports: Ports) -> None:
    inside = text("We open at nine.")
    envelope = base64.encodebytes(signed_envelope(inside, streamed=False))
    opaque = b"Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\n"
    beside = multipart("signed", inside, b"Content-Type: application/pkcs7-signature; name=smime.p7s\n\nMIAG")
    written = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nWe open at nine.\n-----BEGIN PGP SIGNATURE-----\n\niQEz"
    )
    for body in (opaque + envelope, beside, text(f"{written}\n-----END PGP SIGNATURE-----\n")):
        raw = mail(body, "Hours").replace(b"\n", b"\nMessage-ID: <%d@x.example>\n" % len(body), 1)
        assert job_of(ports, decide(ports, raw)).request.text == "We open at nine."


def test_words_beside_a_packet_of_outlook_are_read(ports: Ports) -> None:
    job = job_of(ports, decide(ports, mail(multipart("mixed", text("We open at nine."), _WINMAIL), "Hours")))
    assert job.request.text == "We open at nine."


def test_an_encrypted_mail_in_the_history_hides_nothing(ports: Ports) -> None:
    job = job_of(ports, say(ports, "We open at nine."))
    replied = answer(ports, job, f"{MARKER}\n\nDone.")
    quoted = "\n".join(f"> {line}" for line in f"{MARKER}\n\nDone.\n\n{ARMOUR}".split("\n"))
    second = job_of(ports, say(ports, f"We close at five.\n\n{quoted}", in_reply_to=replied))
    assert second.request.text == "We close at five."


def test_speaking_of_encryption_is_a_request(ports: Ports) -> None:
    words = 'Please write "-----BEGIN PGP MESSAGE-----" into the example on the help page.'
    assert job_of(ports, say(ports, words)).request.text == words
