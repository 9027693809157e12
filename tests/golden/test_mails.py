"""Every kind of mail in every language, exactly as it leaves the house.

When a change is meant: `python -m tests.golden.every_mail` writes the files anew, and `git diff` shows what people
will notice.
"""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from typing import TYPE_CHECKING

import pytest

from tests.golden.every_mail import FOLDER, OWNER, WHOLE, Desk, golden, path_of
from webordinary.languages import codes
from webordinary.mail.parse import parse_message
from webordinary.mail.tokens import read_token
from webordinary.mail.words.quoting import marker_line
from webordinary.reply.kinds import KINDS, Tone

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("language", codes())
def test_the_mails_are_as_golden_as_before(desk: Desk, language: str) -> None:
    for kind in KINDS:
        assert golden(desk.mail(kind, language)) == path_of(kind, language).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", codes())
def test_one_whole_mail_is_the_same_byte_by_byte(desk: Desk, language: str) -> None:
    assert desk.mail(WHOLE, language) == (FOLDER / language / f"{WHOLE}.eml").read_bytes()


def test_there_is_no_golden_mail_of_a_kind_that_is_gone() -> None:
    def names(folder: Path) -> set[str]:
        return {each.name for each in folder.iterdir()}

    expected = {f"{kind}.txt" for kind in KINDS} | {f"{WHOLE}.eml"}
    assert {language: names(FOLDER / language) for language in codes()} == dict.fromkeys(codes(), expected)


@pytest.mark.parametrize("language", codes())
def test_every_mail_can_be_answered_and_will_never_be_acted_on(desk: Desk, language: str) -> None:
    for kind in KINDS:
        _require_an_answer(desk, kind, language)


def _require_an_answer(desk: Desk, kind: str, language: str) -> None:
    raw = desk.mail(kind, language)
    message = parse_message(raw)
    assert message.automatic is not None
    assert message.text.startswith(marker_line(language))
    mail = message_from_bytes(raw, policy=default)
    is_reply = KINDS[kind].tone not in {Tone.AGENCY, Tone.WELCOME}
    assert mail.get_all("Auto-Submitted") == ["auto-replied" if is_reply else "auto-generated"]
    assert len(mail.get_all("X-WebOrdinary-Loop", [])) == 1
    assert mail["From"] == mail["Reply-To"]
    if is_reply:
        assert mail["To"] == OWNER
        assert mail["In-Reply-To"] in mail["References"]
    if is_reply and kind not in {"not_an_editor", "which_project"}:
        assert read_token(message.from_address or "", "edit.example.com") is not None
