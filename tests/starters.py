"""Sites shaped as the starters of usual generators are, each with a build that a shell can do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.rigs.embedded import EmbeddedRig, git
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.testing.story import Story

# What a generator does, in small: settings, partials and figures put into pages; heads of pages taken off.
_BUILD = """\
set -e
mkdir -p _site
hours=$(sed -n 's/^hours: *//p' _config.yml | tr -d '"')
motto="Baked with love in $(sed -n 's/^city: *//p' _config.yml)"
cake=$(sed -n 's/^ *price: *//p' _data/cakes.yml | tr -d '"')
for page in index.html about.markdown; do
  name=${page%.*}
  sed -e '1{/^---$/!b};1,/^---$/{/^---$/!d}' "$page" | sed -e '/^---$/d' \\
    -e "s/{{ site.hours }}/$hours/" -e "s/{{ motto }}/$motto/" -e "s/{{ cake }}/$cake/" \\
    -e 's|^\\([A-Z].*\\)$|<p>\\1</p>|' \\
    -e '/{% include footer.html %}/{r _includes/footer.html
d
}' > _site/$name.html
done
"""
JEKYLL: Mapping[str, str] = {
    "_config.yml": 'title: Amelia\nhours: "Open from eight"\ncity: Bath\nplugins:\n  - feed\n',
    "_data/cakes.yml": '- name: Plum cake\n  price: "4.80"\n',
    "_includes/footer.html": '<footer><p>Mill Lane 3, <a href="about.html">about us</a></p></footer>\n',
    "index.html": (
        "---\nlayout: home\ntitle: Welcome to Amelia\n---\n<h1>Amelia</h1>\n"
        "<p>{{ site.hours }}</p>\n<p>{{ motto }}</p>\n"
        "<ul><li>Plum cake {{ cake }}</li></ul>\n{% include footer.html %}\n"
    ),
    "about.markdown": "---\ntitle: About\n---\nOur grandmother began in 1950.\n\n{% include footer.html %}\n",
    "build.sh": _BUILD,
}
STARTER = SiteSetup("amelia", BAKERY.editors, build=("sh", "build.sh"), output="_site")


def begin_with(story: Story, files: Mapping[str, str], site: SiteSetup = STARTER, **settings: str) -> None:
    """Begin a story with a site that has exactly these files."""
    rig = story.rig
    assert isinstance(rig, EmbeddedRig)
    rig.set_up((site,), settings)
    work, bare = rig.folder / f"{site.id}-work", str(rig.folder / f"{site.id}.git")
    git(work, "rm", "-r", "--quiet", ".")
    for name, text in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text, encoding="utf-8")
    git(work, "add", "--all")
    git(work, "commit", "--quiet", "--message=A site from a starter")
    git(work, "push", "--quiet", bare, "HEAD:main")
    rig.start_worker()


def eleventy() -> dict[str, str]:
    """Return the files of a small site that Eleventy itself builds."""
    folder = Path(__file__).parent / "starter_eleventy"
    files = (each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_text(encoding="utf-8") for each in files}
