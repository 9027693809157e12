"""Calls the API over HTTP with what Python brings along."""

from __future__ import annotations

import secrets
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from webordinary.dashboard.api.bulk_shapes import BulkAsked, BulkConfirmed, BulkShape
from webordinary.dashboard.api.config_shapes import (
    ConfigLookShape,
    ConfigWrittenShape,
    EditorChanged,
    NewProjectLookShape,
    RulesShape,
)
from webordinary.dashboard.api.shapes import (
    DoneShape,
    EditorShape,
    EntryShape,
    FileShape,
    HeldAnswerShape,
    HeldShape,
    HitShape,
    JobAsked,
    JobShape,
    LaneShape,
    LetterShape,
    LineShape,
    MailShape,
    MailStoryShape,
    NeedShape,
    Paged,
    PlanShape,
    ProjectShape,
    ReleaseShape,
    SceneShape,
    SpendingShape,
    StoryShape,
    ToldProblem,
    WhoShape,
    WorkerShape,
    WorkShape,
)
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

T = TypeVar("T")
_SECONDS = 60.0


class ApiRefused(WebOrdinaryError):
    """The API has refused a call."""

    def __init__(self, problem: ToldProblem) -> None:
        super().__init__(problem.detail)
        self.status = HTTPStatus(problem.status)


