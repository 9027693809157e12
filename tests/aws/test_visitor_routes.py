"""Visitors are led to what the pointer says: by a key-value store that only moves forward, whoever writes it."""

from __future__ import annotations

import itertools
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.aws.stores import HOSTS, clients_for, new_store
from tests.aws.test_sites_in_s3 import LANE, build, later
from tests.rigs.embedded_ports import AMELIA
from webordinary.engines.aws.s3.buckets import buckets, create_buckets
from webordinary.engines.aws.s3.hosts import Hosts
from webordinary.engines.aws.s3.places import WAITING, id_in_store
from webordinary.engines.aws.s3.visitor_routes import LARGEST_STORE, MOST_KEYS, VisitorRoutes, sites_that_fit
from webordinary.engines.aws.s3.waiting import WaitingProjects
from webordinary.engines.aws.sites import NOT_FOUND, S3Sites, Visitors
from webordinary.errors import Misconfigured, TryAgain
from webordinary.metrics.meter import Metric
from webordinary.routing.project import SiteTarget
from webordinary.site.sites import Switched
from webordinary_local_aws.server import ACCOUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webordinary.metrics.meter import Meter

HOST = "amelia.edit.example.com"
OWN = "www.amelias.example"


class CountingMeter:
    """Keeps what was measured."""

    def __init__(self) -> None:
        self.seen: list[tuple[Metric, float]] = []

    def record(self, metric: Metric, value: float = 1, **_: str) -> None:
        self.seen.append((metric, value))

    def largest(self, metric: Metric) -> float:
        return max(value for each, value in self.seen if each is metric)


class Edge:
    """A store, a bucket, and as many publishing workers as a test wants."""

    def __init__(self) -> None:
        self.arn = new_store()
        clients = clients_for(self.arn)
        assert clients.visitor_routes is not None
        self.client = clients.visitor_routes
        kept = buckets(clients.s3, f"edge-{self.arn[-12:]}", ACCOUNT)
        create_buckets(clients.s3, kept)
        self.bucket = kept.sites

    def sites(self, meter: Meter | None = None) -> S3Sites:
        own = replace(AMELIA, site=SiteTarget("s3", "sites", f"https://{OWN}/"))
        find = lambda project: own if project == "amelia" else None  # noqa: E731 - only one has an address of its own
        return S3Sites(self.bucket, Visitors(self.client, self.arn, HOSTS, find), meter)

    def routes(self, read: Callable[[], str]) -> VisitorRoutes:
        """A writer that says when it reads a pointer."""
        return VisitorRoutes(
            self.client, self.arn, WaitingProjects(self.bucket), lambda _: {"amelia": read()}, pause=lambda _: None
        )

    def shown(self) -> dict[str, str]:
        return {item["Key"]: item["Value"] for item in self.client.list_keys(KvsARN=self.arn)["Items"]}

    def page(self, host: str) -> str:
        """Return what a visitor sees; test_site_delivery shows that the function at the edge goes the same way."""
        shown, label = self.shown(), host.removesuffix(".edit.example.com")
        label = shown[host].removeprefix("=") if host in shown else label
        place = f"{label}/files/{shown[label]}/" if label in shown else f"_overflow/{label}/"
        found = self.bucket.read(f"{place}index.html")
        assert found is not None
        return found.content.decode()

    def fill(self) -> None:
        """Leave no room for another key."""
        found = self.client.describe_key_value_store(KvsARN=self.arn)
        many, rest = divmod(LARGEST_STORE - found["TotalSizeInBytes"], 1000)
        puts: Any = [{"Key": f"filled-{number:093d}", "Value": "x" * 900} for number in range(many)]
        puts.append({"Key": "filled", "Value": "x" * (rest - len("filled"))})
        tag = found["ETag"]
        for first in range(0, len(puts), MOST_KEYS):
            tag = self.client.update_keys(KvsARN=self.arn, IfMatch=tag, Puts=puts[first : first + MOST_KEYS])["ETag"]

    def counted(self) -> list[str]:
        asked: list[str] = []
        self.client.meta.events.register("before-call", lambda model, **_: asked.append(model.name))
        return asked


@pytest.fixture
def edge() -> Edge:
    return Edge()


def publish(sites: S3Sites, folder: Path, commit: str, project: str = "amelia") -> Switched:
    sites.add_release(project, commit, build(folder / project, commit))
    return sites.switch_live(project, commit, lane=LANE, fence=1, descends=later)


def test_publishing_leads_every_host_of_the_site_to_the_release(edge: Edge, tmp_path: Path) -> None:
    publish(edge.sites(), tmp_path, "c1")

    assert edge.page(HOST) == edge.page(OWN) == "c1"
    assert edge.bucket.read(NOT_FOUND) is not None


