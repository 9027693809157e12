"""What the scripted agent writes into the files of a site, and what it never touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.agent.scripted.carry_out import MOST_INSTRUCTIONS, Result, ScriptedRequest, carry_out
from webordinary.agent.scripted.instruction import RequestPicture

if TYPE_CHECKING:
    from pathlib import Path

HOME = """<!doctype html>
<html>
<head>
  <meta name="viewport" content="width=device-width">
  <meta name="description" content="Bread &amp; cake, open Monday to Friday 8:00 – 18:00">
  <title>Amelia&rsquo;s Bakery</title>
  <style>.rye { color: #ff0000 }</style>
</head>
<body class="rye">
  <!-- rye -->
  <main>
    <h1>Rye <em>bread</em></h1>
    <p class="hours">Open Monday to Friday 8:00 – 18:00, Saturday 8:00 – 14:00</p>
    <p>Our rye &amp; wheat loaf, in
      two sizes. Old news. Call <a href="tel:+493023125142">030 23125 142</a></p>
    <ul><li><span>Rye loaf</span> <b>€4.80</b></li><li>White loaf <b>€3.90</b></li></ul>
    <img src="pictures/logo.svg" alt="A rye loaf">
  </main>
  <footer><p>rye</p></footer>
  <script>var rye = "rye loaf 8:00 – 18:00";</script>
</body>
</html>
"""
ABOUT = "<main>\r\n  <p>Rye.</p>\r\n  <ol><li><p>Last.</p></li></ol>\r\n</main>\r\n"
JPEG = b"\xff\xd8\xff\xe0 a photo"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "index.html").write_bytes(HOME.encode())
    (root / "about.html").write_bytes(ABOUT.encode())
    return root


def ask(root: Path, request: str, *pictures: RequestPicture, before: tuple[str, ...] = ()) -> Result:
    return carry_out(ScriptedRequest(request, pictures, before), root, lambda _: None)


def edited(root: Path, request: str, name: str = "index.html") -> str:
    result = ask(root, request)
    assert result.stopped == "done", result.summary
    return (root / name).read_bytes().decode()


def photo(folder: Path, name: str = "IMG_0815.jpeg", data: bytes = JPEG) -> RequestPicture:
    path = folder / name
    path.write_bytes(data)
    return RequestPicture(name, str(path), "image/jpeg")


def hours_on(root: Path, line: str, request: str) -> str:
    (root / "index.html").write_bytes(line.encode())
    return edited(root, request)


def test_words_are_replaced_in_texts_and_read_attributes_only(site: Path) -> None:
    after = edited(site, 'replace "rye" with "spelt"')
    assert "Our spelt &amp; wheat" in after
    assert 'alt="A spelt loaf"' in after
    assert "<footer><p>spelt</p>" in after
    untouched = ("<!-- rye -->", '<body class="rye">', ".rye {", 'var rye = "rye loaf')
    assert all(each in after for each in untouched)


def test_what_stands_in_quotation_marks_is_written_letter_by_letter_and_told_so(site: Path) -> None:
    (site / "about.html").write_text("<p>Montag Ruhetag</p>")
    result = ask(site, 'Replace "Ruhetag" with "geschlossen"')
    assert "<p>Montag geschlossen</p>" in (site / "about.html").read_text()
    assert "with “geschlossen”" in result.summary


def test_without_quotation_marks_the_case_follows_and_what_was_written_is_told(site: Path) -> None:
    (site / "about.html").write_text("<p>Ruhetag ist Montag</p>")
    result = ask(site, "change Ruhetag to geschlossen")
    assert "<p>Geschlossen ist Montag</p>" in (site / "about.html").read_text()
    assert "with “Geschlossen”" in result.summary


def test_a_replacement_finds_words_across_entities_and_line_breaks(site: Path) -> None:
    after = edited(site, 'replace "rye & wheat loaf, in two sizes" with "bread"')
    assert "<p>Our bread. Old news." in after
    assert "<title>Bread</title>" in edited(site, "change Amelia's Bakery to Bread")


def test_only_whole_words_and_whole_numbers_are_replaced(site: Path) -> None:
    assert ask(site, 'replace "Ry" with "X"').stopped == "question"
    assert ask(site, 'replace "€4" with "€5"').stopped == "question"


def test_markup_in_a_request_comes_out_as_words(site: Path) -> None:
    after = edited(site, "change \"A rye loaf\" to \"<script>alert(1)</script> '{{ x }}' & 'y'\"")
    assert "<script>alert" not in after
    assert 'alt="&lt;script&gt;alert(1)&lt;/script&gt; &#39;&#123;{ x }}&#39; &amp; &#39;y&#39;"' in after


def test_a_mail_address_is_changed_in_its_link_too(site: Path) -> None:
    (site / "about.html").write_text('<p><a href="mailto:a@b.example">a@b.example</a></p>')
    after = edited(site, "change a@b.example to c@d.example", "about.html")
    assert after == '<p><a href="mailto:c@d.example">c@d.example</a></p>'


def test_a_style_sheet_takes_one_colour_for_another_and_nothing_else(site: Path) -> None:
    (site / "style.css").write_text(".rye { color: #ff0000; }")
    assert edited(site, 'replace "#ff0000" with "#00ff00"', "style.css") == ".rye { color: #00ff00; }"
    assert edited(site, 'replace "rye" with "spelt"', "style.css") == ".rye { color: #00ff00; }"


def test_a_replacement_for_one_page_leaves_the_others(site: Path) -> None:
    assert "<p>Spelt.</p>" in edited(site, 'change "Rye" to "Spelt" on the about page', "about.html")
    assert (site / "index.html").read_bytes() == HOME.encode()


def test_line_endings_and_all_other_bytes_stay(site: Path) -> None:
    assert edited(site, 'change "Rye" to "Spelt"', "about.html") == ABOUT.replace("Rye", "Spelt")
    assert edited(site, "we open at nine now") == HOME.replace("Friday 8:00", "Friday 9:00").replace("Rye", "Spelt")


@pytest.mark.parametrize(
    ("line", "request_", "after"),
    [
        ("<p>Open 8am - 6pm</p>", "we open at nine", "<p>Open 9am - 6pm</p>"),
        ("<p>Open 8 AM to 6 PM</p>", "we open at 9:30 and close at 17:00", "<p>Open 9:30 AM to 5 PM</p>"),
        ("<p>Open 8–6pm</p>", "we open at one", "<p>Open 1pm–6pm</p>"),
        ("<p>Open 10 a.m. – 6 p.m.</p>", "we open at nine", "<p>Open 9 a.m. – 6 p.m.</p>"),
        ("<p>Hours: 08:00-18:00</p>", "we open at nine", "<p>Hours: 09:00-18:00</p>"),
        ("<p>Mo–Fr 8–18 Uhr</p>", "wir öffnen um neun", "<p>Mo–Fr 9–18 Uhr</p>"),
        ("<p>Mo–Fr 8–18 Uhr</p>", "wir öffnen um halb zehn", "<p>Mo–Fr 9:30–18 Uhr</p>"),
        ("<p>Ouvert de 8h à 18h</p>", "nous ouvrons à 9h30", "<p>Ouvert de 9h30 à 18h</p>"),
        ("<p>Lunes a viernes 8.00&ndash;18.00</p>", "abrimos a las nueve", "<p>Lunes a viernes 9.00&ndash;18.00</p>"),
        ("<p>We open at 8:00 every day.</p>", "we open at nine", "<p>We open at 9:00 every day.</p>"),
        ("<h2>Opening hours</h2><p>8:00–18:00</p>", "we close at 5", "<h2>Opening hours</h2><p>8:00–17:00</p>"),
        ("<dl><dt>Monday<dd>8:00–18:00</dl>", "we open at nine", "<dl><dt>Monday<dd>9:00–18:00</dl>"),
        (
            "<p>Monday 8:00–12:00 and 13:00–18:00</p>",
            "we open at nine and close at seven",
            "<p>Monday 9:00–12:00 and 13:00–19:00</p>",
        ),
        (
            "<p>Open Mon 8:00–18:00 (kitchen 12:00–14:00)</p>",
            "we open at nine",
            "<p>Open Mon 9:00–18:00 (kitchen 12:00–14:00)</p>",
        ),
        (
            "<p>8:00–18:00 Monday to Friday, 8:00–14:00 Saturday</p>",
            "Saturdays we open at ten",
            "<p>8:00–18:00 Monday to Friday, 10:00–14:00 Saturday</p>",
        ),
    ],
)
def test_hours_are_set_in_the_page_s_own_way_of_writing(site: Path, line: str, request_: str, after: str) -> None:
    assert hours_on(site, line, request_) == after


@pytest.mark.parametrize(
    "line",
    [
        "<p>The table is 8:00 – 18:00 wide</p>",
        "<p>Workshop on Monday, 19:00–21:00</p>",
        "<p>Children of 8–18 years come on Monday</p>",
        "<script>Open Monday 8:00–18:00</script>",
    ],
)
def test_other_times_are_no_opening_hours(site: Path, line: str) -> None:
    (site / "index.html").write_text(line)
    result = ask(site, "we open at nine")
    assert (result.stopped, (site / "index.html").read_text()) == ("question", line)


def test_days_said_change_only_lines_of_those_days(site: Path) -> None:
    assert "Friday 8:00 – 18:00, Saturday 10:00 – 14:00" in edited(site, "Saturdays we open at ten")
    result = ask(site, "Fridays we close at four")
    assert result.stopped == "question"
    assert "one line for several days" in str(result.question)


def test_hours_that_would_end_before_they_begin_are_asked_about(site: Path) -> None:
    result = ask(site, "we open at 19:00")
    assert (result.stopped, (site / "index.html").read_bytes()) == ("question", HOME.encode())


def test_a_later_date_is_not_promised(site: Path) -> None:
    assert "I cannot wait for a date (from Monday on)" in ask(site, "from Monday on we open at nine").summary


def test_a_smile_ends_a_sentence_but_stays_in_quoted_words(site: Path) -> None:
    assert "<p>Spelt. 😀</p>" in edited(site, 'Change "Rye." to "Spelt. 😀" :)', "about.html")
    assert "<p>Bye :) all</p>" in edited(site, 'change "Spelt. 😀" to "Bye :) all" 😀', "about.html")


def test_what_is_so_already_is_said_and_not_claimed_as_a_change(site: Path) -> None:
    result = ask(site, "we open at eight")
    assert (result.stopped, result.summary) == ("done", "The opening hours on the site already say so.")


def test_title_and_heading_are_set_and_their_markup_stays(site: Path) -> None:
    after = edited(site, 'set the title to "A < B" and set the heading to Hello')
    assert "<title>A &lt; B</title>" in after
    assert "<h1>Hello <em></em></h1>" in after


def test_the_phone_number_is_changed_in_text_and_link(site: Path) -> None:
    after = edited(site, "our new phone number is 030 555 12 34")
    assert '<a href="tel:+49305551234">030 555 12 34</a>' in after


def test_several_phone_numbers_are_asked_about_unless_one_is_named(site: Path) -> None:
    (site / "about.html").write_text("<p>Phone 030 111111, fax 030 333333</p>")
    assert ask(site, "change the phone number to 030 222222").stopped == "question"
    after = edited(site, "change the phone number from 030 111111 to 030 222222", "about.html")
    assert after == "<p>Phone 030 222222, fax 030 333333</p>"


def test_a_price_keeps_the_looks_of_the_page(site: Path) -> None:
    assert "<b>€5.20</b></li><li>White loaf <b>€3.90</b>" in edited(site, "the rye loaf now costs 5,20")
    (site / "about.html").write_text("<table><tr><td>Cake<td>3,60 €</table><h3>Tea</h3><p>Hot.</p><p>2 €</p>")
    after = edited(site, "Cake now costs 4. Change the price of tea to 2.50", "about.html")
    assert after == "<table><tr><td>Cake<td>4,00 €</table><h3>Tea</h3><p>Hot.</p><p>2.50 €</p>"


def test_a_price_of_several_things_is_asked_about(site: Path) -> None:
    result = ask(site, "the loaf now costs 5")
    assert "Rye loaf (4.80) or White loaf (3.90)" in str(result.question)
    assert (site / "index.html").read_bytes() == HOME.encode()


def test_a_paragraph_is_added_after_the_last_one_of_the_page_itself(site: Path) -> None:
    after = edited(site, 'add a paragraph "1 < 2" to the about page', "about.html")
    assert after == ABOUT.replace("<p>Rye.</p>", "<p>Rye.</p>\r\n  <p>1 &lt; 2</p>")
    assert ask(site, 'add a paragraph "1 < 2" to the about page').summary.endswith("already stands on the about page.")


def test_a_sentence_is_removed_with_its_element_when_nothing_else_is_left(site: Path) -> None:
    assert "two sizes. Call <a" in edited(site, 'remove the sentence "Old news."')
    after = edited(site, 'remove the paragraph "Rye."', "about.html")
    assert after == "<main>\r\n  <ol><li><p>Last.</p></li></ol>\r\n</main>\r\n"
    assert ask(site, 'remove "."').stopped == "question"


def test_markdown_pages_are_edited_too(site: Path) -> None:
    (site / "hours.md").write_text("# Hours\n\nMonday: 8:00 - 18:00\n")
    assert edited(site, "we open at nine", "hours.md") == "# Hours\n\nMonday: 9:00 - 18:00\n"
    (site / "news.md").write_text("---\ntitle: Old\n---\n# News\n\nBread.\n")
    after = edited(site, 'set the title of the news page to "A: b". Add "*New* [x](y)" to the news page', "news.md")
    assert after == '---\ntitle: "A: b"\n---\n# News\n\nBread.\n\n\\*New\\* \\[x\\](y)\n'


def test_a_photo_is_stored_beside_the_others_and_shown_on_the_home_page(site: Path, tmp_path: Path) -> None:
    result = ask(site, "here is a photo of the new counter", photo(tmp_path))
    assert result.stopped == "done"
    assert (site / "pictures/new-counter.jpg").read_bytes() == JPEG
    figure = '    <figure>\n      <img src="pictures/new-counter.jpg" alt="new counter">\n    </figure>\n'
    assert figure in (site / "index.html").read_text()


def test_two_versions_of_one_photo_are_one_picture(site: Path, tmp_path: Path) -> None:
    light = photo(tmp_path, "oven.avif", b"\0\0\0\x1cftypavif")
    assert ask(site, "Put this picture on the about page", photo(tmp_path, "oven.jpg"), light).stopped == "done"
    after = (site / "about.html").read_text()
    assert '<source srcset="images/oven.avif" type="image/avif">' in after
    assert '<img src="images/oven.jpg" alt="oven">' in after


def test_a_photo_is_called_what_its_owner_calls_it_in_all_its_versions(site: Path, tmp_path: Path) -> None:
    light = photo(tmp_path, "v.avif", b"\0\0\0\x1cftypavif")
    versions = [
        RequestPicture("Our oven.heic", each.path, each.content_type, "Our oven") for each in (light, photo(tmp_path))
    ]
    result = ask(site, "Put this picture on the about page", *versions)
    assert "Put Our oven.heic on the about page" in result.summary
    after = (site / "about.html").read_text()
    assert after.count("<picture>") == 1
    assert '<img src="images/our-oven.jpg" alt="Our oven">' in after


def test_each_picture_goes_where_the_words_beside_it_say(site: Path, tmp_path: Path) -> None:
    pictures = photo(tmp_path, "oven.jpg"), photo(tmp_path, "cat.jpg", JPEG + b"2")
    below = "Put this photo on the about page\n[picture: cat.jpg]\nPut this photo on the home page\n[picture: oven.jpg]"
    result = ask(site, below, *pictures)
    assert "not understand" not in result.summary
    assert "images/cat.jpg" in (site / "about.html").read_text()
    assert "pictures/oven.jpg" in (site / "index.html").read_text()
    assert "oven" not in (site / "about.html").read_text()


def test_pictures_above_their_words_belong_to_them_too(site: Path, tmp_path: Path) -> None:
    pictures = photo(tmp_path, "oven.jpg"), photo(tmp_path, "cat.jpg", JPEG + b"2")
    above = "[picture: cat.jpg]\nPut this photo on the about page\n[picture: oven.jpg]\nPut this on the home page"
    ask(site, above, *pictures)
    assert "oven" not in (site / "about.html").read_text()
    assert "images/cat.jpg" in (site / "about.html").read_text()


def test_words_around_the_place_of_a_picture_are_read_as_ever(site: Path, tmp_path: Path) -> None:
    result = ask(site, "We open at nine now.\n[picture: IMG_0815.jpeg]\nThanks", photo(tmp_path))
    assert "9:00 – 18:00" in (site / "index.html").read_text()
    assert "not understand" not in result.summary
    assert "I did not use IMG_0815.jpeg" in result.summary


def test_a_file_that_is_no_picture_and_a_link_are_not_shown(site: Path, tmp_path: Path) -> None:
    (tmp_path / "link.jpg").symlink_to(photo(tmp_path).path)
    linked = RequestPicture("link.jpg", str(tmp_path / "link.jpg"), "image/jpeg")
    for picture in (photo(tmp_path, "x.jpg", b"<svg onload=alert(1)>"), linked):
        assert ask(site, "put this picture on the home page", picture).stopped == "question"
    assert not (site / "pictures").exists()


def test_a_picture_without_a_wish_is_mentioned(site: Path, tmp_path: Path) -> None:
    assert "I did not use IMG_0815.jpeg" in ask(site, "we open at nine", photo(tmp_path)).summary


def test_the_answer_to_which_page_takes_up_the_earlier_wish(site: Path) -> None:
    earlier = 'add "Hello." to the gallery page'
    assert "I know these: home and about" in str(ask(site, earlier).question)
    assert ask(site, "on the about page", before=(earlier,)).stopped == "done"
    assert "<p>Hello.</p>" in (site / "about.html").read_text()


def test_what_was_not_understood_is_named_beside_what_was_done(site: Path) -> None:
    result = ask(site, "Hi,\nwe open at nine now.\n- paint the door red\nThanks\nScott")
    assert result.stopped == "done"
    assert result.summary.splitlines()[1] == "I did not understand: “paint the door red”."


def test_nothing_understood_is_said_with_three_examples(site: Path) -> None:
    result = ask(site, "make it pop")
    assert (result.stopped, result.question) == ("not_understood", None)
    assert result.summary.count("“") == 4
    assert (site / "index.html").read_bytes() == HOME.encode()


def test_more_wishes_than_a_mail_holds_are_named_as_not_done(site: Path) -> None:
    lines = "\n".join(f'add "Line {number}" to the about page' for number in range(MOST_INSTRUCTIONS + 1))
    assert "I did not understand: “add “Line 40” to the about page”" in ask(site, lines).summary
