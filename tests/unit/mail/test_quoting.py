"""What stays of a reply: every word of the person, and nothing of ours."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.mail.words.announce import is_forward_subject
from webordinary.mail.words.quoting import MARKER, own_words
from webordinary.mail.words.sent import Sent

OURS = f"{MARKER}\n\nDone, your change is live.\n\nWhich colour should the banner have?\n"
ADDRESS = "re+cfvynbiqgntdsyzqmqzgcn3cgfs7f5km2svttsb4j2uajxhvvfeks@edit.example.com"
QUOTED = "".join(f"> {line}".rstrip() + "\n" for line in OURS.splitlines())


def reply(text: str) -> str:
    return own_words(text, is_reply=True).kept


@pytest.mark.parametrize(
    "attribution",
    [
        "On Tue, 3 Nov 2026 at 10:00, Bakery <amelia@mail.example> wrote:",
        "On Tue, Nov 3, 2026 at 10:00 AM The Bakery with a long name <amelia@mail.example>\nwrote:",
        "Am 03.11.26 um 10:00 schrieb Bäckerei:",
        "Le mar. 3 nov. 2026 à 10:00, Boulangerie <amelia@mail.example> a écrit :",
        "2026年11月3日(火) 10:00 Bakery <amelia@mail.example>\uff1a",
        f"El mar, 3 nov 2026 a las 10:00, Panadería (<\n{ADDRESS}>) escribió:",
        f"Le mar. 3 nov. 2026 à 10:00, Boulangerie <\n{ADDRESS}> a écrit :",
        "Bakery <amelia@mail.example> schrieb am Di., 3. Nov. 2026, 10:00:",
        "",
    ],
)
def test_history_goes_with_the_line_that_announces_it(attribution: str) -> None:
    words = "Thanks, now also:\n\n- soup\n- bread\n\nFrom: 10:00\nTo: 18:00"
    assert reply(f"{words}\n\n{attribution}\n{QUOTED}") == words
    assert reply(f"{words}\n\n{attribution}\n\n{OURS}") == words


def test_what_was_cut_is_kept_beside_it() -> None:
    found = own_words(f"ok\n\n{QUOTED}\n-- \nAmelia", is_reply=True)
    assert found.kept == "ok"
    assert "> Done, your change is live." in found.cut
    assert found.cut.endswith("-- \nAmelia")


@pytest.mark.parametrize(
    "copied",
    [
        "From: Eva Brandt\nSent: Monday, 2 March 2026 10:00\nTo: Amelia\nSubject: Suite",
        "*Von:* Eva Brandt\n*Gesendet:* Montag, 2. März 2026 10:00\n*An:* Amelia\n*Betreff:* Suite",
        "De : Eva Brandt\nEnvoyé : lundi 2 mars 2026 10:00\nÀ : Amelia\nObjet : Suite",
        "De: Eva Brandt\nEnviado: lunes, 2 de marzo de 2026 10:00\nPara: Amelia\nAsunto: Suite",
    ],
)
def test_a_colleagues_mail_is_hers_although_outlook_leaves_her_address_out(copied: str) -> None:
    found = own_words(f"Please see below.\n\n{copied}\n\nThe suite is 300 now.", is_reply=False)
    assert found.spoken == "Please see below."
    assert "> The suite is 300 now." in found.kept


def test_lines_that_are_copied_from_a_chat_are_not_the_persons_own() -> None:
    found = own_words("Please add it.\n\n[02/03/2026, 10:00:12] Bob: call 07700 900123", is_reply=False)
    assert found.spoken == "Please add it."
    own = "Please add:\n\n12.05.2026, 10:00 Uhr: Sommerfest\n[new] 13.05.2026: Markt"
    assert own_words(own, is_reply=False).spoken == own


def test_the_lines_that_outlook_copies_go_and_opening_hours_stay() -> None:
    copied = "From: Bakery <amelia@mail.example>\nSent: 3 November 2026 10:00\nTo: Amelia\nSubject: Re: Hours"
    words = "Please change it to\n\nFrom: 10:00\nTo: 18:00\nPhone: 555"
    assert reply(f"{words}\n\n________________________________\n{copied}\n\n{OURS}") == words
    assert reply(f"{words}\n{copied}\n\n{OURS}") == words
    assert reply(f"{words}\n\n{OURS}") == words


@pytest.mark.parametrize(
    "marker",
    [
        f">> {MARKER}",
        f"> *{MARKER}*",
        f"  {MARKER.upper()}",
        "> WebOrdinary: reply above\n> this line ^^^",
        f"\u200b{MARKER}\xa0",
    ],
)
def test_a_marker_that_a_client_changed_is_still_ours(marker: str) -> None:
    assert reply(f"We open at nine.\n{marker}\n> old") == "We open at nine."


def test_talking_about_the_marker_cuts_nothing() -> None:
    words = f"What does\n{MARKER} mean?\nPlease remove 'WebOrdinary: reply above this line' here."
    assert reply(words) == words


def test_answers_between_quoted_lines_stay_with_their_question() -> None:
    text = (
        "Hello\n\n"
        + QUOTED.replace("> Which", "Great!\n>\n> Which")
        + "Blue, please.\n> Should it be large?\nYes.\n> Bye\n"
    )
    assert reply(text).split("\n") == [
        "Hello",
        "",
        "> Done, your change is live.",
        "Great!",
        "> Which colour should the banner have?",
        "Blue, please.",
        "> Should it be large?",
        "Yes.",
    ]


_EARLIER = "Please delete the price list.\nThe phone number is 555 0100."


@pytest.mark.parametrize(
    "announcement",
    [
        "-----Original Message-----\nFrom: Amelia <amelia@bakery.example>\nSent: Tue, 3 November 2026 10:00\nTo: Us",
        "-----Original Message-----",
        "-----Ursprüngliche Nachricht-----\nVon: Amelia\nGesendet: Dienstag, 3. November 2026 10:00\nAn: Bakery",
        "-------- Message d'origine --------\nDe : Amelia <amelia@bakery.example>\nDate : 03/11/2026 10:00",
        "On Tue, 3 Nov 2026 at 10:00, Amelia <amelia@bakery.example> wrote:",
        "On Tue, Nov 3, 2026 at 10:00 AM Amelia with a long name\n<amelia@bakery.example> wrote:",
        "Am 03.11.2026 um 10:00 schrieb Amelia:",
        'Gesendet: Dienstag, 03. November 2026 um 10:00 Uhr\nVon: "Amelia" <amelia@bakery.example>\nAn: a\nBetreff: b',
        "From: The long name of a bakery \n<re+0123456789@mail.example> \nSent: Tue, November 3, 2026 10:00 AM\nTo: a",
        "From: a@x.example [mailto:a@x.example]\nSent: March-09-12 4:22 PM\nTo: a\nSubject: b",
        "-------- Oprindelig besked --------\nFra: Amelia <amelia@x.example>\nDato: 03.11.2026  10.00  \nTil: a",
        "---- On Tue, 03 Nov 2026 10:00:00 +0100 amelia@bakery.example wrote ----",
        '11:00 AM, November 3, 2026, "Amelia" <amelia@bakery.example>:',
        'In data 3 novembre 2026 10:00:31 "Amelia" <amelia@bakery.example> ha scritto:',
        "Original Message\nFrom: amelia@bakery.example\nSent: November 3, 2026 10:00 AM\nTo: a\nSubject: b",
        "-----Amelia <amelia@bakery.example> wrote: -----\nTo: a\nFrom: Amelia\nDate: 11/03/2026 10:00AM\nSubject: b",
        "________________\nVon: Amelia <amelia@bakery.example>\nGesendet: Dienstag, 3. November 2026 10:00\nAn: Bakery",
        "De : Amelia <amelia@bakery.example>\nEnvoyé : mardi 3 novembre 2026 10:00\nÀ : Bakery\nObjet : Heures",
        "差出人: Amelia <amelia@bakery.example>\n送信日時: 2026年11月3日 10:00\n宛先: Bakery\n件名: Hours",
    ],
)
def test_an_earlier_mail_is_not_asked_for_again_when_it_is_quoted_without_marks(announcement: str) -> None:
    found = own_words(f"Thanks!\n\n{announcement}\n\n{_EARLIER}\n", is_reply=True)
    assert found.kept == "Thanks!"
    assert _EARLIER in found.cut


@pytest.mark.parametrize(
    "words",
    [
        "From: 10:00\nTo: 18:00\nPhone: 555",
        "Contact: anna@bakery.example\nDate: 3 November 2026 10:00\nPlace: Town hall\nPrice: 5",
        "On 3 November 2026 at 10:00 we close for these reasons:\n- flour\n- water",
        "Thanks, now also change the phone number.",
        "The contact box:\n\nName: Anna Berg <anna@bakery.example>\nPhone: 555\nOpen: 10:00 since 2026",
        "On the page of 2026, at 10:00, add this",
        "Original message\nshould be the heading.",
        "----------\nSummer menu\n----------\nSoup: 5\nBread: 3",
        "Write to us <anna@bakery.example>:\nthat is what the button should say.",
        "- bread\n- soup\n\n* cake\n1. coffee",
        "--\nfirst\n--\nsecond",
        "Hi,\n\nthe form sends each e-mail to the wrong recipient. Please delete that confidential text next to it.",
    ],
)
def test_an_instruction_that_looks_like_a_header_stays(words: str) -> None:
    for is_reply in (True, False):
        assert own_words(words, is_reply=is_reply).kept == words
    attribution = "On Tue, 3 Nov 2026 at 10:00, Bakery <amelia@mail.example> wrote:"
    broken = "On Tue, 3 Nov 2026 at 10:00, the Bakery with a long name\n<amelia@mail.example> wrote:"
    for announced in (f"\n{attribution}", attribution, broken):
        assert reply(f"{words}\n{announced}\n{QUOTED}") == words
        assert reply(f"{words}\n{announced}\n{OURS}") == words


@pytest.mark.parametrize("below", [f"On 3 Nov 2026 at 10:00, Bakery <a@mail.example> wrote:\n{QUOTED}", QUOTED, OURS])
def test_a_list_that_a_person_marks_like_a_quote_stays(below: str) -> None:
    words = "Please add:\n> soup\n> bread"
    assert reply(f"{words}\n\n{below}") == words


@pytest.mark.parametrize(
    "announcement",
    [
        f"{ADDRESS}:",
        f"Bakery <{ADDRESS}> :",
        f"From: Bakery <{ADDRESS}>\nTo: Amelia\nSubject: Hours",
        f"Mail of\n<{ADDRESS}>:",
    ],
)
def test_our_own_reply_address_announces_our_own_mail(announcement: str) -> None:
    assert reply(f"Blue, please.\n\n{announcement}\n\nDone, it is live.") == "Blue, please."


def test_our_own_lines_are_known_without_the_marker() -> None:
    ours = "Done, your change is live.\n\nWhich colour should the banner have?"
    sent = Sent.of([OURS])
    assert own_words(f"Blue.\n\n{ours}", is_reply=True, sent=sent).kept == "Blue."
    one = "Which colour should the banner have?\nBlue."
    assert own_words(one, is_reply=True, sent=sent).kept == one


def test_an_answer_between_our_unmarked_lines_stays_with_its_question() -> None:
    fields = "From: Bakery <amelia@mail.example>\nSent: Tuesday, 3 November 2026 10:00\nTo: Amelia\nSubject: Re: Hours"
    body = OURS.replace("banner have?", "banner have?\nBlue, please.\n") + "\nBye, the robot of the bakery.\n"
    sent = Sent.of([OURS, "Bye, the robot of the bakery."])
    found = own_words(f"See below.\n\n{fields}\n\n{body}", is_reply=True, sent=sent)
    assert _filled(found.kept) == ["See below.", "> Which colour should the banner have?", "Blue, please."]


@pytest.mark.parametrize("above", ["Hello,\n\n", ""])
@pytest.mark.parametrize("mark", ["", "> "])
def test_words_below_the_whole_of_our_unmarked_mail_stay(above: str, mark: str) -> None:
    fields = f"From: Bakery <{ADDRESS}>\nSent: Tuesday, 3 November 2026 10:00\nTo: Amelia\nSubject: Re: Hours\n\n"
    quoted = "\n".join(f"{mark}{line}" for line in f"{fields}{OURS}\nBlue, please.\nThanks, Scott".split("\n"))
    assert _filled(own_words(f"{above}{quoted}", is_reply=True, sent=Sent.of([OURS])).kept) == [
        *_filled(above),
        "Blue, please.",
        "Thanks, Scott",
    ]
    older = f"{above}{fields}{OURS}\nFrom: Eve <eve@x.example>\nSent: 3 November 2026 10:00\nTo: Us\n\nDelete it."
    assert "Delete it." in own_words(older, is_reply=True, sent=Sent.of([OURS])).cut


def test_a_sentence_that_ends_like_an_announcement_stays_above_the_real_one() -> None:
    words = "On 24.12.2026 at 10:00 we wrote on the door:\nClosed for Christmas\nPlease put it on the site."
    attribution = f"On Tue, 3 Nov 2026 at 10:00, Bakery <{ADDRESS}> wrote:"
    for quoted in (QUOTED, OURS):
        assert reply(f"{words}\n\n{attribution}\n{quoted}") == words


LEGAL = {
    "en": "This e-mail is confidential and intended solely for the addressee. If you are not the intended recipient,\n"
    "please notify the sender and delete it.",
    "de": "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat sind, informieren Sie "
    "bitte den Absender und vernichten Sie diese E-Mail.",
    "fr": "Ce message est confidentiel et destiné à son seul destinataire. Si vous l'avez reçu par erreur, veuillez le "
    "supprimer et avertir l'expéditeur.",
    "es": "Este mensaje es confidencial y está dirigido exclusivamente a su destinatario. Si lo ha recibido por error, "
    "elimínelo y avise al remitente.",
    "scanner": "Virus-free.www.avast.com <https://www.avast.com/sig-email?utm=1>\n<#DAB4FAD8-2DD7-40BB-A1B8-4E2AA1F9FDF2>",
}


@pytest.mark.parametrize("notice", LEGAL)
def test_what_a_server_puts_below_every_mail_goes(notice: str) -> None:
    for below in (f"{LEGAL[notice]}\n", f"________\n\n{LEGAL[notice]}"):
        found = own_words(f"ok\n\n{QUOTED}\n{below}", is_reply=True)
        assert (found.kept, LEGAL[notice] in found.cut) == ("ok", True)
        assert reply(f"ok\n\nScott\n\n{below}\n\n{QUOTED}") == "ok\n\nScott"
        meant = f"Please write on the contact page:\n\n{below}".strip()
        assert reply(meant) == meant
    assert reply(LEGAL[notice]) == LEGAL[notice]


def test_words_below_an_announcement_whose_quote_was_deleted_stay() -> None:
    assert reply("On 3 Nov 2026 at 10:00, Bakery <amelia@mail.example> wrote:\n\nBlue, please.") == "Blue, please."


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from my Samsung Galaxy smartphone.",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPad",
        "Obtenga Outlook para iOS",
        "Enviado con Proton Mail",
        "Provenance : Courrier pour Windows",
        "Von meinem/meiner Galaxy gesendet",
        "--\nDiese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
        "Inviato da iPhone",
        "Get Outlook for iOS <https://aka.ms/o0ukef>",
        "Sent from Outlook for Android",
        "Sent from Yahoo Mail on Android",
        "Sent with Proton Mail secure email.",
        "iPhoneから送信",
        "Отправлено с iPhone",
    ],
)
def test_the_line_of_a_phone_goes_and_only_from_the_end(line: str) -> None:
    assert reply(f"We open at nine.\n\n{line}\n\n{QUOTED}") == "We open at nine."
    words = f"{line}\nis what it should say."
    assert reply(words) == words


@pytest.mark.parametrize("line", ["Sent from heaven", "Get bread", "Gesendet", "Thanks", "Amelia"])
def test_other_last_lines_stay(line: str) -> None:
    assert reply(f"We open at nine.\n{line}") == f"We open at nine.\n{line}"


def test_an_answer_below_the_whole_quote_stands_alone() -> None:
    assert reply(f"On 3 Nov 2026 at 10:00 Bakery wrote:\n{QUOTED}\nBlue, please.\n") == "Blue, please."


@pytest.mark.parametrize("is_reply", [True, False])
@pytest.mark.parametrize(
    "separator",
    [
        "---------- Forwarded message ---------",
        "-------- Weitergeleitete Nachricht --------",
        "---------- Mensaje reenviado ---------",
        "Begin forwarded message:",
        "Début du message réexpédié :",
        "----- Forwarded Message -----",
    ],
)
def test_a_forward_loses_nothing_and_is_marked_as_somebody_elses_words(separator: str, *, is_reply: bool) -> None:
    forwarded = f"{separator}\nFrom: Ann <ann@guest.example>\nSubject: Praise\n\nBest bread in town.\n\n{OURS}"
    found = own_words(f"Put this on the page.\n\n{forwarded}", is_reply=is_reply)
    assert found.cut == ""
    assert found.spoken == "Put this on the page."
    assert _filled(found.kept)[1:] == [f"> {line}" for line in _filled(forwarded)]


def test_text_under_a_forward_that_the_page_marks_stays_the_persons_own() -> None:
    forwarded = "> ---------- Forwarded message ---------\n> From: Ann <ann@guest.example>\n>\n> Best bread."
    found = own_words(f"See this:\n\n{forwarded}\n\nPlease put it on the first page.", is_reply=True)
    assert found.spoken == "See this:\n\n\nPlease put it on the first page."
    assert "> Best bread." in found.kept
    assert found.cut == ""


def test_a_forward_is_known_by_its_subject_too() -> None:
    text = "Please use this.\n\nFrom: Ann <ann@x.example>\nSent: 3 Nov 2026 10:00\nTo: Me\nSubject: x\n\nBest bread."
    found = own_words(text, is_reply=True, is_forward=is_forward_subject("WG: Lob"))
    assert (found.cut, found.spoken) == ("", "Please use this.")
    assert "> Best bread." in found.kept


@pytest.mark.parametrize(
    ("subject", "forward"),
    [
        ("Fwd: x", True),
        ("FW: x", True),
        ("WG: x", True),
        ("TR : x", True),
        ("Re: Fwd: x", False),
        ("VS: x", False),
        ("Forward x", False),
    ],
)
def test_the_subject_names_a_forward(subject: str, *, forward: bool) -> None:
    assert is_forward_subject(subject) == forward


def test_a_quote_in_a_new_conversation_is_kept_as_somebody_elses_words() -> None:
    text = "Add this:\n\nOn 3 Nov 2026 at 10:00, Ann <ann@guest.example> wrote:\nBest bread in town."
    found = own_words(text, is_reply=False)
    assert (found.cut, found.spoken) == ("", "Add this:")
    assert found.kept.endswith("> Best bread in town.")


def test_a_signature_is_at_the_very_end_and_short() -> None:
    assert reply("Hello\n-- \nAmelia\nBakery\n\n") == "Hello"
    assert own_words("Hello\n-- \n" + "x\n" * 8, is_reply=False).kept == "Hello"
    long = "Hello\n-- \n" + "x\n" * 9
    assert reply(long) == long.strip("\n")
    assert reply("Put this on the page:\n--\nfirst\n--\nsecond") == "Put this on the page:\n--\nfirst\n--\nsecond"


def test_a_mail_of_only_history_has_no_words() -> None:
    assert reply(f"On 3 Nov 2026 at 10:00 Bakery wrote:\n{QUOTED}") == ""


_LINES = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [
                "> quoted",
                "From: 10:00",
                "- bread",
                "",
                "On 3 Nov 2026 at 10:00 x@y.example wrote:",
                "--",
                "-----",
                "> ",
            ],
        ),
    ).map(lambda line: line.replace("\n", " ").replace("\r", " ")),
    max_size=30,
)


def _filled(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


@settings(deadline=None, database=None)
@given(_LINES.filter(lambda lines: "-- " not in lines and "--\xa0" not in lines))
def test_in_a_new_conversation_every_line_stays_in_its_order(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = own_words(text, is_reply=False)
    assert found.cut == ""
    assert _bare(found.kept) == _bare(text)


@settings(deadline=None, database=None)
@given(_LINES, _LINES, st.sampled_from([MARKER, f"> {MARKER}", "-- "]), st.booleans())
def test_no_line_is_ever_lost(above: list[str], below: list[str], middle: str, known: bool) -> None:  # noqa: FBT001 - hypothesis hands it in
    lines = [*above, middle, *below]
    sent = Sent.of([OURS, "\n".join(below[:3])]) if known else None
    found = own_words("\n".join(lines), is_reply=True, sent=sent)
    assert sorted(_bare(found.kept) + _bare(found.cut)) == sorted(_bare("\n".join(lines)))


def _bare(text: str) -> list[str]:
    bare = (re.sub(r"^[\s>]+|\s+$", "", line) for line in text.split("\n"))
    return [line for line in bare if line]
