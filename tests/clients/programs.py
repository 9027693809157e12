"""One function for each mail program: how it writes a reply above the mail that it answers."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.clients.languages import Language
    from tests.clients.ours import Ours

    Program = Callable[[Ours, Sequence[str], Language], bytes]

OWNER = "Scott Owner <scott@example.org>"
_ITEM = "- "


def _mail(ours: Ours, text: str, page: str | None = None, **options: str) -> bytes:
    """Return the bytes of a reply with the headers that every program writes."""
    mail = EmailMessage()
    mail["From"] = OWNER
    mail["To"] = f"{ours.name} <{ours.address}>"
    mail["Subject"] = ours.subject if ours.subject.startswith("Re:") else f"Re: {ours.subject}"
    mail["Date"] = "Tue, 03 Nov 2026 11:30:00 +0100"
    mail["Message-ID"] = "<reply-1@phone.example.org>"
    mail["In-Reply-To"] = ours.message_id
    mail["References"] = f"{ours.references} {ours.message_id}".strip()
    mail.set_content(text, cte="quoted-printable")
    for name, value in options.items():
        mail.set_param(name, value)
    if page is not None:
        mail.add_alternative(page, subtype="html", cte="quoted-printable")
    return mail.as_bytes()


def plain_version(raw: bytes) -> bytes:
    """Return the reply as a program sends it that writes no HTML."""
    mail = message_from_bytes(raw, policy=default)
    assert isinstance(mail, EmailMessage)
    text = mail.get_body(("plain",))
    assert text is not None
    options = {name: value for name in ("format", "delsp") if (value := text.get_param(name))}
    content = text.get_content()
    del mail["Content-Type"], mail["Content-Transfer-Encoding"]
    mail.set_content(content, cte="quoted-printable")
    for name, value in options.items():
        mail.set_param(name, str(value))
    return mail.as_bytes()


def _quoted(lines: Sequence[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _wrapped(line: str, width: int = 72) -> str:
    """Break a line as Gmail does in the plain version."""
    words, lines = line.split(" "), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return "\n".join(lines)


def _blocks(lines: Sequence[str], tag: str, gap: str, attributes: str = "") -> str:
    """Return lines as elements, with lists as lists and empty lines as the program writes them."""
    out: list[str] = []
    for line in lines:
        if line.startswith(_ITEM):
            item = f"<li>{escape(line[2:])}</li>"
            if out and out[-1].endswith("</ul>"):
                out[-1] = out[-1].removesuffix("</ul>") + item + "</ul>"
            else:
                out.append(f"<ul>{item}</ul>")
        else:
            out.append(gap if not line else f"<{tag}{attributes}>{escape(line)}</{tag}>")
    return "\n".join(out)


def gmail(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Gmail in a browser."""
    attribution = ours.announced(language.gmail)
    items = (f"   {line}" if line.startswith(_ITEM) else line for line in words)
    text = "\n".join(items) + f"\n\n{_wrapped(attribution)}\n\n{_quoted(ours.words)}\n"
    page = (
        f'<div dir="ltr">{_blocks(words, "div", "<div><br></div>")}</div><br>'
        '<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f"{ours.announced_as_html(language.gmail)}<br></div>"
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);'
        f'padding-left:1ex">{ours.page}</blockquote></div>\n'
    )
    return _mail(ours, text, page)


def gmail_app(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Gmail on Android."""
    attribution = ours.announced(language.gmail)
    text = "\n".join(words) + f"\n\n{_wrapped(attribution)}\n\n{_quoted(ours.words)}\n"
    lines = "".join(f'<div dir="auto">{escape(line) or "<br>"}</div>' for line in words)
    page = (
        f'<div dir="auto">{lines}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f"{ours.announced_as_html(language.gmail)}<br></div>"
        '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">'
        f"{ours.page}</blockquote></div>\n"
    )
    return _mail(ours, text, page)


def _outlook_fields(ours: Ours, language: Language) -> list[tuple[str, str]]:
    author = f"{ours.name} <{ours.address}>"
    return list(zip(language.outlook, (author, language.outlook_date, ours.to, ours.subject), strict=True))


def outlook(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Outlook on Windows, which writes its pages with Word."""
    fields = _outlook_fields(ours, language)
    copied = "\n".join(f"{name} {value} " for name, value in fields)
    text = "\n".join(re.sub("^- ", "*\t", line) for line in words) + f"\n\n{copied}\n\n{ours.text}"
    bold = "<br>\n".join(f"<b>{name}</b> {escape(value)}" for name, value in fields)
    page = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!--\n'
        "p.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt;}\na:link {color:#0563C1;}\n--></style></head>"
        '<body lang=EN-US link="#0563C1" style="word-wrap:break-word"><div class=WordSection1>'
        + "".join(_word_line(line) for line in words)
        + "<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;"
        f"padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>{bold}<o:p></o:p></p></div></div>"
        f"<p class=MsoNormal><o:p>&nbsp;</o:p></p>{ours.page}</div></body></html>"
    )
    return _mail(ours, text, page)


