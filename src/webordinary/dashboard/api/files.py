"""The files and pictures of a job and the mails themselves, handed out to programs as the pages hand them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.actions.role import Role
from webordinary.dashboard.api.call import ApiCall, ApiRoute
from webordinary.dashboard.api.shapes import FileShape, Paged, PictureShape, SceneShape
from webordinary.dashboard.story.files import all_files, hand_out_file, hand_out_mail, scenes_of, shown_files

if TYPE_CHECKING:
    from starlette.responses import Response

    from webordinary.dashboard.story.files import KeptFile, ShownFile
    from webordinary.jobs.lines import PictureLine


def files(call: ApiCall) -> Paged[FileShape]:
    """Return what came with the request, and behind it what the work has left."""
    job = call.job()
    known = all_files(call.engine, job, to_agency=call.is_agency)
    left = [_left(digest, each) for digest, each in known.items() if each.is_text]
    return Paged(items=[*(_sent(each, known) for each in shown_files(job)), *left])


def pictures(call: ApiCall) -> Paged[SceneShape]:
    return Paged(
        items=[
            SceneShape(
                title=each.title, path=each.path, screen=each.screen,
                before=_picture(each.before), after=_picture(each.after),
            )
            for each in scenes_of(call.job())
        ]
    )  # fmt: skip


def file(call: ApiCall) -> Response:
    return hand_out_file(call.engine, call.job(), call.params["digest"], to_agency=call.is_agency)


def raw_mail(call: ApiCall) -> Response:
    name = call.params["mail"]
    found = call.engine.overview.mail(name)
    return hand_out_mail(call.engine, call.seen(found, found.project if found else None, f"mail {name}").id)


def _sent(shown: ShownFile, known: dict[str, KeptFile]) -> FileShape:
    file, given = shown.file, known.get(shown.download)
    return FileShape(
        name=file.name,
        origin="request",
        content_type=given.content_type if given else file.content_type,
        digest=shown.download if given else None,
        thumbnail=shown.thumbnail or None,
        fate=file.fate.value,
        problem=file.problem.value,
        size=file.size,
    )


def _left(digest: str, file: KeptFile) -> FileShape:
    return FileShape(name=file.name, origin="work", content_type=file.content_type, digest=digest)


def _picture(line: PictureLine | None) -> PictureShape | None:
    if line is None:
        return None
    return PictureShape(
        digest=line.digest,
        content_type=f"image/{line.subtype}",
        width=_number(line.width),
        height=_number(line.height),
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


FILES = (
    ApiRoute(method="GET", path="/jobs/{job}/files", name="list_files", handler=files, role=Role.CLIENT,
             tells="The files that came with a request, and for the agency those that the work has left behind.",
             answer=Paged[FileShape], params=("job",)),
    ApiRoute(method="GET", path="/jobs/{job}/files/{digest}", name="fetch_file", handler=file, role=Role.CLIENT,
             tells="A file or picture of a job; of a photo it is never the original, which says where it was taken.",
             answer=None, params=("job", "digest")),
    ApiRoute(method="GET", path="/jobs/{job}/pictures", name="list_pictures", handler=pictures, role=Role.CLIENT,
             tells="Pictures of the changed pages, before and after.", answer=Paged[SceneShape], params=("job",)),
    # It may quote a link that says ok, which a reader may not.
    ApiRoute(method="GET", path="/mails/{mail}/raw", name="fetch_mail", handler=raw_mail, role=Role.OPERATOR,
             tells="A mail as it came.", answer=None, params=("mail",)),
)  # fmt: skip
