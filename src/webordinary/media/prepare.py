"""Files of a mail become attachments of a job: looked at, kept by their content, or refused one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.jobs.job import Attached, FileKind, FileProblem, PictureVersion
from webordinary.media.about import words_of
from webordinary.media.came_back import that_came_back
from webordinary.media.image_process import ReadFile, UnreadFile, read_files
from webordinary.media.recognise import PHOTOS, UNKNOWN, recognise, with_fitting_ending
from webordinary.media.signature import stands_in_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webordinary.mail.message import Attachment, Message
    from webordinary.media.limits import MediaLimits

_MEGABYTE = 1_000_000
_SKIPPED = ReadFile(FileKind.SKIPPED)


@dataclass(frozen=True, slots=True)
class Preparation:
    """All files of one mail, of which some are to be prepared; what becomes of one never depends on who asks."""

    message: Message
    limits: MediaLimits
    keep: Callable[[bytes], str]

    def all(self) -> tuple[Attached, ...]:
        return self.some(range(len(self.message.attachments)))

    def some(self, indexes: Sequence[int]) -> tuple[Attached, ...]:
        """Prepare these files in one process; each that cannot be used is refused with its own reason."""
        ours = that_came_back(self.message)
        refused = {index: found for index in indexes if (found := self._refusal(index)) is not None}
        refused |= {index: _SKIPPED for index in indexes if self.message.attachments[index].name in ours}
        rest = [index for index in indexes if index not in refused]
        read = read_files([self._unread(index) for index in rest], self.limits)
        done = refused | dict(zip(rest, read, strict=True))
        return tuple(self._attached(self.message.attachments[index], done[index]) for index in indexes)

    def _refusal(self, index: int) -> ReadFile | None:
        """Refuse what is too much before anybody looks at it."""
        files = self.message.attachments
        if index >= self.limits.files:
            return ReadFile(FileKind.REFUSED, problem=FileProblem.TOO_MANY, limit=str(self.limits.files))
        if len(files[index].content) > self.limits.file_bytes:
            return ReadFile(FileKind.REFUSED, problem=FileProblem.TOO_LARGE, limit=_megabytes(self.limits.file_bytes))
        if sum(len(file.content) for file in files[: index + 1]) > self.limits.together_bytes:
            return ReadFile(
                FileKind.REFUSED, problem=FileProblem.TOO_MUCH_TOGETHER, limit=_megabytes(self.limits.together_bytes)
            )
        return None

    def _unread(self, index: int) -> UnreadFile:
        file = self.message.attachments[index]
        return UnreadFile(file.name, file.content_type, file.content, self._is_in_signature(index))

    def _is_in_signature(self, index: int) -> bool:
        files = self.message.attachments
        if not files[index].content_id and files[index].disposition != "inline":
            return False
        others = any(self._is_surely_meant(file) for number, file in enumerate(files) if number != index)
        return stands_in_signature(self.message.text, files[index].name, has_other_pictures=others)

    def _is_surely_meant(self, file: Attachment) -> bool:
        """Tell whether a file is a picture that stands anywhere but in a signature."""
        is_picture = recognise(file.content, file.name) in PHOTOS
        return is_picture and not stands_in_signature(self.message.text, file.name, has_other_pictures=True)

    def _attached(self, file: Attachment, read: ReadFile) -> Attached:
        if read.fate is FileKind.DOCUMENT:
            kind = read.content_type
            name, digest = with_fitting_ending(file.name, kind), self.keep(file.content)
            return Attached(name, kind, digest, size=len(file.content))
        versions = tuple(
            PictureVersion(each.content_type, self.keep(each.content), len(each.content), each.width, each.height)
            for each in read.versions
        )
        return Attached(
            name=file.name,
            content_type=file.content_type if read.content_type == UNKNOWN else read.content_type,
            digest=versions[-1].digest if versions else "",
            fate=read.fate,
            size=len(file.content),
            versions=versions,
            about=words_of(file.name) if versions else "",
            problem=read.problem,
            limit=read.limit,
        )


def _megabytes(number: int) -> str:
    return f"{number // _MEGABYTE} MB"
