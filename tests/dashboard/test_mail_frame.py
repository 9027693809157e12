"""The HTML of a mail in its frame: whatever it was, nothing of it runs, loads or leaves."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from webordinary.dashboard.story.mail_frame import InlinePicture, framed

ATTACKS = (
    "<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</script>",
    "<script/>alert(1)",
    "<script src=//evil.example></script >x",
    "<img src=x onerror=alert(1)>",
    "<img src='http://evil.example/p.png'>",
    "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
    "<svg onload=alert(1)><style>*{background:url(//evil.example)}</style></svg>",
    "<math><mtext></p><style><!--</style><img title='--&gt;&lt;img src=x onerror=alert(1)&gt;'>",
    "<p style='background:url(//evil.example/x)'>x</p>",
    "<p style='color:red}</style><script>alert(1)</script>'>x</p>",
    "<p style='color:red;}body{background:url(//evil.example)'>x</p>",
    "<p style='width:expression(alert(1))'>x</p>",
    "<p style='background:u\\72l(//evil.example)'>x</p>",
    "<p style='x:y;@import url(//evil.example)'>x</p>",
    "<a href='javascript:alert(1)' onclick=alert(1)>x</a>",
    "<a href='x' title='\"><script>alert(1)</script>'>x</a>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=//evil.example></object><embed src=//evil.example>",
    "<form action=//evil.example><input name=x><button formaction=//evil.example>x</button></form>",
    "<base href=//evil.example><meta http-equiv=refresh content='0;url=//evil.example'><link rel=stylesheet href=//e>",
    "<td width='1\" onload=alert(1)'>x",
    "<div lang='x\" onclick=alert(1)'>x",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><img src=x onerror=alert(1)></template>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<title></title><style><img src=x onerror=alert(1)></style>",
    "</body></html><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "\x00<scr\x00ipt>alert(1)</scr\x00ipt>",
    "<video src=//evil.example onerror=alert(1)><source src=//evil.example></video>",
    "<details open ontoggle=alert(1)>x</details>",
)
KNOWN = {"alt", "align", "valign", "colspan", "rowspan", "dir", "lang", "width", "height", "title", "class", "src"}
OURS = {"html", "head", "meta", "title", "style", "body"}


class Reader(HTMLParser):
    """Notes what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def page_of(html: str, pictures: dict[str, InlinePicture] | None = None) -> str:
    return bytes(framed(html, pictures).body).decode()


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_left_of_an_attack(attack: str) -> None:
    page = page_of(f"<p>before</p>{attack}")
    reader = Reader()
    reader.feed(page)
    ours, theirs = reader.tags[:6], reader.tags[6:]
    assert [tag for tag, _ in ours] == ["html", "head", "meta", "meta", "title", "style"]
    assert theirs[0][0] == "body"
    for tag, attributes in theirs[1:]:
        assert tag not in OURS | {"script", "svg", "math", "iframe", "form", "base", "link", "object", "embed", "video"}
        assert set(attributes) <= KNOWN
        assert "src" not in attributes
    style = re.search(r"<style nonce=\"[^\"]+\">(.*?)</style>", page, re.DOTALL)
    assert style is not None
    assert not re.search(r"url|evil|@|\\", style[1])


def test_the_frame_has_a_policy_of_its_own_without_anything_unsafe() -> None:
    policy = framed("<p>x</p>").headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "frame-ancestors 'self'" in policy
    assert "unsafe" not in policy
    assert "script-src" not in policy


def test_words_styles_tables_and_our_pictures_stay() -> None:
    picture = {"oven@x": InlinePicture("image/png", b"png")}
    html = (
        "<table width=100% style='color: #900; font: bold 12px/1.5 Arial'><tr><td colspan=2>Bread &amp; cake</td></tr>"
        "</table><img src=cid:oven@x alt='The oven'><a href='https://example.org/?a=1&b=2'>here</a>"
    )
    page = page_of(html, picture)
    assert "Bread &amp; cake" in page
    assert re.search(r"\.m0\{color:#900;font:bold 12px/1.5 arial\}", page)
    assert 'src="data:image/png;base64,cG5n"' in page
    assert 'title="https://example.org/?a=1&amp;b=2"' in page
    assert "href" not in page


def test_a_huge_page_is_cut() -> None:
    assert len(page_of("<p>x</p>" * 1_000_000)) < 2_000_000
    assert page_of("<div>" * 100_000).count("<div>") == 20_000
