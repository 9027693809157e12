"""Reply addresses: they lead back to one conversation, for one person and for a while, and cannot be made up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.errors import Misconfigured
from webordinary.mail.address import is_well_formed
from webordinary.mail.tokens import (
    CONFIRM_LASTS,
    REPLY_LASTS,
    Purpose,
    ReplyKey,
    Token,
    hide_tokens,
    is_reply_address,
    read_link,
    read_token,
    tokens_in,
)

KEY = ReplyKey(b"k" * 32)
DOMAIN = "edit.example.com"
NOW = datetime(2026, 11, 3, 10, tzinfo=UTC)
AMELIA = "amelia@bakery.example"
THREAD = "0123456789ab"
ADDRESS = KEY.reply_address(DOMAIN, project="amelia", thread=THREAD, to=AMELIA, now=NOW)


def token_of(address: str) -> Token:
    token = read_token(address, DOMAIN)
    assert token is not None
    return token


def test_a_token_leads_back_to_its_thread_for_the_person_it_was_given_to() -> None:
    token = token_of(ADDRESS)

    assert (token.purpose, token.about) == (Purpose.REPLY, THREAD)
    assert KEY.is_genuine(token, project="amelia", sender="Amelia@Bakery.example", now=NOW)


@pytest.mark.parametrize("changed", [str.upper, str.title, str.swapcase])
def test_a_mail_server_may_change_the_case_of_an_address(changed: type[str]) -> None:
    token = token_of(changed(ADDRESS))

    assert KEY.is_genuine(token, project="amelia", sender=AMELIA, now=NOW)


def test_the_token_of_another_person_or_project_or_installation_is_not_genuine() -> None:
    token = token_of(ADDRESS)

    assert not KEY.is_genuine(token, project="amelia", sender="scott@bakery.example", now=NOW)
    assert not KEY.is_genuine(token, project="other", sender=AMELIA, now=NOW)
    assert not ReplyKey(b"x" * 32).is_genuine(token, project="amelia", sender=AMELIA, now=NOW)


def test_a_token_holds_until_it_expires() -> None:
    token = token_of(ADDRESS)

    assert KEY.is_genuine(token, project="amelia", sender=AMELIA, now=NOW + REPLY_LASTS - timedelta(seconds=1))
    assert not KEY.is_genuine(token, project="amelia", sender=AMELIA, now=NOW + REPLY_LASTS)


def test_a_confirmation_names_the_held_mail_and_holds_for_a_day() -> None:
    address = KEY.confirm_address(DOMAIN, project="amelia", mail="mail-0123456789ab", to=AMELIA, now=NOW)
    token = token_of(address)

    assert (token.purpose, token.mail) == (Purpose.CONFIRM, "mail-0123456789ab")
    assert KEY.is_genuine(token, project="amelia", sender=AMELIA, now=NOW + timedelta(hours=23))
    assert not KEY.is_genuine(token, project="amelia", sender=AMELIA, now=NOW + CONFIRM_LASTS)


def test_a_reply_token_cannot_be_turned_into_a_confirmation() -> None:
    token = token_of(ADDRESS)
    turned = Token(Purpose.CONFIRM, token.about, token.expires_at, token.seal)

    assert not KEY.is_genuine(turned, project="amelia", sender=AMELIA, now=NOW)


def test_a_later_expiry_cannot_be_written_into_a_token() -> None:
    token = token_of(ADDRESS)
    longer = Token(token.purpose, token.about, token.expires_at + timedelta(days=1), token.seal)

    assert not KEY.is_genuine(longer, project="amelia", sender=AMELIA, now=NOW)


@pytest.mark.parametrize("thread", ["a", THREAD, "x" * 16])
def test_a_reply_address_is_one_that_every_mail_server_takes(thread: str) -> None:
    address = KEY.reply_address(DOMAIN, project="amelia", thread=thread, to=AMELIA, now=NOW)

    assert is_well_formed(address)
    assert len(address.partition("@")[0]) < 64
    assert address == address.lower()


def test_an_id_that_does_not_fit_is_refused_when_the_address_is_made() -> None:
    with pytest.raises(ValueError, match="letters fits"):
        KEY.reply_address(DOMAIN, project="amelia", thread="x" * 17, to=AMELIA, now=NOW)


def test_a_short_key_is_refused_and_never_shown() -> None:
    with pytest.raises(Misconfigured):
        ReplyKey(b"short")
    assert "kkk" not in repr(KEY)


@pytest.mark.parametrize(
    "address",
    [
        "re@edit.example.com",
        "re+@edit.example.com",
        "re+short@edit.example.com",
        f"re+{'a' * 60}@edit.example.com",
        f"re+{'1' * 52}@edit.example.com",
        ADDRESS.replace("edit.example.com", "other.example.com"),
        ADDRESS.replace("re+", "amelia+"),
        "",
    ],
)
def test_what_is_no_token_of_ours_counts_as_none(address: str) -> None:
    assert read_token(address, DOMAIN) is None


def test_a_reply_address_is_known_even_when_its_token_is_broken() -> None:
    assert is_reply_address("Re+broken@edit.example.com", DOMAIN)
    assert not is_reply_address("amelia@edit.example.com", DOMAIN)
    assert not is_reply_address("re+x@evil-edit.example.com", DOMAIN)


def test_our_address_is_found_in_what_a_person_quoted() -> None:
    other = KEY.reply_address(DOMAIN, project="amelia", thread="feed", to=AMELIA, now=NOW)
    text = f"Yes\n\nOn Tuesday Bakery <{ADDRESS.upper()}> wrote:\n> mailto:{other}.\n> re+x@{DOMAIN}"

    assert [token.about for token in tokens_in(text, DOMAIN)] == [THREAD, "feed"]
    assert tokens_in(f"{ADDRESS}x {ADDRESS}-x x{ADDRESS}", DOMAIN) == []


@settings(deadline=None, database=None)
@given(st.integers(0, 2**30), st.integers(0, 51))
def test_no_letter_of_a_token_can_be_changed(choice: int, place: int) -> None:
    local = ADDRESS.partition("@")[0].removeprefix("re+")
    place %= len(local)
    letters = [letter for letter in "abcdefghijklmnopqrstuvwxyz234567" if letter != local[place]]
    changed = f"re+{local[:place]}{letters[choice % len(letters)]}{local[place + 1 :]}@{DOMAIN}"
    token = read_token(changed, DOMAIN)

    last_letter_carries_spare_bits = place == len(local) - 1
    genuine = token is not None and KEY.is_genuine(token, project="amelia", sender=AMELIA, now=NOW)
    assert not genuine or (last_letter_carries_spare_bits and token == token_of(ADDRESS))


@settings(deadline=None, database=None)
@given(st.text())
def test_no_address_makes_reading_fail(text: str) -> None:
    read_token(text, DOMAIN)
    read_token(f"re+{text}@{DOMAIN}", DOMAIN)
    tokens_in(f"re+{text}@{DOMAIN}", DOMAIN)


def test_a_link_is_for_one_proposal_one_person_and_one_project_and_ends() -> None:
    link = KEY.approval_token(project="amelia", proposal="job-0123456789ab", to=AMELIA, expires_at=NOW)
    token = read_link(link)
    assert token is not None
    assert (token.proposal, token.purpose, token.expires_at) == ("job-0123456789ab", Purpose.APPROVE, NOW)
    assert KEY.is_sealed(token, project="amelia", sender=AMELIA.upper())
    assert not KEY.is_sealed(token, project="flora", sender=AMELIA)
    assert not KEY.is_sealed(token, project="amelia", sender="eve@elsewhere.example")
    assert not ReplyKey(b"x" * 32).is_sealed(token, project="amelia", sender=AMELIA)
    assert not KEY.is_genuine(token, project="amelia", sender=AMELIA, now=NOW)
    assert KEY.is_genuine(token, project="amelia", sender=AMELIA, now=NOW - timedelta(seconds=1))


def test_a_link_is_no_address_and_an_address_no_link() -> None:
    link = KEY.approval_token(project="amelia", proposal="job-0123456789ab", to=AMELIA, expires_at=NOW)
    assert read_token(f"re+{link}@{DOMAIN}", DOMAIN) is None
    assert tokens_in(f"re+{link}@{DOMAIN}", DOMAIN) == []
    assert read_link(ADDRESS.partition("+")[2].partition("@")[0]) is None


def test_a_text_is_shown_without_the_tokens_in_it() -> None:
    link = KEY.approval_token(project="amelia", proposal="job-0123456789ab", to=AMELIA, expires_at=NOW)
    shown = hide_tokens(f"Say ok: https://dashboard.example.com/ok/{link} or reply to {ADDRESS}; /ok/then")
    assert shown == f"Say ok: https://dashboard.example.com/ok/… or reply to re+…@{DOMAIN}; /ok/then"
