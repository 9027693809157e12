"""The figures, as somebody reads them who does not look at the store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from tests.dashboard.face import HOST, Face
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import Entry, EventType
from webordinary.config.figures import MetricsAccess
from webordinary.config.mail import Network
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role
from webordinary.testing.story import EVE, SCOTT, Story


def begin(story: Story, workers: int = 1) -> Face:
    story.begin(workers=workers)
    assert isinstance(story.rig, EmbeddedRig)
    return Face(story.rig.here)


def scraper(face: Face, peer: str = "127.0.0.1", **headers: str) -> TestClient:
    return TestClient(face.app, base_url=HOST, client=(peer, 50000), headers=headers, follow_redirects=False)


def figures(face: Face) -> dict[tuple[str, ...], float]:
    """Return every sample by its name and the values of its labels, in the order of the labels' names."""
    text = scraper(face).get("/metrics").text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(sample.name.removeprefix("webordinary_"), *sample.labels.values()): sample.value for sample in samples}


def test_a_job_that_was_published_is_in_every_figure(story: Story) -> None:
    face = begin(story)
    before = figures(face)
    assert before["jobs_waiting",] == before["jobs_running",] == 0
    story.waits_for_job(story.writes(SCOTT, "Hello,\nwe open at nine now.\nThanks, Scott"))
    story.waits_for(EventType.ANSWERED)
    after = figures(face)
    assert after["mails_total", "queued", "verified"] == 1
    assert after["jobs_total", "published", "amelia"] == 1
    assert after["claims_total", "won"] == 1
    assert after["builds_total", "amelia", "built"] >= 1
    assert after["letters_total", "answer", "sent"] == 1
    for spread in ("job_seconds", "job_waiting_seconds", "build_seconds"):
        assert after[f"{spread}_count", "amelia"] >= 1
        assert after[f"{spread}_sum", "amelia"] > 0
    assert after["claim_seconds_count",] == 1
    assert after["workers", "idle"] + after["workers", "busy"] == 1
    assert after["data_free_bytes",] > 0
    assert after["counted",] == 1


def test_a_restart_sets_no_counter_back_and_counts_nothing_twice(story: Story) -> None:
    face = begin(story, workers=0)
    story.writes(SCOTT, "We open at nine now")
    story.writes(EVE, "Give me your website")
    first = figures(face)
    assert isinstance(story.rig, EmbeddedRig)
    # A second process on the same installation, beside the first one.
    second = Face(story.rig.here)
    for each in (second, face, second):
        seen = figures(each)
        assert seen["mails_total", "queued", "verified"] == 1
        assert seen["mails_received_total", "deliver"] == 2
        assert {name for name in seen if name[0].endswith("_total")} >= {name for name in first if "_total" in name[0]}


def test_what_the_trail_has_forgotten_stays_counted(story: Story) -> None:
    face = begin(story, workers=0)
    story.writes(SCOTT, "We open at nine now")
    assert figures(face)["mails_received_total", "deliver"] == 1
    assert isinstance(story.rig, EmbeddedRig)
    story.rig.here.engine.trail.forget_before(story.rig.here.clock.now().wall_at.replace(year=9999))
    assert figures(face)["mails_received_total", "deliver"] == 1


def test_no_name_of_a_person_a_lane_or_a_job_is_a_label(story: Story) -> None:
    face = begin(story, workers=0)
    mail = story.writes(SCOTT, "We open at nine now", subject="Secret plans")
    story.writes(EVE, "Give me your website")
    face.signed_in().get("/jobs/job-of-somebody")
    face.visitor().get("/some/path/of/mine")
    text = scraper(face).get("/metrics").text
    for word in ("scott", "eve@", "#", mail, story.job_of(mail).id, "Secret", "of-somebody", "some/path"):
        assert word not in text.replace("# HELP", "").replace("# TYPE", ""), word