def test_a_preview_needs_no_key(edge: Edge, tmp_path: Path) -> None:
    edge.sites().show_preview("amelia", "t1", build(tmp_path, "one"))

    assert edge.shown() == {}


def test_a_preview_with_an_address_of_another_form_has_a_small_key_as_long_as_it_is_shown(
    edge: Edge, tmp_path: Path
) -> None:
    elsewhere = Hosts("edit.example.com", "https://{thread}.{project}.previews.example.net/")
    sites = S3Sites(edge.bucket, Visitors(edge.client, edge.arn, elsewhere, lambda _: None))
    sites.show_preview("amelia", "t1", build(tmp_path, "one"))
    assert edge.shown() == {"t1.amelia.previews.example.net": "=t1--amelia"}
    sites.remove_preview("amelia", "t1")
    assert edge.shown() == {}


def test_whoever_comes_after_a_crash_between_pointer_and_signpost_leads_visitors_on(edge: Edge, tmp_path: Path) -> None:
    publish(edge.sites(), tmp_path, "c1")
    dies_in_between = S3Sites(edge.bucket)
    publish(dies_in_between, tmp_path, "c2")
    assert edge.page(HOST) == "c1"

    assert edge.sites().switch_live("amelia", "c2", lane=LANE, fence=2, descends=later) == Switched.ALREADY_LIVE
    assert edge.page(HOST) == "c2"


def test_a_writer_that_slept_between_pointer_and_signpost_cannot_lead_visitors_back(edge: Edge, tmp_path: Path) -> None:
    """The slow one has read the old pointer; the fast one publishes; only then the slow one writes."""
    publish(edge.sites(), tmp_path, "c1")
    fast, others, asked = edge.sites(), iter(["c2"]), list[str]()

    def pointer() -> str:
        found = edge.bucket.read("amelia/live.json")
        assert found is not None
        for commit in others:
            publish(fast, tmp_path, commit)
        asked.append(id_in_store(json.loads(found.content)["place"]))
        return asked[-1]

    edge.routes(pointer).lead("amelia")

    assert len(asked) == 2, "it must have been refused once, and have looked again"
    assert edge.page(HOST) == "c2"


def test_of_many_who_publish_at_once_visitors_see_the_newest(edge: Edge, tmp_path: Path) -> None:
    commits = [f"c{number}" for number in range(4)]
    writers = [edge.sites() for _ in commits]
    seen: list[str] = []

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda each: publish(each[0], tmp_path, each[1]), zip(writers, commits, strict=True)))
        seen.append(edge.page(HOST))

    assert seen == ["c3"]


def test_a_worker_that_knows_the_version_asks_for_it_once(edge: Edge, tmp_path: Path) -> None:
    asked, sites = edge.counted(), edge.sites()

    for commit in ("c1", "c2", "c3"):
        publish(sites, tmp_path, commit)

    assert asked == ["DescribeKeyValueStore", "UpdateKeys", "UpdateKeys", "UpdateKeys"]


def test_nothing_is_written_for_a_project_that_shows_nothing(edge: Edge) -> None:
    edge.sites().lead_visitors("amelia")

    assert edge.shown() == {}


def test_a_store_that_is_not_there_is_named(edge: Edge, tmp_path: Path) -> None:
    edge.arn = edge.arn[:-4] + "gone"

    with pytest.raises(Misconfigured, match=r"key-value store .*gone"):
        publish(edge.sites(), tmp_path, "c1")


def test_a_store_that_everybody_writes_to_is_tried_again_later(edge: Edge) -> None:
    """Somebody who does not wait with the others, as an earlier version."""
    numbers: Iterator[int] = itertools.count()

    def somebody_writes() -> str:
        tag = edge.client.describe_key_value_store(KvsARN=edge.arn)["ETag"]
        puts: Any = [{"Key": "rosa", "Value": str(next(numbers))}]
        edge.client.update_keys(KvsARN=edge.arn, IfMatch=tag, Puts=puts)
        return "x"

    with pytest.MonkeyPatch.context() as patience:
        patience.setattr("webordinary.engines.aws.s3.visitor_routes._LOOKS", 3)
        with pytest.raises(TryAgain, match="by others all the time"):
            edge.routes(somebody_writes).lead("amelia")


def test_a_whole_noon_of_publishing_fits_into_few_writes(edge: Edge) -> None:
    """The store takes one write after the other; whoever meets others there is written for by one of them."""
    projects = [f"site-{number}" for number in range(16)]
    for project in projects:
        edge.bucket.put(f"{project}/live.json", json.dumps({"commit": "c1", "place": f"{project}/files/c1/"}).encode())
    everybody, asked = threading.Barrier(len(projects)), edge.counted()

    def lead(project: str) -> None:
        sites = edge.sites()
        everybody.wait()
        sites.lead_visitors(project)

    with ThreadPoolExecutor(len(projects)) as threads:
        list(threads.map(lead, projects))

    assert set(edge.shown()) == set(projects)
    assert [each for each in edge.bucket.stored(WAITING) if not each.key.endswith(".turn")] == []
    # Each has tried alone first; then few write for all.
    assert asked.count("UpdateKeys") < 2 * len(projects)


