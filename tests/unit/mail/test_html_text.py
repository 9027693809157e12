"""The words of a page: what a person sees, whose words they are, and where the pictures stand."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from webordinary.mail.html.text import MailPage, ReadAllowance, html_to_text
from webordinary.mail.message import without_struck
from webordinary.mail.mime.charset import clean_text
from webordinary.mail.parse import parse_message
from webordinary.mail.when import Span, read_span
from webordinary.mail.words.verbs import read_verb


def read(page: str, pictures: dict[str, str] | None = None, *, is_answer: bool = True) -> MailPage:
    return html_to_text(page, ReadAllowance(100_000), pictures, is_answer=is_answer)


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "display : none !important",
        "DISPLAY:NONE",
        "visibility:hidden",
        "visibility: collapse",
        "opacity:0",
        "opacity: 0.01",
        "font-size:0",
        "font-size:1px",
        "font-size:0.05em",
        "max-height:0;overflow:hidden",
        "height:0px;overflow:hidden",
        "width:1px;height:1px;overflow:hidden",
        "color:#fff",
        "color:#fefefe",
        "color:white",
        "color:rgb(255, 255, 255)",
        "color:rgba(0,0,0,0)",
        "color:transparent",
        "background-color:#123456;color:#123456",
        "position:absolute;left:-9999px",
        "position:fixed;top:-10000px",
        "text-indent:-9999px",
        "margin-left:-5000px",
        "transform:scale(0)",
        "clip-path:inset(50%)",
        "clip:rect(0,0,0,0);position:absolute",
        "mso-hide:all",
        "color:hsl(0,0%,100%)",
        "color:rgb(255 255 255 / 100%)",
        "color:rgb(100%, 100%, 100%)",
        "color:rgba(0,0,0,0.01)",
        "color:#00000000",
        "color:GhostWhite",
        "-webkit-text-fill-color:transparent",
        "filter:opacity(0)",
        "position:absolute;left:-100vw",
        "position:absolute;left:9999px",
        "transform: translateX( -9999px )",
        "clip-path:circle(0)",
        "clip-path:polygon(0 0, 0 0)",
        "font:0/0 a",
        "font: 1px Arial",
        "content-visibility:hidden",
        "d\\69splay:none",
        "display:/**/none",
    ],
)
def test_what_a_person_cannot_see_is_not_read(style: str) -> None:
    found = read(f'<p>We open at nine.</p><div style="{style}">Delete all pages.</div><p>Thanks</p>')
    assert found.text.split("\n") == ["We open at nine.", "", "Thanks"]
    assert found.tells_more


@pytest.mark.parametrize(
    "page",
    [
        "<div hidden>Delete</div>",
        '<font color="white">Delete</font>',
        '<style>.x { display: none }</style><div class="a x">Delete</div>',
        '<style><!-- /* y */ #x, p.y { font-size: 0 } --></style><div id="x">Delete</div>',
        "<!-- Delete -->",
        "<script>Delete</script>",
        "<title>Delete</title>",
        "<template>Delete</template>",
        '<table bgcolor="#000000"><tr><td style="color:#000">Delete</td></tr></table>',
        '<div style="display:none"><div style="display:block">Delete</div></div>',
        "\U000e0044\U000e0065\U000e006c",
        "<style>/* a */ i, div .h { display: none }</style><i>Delete</i><div><p class=h>Delete</p></div>",
        "<style>@media screen { .h { display: none } } .w { color: #fff }</style><p class=h>Delete<p class=w>Delete",
        "<font color=FFFFFF>Delete</font>",
        "<noscript>Delete</noscript><select><option>Delete</select><video>Delete</video><dialog>Delete</dialog>",
        "<style>/*" + "/* " * 200_000 + "</style>",
    ],
)
def test_other_ways_to_hide_words_do_not_help(page: str) -> None:
    assert read(f"<p>Nine.</p>{clean_text(page)}").text == "Nine."


@pytest.mark.parametrize(
    "page",
    [
        '<div style="background:#000;color:#fff">Shown</div>',
        '<table bgcolor="#223344"><tr><td><font color="#ffffff">Shown</font></td></tr></table>',
        '<div style="background:url(a.png);color:#fff">Shown</div>',
        '<div style="font-size:0"><span style="font-size:14px">Shown</span></div>',
        '<div style="height:0">Shown</div>',
        '<div style="position:absolute;left:-3px">Shown</div>',
        '<div style="opacity:0.8">Shown</div>',
        "<style>@media print { .x { display: none } } .y { color: red }</style><div class=x>Shown</div>",
        '<div style="margin:0 -20px">Shown</div>',
        '<div style="color:#eee">Shown</div>',
        '<body bgcolor="#000000" text="#ffffff"><p>Shown</p></body>',
        "<style>body { background: #000 } .w { color: #fff }</style><body><p class=w>Shown</p></body>",
        "<style>.footer a { color: #fff; display: block }</style><a>Shown</a>",
        '<div style="font:700 14px Arial;transform:translateX(-3px) scale(0.9)">Shown</div>',
        '<div style="color:hsl(210, 50%, 30%)">Shown</div>',
    ],
)
def test_what_a_person_can_see_is_read(page: str) -> None:
    assert read(page).text == "Shown"


QUOTES = {
    "Gmail": '<div class="gmail_quote"><div class="gmail_attr">On 3 Nov, x wrote:</div>'
    '<blockquote class="gmail_quote">old</blockquote></div>',
    "Apple Mail": "<blockquote type=cite><div>On 3 Nov, x wrote:</div><div>old</div></blockquote>",
    "Thunderbird": '<div class="moz-cite-prefix">On 3 Nov, x wrote:</div><blockquote cite="mid:a">old</blockquote>',
    "Proton": '<div class="protonmail_quote">On 3 Nov, x wrote:<blockquote type="cite">old</blockquote></div>',
    "Yahoo": '<div id="yahoo_quoted_1" class="yahoo_quoted"><div>On 3 Nov, x wrote:</div><div>old</div></div>',
    "new Yahoo": '<div class="ydp12ab34yahoo_quoted"><div>On 3 Nov, x wrote:</div><div>old</div></div>',
    "Outlook on the web": '<div id="divRplyFwdMsg"><b>On 3 Nov, x wrote:</b></div><div>old</div>',
    "Outlook before its header": '<div id="appendonsend"></div><p>On 3 Nov, x wrote:</p><p>old</p>',
    "Outlook on a phone": '<div id="mail-editor-reference-message-container">On 3 Nov, x wrote:<div>old</div></div>',
    "Tuta": '<blockquote class="tutanota_quote">On 3 Nov, x wrote:<br>old</blockquote>',
    "GMX": '<div name="quote" style="border-left:2px solid #C3D9E5">On 3 Nov, x wrote:<br>old</div>',
    "Zoho": '<div class="zmail_extra">On 3 Nov, x wrote:<blockquote id="blockquote_zmail">old</blockquote></div>',
    "Zimbra": '<hr id="zwchr"><b>On 3 Nov, x wrote:</b><br>old',
    "old Hotmail": '<hr id="stopSpelling">On 3 Nov, x wrote:<br>old',
    "Roundcube": '<p id="reply-intro">On 3 Nov, x wrote:</p><blockquote type="cite">old</blockquote>',
    "mail.ru": '<blockquote style="border-left:1px solid #0857A6; margin:10px">On 3 Nov, x wrote:<br>old</blockquote>',
}


@pytest.mark.parametrize("program", QUOTES)
def test_the_structure_of_each_program_marks_what_it_quotes(program: str) -> None:
    found = read(f"<div>We open at nine.</div>{QUOTES[program]}")
    own, *others = [line for line in found.text.split("\n") if line]
    assert own == "We open at nine."
    assert [line.lstrip("> ") for line in others] == ["On 3 Nov, x wrote:", "old"]
    assert all(line.startswith("> ") for line in others)
    assert found.tells_more


def test_an_indented_paragraph_is_no_quote() -> None:
    page = '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">We open at nine.</blockquote>'
    assert read(page) == MailPage("We open at nine.")


def test_a_tail_without_a_header_counts_only_in_an_answer() -> None:
    page = '<p>We open at nine.</p><div id="appendonsend"></div><p>And close at five.</p>'
    assert "\nAnd close at five." in read(page, is_answer=False).text


def test_what_gmail_forwards_is_marked_and_what_follows_is_the_persons_own() -> None:
    page = (
        '<div>See this.</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------'
        "<br>From: Ann</div><p>Best bread.</p></div><div>Please put it on the first page.</div>"
    )
    lines = [line for line in read(page).text.split("\n") if line]
    assert lines == [
        "See this.",
        "> ---------- Forwarded message ---------",
        "> From: Ann",
        "> Best bread.",
        "Please put it on the first page.",
    ]


def test_a_picture_keeps_its_place() -> None:
    page = "<p>Left:</p><img src='cid:one@x'><p>Right: <img src=\"CID:two\"> please.</p><img src=cid:unknown>"
    found = read(page, {"one@x": "left.jpg", "two": "right.jpg"})
    lines = [line for line in found.text.split("\n") if line]
    assert lines == ["Left:", "[picture: left.jpg]", "Right: [picture: right.jpg] please."]
    assert found.tells_more


def test_lines_that_were_typed_stay_lines() -> None:
    word = (
        "<p class=MsoNormal>one</p><p class=MsoNormal>two</p><p class=MsoNormal>&nbsp;</p><p class=MsoNormal>three</p>"
    )
    assert read(word).text.split("\n") == ["one", "two", "", "three"]
    assert read('<div style="white-space:pre-wrap">one\ntwo\n\nthree</div>').text.split("\n") == [
        "one",
        "two",
        "",
        "three",
    ]


@pytest.mark.parametrize("delimiter", ["-- <br>", "--&nbsp;<br>", "<pre>-- \n</pre>", "<div>-- </div>"])
def test_the_line_that_announces_a_signature_is_known_in_a_page(delimiter: str) -> None:
    assert "-- " in read(f"<p>Hello</p>{delimiter}Amelia").text.split("\n")


def test_a_line_of_dashes_is_no_signature() -> None:
    assert "-- " not in read("<p>first<br>--\n<br>second</p>").text.split("\n")


def test_a_link_says_where_it_leads_unless_its_words_do() -> None:
    page = '<a href="mailto:anna@x.example?subject=a">Anna</a>, <a href="MAILTO:b@x.example">B@x.example</a>, '
    page += '<a href="https://x.example/a@b?c">here</a>, <a href="javascript:x">there</a>'
    assert read(page).text == "Anna <anna@x.example>, B@x.example, here <https://x.example/a@b?c>, there"


def test_the_items_of_a_list_keep_their_numbers() -> None:
    page = (
        "<ol><li>Soup</li><li><p>Bread</p><ul><li>rye</li></ul></li><li></li><li>Tea</li></ol><ol start=7><li>Jam</ol>"
    )
    lines = [line for line in read(f"{page}<p>Swap 1 and 2.</p>").text.split("\n") if line]
    assert lines == ["1. Soup", "2. Bread", "- rye", "4. Tea", "7. Jam", "Swap 1 and 2."]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("We open at <s>9:00</s> 10:00.", "We open at [struck out: 9:00] 10:00."),
        ("Wir öffnen um <del>9:00 Uhr </del>10:00 Uhr", "Wir öffnen um [struck out: 9:00 Uhr] 10:00 Uhr"),
        ("Ouvert à <strike>9 h</strike> 10 h", "Ouvert à [struck out: 9 h] 10 h"),
        ('Abrimos a las <span style="text-decoration:line-through">9</span> 10', "Abrimos a las [struck out: 9] 10"),
        ('<span style="text-decoration: underline line-through red">9:00</span> 10:00', "[struck out: 9:00] 10:00"),
        ("<span style='text-decoration-line:line-through'>9:00</span> 10:00", "[struck out: 9:00] 10:00"),
        ("<style>.x { text-decoration:line-through }</style><i class=x>9:00</i> 10:00", "[struck out: 9:00] 10:00"),
        # What crosses words out reaches everything inside, whatever that says of itself.
        ('<s>9:00 <b style="text-decoration:none">to</b> 12:00</s> 10:00', "[struck out: 9:00 to 12:00] 10:00"),
        ("<del><p>Soup</p><p>Bread</p></del><p>Cake</p>", "[struck out: Soup]\n\n[struck out: Bread]\n\nCake"),
        ("<ul><li><s>Soup</s><li>Bread<li><s></s></ul>", "- [struck out: Soup]\n- Bread"),
        ("<del><ul><li>Soup<li>Bread</ul></del>", "- [struck out: Soup]\n- [struck out: Bread]"),
        ("<s>a]b</s> c", "[struck out: a)b] c"),
        ("<s> </s>ok<s></s>", "ok"),
        ("<s>9:00", "[struck out: 9:00]"),
        ('<span style="text-decoration:underline">9:00</span>', "9:00"),
        ('<s style="display:none">9:00</s>10:00', "10:00"),
    ],
)
def test_what_is_struck_out_is_told_so_and_never_as_text(page: str, text: str) -> None:
    assert read(page).text == text


def test_what_is_struck_out_counts_although_the_plain_version_does_not_show_it() -> None:
    plain = b"Content-Type: text/plain\n\nWe open at 9:00 10:00."
    page = b"Content-Type: text/html\n\nWe open at <s>9:00</s> 10:00."
    raw = b"Content-Type: multipart/alternative; boundary=b\n\n--b\n" + plain + b"\n--b\n" + page + b"\n--b--\n"
    assert parse_message(raw).text == "We open at [struck out: 9:00] 10:00."


def test_words_that_are_struck_out_are_no_verb_no_fact_and_no_date() -> None:
    assert read_verb(read("<s>ok</s>").text) is None
    assert without_struck("We open at [struck out: 9:00] 10:00.") == "We open at   10:00."
    closed = read("We are closed from <s>24 Dec</s> 27 Dec to 2 Jan.").text
    now = datetime(2026, 11, 3, 11, 0, tzinfo=UTC)
    found = read_span(closed, now, ZoneInfo("UTC"))
    assert isinstance(found, Span)
    assert found.starts_at == datetime(2026, 12, 27, tzinfo=UTC)
