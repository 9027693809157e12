"""CloudFront's function in a real Node: from a host name and a path to a file of one release."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.node import node_path
from webordinary.engines.aws.flow.functions import site_delivery

if TYPE_CHECKING:
    from pathlib import Path

LIVE = "amelia/files/c10a1b2c/"
PREVIEW = "_previews/amelia/t1/"
# As this version writes them, and as earlier ones did.
PLACES = {
    "amelia": "c10a1b2c",
    "www.amelias.example": "=amelia",
    "previews.example.net": "=t1--amelia",
    "rosa.example.com": "rosa/files/c0ffee-0a1b/",
    "www.rosas.example": "rosa/files/c0ffee-0a1b/",
    "t0--rosa.example.com": "rosa/shown/t0-2c3d/",
    "two--hyphens": "c7d8e9f0",
}

# What CloudFront gives a function: a store that refuses names which it does not have.
_STORE = """
const places = JSON.parse(process.env.PLACES);
const get = async (name) => { if (name in places) return places[name]; throw new Error('KeyNotFound'); };
export default { kvs: () => ({ get }) };
"""
_CALL = "\nprocess.stdout.write(JSON.stringify(await handler(JSON.parse(process.argv[2]))));\n"

Event = dict[str, Any]


class Edge:
    """A place at the edge of CloudFront's network: runs the function once for each event."""

    def __init__(self, folder: Path) -> None:
        store = folder / "node_modules" / "cloudfront"
        store.mkdir(parents=True)
        (store / "package.json").write_text('{"name": "cloudfront", "type": "module", "main": "index.js"}')
        (store / "index.js").write_text(_STORE)
        self._program = folder / "function.mjs"
        self._program.write_text(site_delivery("example.com") + _CALL)
        self._path = node_path()

    def run(self, event: Event) -> Event:
        done = subprocess.run(
            [str(shutil.which("node", path=self._path)), str(self._program), json.dumps(event)],
            env={"PATH": self._path, "PLACES": json.dumps(PLACES)},
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        answer: Event = json.loads(done.stdout)
        return answer

    def ask(self, uri: str, host: str | None = "amelia.example.com", query: Event | None = None) -> Event:
        headers = {} if host is None else {"host": {"value": host}}
        request = {"method": "GET", "uri": uri, "querystring": query or {}, "headers": headers, "cookies": {}}
        return self.run({"version": "1.0", "context": {"eventType": "viewer-request"}, "request": request})

    def headers_of(self, host: str) -> dict[str, str]:
        request = {"method": "GET", "uri": "/", "querystring": {}, "headers": {"host": {"value": host}}}
        response = {"statusCode": 200, "headers": {"content-type": {"value": "text/html"}}}
        event = {"context": {"eventType": "viewer-response"}, "request": request, "response": response}
        return {name: header["value"] for name, header in self.run(event)["headers"].items()}


@pytest.fixture
def edge(tmp_path: Path) -> Edge:
    return Edge(tmp_path)


@pytest.mark.parametrize(
    ("host", "uri", "key"),
    [
        ("amelia.example.com", "/", f"{LIVE}index.html"),
        ("AMELIA.example.com.:443", "/menu.html", f"{LIVE}menu.html"),
        ("www.amelias.example", "/about/", f"{LIVE}about/index.html"),
        ("t1--amelia.example.com", "/style.css", f"{PREVIEW}style.css"),
        ("t1--two--hyphens.example.com", "/", "_previews/two--hyphens/t1/index.html"),
        ("two--hyphens.example.com", "/", "two--hyphens/files/c7d8e9f0/index.html"),
        ("previews.example.net", "/", f"{PREVIEW}index.html"),
        ("without-a-key.example.com", "/", "_overflow/without-a-key/index.html"),
        ("rosa.example.com", "/", "rosa/files/c0ffee-0a1b/index.html"),
        ("www.rosas.example", "/", "rosa/files/c0ffee-0a1b/index.html"),
        ("t0--rosa.example.com", "/", "rosa/shown/t0-2c3d/index.html"),
        ("amelia.example.com", "//images///a%20photo+1.avif", f"{LIVE}images/a%20photo%2B1.avif"),
        (
            "amelia.example.com",
            "/.well-known/apple-app-site-association",
            f"{LIVE}.well-known/apple-app-site-association",
        ),
    ],
)
def test_a_host_and_a_path_lead_to_a_file_of_one_release(edge: Edge, host: str, uri: str, key: str) -> None:
    assert edge.ask(uri, host)["uri"] == f"/{key}"


def test_a_folder_without_its_slash_leads_to_the_one_with_it_and_keeps_the_question(edge: Edge) -> None:
    query = {"q": {"value": "a%20b", "multiValue": [{"value": "a%20b"}, {"value": "c"}]}, "print": {"value": ""}}
    answer = edge.ask("/about", query=query)

    assert answer["statusCode"] == 302
    assert answer["headers"]["location"]["value"] == "/about/?q=a%20b&q=c&print"


def test_no_redirect_leads_to_another_site(edge: Edge) -> None:
    assert edge.ask("//evil/x")["headers"]["location"]["value"] == "/evil/x/"


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "",
        None,
        "amelia.example.com.evil.example",
        "a.b.example.com",
        "_previews.example.com",
        "..example.com",
    ],
)
def test_a_host_that_nobody_has_published_gets_a_page_that_says_so(edge: Edge, host: str | None) -> None:
    answer = edge.ask("/", host)

    assert answer["statusCode"] == 404
    assert "no such site" in answer["body"]["data"]


@pytest.mark.parametrize(
    "uri", ["/../rosa/live.json", "/a/%2e%2e/b", "/a%2fb", "/%5c", "/%00", "/%zz", "/" + "a" * 2000]
)
def test_no_path_leads_out_of_the_release(edge: Edge, uri: str) -> None:
    assert edge.ask(uri)["statusCode"] == 404


def test_previews_are_not_for_search_engines_and_live_sites_are(edge: Edge) -> None:
    preview, live = edge.headers_of("t1--amelia.example.com"), edge.headers_of("amelia.example.com")

    assert preview["x-robots-tag"] == "noindex"
    assert preview["referrer-policy"] == "same-origin"
    assert edge.headers_of("t0--rosa.example.com")["x-robots-tag"] == "noindex"
    assert "x-robots-tag" not in live
    assert live["cache-control"] == preview["cache-control"] == "no-cache"
    assert live["content-type"] == "text/html"


def test_the_function_fits_into_what_cloudfront_takes() -> None:
    """Its runtime is older than Node: what it does not know must not be used, and 10 KB are the limit."""
    code = re.sub(r"//.*", "", site_delivery("example.com"))
    unknown = {
        "for-of": r"\bfor\s*\([^)]* of ",
        "optional chaining": r"\?\.",
        "nullish": r"\?\?",
        "spread": r"\.\.\.",
        "destructuring": r"(?:const|let|var)\s*[\[{]",
        "class": r"\bclass\b",
        "await in an argument": r"\([^)]*\bawait\b",
    }

    assert [name for name, pattern in unknown.items() if re.search(pattern, code)] == []
    assert len(site_delivery("example.com").encode()) <= 10 * 1024
