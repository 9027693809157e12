"""Visitors are led to what the pointer says: by a key-value store that only moves forward, whoever writes it."""

from __future__ import annotations

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.aws.stores import HOSTS, clients_for, new_store
from tests.aws.test_sites_in_s3 import LANE, build, later
from tests.rigs.embedded_ports import AMELIA
from webordinary.engines.aws.s3.buckets import buckets, create_buckets
from webordinary.engines.aws.s3.visitor_routes import VisitorRoutes
from webordinary.engines.aws.sites import NOT_FOUND, S3Sites, Visitors
from webordinary.errors import Misconfigured, TryAgain
from webordinary.routing.project import SiteTarget
from webordinary.site.sites import Switched
from webordinary.site.web.preview import mark_preview
from webordinary_local_aws.server import ACCOUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HOST = "amelia.edit.example.com"
OWN = "www.amelias.example"


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

    def sites(self) -> S3Sites:
        own = replace(AMELIA, site=SiteTarget("s3", "sites", f"https://{OWN}/"))
        return S3Sites(self.bucket, Visitors(VisitorRoutes(self.client, self.arn), HOSTS, lambda _: own))

    def shown(self) -> dict[str, str]:
        return {item["Key"]: item["Value"] for item in self.client.list_keys(KvsARN=self.arn)["Items"]}

    def page(self, host: str) -> str:
        found = self.bucket.read(f"{self.shown()[host]}index.html")
        assert found is not None
        return found.content.decode()


@pytest.fixture
def edge() -> Edge:
    return Edge()


def publish(sites: S3Sites, folder: Path, commit: str) -> Switched:
    sites.add_release("amelia", commit, build(folder, commit))
    return sites.switch_live("amelia", commit, lane=LANE, fence=1, descends=later)


def test_publishing_leads_every_host_of_the_site_to_the_release(edge: Edge, tmp_path: Path) -> None:
    publish(edge.sites(), tmp_path, "c1")

    assert edge.page(HOST) == edge.page(OWN) == "c1"
    assert edge.bucket.read(NOT_FOUND) is not None


def test_a_preview_has_a_host_of_its_own(edge: Edge, tmp_path: Path) -> None:
    sites = edge.sites()
    sites.show_preview("amelia", "t1", build(tmp_path, "one"))
    sites.show_preview("amelia", "t1", build(tmp_path, "two"))

    assert edge.page("t1--amelia.edit.example.com") == mark_preview(b"two").decode()


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
    slow, fast = VisitorRoutes(edge.client, edge.arn), edge.sites()
    others = iter(["c2"])
    asked: list[str] = []

    def pointer() -> str:
        found = edge.bucket.read("amelia/live.json")
        assert found is not None
        for commit in others:
            publish(fast, tmp_path, commit)
        asked.append(json.loads(found.content)["place"])
        return asked[-1]

    slow.lead((HOST,), pointer)

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
    asked: list[str] = []
    edge.client.meta.events.register("before-call", lambda model, **_: asked.append(model.name))
    sites = edge.sites()

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
    other = VisitorRoutes(edge.client, edge.arn)
    numbers: Iterator[int] = itertools.count()

    def somebody_writes() -> str:
        other.lead(("rosa.edit.example.com",), lambda: f"rosa/files/{next(numbers)}/")
        return "amelia/files/x/"

    with pytest.raises(TryAgain, match="by others all the time"):
        VisitorRoutes(edge.client, edge.arn).lead((HOST,), somebody_writes)


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        (lambda: HOSTS.live("amelia", None), (HOST,)),
        (lambda: HOSTS.live("amelia", "https://WWW.Amelias.example:8443/shop"), (HOST, OWN)),
        (lambda: HOSTS.live("amelia", f"https://{HOST}/"), (HOST,)),
        (lambda: HOSTS.preview("amelia", "t1"), ("t1--amelia.edit.example.com",)),
    ],
)
def test_hosts_are_written_as_they_are_looked_up(
    hosts: Callable[[], tuple[str, ...]], expected: tuple[str, ...]
) -> None:
    assert hosts() == expected
