"""What a file's name says about the picture in it."""

from __future__ import annotations

import re

from webordinary.mail.mime.file_names import stem_of

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
