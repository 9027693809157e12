"""What publishing three changed files of a large site costs, beside publishing all of it."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from webordinary.site.targets.folder import FolderSites

_CHANGED = 3
_WORDS = "We bake with flour from the mill next door, and open at eight. "


def measure_publishing(parent: Path, files: int, times: int) -> dict[str, object]:
    """Publish the whole site anew and then three changed files of it, in turn on the same disk."""
    full, changed, written = [], [], []
    with tempfile.TemporaryDirectory(prefix="bench-", dir=parent.absolute()) as folder:
        for number in range(times):
            place = _Place(Path(folder) / str(number), files)
            full.append(place.publish("c1"))
            changed_bytes = place.change()
            changed.append(place.publish("c2"))
            written.append(place.bytes_of("c2"))
    return {
        "incremental_publish_ratio": round(statistics.median(changed) / statistics.median(full), 3),
        "incremental_publish_bytes": max(written),
        "incremental_publish_changed_bytes": changed_bytes,
        "full_publish_s": round(statistics.median(full), 3),
    }


class _Place:
    def __init__(self, folder: Path, files: int) -> None:
        self._built = folder / "built"
        self._target = folder / "site"
        self._sites = FolderSites(folder / "previews", {"amelia": self._target})
        self._pages = [self._built / f"section-{number % 40}" / f"{number}.html" for number in range(files)]
        for number, page in enumerate(self._pages):
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(f"<h1>Page {number}</h1>{_WORDS * 60}", encoding="utf-8")

    def change(self) -> int:
        """Change a word on three pages, and return how large those are."""
        pages = self._pages[:: max(len(self._pages) // _CHANGED, 1)][:_CHANGED]
        for page in pages:
            page.write_text(page.read_text(encoding="utf-8").replace("eight", "nine", 1), encoding="utf-8")
        return sum(page.stat().st_size for page in pages)

    def publish(self, commit: str) -> float:
        began = time.perf_counter()
        self._sites.add_release("amelia", commit, self._built)
        self._sites.switch_live("amelia", commit, lane="amelia#scott", fence=1, descends=lambda new, old: new > old)
        return time.perf_counter() - began

    def bytes_of(self, commit: str) -> int:
        """Return what was written for a release: the files that no other release has, and what lies beside them."""
        release = self._target / "releases" / commit
        own = [path.lstat() for path in release.rglob("*") if path.is_file()]
        beside = [path.lstat() for path in (self._target / ".webordinary").iterdir()]
        return sum(status.st_size for status in (*own, *beside) if status.st_nlink == 1)
