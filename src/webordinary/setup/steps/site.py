"""Where the first site is: a folder, a ZIP, a git repository, an address on the web, or nowhere yet."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import Refused, WebOrdinaryError
from webordinary.findings import fail, ok, warn
from webordinary.routing.project import GitAccess, is_local
from webordinary.setup.copying.copy import is_copy_of
from webordinary.setup.deploy_key import DeployKey, MakeKey
from webordinary.setup.plan import OwnCommand, StepPlan
from webordinary.setup.question import NO, YES, Choice, Inquiry, as_in_the_file, number, yes_or_no
from webordinary.setup.step import SetupStep
from webordinary.values import HostKey, Repository, WebAddress, read_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

_KINDS = (
    Choice("folder", "a folder on this machine"),
    Choice("zip", "a ZIP on this machine"),
    Choice("git", "a git repository, with a deploy key that is made for it"),
    Choice("address", "a site on the web: a copy of its pages is made, and the site itself stays as it is"),
    Choice("new", "nowhere yet: begin with one page"),
)
KEY = "deploy-key"
_COPY = "copied-site"
_HOST = r"(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])"
_USER = r"[A-Za-z0-9_][A-Za-z0-9_.-]*@"
_ADDRESS = re.compile(
    rf"https?://{_HOST}(?::\d{{1,5}})?/[^\s?#]+"
    rf"|ssh://(?:{_USER})?{_HOST}(?::\d{{1,5}})?/\S+"
    rf"|(?:{_USER})?{_HOST}:[^\s:/-][^\s:]*|(?:{_USER}){_HOST}:/[^\s:]+"
)


class SiteStep(SetupStep):
    """Where it comes from."""

    name = "site"
    title = "The first site"
    why = "A site becomes a git repository that mails change. What is read here stays as it is."
    may_wait = True

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:
        kind = Inquiry("kind", "Where is the site now?", choices=_KINDS)
        return (kind, *_QUESTIONS.get(given.get("kind", ""), ()), *_of_ssh(desk, given))

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        match given["kind"]:
            case "git" if is_ssh(given["repository"]):
                return _key_plan(desk)
            case "address":
                return _copy_plan(desk, given)
            case _:
                return StepPlan()

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:
        match given["kind"]:
            case "folder" | "zip":
                yield _on_this_machine(given)
            case "git":
                yield _reached(desk, given)
            case "address":
                yield _copied(desk)
            case _:
                yield ok("site", "it begins with one page")


def source_of(desk: Desk, given: Given) -> str | None:
    """Return what `project add --from` is given; None for a site that begins with one page."""
    match given.get("kind", ""):
        case "folder" | "zip":
            return _answered(given, "place")
        case "git":
            return _answered(given, "repository")
        case "address":
            return str(copy_place(desk))
        case _:
            return None


def _answered(given: Given, key: str) -> str:
    if not given.get(key):
        raise Refused("The step `site` is not answered to its end: `webordinary setup --from site`.")
    return given[key]


def copy_place(desk: Desk) -> Path:
    return desk.data / _COPY


def is_ssh(repository: str) -> bool:
    return not is_local(repository) and not repository.startswith(("http://", "https://"))


def access_of(desk: Desk, given: Given) -> GitAccess:
    """Return how the repository lets us in: by the key that was made for it."""
    key = DeployKey(desk.data / "secrets" / KEY)
    host = (given["host_key"],) if given.get("host_key") else ()
    if not is_ssh(given.get("repository", "")) or not key.exists:
        return desk.config().git
    return GitAccess(ssh_key_file=str(key.path), host_keys=host)


def _whole(text: str) -> str:
    # Noted whole: the walk may go on in another folder.
    return str(read_path(text).absolute())


def _address(text: str) -> str:
    """Take an address of a git server, and nothing that git would read as an option, a helper or a file."""
    if not _ADDRESS.fullmatch(text):
        raise ValueError(
            "must be an address such as git@git.example.com:bakery/site.git or https://…, without a password"
        )
    Repository.read(text)
    return text


_PLACE = Inquiry("place", "Where is it?", "its path on this machine", _whole)
_QUESTIONS = {
    "folder": (_PLACE,),
    "zip": (replace(_PLACE, takes_file=".zip"),),
    "git": (
        Inquiry(
            "repository",
            "What is its address?",
            "such as git@git.example.com:bakery/site.git",
            _address,
        ),
    ),
    "address": (
        Inquiry("url", "What is its address?", "such as https://www.example.com/", as_in_the_file(WebAddress)),
        Inquiry("pages", "How many pages at most?", "", number(1, 5000, whole=True), "500"),
        Inquiry(
            "loopback",
            "Does it run on this machine itself?",
            "else addresses of this machine and of private networks are refused",
            yes_or_no,
            NO,
        ),
    ),
}


def _of_ssh(desk: Desk, given: Given) -> Iterator[Inquiry]:  # noqa: ARG001 - as the others
    if given.get("kind") == "git" and is_ssh(given.get("repository", "") or "http://"):
        yield Inquiry(
            "host_key",
            "What is the server's public key?",
            "such as ssh-ed25519 AAAA…, as its owner publishes it; empty: this machine knows it already",
            as_in_the_file(HostKey),
            "",
        )


def _key_plan(desk: Desk) -> StepPlan:
    key = DeployKey(desk.data / "secrets" / KEY)
    tells = ["Put this line there as a deploy key that may write:", f"  {key.public}"] if key.is_whole else []
    return StepPlan(deeds=() if key.is_whole else (MakeKey(key),), tells=tuple(tells))


def _copy_plan(desk: Desk, given: Given) -> StepPlan:
    place = copy_place(desk)
    words = ["project", "copy", given["url"], str(place), "--pages", given["pages"]]
    words += ["--loopback"] if given.get("loopback") == YES else []
    if place.exists() and not is_copy_of(given["url"], place):
        raise Refused(f"{place} holds something else than a copy of {given['url']}; move it away, and go on.")
    deeds = () if place.exists() else (OwnCommand(words),)
    told = (
        f"It is a copy of what {given['url']} shows today; forms, searches and logins of it do not work there. Visitors"
        " see the site as it was until you lead them to the copy."
    )
    return StepPlan(deeds=deeds, tells=(told,))


def _on_this_machine(given: Given) -> Check:
    place = Path(given["place"])
    if given["kind"] == "zip":
        return _packed(place)
    if not place.is_dir():
        return fail("site", f"there is no folder {place}")
    if not any(place.iterdir()):
        return fail("site", f"{place} is empty")
    return ok("site", f"{place} is there")


def _packed(place: Path) -> Check:
    if not place.is_file():
        return fail("site", f"there is no file {place}")
    is_zip = zipfile.is_zipfile(place)
    return ok("site", f"{place} is there") if is_zip else fail("site", f"{place} is no ZIP: pack the site as one")


def _reached(desk: Desk, given: Given) -> Check:
    from webordinary.workspace.adopt import head_of  # noqa: PLC0415 - heavy, and --list should be quick

    repository = given["repository"]
    if is_local(repository):
        raise Refused("A repository on this machine is a folder: answer `folder`, and name it.")
    try:
        branch = head_of(repository, access_of(desk, given))
    except WebOrdinaryError as problem:
        return fail("site", f"{str(problem).rstrip('.')}: put the key there, or correct the address")
    return ok("site", f"{repository} lets us in, its branch is {branch}")


def _copied(desk: Desk) -> Check:
    place = copy_place(desk)
    if not place.is_dir():
        return fail("site", f"there is no copy at {place}")
    pages = sum(1 for _ in place.rglob("*.html"))
    return warn("site", f"a copy with {pages} pages, in {place}") if pages else fail("site", f"no page is in {place}")
