"""A process that publishes again and again, each time on top of whatever is live: `python -m … FOLDER NAME TIMES`."""

from __future__ import annotations

import sys
from pathlib import Path

from webordinary.errors import PublishFailed
from webordinary.site.sites import Switched
from webordinary.site.targets.folder import FolderSites

LENGTH = 30_000
KEEP = 20


def number_of(commit: str) -> int:
    return int(commit.partition("-")[0])


def later(new: str, old: str) -> bool:
    return number_of(new) > number_of(old)


def build(folder: Path, commit: str) -> Path:
    """Make a site whose every file says which release it belongs to, and whose page asks for a style of its own."""
    built = folder / f"built-{commit}"
    built.mkdir()
    (built / "index.html").write_text(f"{commit} " * LENGTH)
    (built / "style.css").write_text(f"/* {commit} */" * 1000)
    (built / f"style.{commit}.css").write_text(f"/* {commit} */")
    (built / "same.txt").write_text("the same in every release")
    return built


def publish_next(folder: Path, name: str) -> bool:
    """Publish one more release; False when somebody else was faster."""
    sites = FolderSites(folder / "previews", {"amelia": folder / "site"})
    live = sites.live("amelia")
    commit = f"{number_of(live) + 1 if live else 1}-{name}"
    sites.add_release("amelia", commit, build(folder, commit))
    try:
        switched = sites.switch_live("amelia", commit, lane=f"amelia#{name}", fence=1, descends=later)
    except PublishFailed:
        return False
    sites.remove_old("amelia", keep=KEEP)
    return switched == Switched.SWITCHED


def main() -> int:
    folder, name, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    done = tried = 0
    while done < times:
        tried += 1
        done += publish_next(folder, f"{name}{tried}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
