"""The files of usual generators as the scripted agent reads and writes them: words change, programs never do."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import msgspec
import pytest

from webordinary.agent.scripted.carry_out import Result, ScriptedRequest, carry_out
from webordinary.agent.scripted.formats import ENDINGS, Format
from webordinary.agent.scripted.pages import Site, SourcePage
from webordinary.site import content

if TYPE_CHECKING:
    from pathlib import Path

RYE = 'Please replace "rye" with "spelt".'

# Where, what stands there, and what stands there afterwards; whatever else says "rye" is for the generator.
WRITTEN = [
    # Jekyll, Bridgetown: a head of figures, Liquid between the words.
    ("index.html", '---\ntitle: Our rye\n---\n{% if x == "rye" %}\n<p class="rye">Our rye {{ "rye" }}</p>', 2),
    ("about.markdown", "---\nlayout: rye\npermalink: /rye/\n---\nOur rye {{ site.rye }}\n", 1),
    ("_posts/2024-01-02-new.mkd", "---\ntags: rye\n---\n# Fresh rye\n", 1),
    # Hugo, Zola
    ("content/_index.md", '+++\ntitle = "The rye bakery"\nslug = "rye"\n+++\n{{< figure src="rye.jpg" >}} rye\n', 2),
    ("content/about/_index.md", "{{% rye %}}\nOur rye{{% /rye %}}\n", 1),
    # Eleventy
    ("src/index.njk", '{% set rye = "rye" %}<p>{{ rye }} rye</p>{# rye #}', 1),
    ("src/index.liquid", "<p>{{ 'rye' | upcase }} and rye</p>", 1),
    ("src/card.webc", '<p @text="rye">A rye loaf</p><style>.rye {}</style>', 1),
    ("src/page.vto", '{{ if rye == "rye" }}<h1>Fresh rye</h1>{{ /if }}', 1),
    # Astro, Svelte, Vue, MDX: braces hold programs.
    (
        "src/pages/index.astro",
        '---\nconst rye = "rye";\n---\n<h1 class={rye}>Fresh rye {rye.map((x) => <b>rye</b>)}</h1>',
        1,
    ),
    ("src/routes/+page.svelte", '<script>let rye = "rye";</script>\n<p>{rye} rye {#if rye}no{/if}</p>', 1),
    ("pages/index.vue", '<template><p :title="rye">{{ rye }} rye</p></template><script>const rye = "rye"</script>', 1),
    ("docs/intro.mdx", "import rye from './rye'\n\n# Fresh rye {rye}\n\n<Rye rye={rye} />\n", 1),
    # Next, Gatsby: text between tags is text, the rest is a program.
    ("pages/index.jsx", 'const rye = "rye";\nexport default () => (<p className="rye">Fresh rye</p>);', 1),
    # Sphinx, Pelican, MkDocs, Antora, Org
    ("docs/index.rst", "Rye\n===\n\nFresh rye & more\n\n.. image:: pictures/loaf.png\n", 1),
    ("docs/index.adoc", "= Bakery\n\nFresh rye & more\n", 1),
    ("index.org", "* Bakery\nFresh rye & more\n", 1),
    ("content/contents.lr", "title: Bakery\n---\nbody:\n\nFresh rye\n", 1),
    # Middleman, Hexo, Rails-like, Go
    ("source/index.html.erb", '<% rye = "rye" %><p><%= rye %> rye</p>', 1),
    ("source/index.ejs", '<p><%- include("rye") %> rye</p>', 1),
    ("source/page.html.haml", '%h1 Fresh rye\n%p{class: "rye"} Bread\n= render "rye"\n', 1),
    ("views/index.pug", 'extends rye\nblock rye\n  h1.rye Fresh rye\n  p(class="rye") More rye\n  include rye\n', 2),
    ("layouts/index.gohtml", '{{ define "rye" }}<p>rye</p>{{ end }}', 1),
    # Figures
    (
        "_data/bread.yml",
        '# rye\nid: rye\nname: Fresh rye # rye\nlist:\n  - Dark rye\n  - "A rye: mixed"\nurl: /rye/\n',
        3,
    ),
    ("_data/bread.yaml", "text: |\n  Our rye\n  is good\nmore: >-\n  Fresh rye\nclass: rye\n", 2),
    ("_data/bread.json", '{"rye": "Fresh rye", "id": "rye", "more": ["Dark rye", "A \\"rye\\""], "url": "/rye"}', 3),
    ("data/bread.toml", 'rye = \'Fresh rye\' # rye\nid = "rye"\n[rye]\nlist = ["Dark rye"]\n', 2),
    ("data/bread.csv", 'name,price\nFresh rye,4.80\n"Rye, or rye",5\n', 2),
]


def ask(root: Path, request: str, path: str, text: str) -> Result:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")
    return carry_out(ScriptedRequest(request, texts=(path,)), root, lambda _: None)


@pytest.mark.parametrize(("path", "text", "words"), WRITTEN, ids=[each[0] for each in WRITTEN])
def test_words_change_in_the_files_of_every_generator_and_programs_do_not(
    tmp_path: Path, path: str, text: str, words: int
) -> None:
    result = ask(tmp_path, RYE, path, text)
    assert result.stopped == "done", result.summary
    after = (tmp_path / path).read_text(encoding="utf-8")
    assert after.count("spelt") == words, after
    assert after.replace("spelt", "rye") == text


def test_what_is_written_into_figures_can_be_read_again(tmp_path: Path) -> None:
    request = 'Please replace "Dark rye" with "Rye: dark # \'new\' \\"old\\""'.replace('\\"', "”")
    for path, text, read in (
        ("_data/a.yml", "one: Dark rye\ntwo: 'Dark rye'\nlist:\n  - Dark rye\n", msgspec.yaml.decode),
        ("data/a.json", '{"one": "Dark rye"}', json.loads),
        ("data/a.toml", "one = 'Dark rye'\n", tomllib.loads),
    ):
        assert ask(tmp_path, request, path, text).stopped == "done"
        read_again = read((tmp_path / path).read_text(encoding="utf-8"))
        assert read_again["one"] == "Rye: dark # 'new' ”old”"


def test_a_price_is_changed_beside_its_name_in_figures(tmp_path: Path) -> None:
    cakes = "- name: Plum cake\n  price: 4.80\n- name: Rye loaf\n  price: 4.80\n"
    ask(tmp_path, "Plum cake now costs 5.20.", "_data/cakes.yml", cakes)
    assert msgspec.yaml.decode((tmp_path / "_data/cakes.yml").read_text()) == [
        {"name": "Plum cake", "price": 5.20},
        {"name": "Rye loaf", "price": 4.80},
    ]


def test_opening_hours_in_figures_are_those_of_their_days(tmp_path: Path) -> None:
    hours = 'hours:\n  monday to friday: "8:00 – 18:00"\n  saturday: "8:00 – 14:00"\n'
    ask(tmp_path, "We open at nine now.", "_data/hours.yml", hours)
    after = (tmp_path / "_data/hours.yml").read_text()
    assert after == hours.replace("8:00 – 18:00", "9:00 – 18:00")


def test_words_of_a_file_that_may_not_change_are_found_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "_config.yml").write_text("title: Amelia\nmotto: Baked with love\n")
    (tmp_path / "index.html").write_text("<p>{{ site.motto }}</p>")
    request = ScriptedRequest(
        'replace "Baked with love" with "Baked by hand"', texts=("index.html",), closed={"_config.yml": "settings"}
    )
    (found,) = carry_out(request, tmp_path, lambda _: None).unfound
    (place,) = found.places
    assert (found.words, place.path, place.line, place.why) == ("Baked with love", "_config.yml", 2, "settings")
    assert (place.before, place.after) == ("Baked with love", "Baked by hand")
    assert "love" in (tmp_path / "_config.yml").read_text()


def test_a_program_is_never_written_also_where_a_list_lets_it(tmp_path: Path) -> None:
    text = 'export const title = "Fresh rye";\n'
    result = ask(tmp_path, RYE, "src/site.js", text)
    assert (tmp_path / "src/site.js").read_text() == text
    assert [place.why for each in result.unfound for place in each.places] == ["program"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("index.html", "home"),
        ("src/pages/index.astro", "home"),
        ("content/_index.md", "home"),
        ("src/routes/about/+page.svelte", "about"),
        ("docs/about.md", "about"),
        ("content/about/contents.lr", "about"),
        ("source/about.html.erb", "about"),
        ("menu/index.html", "menu"),
    ],
)
def test_a_page_has_the_name_that_people_use_wherever_a_generator_keeps_it(path: str, name: str) -> None:
    assert SourcePage(path, "").name == name


def test_what_is_put_into_pages_is_no_page_that_somebody_could_name(tmp_path: Path) -> None:
    paths = ("_includes/about.html", "about.html")
    for path in paths:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("<p>x</p>")
    found = Site(tmp_path, paths).page_called("about")
    assert found is not None
    assert found.path == "about.html"


def test_the_agent_can_read_every_kind_of_page_template_and_figures() -> None:
    # Cells that hold programs and their results are read by no simple rule.
    assert (content.PAGES | content.TEMPLATES | content.DATA) - {"ipynb"} - set(ENDINGS) == set()
    assert {ending for ending, form in ENDINGS.items() if form is not Format.CODE} - {"csv", "tsv"} <= (
        content.PAGES | content.TEMPLATES | content.DATA
    )