@dataclass(frozen=True, slots=True)
class ApiClient:
    """The API of one installation, such as `ApiClient("http://127.0.0.1:8090", token)`."""

    address: str
    token: str = field(repr=False)
    timeout: float = _SECONDS

    def who_am_i(self) -> WhoShape:
        return self._read("/me", WhoShape)

    def needs(self) -> list[NeedShape]:
        return self._read("/needs", Paged[NeedShape]).items

    def ask(self, project: str, user: str, words: str, *, key: str | None = None) -> JobShape:
        """Ask for a change; called again with the same key it is the same job."""
        body = JobAsked(project=project, user=user, words=words)
        return self._send("/jobs", JobShape, msgspec.json.encode(body), key)

    def act(self, things: str, target: str, action: str, *, key: str | None = None, **said: object) -> DoneShape:
        """Do what a button does, such as `act("projects", "amelia", "pause", reason="moving")`."""
        path = f"/{things}/{quote(target, safe='')}/{action}"
        return self._send(path, DoneShape, msgspec.json.encode(said), key)

    def look_at_many(self, action: str, *, key: str | None = None, **where: str) -> BulkShape:
        """Return what an action would hit with a filter, such as `look_at_many("stop", project="amelia")`."""
        return self._send("/bulk", BulkShape, msgspec.json.encode(BulkAsked(action=action, where=where)), key)

    def confirm(self, bulk: str, *, reason: str = "", key: str | None = None) -> BulkShape:
        """Do it to exactly what was shown; it goes on by itself."""
        body = msgspec.json.encode(BulkConfirmed(reason=reason))
        return self._send(f"/bulk/{quote(bulk, safe='')}/confirm", BulkShape, body, key)

    def bulk(self, bulk: str) -> BulkShape:
        """Return how far an action on many has come."""
        return self._read(f"/bulk/{quote(bulk, safe='')}", BulkShape)

    def job(self, job: str) -> StoryShape:
        return self._read(f"/jobs/{quote(job, safe='')}", StoryShape)

    def jobs(self, **wanted: str) -> Iterator[JobShape]:
        """Yield jobs, newest first, page by page."""
        return self._all("/jobs", JobShape, wanted)

    def transcript(self, job: str) -> list[LineShape]:
        """Return what the agent said and did."""
        return self._read(f"/jobs/{quote(job, safe='')}/transcript", Paged[LineShape]).items

    def work(self, job: str) -> WorkShape:
        """Return what was found in a job's change, the change itself and the end of the build's log."""
        return self._read(f"/jobs/{quote(job, safe='')}/work", WorkShape)

    def letters(self, job: str) -> list[LetterShape]:
        """Return the mails that were written about a job."""
        return self._read(f"/jobs/{quote(job, safe='')}/letters", Paged[LetterShape]).items

    def files(self, job: str) -> list[FileShape]:
        """Return what came with a request, and what the work has left behind."""
        return self._read(f"/jobs/{quote(job, safe='')}/files", Paged[FileShape]).items

    def pictures(self, job: str) -> list[SceneShape]:
        """Return which pictures there are of the changed pages, before and after."""
        return self._read(f"/jobs/{quote(job, safe='')}/pictures", Paged[SceneShape]).items

    def file(self, job: str, digest: str) -> bytes:
        """Return a file or a picture of a job."""
        return self._fetch(f"/jobs/{quote(job, safe='')}/files/{quote(digest, safe='')}")

    def raw_mail(self, mail: str) -> bytes:
        """Return a mail as it came."""
        return self._fetch(f"/mails/{quote(mail, safe='')}/raw")

    def held_answers(self) -> list[HeldShape]:
        """Return the answers that wait for the agency's eye, the oldest first."""
        return self._read("/answers", Paged[HeldShape]).items

    def held_answer(self, job: str) -> HeldAnswerShape:
        """Return an answer that waits, as it would go out now."""
        return self._read(f"/answers/{quote(job, safe='')}", HeldAnswerShape)

    def mail(self, mail: str) -> MailStoryShape:
        """Return what a mail says and what became of it."""
        return self._read(f"/mails/{quote(mail, safe='')}/story", MailStoryShape)

    def mails(self, **wanted: str) -> Iterator[MailShape]:
        return self._all("/mails", MailShape, wanted)

    def lanes(self) -> Iterator[LaneShape]:
        return self._all("/lanes", LaneShape, {})

    def trail(self, after: int = 0, **wanted: str) -> Iterator[EntryShape]:
        """Yield what happened since an entry, oldest first."""
        return self._all("/trail", EntryShape, {"after": str(after), **wanted})

    def search(self, words: str) -> Iterator[HitShape]:
        """Yield mails, requests and answers that have these words, newest first."""
        return self._all("/search", HitShape, {"words": words})

    def workers(self) -> list[WorkerShape]:
        return self._read("/workers", Paged[WorkerShape]).items

    def project(self, project: str) -> ProjectShape:
        return self._read(f"/projects/{quote(project, safe='')}", ProjectShape)

    def projects(self) -> list[ProjectShape]:
        return self._read("/projects", Paged[ProjectShape]).items

    def look_at_project(
        self, project: str, *, step: str = "editor", try_build: bool = False, **typed: object
    ) -> NewProjectLookShape:
        """Check a project that is about to be added; behind the last step, return what would be written."""
        body = msgspec.json.encode({"id": project, "step": step, "try_build": try_build, **typed})
        return self._send("/projects/looks", NewProjectLookShape, body, None)

    def add_project(self, project: str, mark: str, *, key: str | None = None, **typed: object) -> ConfigWrittenShape:
        """Add a project as it was looked at; `mark` is what the look says."""
        return self._send(
            "/projects", ConfigWrittenShape, msgspec.json.encode({"id": project, "mark": mark, **typed}), key
        )

    def rules(self, project: str) -> RulesShape:
        """Return what the configuration says of a project."""
        return self._read(f"/projects/{quote(project, safe='')}/rules", RulesShape)

    def look_at_rules(
        self, project: str, rules: Mapping[str, object] | None = None, editors: Sequence[EditorChanged] = ()
    ) -> ConfigLookShape:
        """Return what other rules, such as `{"publish": "approve"}`, and editors would change in the file."""
        body = msgspec.json.encode({"rules": rules or {}, "editors": editors})
        return self._send(f"/projects/{quote(project, safe='')}/rules/looks", ConfigLookShape, body, None)

    def change_rules(
        self,
        project: str,
        mark: str,
        rules: Mapping[str, object] | None = None,
        editors: Sequence[EditorChanged] = (),
        *,
        key: str | None = None,
    ) -> ConfigWrittenShape:
        """Write what was looked at; `mark` is what the look says."""
        body = msgspec.json.encode({"mark": mark, "rules": rules or {}, "editors": editors})
        return self._send(f"/projects/{quote(project, safe='')}/rules", ConfigWrittenShape, body, key)

    def releases(self, project: str) -> list[ReleaseShape]:
        return self._read(f"/projects/{quote(project, safe='')}/releases", Paged[ReleaseShape]).items

    def people(self) -> list[EditorShape]:
        return self._read("/people", Paged[EditorShape]).items

    def plans(self) -> list[PlanShape]:
        return self._read("/plans", Paged[PlanShape]).items

    def spending(self) -> list[SpendingShape]:
        return self._read("/spending", Paged[SpendingShape]).items

    def _all(self, path: str, kind: type[T], wanted: dict[str, str]) -> Iterator[T]:
        while True:
            page: Paged[T] = self._read(path, Paged[kind], wanted)  # type: ignore[valid-type]  # a type that is given
            yield from page.items
            if page.next is None:
                return
            wanted = {**wanted, "after": page.next}

    def _read(self, path: str, kind: type[T], wanted: dict[str, str] | None = None) -> T:
        query = f"?{urlencode(wanted)}" if wanted else ""
        return self._call(urllib.request.Request(self._at(path) + query), kind)  # noqa: S310 - see _at

    def _fetch(self, path: str) -> bytes:
        return self._answer(urllib.request.Request(self._at(path)))  # noqa: S310 - see _at

    def _send(self, path: str, kind: type[T], body: bytes, key: str | None) -> T:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or secrets.token_urlsafe()}
        return self._call(urllib.request.Request(self._at(path), body, headers, method="POST"), kind)  # noqa: S310 - see _at

    def _at(self, path: str) -> str:
        if not self.address.startswith(("http://", "https://")):
            raise ValueError(f"{self.address} is no address of an API; it begins with https:// or http://.")
        return f"{self.address.rstrip('/')}/api/v1{path}"

    def _call(self, request: urllib.request.Request, kind: type[T]) -> T:
        return msgspec.json.decode(self._answer(request), type=kind)

    def _answer(self, request: urllib.request.Request) -> bytes:
        request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with _OPENER.open(request, timeout=self.timeout) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as refused:
            with refused:
                raise ApiRefused(_problem(refused)) from None


def _opener() -> urllib.request.OpenerDirector:
    """Return what opens addresses, and follows nobody who leads elsewhere."""
    opener = urllib.request.OpenerDirector()
    for each in (
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPErrorProcessor,
        urllib.request.HTTPDefaultErrorHandler,
    ):
        opener.add_handler(each())
    return opener


_OPENER = _opener()


def _problem(refused: urllib.error.HTTPError) -> ToldProblem:
    raw: Any = refused.read()
    try:
        return msgspec.json.decode(raw, type=ToldProblem)
    except msgspec.DecodeError:
        return ToldProblem(type="about:blank", title=refused.reason, status=refused.code, detail=f"{refused}")