def test_one_write_carries_what_everybody_waits_for(edge: Edge, tmp_path: Path) -> None:
    publish(edge.sites(), tmp_path, "c1", "rosa")
    publish(S3Sites(edge.bucket), tmp_path, "c2", "rosa")
    waiting = WaitingProjects(edge.bucket)
    rosas = waiting.add("rosa")
    asked = edge.counted()
    publish(edge.sites(), tmp_path, "c1")

    assert asked.count("UpdateKeys") == 1
    assert (edge.page("rosa.edit.example.com"), edge.page(HOST)) == ("c2", "c1")
    assert not waiting.has(rosas)


def test_a_turn_that_nobody_ends_passes_to_the_next(edge: Edge, tmp_path: Path) -> None:
    with WaitingProjects(edge.bucket, clock=lambda: 0.0).turn() as dies:
        assert dies
        WaitingProjects(edge.bucket).add("rosa")
        publish(edge.sites(), tmp_path, "c1")
    assert edge.page(HOST) == "c1"


def test_a_full_store_blocks_nobody(edge: Edge, tmp_path: Path) -> None:
    """Whoever has a key goes on as before; a new site is shown without one, and the agency is told."""
    told = CountingMeter()
    publish(edge.sites(), tmp_path, "c1", "rosa")
    edge.fill()
    sites = edge.sites(told)
    publish(sites, tmp_path, "c1", "bert")
    publish(sites, tmp_path, "c2", "bert")
    WaitingProjects(edge.bucket).add("bert")
    publish(sites, tmp_path, "c2", "rosa")
    WaitingProjects(edge.bucket).add("rosa")
    publish(sites, tmp_path, "c3", "bert")

    shown = {key for key in edge.shown() if not key.startswith("filled")}
    assert shown == {"rosa"}
    assert (edge.page("rosa.edit.example.com"), edge.page("bert.edit.example.com")) == ("c2", "c3")
    assert told.largest(Metric.VISITOR_ROUTES_BYTES) == LARGEST_STORE


def test_the_keys_of_an_earlier_version_lead_on_until_the_next_release_replaces_them(
    edge: Edge, tmp_path: Path
) -> None:
    publish(S3Sites(edge.bucket), tmp_path, "c1")
    found = edge.bucket.read("amelia/live.json")
    assert found is not None
    earlier = json.loads(found.content) | {"is_short": False}
    edge.bucket.put("amelia/live.json", json.dumps(earlier).encode())
    record = {"place": "amelia/shown/t1-ffffffffffff/", "turn": "", "files": {}}
    edge.bucket.put("amelia/previews/t1.json", json.dumps(record).encode())
    edge.bucket.put("amelia/shown/t1-ffffffffffff/index.html", b"old")
    preview = "t1--amelia.edit.example.com"
    old: Any = [{"Key": host, "Value": earlier["place"]} for host in (HOST, OWN)]
    old.append({"Key": preview, "Value": record["place"]})
    tag = edge.client.describe_key_value_store(KvsARN=edge.arn)["ETag"]
    edge.client.update_keys(KvsARN=edge.arn, IfMatch=tag, Puts=old)
    sites = edge.sites()
    assert [each.thread for each in sites.previews("amelia")] == ["t1"]

    publish(sites, tmp_path, "c2")
    assert set(edge.shown()) == {"amelia", OWN, preview}
    assert edge.page(HOST) == edge.page(OWN) == "c2"
    sites.show_preview("amelia", "t1", build(tmp_path, "new"))
    assert set(edge.shown()) == {"amelia", OWN}
    assert [each.key for each in edge.bucket.stored("amelia/shown/")] == []


def test_a_hundred_thousand_sites_fit() -> None:
    assert sites_that_fit() > 100_000
    # An address of thirty letters for each of them needs as much again.
    assert sites_that_fit(own_address=30) == 49_504


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        (lambda: HOSTS.live("amelia", None), (HOST,)),
        (lambda: HOSTS.live("amelia", "https://WWW.Amelias.example:8443/shop"), (HOST, OWN)),
        (lambda: HOSTS.live("amelia", f"https://{HOST}/"), (HOST,)),
        (lambda: (HOSTS.preview("amelia", "t1"),), ("t1--amelia.edit.example.com",)),
    ],
)
def test_hosts_are_written_as_they_are_looked_up(
    hosts: Callable[[], tuple[str, ...]], expected: tuple[str, ...]
) -> None:
    assert hosts() == expected