def _word_line(line: str) -> str:
    if line.startswith(_ITEM):
        return (
            "<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]>"
            "<span style='font-family:Symbol'>-<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span></span>"
            f"<![endif]>{escape(line[2:])}<o:p></o:p></p>"
        )
    return f"<p class=MsoNormal>{escape(line) or '&nbsp;'}<o:p></o:p></p>"


def outlook_plain(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Outlook answering as plain text, with the line that everybody knows."""
    copied = "\n".join(f"{name} {value} " for name, value in _outlook_fields(ours, language))
    return _mail(ours, "\n".join(words) + f"\n\n-----{language.original}-----\n{copied}\n\n{ours.text}")


def outlook_web(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Outlook in a browser, as on outlook.com and in Microsoft 365."""
    fields = _outlook_fields(ours, language)
    copied = "\n".join(f"{name} {value}" for name, value in fields)
    text = "\n".join(words) + f"\n{'_' * 32}\n{copied}\n\n{ours.text}"
    bold = "<br>".join(f"<b>{name}</b>&nbsp;{escape(value)}" for name, value in fields)
    style = ' class="elementToProof" style="font-family: Aptos, Calibri, sans-serif; color: rgb(0, 0, 0);"'
    page = (
        f"<html><head></head><body dir=ltr>{_blocks(words, 'div', f'<div{style}><br></div>', style)}"
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">'
        f"{bold}</font><div>&nbsp;</div></div><div>{ours.page}</div></body></html>"
    )
    return _mail(ours, text, page)


def outlook_app(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Outlook on a phone."""
    fields = _outlook_fields(ours, language)
    copied = "\n".join(f"{name} {value}" for name, value in fields)
    line = "Get Outlook for Android<https://aka.ms/AAb9ysg>"
    text = "\n".join(words) + f"\n\n{line}\n{'_' * 32}\n{copied}\n\n{ours.text}"
    bold = "<br>".join(f"<b>{name}</b> {escape(value)}" for name, value in fields)
    page = (
        f"<html><body>{_blocks(words, 'div', '<div><br></div>')}<div><br></div>"
        '<div id="ms-outlook-mobile-signature" dir="ltr">Get <a href="https://aka.ms/AAb9ysg">Outlook for Android</a>'
        '</div><div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message"><hr>'
        f'<div id="divRplyFwdMsg" dir="ltr"><font>{bold}</font><div>&nbsp;</div></div>{ours.page}</div></body></html>'
    )
    return _mail(ours, text, page)


def apple_mail(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Apple Mail on a Mac."""
    attribution = ours.announced(language.apple)
    text = "\n".join(words) + f"\n\n{_quoted([attribution, '', *ours.words])}\n\n"
    page = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        f'<body style="overflow-wrap: break-word;">{_blocks(words, "div", "<div><br></div>")}'
        '<div><br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>'
        f"{escape(attribution)}</div><br class='Apple-interchange-newline'><div>{ours.page}</div></blockquote></div>"
        "<br></div></body></html>"
    )
    return _mail(ours, text, page, format="flowed", delsp="yes")


def iphone(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Mail on an iPhone or iPad, with the line that it adds."""
    attribution = ours.announced(language.apple)
    text = "\n".join(words) + f"\n\n{language.phone}\n\n{_quoted([attribution, '', *ours.words])}\n"
    page = (
        '<html><head></head><body dir="auto">'
        + "".join(f'<div dir="ltr">{escape(line) or "<br>"}</div>' for line in words)
        + f'<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{language.phone}</div><div dir="ltr"><br>'
        f'<blockquote type="cite">{escape(attribution)}<br><br></blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">\ufeff{ours.page}</div></blockquote></body></html>'
    )
    return _mail(ours, text, page)


def samsung(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """The mail program of Samsung phones."""
    from_, _, to, subject = language.outlook
    fields = [f"{from_} {ours.name} <{ours.address}> ", "Date: 03/11/2026  10:00  (GMT+01:00) "]
    fields += [f"{to} {ours.to} ", f"{subject} {ours.subject} "]
    separator = f"-------- {language.original} --------"
    text = "\n".join(words) + f"\n\nSent from my Galaxy\n\n{separator}\n" + "\n".join(fields) + f"\n\n{ours.text}"
    page = (
        '<html><head></head><body dir="auto">'
        + "".join(f'<div dir="auto">{escape(line) or "<br>"}</div>' for line in words)
        + '<div dir="auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757">'
        'Sent from my Galaxy</div></div><div dir="auto"><br></div><div align="left" dir="auto" style="color:#000000">'
        f"<div>{separator}</div>" + "".join(f"<div>{escape(line)}</div>" for line in fields) + "<div><br></div></div>"
        f"{ours.page}</body></html>"
    )
    return _mail(ours, text, page)


def thunderbird(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Thunderbird writing HTML, with a signature."""
    attribution = ours.announced(language.thunderbird)
    text = "\n".join(words) + f"\n\n{attribution}\n{_quoted(ours.words)}\n\n-- \nScott Owner\nBakery\n"
    page = (
        f"<!DOCTYPE html><html><head></head><body>{_blocks(words, 'p', '')}"
        f'<div class="moz-cite-prefix">{escape(attribution)}<br></div>'
        f'<blockquote type="cite" cite="mid:one@edit.example.com">{ours.page}</blockquote>'
        '<div class="moz-signature">-- <br>Scott Owner<br>Bakery</div></body></html>'
    )
    return _mail(ours, text, page)


def thunderbird_plain(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Thunderbird writing plain text, answering below the quote."""
    attribution = ours.announced(language.thunderbird)
    text = f"{attribution}\n{_quoted(ours.words)}\n\n" + "\n".join(words) + "\n\n-- \nScott Owner\nBakery\n"
    return _mail(ours, text, format="flowed")


def proton(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Proton Mail in a browser."""
    attribution = ours.announced(language.yahoo)
    line = "Sent with Proton Mail secure email."
    text = "\n".join(words) + f"\n\n{line}\n\n{attribution}\n\n{_quoted(ours.words)}\n"
    style = ' style="font-family: Arial, sans-serif; font-size: 14px;"'
    page = (
        f"{_blocks(words, 'div', f'<div{style}><br></div>', style)}<div{style}><br></div>"
        '<div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">Sent with '
        '<a target="_blank" href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div>'
        f'<div{style}><br></div><div class="protonmail_quote">{escape(attribution)}<br>'
        f'<blockquote class="protonmail_quote" type="cite">{ours.page}</blockquote><br></div>'
    )
    return _mail(ours, text, page)


def yahoo(ours: Ours, words: Sequence[str], language: Language) -> bytes:
    """Yahoo Mail in a browser, whose plain version marks nothing."""
    attribution = ours.announced(language.yahoo)
    text = " " + "\n".join(words) + f"\n\n    {attribution}  \n \n " + ours.text.replace("\n", "\n ")
    page = (
        '<html><head></head><body><div class="ydp1a2b3c4dyahoo-style-wrap" style="font-size:13px;">'
        f"{_blocks(words, 'div', '<div><br></div>', ' dir=ltr data-setdir=false')}<div><br></div></div>"
        '<div id="yahoo_quoted_6543210987" class="yahoo_quoted"><div style="color:#26282a;"><div>'
        f'{escape(attribution)}</div><div><br></div><div><br></div><div><div id="yiv4711">{ours.page}</div></div>'
        "</div></div></body></html>"
    )
    return _mail(ours, text, page)


PROGRAMS: dict[str, Program] = {
    "Gmail": gmail,
    "Gmail on Android": gmail_app,
    "Outlook": outlook,
    "Outlook as text": outlook_plain,
    "Outlook on the web": outlook_web,
    "Outlook on Android": outlook_app,
    "Apple Mail": apple_mail,
    "iPhone": iphone,
    "Samsung": samsung,
    "Thunderbird": thunderbird,
    "Thunderbird as text": thunderbird_plain,
    "Proton": proton,
    "Yahoo": yahoo,
}
