"""A real Prometheus scrapes a served installation: every question of the Grafana dashboard has an answer."""

from __future__ import annotations

import json
import math
import subprocess
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.dashboard.face import Face
from tests.ports import free_port
from tests.programs import need
from tests.rigs.embedded import EmbeddedRig
from tests.tree import ROOT
from webordinary.audit.entry import EventType
from webordinary.testing.story import SCOTT, Story, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GRAFANA = ROOT / "docs" / "grafana"
_SETTINGS = """
global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}
rule_files: ["{rules}"]
scrape_configs:
  - job_name: webordinary
    static_configs: [{{targets: ["{target}"]}}]
"""
# A time that saw nothing happen is no number, which is an answer too.
_MAY_BE_NO_NUMBER = ("histogram_quantile",)


def questions() -> list[str]:
    """Return what the panels ask, with the choices of a person who has chosen nothing."""
    board = json.loads((GRAFANA / "dashboard.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]
    return [expr.replace("$__rate_interval", "1m").replace("$project", ".*") for expr in asked]


def fetch(address: str) -> bytes:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    try:
        connection.request("GET", f"{parts.path}?{parts.query}")
        return connection.getresponse().read()
    finally:
        connection.close()


class Prometheus:
    """One that runs, and what it knows."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"

    def ask(self, path: str, **query: str) -> Any:  # noqa: ANN401 - whatever JSON can be
        try:
            return json.loads(fetch(f"{self._address}{path}?{urlencode(query)}"))
        except (OSError, json.JSONDecodeError):
            # It is not there yet, or says in plain words that it has not read its folder yet.
            return None

    def values(self, expr: str) -> list[float]:
        found = self.ask("/api/v1/query", query=expr)
        return [float(each["value"][1]) for each in found["data"]["result"]] if found else []


@pytest.fixture
def prometheus(tmp_path: Path, story: Story) -> Iterator[Prometheus]:
    program, port = need("prometheus"), free_port()
    story.begin()
    assert isinstance(story.rig, EmbeddedRig)
    with Face(story.rig.here).served() as address:
        path = tmp_path / "prometheus.yml"
        target = address.removeprefix("http://")
        path.write_text(_SETTINGS.format(rules=GRAFANA / "alerts.yml", target=target), encoding="utf-8")
        where = [f"--web.listen-address=127.0.0.1:{port}", f"--storage.tsdb.path={tmp_path / 'series'}"]
        running = subprocess.Popen(
            [program, f"--config.file={path}", *where, "--log.level=error"], stdout=subprocess.DEVNULL, cwd=tmp_path
        )
        try:
            yield Prometheus(port)
        finally:
            running.kill()
            running.wait()


@pytest.mark.thorough
def test_every_question_of_the_grafana_dashboard_has_an_answer(prometheus: Prometheus, story: Story) -> None:
    wait_for(lambda: prometheus.values("webordinary_counted == 1") or None, "the first scrape", str)
    story.waits_for_job(story.writes(SCOTT, "Hello,\nwe open at nine now.\nThanks, Scott"))
    story.waits_for(EventType.ANSWERED)

    def has_grown(name: str) -> bool | None:
        return any(value > 0 for value in prometheus.values(f"increase({name}[1m])")) or None

    for name in ("webordinary_jobs_total", "webordinary_mails_total", "webordinary_build_seconds_count"):
        wait_for(lambda name=name: has_grown(name), name, str)  # type: ignore[misc]  # the types of a lambda's defaults are not inferred
    for expr in questions():
        found = wait_for(lambda expr=expr: prometheus.values(expr) or None, expr, str)  # type: ignore[misc]  # the same
        may_be_none = expr.startswith(_MAY_BE_NO_NUMBER)
        assert may_be_none or not any(math.isnan(value) for value in found), expr
    assert prometheus.values('sum(increase(webordinary_jobs_total{outcome="published"}[1m]))')[0] > 0
    alarms = prometheus.ask("/api/v1/rules")["data"]["groups"][0]["rules"]
    assert [rule["name"] for rule in alarms if rule["health"] == "err"] == []


def test_prometheus_finds_nothing_wrong_with_the_figures(story: Story) -> None:
    story.begin(workers=0)
    story.writes(SCOTT, "We open at nine now")
    assert isinstance(story.rig, EmbeddedRig)
    with Face(story.rig.here).served() as address:
        text = fetch(f"{address}/metrics")
    checked = subprocess.run([need("promtool"), "check", "metrics"], input=text, capture_output=True, check=False)
    assert (checked.returncode, checked.stderr.decode()) == (0, "")


def test_prometheus_finds_nothing_wrong_with_the_alerts() -> None:
    rules = str(GRAFANA / "alerts.yml")
    checked = subprocess.run(
        [need("promtool"), "check", "rules", "--lint-fatal", rules], capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr.decode()


def test_the_page_tells_of_every_figure(story: Story) -> None:
    story.begin(workers=0)
    assert isinstance(story.rig, EmbeddedRig)
    with Face(story.rig.here).served() as address:
        there = fetch(f"{address}/metrics").decode()
    told = (ROOT / "docs" / "howto" / "figures.md").read_text(encoding="utf-8")
    names = [line.split()[2] for line in there.splitlines() if line.startswith("# TYPE")]
    assert [name for name in names if f"`{name}`" not in told and not name.endswith("_created")] == []


def test_the_dashboard_and_the_alerts_name_only_figures_that_exist(story: Story) -> None:
    story.begin(workers=0)
    assert isinstance(story.rig, EmbeddedRig)
    with Face(story.rig.here).served() as address:
        there = fetch(f"{address}/metrics").decode()
    told = " ".join([*questions(), (GRAFANA / "alerts.yml").read_text(encoding="utf-8")])
    names = set("".join(each if each.isalnum() or each == "_" else " " for each in told).split())
    plain = {name.removesuffix("_bucket").removesuffix("_total") for name in names if name.startswith("webordinary_")}
    assert [name for name in sorted(plain) if f"# TYPE {name}" not in there] == []