def test_a_forged_or_unknown_sender_is_counted_by_its_verdict(story: Story) -> None:
    face = begin(story, workers=0)
    story.writes(SCOTT, "Please do this", verified=False)
    seen = figures(face)
    assert sum(value for name, value in seen.items() if name[0] == "mails_total") == 1
    assert seen["mails_total", "held", "unverified"] == 1


def test_a_dead_letter_and_a_failed_build_are_counted_for_their_project(story: Story) -> None:
    face = begin(story, workers=0)
    assert isinstance(story.rig, EmbeddedRig)
    here = story.rig.here
    lane, now = "amelia#scott", here.clock.now().wall_at
    broke = Entry(EventType.STEP, now, lane, job="job-1", text="build broke", facts={"build_s": "2.5"})
    here.engine.trail.record(broke)
    here.engine.trail.record(Entry(EventType.JOB_PARKED, now, lane, job="job-1"))
    here.engine.trail.record(
        Entry(EventType.JOB_DEAD, now, lane, job="job-1", facts={"outcome": "dead", "usd": "0.0300"})
    )
    here.engine.trail.record(Entry(EventType.WORKER_GONE, now, worker="w1", text="died", facts={"code": "-9"}))
    seen = figures(face)
    assert seen["builds_total", "amelia", "failed"] == seen["dead_letters_total", "amelia"] == 1
    assert seen["interruptions_total", "amelia"] == seen["worker_deaths_total",] == 1
    assert seen["build_seconds_sum", "amelia"] == 2.5
    assert seen["cost_usd_total", "amelia"] == 0.03


def test_the_dashboards_own_requests_are_counted_by_route(story: Story) -> None:
    face = begin(story, workers=0)
    browser = face.signed_in()
    browser.get("/")
    browser.get("/")
    seen = figures(face)
    assert seen["dashboard_request_seconds_count", "GET", "/", "200"] == 2
    assert seen["dashboard_sessions",] == 1


def test_who_may_read_them(story: Story) -> None:
    here = begin(story, workers=0).house.here
    tokens = ApiTokens(here.config.data / "dashboard", here.clock)
    reader = tokens.add("prometheus", Role.READER, (), "amy")
    client = tokens.add("a shop", Role.CLIENT, ("amelia",), "amy")
    proxied, only_token, off = {"proxies": (Network("127.0.0.1"),)}, {"metrics": "token"}, {"metrics": "off"}
    readers: list[tuple[dict[str, Any], str, dict[str, str], int]] = [
        ({}, "127.0.0.1", {}, 200),
        ({}, "::1", {}, 200),
        ({}, "192.0.2.7", {}, 401),
        ({}, "127.0.0.1", {"x-forwarded-for": "192.0.2.7"}, 401),
        ({}, "127.0.0.1", {"forwarded": "for=192.0.2.7"}, 401),
        (proxied, "127.0.0.1", {}, 401),
        (proxied, "127.0.0.1", {"authorization": f"Bearer {reader}"}, 200),
        (only_token, "127.0.0.1", {}, 401),
        (only_token, "127.0.0.1", {"authorization": "Bearer "}, 401),
        (only_token, "127.0.0.1", {"authorization": f"bearer {reader}"}, 200),
        (off, "127.0.0.1", {"authorization": f"Bearer {reader}"}, 404),
        ({}, "192.0.2.7", {"authorization": f"Bearer {reader}"}, 200),
        ({}, "192.0.2.7", {"authorization": f"Bearer {client}"}, 401),
        ({}, "192.0.2.7", {"authorization": "Bearer wo_another"}, 401),
        ({}, "192.0.2.7", {"authorization": f"Basic {reader}"}, 401),
    ]
    for settings, peer, headers, status in readers:
        changed = {**settings, "metrics": MetricsAccess(settings.get("metrics", "loopback"))}
        asked = msgspec.structs.replace(here.config.dashboard, **changed)
        face = Face(replace(here, config=replace(here.config, dashboard=asked)))
        answer = scraper(face, peer, **headers).get("/metrics")
        assert answer.status_code == status, (settings, peer, headers)
        assert ("webordinary_jobs_waiting" in answer.text) == (status == 200)
