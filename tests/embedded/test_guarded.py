"""What the checks make of changes, from mail to answer: a build that stamps the time, and an agent that errs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded import EmbeddedRig
from webordinary.jobs.job import Job, Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT, Story

if TYPE_CHECKING:
    from webordinary.testing.rig import Received

# Every build says when it was made, on every page.
BUILD = """
mkdir dist
cp *.html *.css dist
sed -i "s|</main>|<p>Built $(date +%H:%M:%S.%N)</p></main>|" dist/*.html
true
"""
# What the agent does, by a word of the request.
AGENT = """
case "$(cat)" in
*Kommentar*) sed -i 's|<body>|<body><!-- ein Kommentar -->|' index.html ;;
*Titel*) sed -i 's|<title>|<title>Neu: |' contact.html ;;
*blau*) sed -i 's|<h1>|<h1 style="color: blue">|' about.html ;;
*ganz*) rm *.html ;;
*klein*) rm about.html contact.html menu.html 404.html style.css favicon.svg ;;
*Geschichte*) rm about.html; sed -i '/about.html/d' *.html ;;
*Karte*) rm menu.html; sed -i '/menu.html/d' *.html ;;
*Gutschein*) sed -i 's|</main>|<p><a href="/fehlt.html">Gutscheine</a></p></main>|' about.html ;;
*Bild*) sed -i 's|</main>|<p><img src="s3://privat/bild.jpg"></p></main>|' about.html ;;
*Zugang*) sed -i 's|</main>|<p>AKIAIOSFODNN7EXAMPLE</p></main>|' about.html ;;
*Preise*) sed -i 's|2.40|2.60|' menu.html ;;
*Telefon*) sed -i 's|</main>|<p>Rufen Sie uns an.</p></main>|' about.html ;;
esac
"""
PROPOSED = (State.DONE, Outcome.PROPOSED)
PUBLISHED = (State.DONE, Outcome.PUBLISHED)
NOTHING = (State.DONE, Outcome.NOTHING_CHANGED)
FAILED = (State.FAILED, None)


class Owner:
    """Scott, who writes German, one mail after the other."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.mails = 0

    def asks(self, text: str, to: Received | None = None) -> tuple[Job, Received]:
        job = self.story.waits_for_job(self.story.writes(SCOTT, text, subject="Unsere Website", in_reply_to=to))
        self.mails += 1
        return job, self.story.waits_for_answer(SCOTT, count=self.mails)


@pytest.mark.thorough
def test_every_check_has_its_end_and_its_words(story: Story) -> None:
    rules = "max_files = 100\nmax_deleted_lines = 5000"
    story.begin(
        SiteSetup("amelia", BAKERY.editors, rules=rules, build=("sh", "-c", BUILD), output="dist"),
        settings={"agent": f"kind = \"command\"\nrepairs = false\ncommand = [\"sh\", \"-c\", '''{AGENT}''']"},
    )
    scott = Owner(story)
    for text, end, said in (
        (
            "Bitte schreiben Sie einen Kommentar in den Code.",
            (State.DONE, Outcome.NOTHING_CHANGED),
            ["nichts Sichtbares"],
        ),
        ("Bitte den Titel der Kontaktseite ändern.", PUBLISHED, ["Titel der Seite", "Neu: "]),
        ("Machen Sie die Überschrift blau.", PUBLISHED, ["am Aussehen"]),
        ("Bitte räumen Sie ganz auf.", FAILED, ["genau"]),
        ("Bitte machen Sie die Website klein.", PROPOSED, ["eine Seite würde verschwinden", "viel kleiner"]),
        ("Bitte fügen Sie einen Gutschein hinzu.", PROPOSED, ["ein Link würde ins Leere führen", "fehlt.html"]),
        ("Bitte zeigen Sie das Bild.", FAILED, ["nicht veröffentlicht", "about.html"]),
        ("Bitte zeigen Sie unsere Karte schöner.", PROPOSED, ["eine Seite würde verschwinden: menu.html"]),
        ("Bitte schreiben Sie den Zugang dazu.", FAILED, ["nicht veröffentlicht", "about.html"]),
        ("Unser Telefon ist jetzt 030 9998877.", PUBLISHED, ["030 9998877"]),
        ("Bitte löschen Sie die Seite about mit unserer Geschichte.", PUBLISHED, ["Seite entfernt: about.html"]),
    ):
        job, answer = scott.asks(text)
        assert ((job.state, job.outcome), *(each in answer.text for each in said)) == (end, *(True for _ in said)), text
        assert "Built" not in answer.text
    assert isinstance(story.rig, EmbeddedRig)
    live = len(story.rig.live_log("amelia"))
    job, asked = scott.asks("Die Preise bitte prüfen.")
    assert job.outcome == Outcome.PROPOSED
    assert "das haben Sie nicht erwähnt" in asked.text
    assert "Vorschau ansehen" in asked.text
    assert "2.60" in story.rig.page("amelia", "menu.html", thread=job.thread)
    assert "Built" not in asked.text
    approved, _ = scott.asks("ok", to=asked)
    assert approved.outcome == Outcome.PUBLISHED
    assert len(story.rig.live_log("amelia")) == live + 1
