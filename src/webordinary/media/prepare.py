"""Files of a mail become attachments of a job: looked at, kept by their content, or refused one by one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.jobs.job import Attached, FileKind, FileProblem, PictureVersion
from webordinary.mail.conversation import OUR_PREFIX
from webordinary.mail.message import picture_mark
from webordinary.mail.mime.file_names import stem_of
from webordinary.mail.words.announce import is_forward_subject
from webordinary.mail.words.quoting import own_words
from webordinary.media.image_process import ReadFile, UnreadFile, read_files
from webordinary.media.recognise import PHOTOS, UNKNOWN, recognise, with_fitting_ending
from webordinary.media.signature import stands_in_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webordinary.mail.message import Attachment, Message
    from webordinary.media.limits import MediaLimits


# What a camera, a phone or a mail program calls its pictures says nothing about them.
_CAMERA_NAME = re.compile(
    r"(?:img|dsc[fn]?|dcim|image|photo|picture|pxl|p|mvimg|whatsapp image|signal|screenshot|fullsizerender|unnamed"
    r"|untitled|foto|bild|attachment|scan|download|file|inline|burst)?[\d_ .()apm-]*(?:at)?[\d_ .()apm-]*",
    re.IGNORECASE,
)
_COUNTER = re.compile(r"[-_. ]+\(?\d{1,3}\)?\Z")
_MACHINE_NAME = re.compile(r"[0-9a-f-]{16,}", re.IGNORECASE)


def words_of(name: str) -> str:
    """Return what a file's name says about a picture, or nothing if only a machine gave it."""
    stem = stem_of(name)
    if _CAMERA_NAME.fullmatch(stem) or _MACHINE_NAME.fullmatch(stem):
        return ""
    # "cake 3" is the third photo of a cake.
    return " ".join(re.sub(r"[-_.]+", " ", _COUNTER.sub("", stem)).split())


# As answers name them; Outlook gives them names of its own.
OUR_PICTURE = re.compile(r"picture-\d{1,4}\.[0-9a-f]{16}@")


def that_came_back(message: Message) -> frozenset[str]:
    """Return the names of the files that stand in what a reply quotes of a mail of ours."""
    inside = [file for file in message.attachments if file.content_id or file.disposition == "inline"]
    answers_us = any(found.startswith(OUR_PREFIX) for found in message.references)
    if not inside or not answers_us or is_forward_subject(message.subject):
        return frozenset()
    words = own_words(message.text, is_reply=True)
    return frozenset(file.name for file in inside if _is_quoted(file, words.kept, words.cut))


def _is_quoted(file: Attachment, kept: str, cut: str) -> bool:
    mark = picture_mark(file.name)
    # A picture in the person's own signature is cut too, but nothing of ours stands above it.
    return mark not in kept and (OUR_PICTURE.match(file.content_id) is not None or _stands_below_ours(cut, mark))


def _stands_below_ours(cut: str, mark: str) -> bool:
    above, found, _ = cut.partition(mark)
    return bool(found) and (_IS_OURS.search(above) is not None)


_IS_OURS = re.compile(r"\^\^\^ WebOrdinary: |\bre\+[a-z2-7]{30,60}@", re.IGNORECASE)


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
