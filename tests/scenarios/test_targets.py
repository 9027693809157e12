"""Sites that are published elsewhere: by rsync to another machine, or by the push alone; and a place that refuses."""

from __future__ import annotations

import getpass
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.programs import need
from tests.remotes.ssh_server import SshServer, ssh_server
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import BAKERY, FLOWERS, SCOTT, TOM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.testing.story import Story

QUICKLY = {"workers": 'backoff = ["50 ms", "50 ms"]'}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SshServer]:
    need("rsync")
    with ssh_server(tmp_path / "sshd") as server:
        yield server


@pytest.mark.thorough
def test_a_site_goes_live_on_another_machine_and_a_push_is_enough_where_the_host_builds(
    story: Story, server: SshServer, tmp_path: Path
) -> None:
    host = tmp_path / "host"
    bakery = f"""target = "rsync"
to = "ssh://{getpass.getuser()}@127.0.0.1:{server.port}{host}"
url = "https://www.bakery.example/"
ssh_key_file = "{server.key}"
known_hosts = "{server.known_hosts}"
"""
    flowers = 'target = "git"\nurl = "https://www.flowers.example/"\n'
    story.begin(replace(BAKERY, where=bakery), replace(FLOWERS, where=flowers), settings=QUICKLY)
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert job.outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in (host / "live" / "contact.html").read_text()
    assert (host / "live").readlink().name == job.commit
    assert "https://www.bakery.example/" in story.waits_for_answer(SCOTT).text

    pushed = story.waits_for_job(story.writes(TOM, "We open at nine now", site="flora"))
    assert pushed.outcome == Outcome.PUBLISHED
    assert len(story.rig.live_log("flora")) == 2
    assert "https://www.flowers.example/" in story.waits_for_answer(TOM).text

    with server.lets_run("exec 1>&2; echo no space left on device; exit 1"):
        refused = story.waits_for_job(story.writes(SCOTT, "We open at ten now"))
    assert refused.state in {State.FAILED, State.DEAD}
    assert "as it was" in story.waits_for_answer(SCOTT, count=2).text
    assert len(story.rig.live_log("amelia")) == 2
    assert (host / "live").readlink().name == job.commit
    again = story.waits_for_job(story.writes(SCOTT, "We open at ten now"))
    assert again.outcome == Outcome.PUBLISHED
    assert "10:00 – 18:00" in (host / "live" / "contact.html").read_text()


@pytest.mark.thorough
def test_a_site_at_a_web_host_goes_live_and_the_trail_says_how_it_was_switched(
    story: Story, server: SshServer, tmp_path: Path
) -> None:
    docroot = tmp_path / "public_html"
    docroot.mkdir()
    bakery = f"""target = "sftp"
to = "{server.address(docroot)}"
url = "https://www.bakery.example/"
ssh_key_file = "{server.key}"
known_hosts = "{server.known_hosts}"
switch = "files"
"""
    story.begin(replace(BAKERY, where=bakery), settings=QUICKLY)
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert job.outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in (docroot / "contact.html").read_text()
    published = next(each for each in story.rig.trail() if each.what == EventType.STEP and each.text == "published")
    assert published.facts["switched"] == "switched file by file"
