"""Our ids: made once for each job and kind, and found again in what people answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.mail.conversation import bare_id, known_ids, message_id_for
from webordinary.mail.parse import parse_message


def test_the_same_mail_always_has_the_same_id() -> None:
    assert message_id_for("job-1", "answer", "Mail.example") == "<webordinary.job-1.answer@mail.example>"


@settings(deadline=None, database=None)
@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_different_mails_have_different_ids(one: tuple[str, str], other: tuple[str, str]) -> None:
    same = message_id_for(*one, "mail.example") == message_id_for(*other, "mail.example")
    assert same == (_storable(one) == _storable(other))


def _storable(words: tuple[str, str]) -> list[bytes]:
    return [word.encode("utf-8", "replace") for word in words]


@settings(deadline=None, database=None)
@given(st.text(max_size=40), st.text(max_size=20))
def test_an_id_comes_back_in_a_reply(job: str, kind: str) -> None:
    ours = message_id_for(job, kind, "mail.example")
    reply = parse_message(f"In-Reply-To: {ours}\r\nReferences: <x@other.example> {ours}\r\n\r\n".encode())
    assert known_ids(reply, "mail.example") == (bare_id(ours),)


@pytest.mark.parametrize("domain", ["evil-mail.example", "mail.example.evil.example", "evil.mail.example"])
def test_an_id_of_a_similar_domain_is_not_ours(domain: str) -> None:
    reply = parse_message(f"References: <webordinary.a.b@{domain}> <a@Mail.Example>\n\n".encode())
    assert known_ids(reply, "mail.example") == ("a@Mail.Example",)
