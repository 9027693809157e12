"""The home of an agent between two runs: packed and laid out again without following anything that lies in it.

The agent writes in there while we do. Whatever it makes a link would lead us, who stand outside of its walls, anywhere.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from contextlib import suppress
from typing import TYPE_CHECKING
from zlib import error as ZlibError  # noqa: N812 - an exception with the name of a function

from webordinary.errors import AgentFailed
from webordinary.mail.mime.charset import clean_text
from webordinary.routing.project import Size
from webordinary.workspace.extent import MEGABYTE, find_excess
from webordinary.workspace.installation import TEMPORARY

if TYPE_CHECKING:
    from pathlib import Path

_SESSION = ".webordinary-session"
_NOT_KEPT = ("attached", ".cache", TEMPORARY)
_LARGEST_PACKED = 32 * 1024 * 1024
# Files with holes cost their maker nothing and us hours.
_LARGEST_HOME = 256 * 1024 * 1024
_SIZE = Size(files=20_000, megabytes=_LARGEST_HOME // MEGABYTE, largest=_LARGEST_HOME // MEGABYTE)
# With what stands around its files, however many of them are empty.
_LARGEST_UNPACKED = 2 * _LARGEST_HOME
_AT_ONCE = 1024 * 1024
_LONGEST_SESSION = 4096


def note_session(home: Path, session: str) -> None:
    """Write down which session it is, into a file that is new and ours."""
    path = home / _SESSION
    try:
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "w") as file:
            file.write(clean_text(session))
    except OSError as problem:
        raise AgentFailed(f"the agent does not let us note its session ({problem.strerror})") from problem


def pack_home(home: Path) -> bytes | None:
    """Keep the agent's own home: where it remembers its session is its own business."""
    # What it has locked up, or what is too much, is not kept: the next run begins anew.
    with suppress(OSError, RecursionError):
        return _pack(home)
    return None


def _pack(home: Path) -> bytes | None:
    if find_excess(home, _SIZE, leaves_out=_NOT_KEPT.__contains__) is not None:
        return None
    files = [path for path in sorted(home.rglob("*")) if _is_kept(path, home)]
    if home / _SESSION not in files or sum(path.lstat().st_size for path in files) > _LARGEST_HOME:
        return None
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for path in files:
            tar.add(path, str(path.relative_to(home)), recursive=False)
            if packed.tell() > _LARGEST_PACKED:
                return None
    return packed.getvalue()


def unpack_home(packed: bytes, home: Path) -> str | None:
    """Lay it out again before the agent is there, and return its session; a name that leads elsewhere is left out."""
    session, left = None, _LARGEST_HOME
    # One that cannot be read is no reason to stop: the agent begins anew, and not with half of what it had.
    if not _is_whole(packed):
        return None
    with suppress(tarfile.TarError), tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as tar:
        for member in tar:
            target = home / member.name
            content = tar.extractfile(member) if member.isfile() and member.size <= left else None
            if content is None or not target.resolve().is_relative_to(home.resolve()):
                continue
            left -= member.size
            data = content.read(member.size)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            if member.name == _SESSION:
                session = data[:_LONGEST_SESSION].decode(errors="replace")
    return session


def _is_whole(packed: bytes) -> bool:
    """Read it through to its end, because only there it says whether it is what was packed."""
    try:
        with gzip.open(io.BytesIO(packed)) as files:
            while files.read(_AT_ONCE):
                if files.tell() > _LARGEST_UNPACKED:
                    return False
    except (OSError, EOFError, ZlibError):
        return False
    return bool(packed)


def _is_kept(path: Path, home: Path) -> bool:
    return path.relative_to(home).parts[0] not in _NOT_KEPT and path.is_file() and not path.is_symlink()
