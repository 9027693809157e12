"""`make eval`: how good the configured agent is, as a table and in build/eval.json."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from evaluation.request import Verdict
from evaluation.requests import REQUESTS
from evaluation.run import Score, run_requests
from evaluation.sites import SAMPLES
from tests.node import node_path

_PLACE = Path("build")
_COLUMNS = {
    "right": "right",
    "held": "held",
    "asked": "asked",
    "wrong": "wrong_and_live",
    "failed": "failed",
    "usd": "usd",
    "seconds": "seconds",
}


def figures(scores: list[Score]) -> dict[str, object]:
    """Return the figures of a run."""
    count = Counter(score.verdict for score in scores)
    return {
        "of": len(scores),
        **{str(verdict): count[verdict] for verdict in Verdict},
        "usd": round(sum(score.usd for score in scores), 4),
        "seconds": round(sum(score.seconds for score in scores), 1),
    }


def table(scores: list[Score]) -> str:
    """Return one line for each site and one for all."""
    lines = [
        f"{'':10} {'of':>4} {'right':>6} {'held':>6} {'asked':>6} {'wrong':>6} {'failed':>6} {'usd':>8} {'seconds':>8}"
    ]
    names = [*dict.fromkeys(score.site for score in scores), "all"]
    for name in names:
        row = figures([score for score in scores if name in {"all", score.site}])
        lines.append(f"{name:10} {row['of']:>4} " + "".join(f"{row[key]:>7}" for key in _COLUMNS.values()))
    return "\n".join(lines)


def _tell(score: Score) -> None:
    problems = f": {'; '.join(score.problems)}" if score.problems else ""
    sys.stderr.write(f"{score.site:9} {score.verdict:15} {score.name}{problems}\n")


def main() -> int:
    """Run those requests whose generator is on this machine."""
    options = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__)
    options.add_argument("--site", choices=sorted(SAMPLES), action="append", help="only this site; may be repeated")
    options.add_argument("--only", help="only requests whose name has these words")
    options.add_argument("--out", type=Path, default=_PLACE / "eval.json", help="where the figures are written")
    chosen = options.parse_args()
    # Astro takes a newer Node than many machines have; the development requirements bring one.
    os.environ["PATH"] = node_path()
    wanted = [each for each in REQUESTS if each.site in (chosen.site or SAMPLES) and (chosen.only or "") in each.name]
    left_out = {name: SAMPLES[name].missing() for name in dict.fromkeys(wish.site for wish in wanted)}
    for name, programs in left_out.items():
        if programs:
            sys.stderr.write(f"{name} is left out: install {' and '.join(programs)} to see it\n")
    wishes = [wish for wish in wanted if not left_out[wish.site]]
    _PLACE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="eval-", dir=_PLACE.absolute()) as folder:
        scores = run_requests(wishes, Path(folder), os.environ, _tell)
    facts = {**figures(scores), "left_out": sorted(name for name, programs in left_out.items() if programs)}
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(table(scores) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
