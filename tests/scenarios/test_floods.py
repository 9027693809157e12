"""Floods, from mail to answer: a real worker stays small, keeps its lane and says in one sentence what was too much."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import EventType
from webordinary.cli.program import run
from webordinary.jobs.job import Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, SCOTT

if TYPE_CHECKING:
    from webordinary.jobs.job import Job
    from webordinary.testing.rig import Received
    from webordinary.testing.story import Story

# What the build makes besides the site, by a word that the agent has left.
BUILD = """
mkdir dist
cp *.html *.css dist
case "$(cat wish.txt)" in
*film*) truncate -s 900M dist/film.mp4 ;;
*list*) truncate -s 400M dist/list.txt ;;
*page*) yes '<p>We open at nine now.</p>' | head -c 3000000 > dist/long.html ;;
*tag*) yes '<a ' | head -c 1900000 > dist/tags.html ;;
esac
true
"""
AGENT = r"""
cat > prompt.txt
sed -n '/# Request/,/^#/p' prompt.txt | grep '^Please' > wish.txt
rm prompt.txt
case "$(cat wish.txt)" in
*name*) touch "$(printf 'caf\351.html')" ;;
*holes*) truncate -s 900M hole.bin ;;
*book*) yes 'We open at nine now.' | head -c 400000 ;;
esac
"""
FAILED, PROPOSED = (State.FAILED, None), (State.DONE, Outcome.PROPOSED)
MEBIBYTE = 1024


def most_memory(pid: int) -> int:
    """Return the most that a process has ever had, in kibibytes."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1])


class Owner:
    """Scott, one mail after the other."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.mails = 0

    def asks(self, text: str) -> tuple[Job, Received]:
        job = self.story.waits_for_job(self.story.writes(SCOTT, f"Please {text}.", subject="Our website"))
        self.mails += 1
        return job, self.story.waits_for_answer(SCOTT, count=self.mails)


@pytest.mark.thorough
def test_no_flood_drowns_a_worker_and_each_is_told(
    story: Story, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    need_sandbox()
    rig = story.rig
    assert isinstance(rig, EmbeddedRig)
    rules = 'allowed_paths = ["*"]'
    (worker,) = story.begin(
        SiteSetup("amelia", BAKERY.editors, rules=rules, build=("sh", "-c", BUILD), output="dist"),
        settings={
            "agent": f"kind = \"command\"\nrepairs = false\ncommand = [\"sh\", \"-c\", '''{AGENT}''']",
            "agency": f'address = "{AGENCY.address}"',
            "workers": 'lease = "10s"\nbeat = "1s"\nbreaker = 100',
        },
    )
    for name, value in rig.environment().items():
        monkeypatch.setenv(name, value)
    scott = Owner(story)
    scott.asks("change nothing")
    pid = rig.worker_pid(worker)
    before = most_memory(pid)
    for text, end, said in (
        ("show the film", FAILED, "film.mp4 would be larger than 500 MB"),
        ("show the list", PROPOSED, "list.txt is too large or too broken for me to check it"),
        ("add the page", PROPOSED, "long.html is too large or too broken for me to check it"),
        ("write a book", (State.DONE, Outcome.NOTHING_CHANGED), "nothing visible on your site changed"),
        ("add the tag", PROPOSED, "tags.html"),
        ("give it a name", FAILED, "caf\\xe9.html"),
        ("make holes", FAILED, "hole.bin would be larger than 200 MB"),
    ):
        job, answer = scott.asks(text)
        assert (job.state, job.outcome) == end, (text, job.error)
        assert said in answer.text, text
        assert job.attempt == 1, text
        assert "bug" not in (job.error or "")
        assert len(answer.text) + len(answer.html) < 60_000
        assert run(["show", "job", job.id, "--json", "--config", str(rig.here.config.path)]) == 0
        json.loads(capsys.readouterr().out)
    assert (most_memory(pid) - before) / MEBIBYTE < 400
    assert [each for each in rig.trail() if each.what == EventType.WORKER_GONE] == []
