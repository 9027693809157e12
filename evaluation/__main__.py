"""`make eval`: how good the configured agent is, as a table and in build/eval.json."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from evaluation.request import Verdict, Wish
from evaluation.requests import REQUESTS
from evaluation.run import Score, run_requests
from evaluation.sites import SAMPLES
from tests.node import node_path
from webordinary.errors import WebOrdinaryError

_PLACE = Path("build")
_NOTHING_TRIED = 2
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
    names = [*_names(scores), "all"]
    for name in names:
        row = figures([score for score in scores if name in {"all", score.site}])
        lines.append(f"{name:10} {row['of']:>4} " + "".join(f"{row[key]:>7}" for key in _COLUMNS.values()))
    return "\n".join(lines)


def by_site(scores: list[Score]) -> dict[str, dict[str, object]]:
    """Return the figures of each site."""
    return {name: figures([score for score in scores if score.site == name]) for name in _names(scores)}


def _names(scores: list[Score]) -> list[str]:
    return list(dict.fromkeys(score.site for score in scores))


def _tell(score: Score) -> None:
    problems = f": {'; '.join(score.problems)}" if score.problems else ""
    sys.stderr.write(f"{score.site:9} {score.verdict:15} {score.name}{problems}\n")


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="python -m evaluation",
        description=__doc__,
        epilog="The agent is the configured one: WEBORDINARY_AGENT_KIND and the other variables of the agent choose"
        " another than the built-in one. It ends with 1 if something wrong went live, and with 2 if nothing was tried.",
    )
    options.add_argument("--site", choices=sorted(SAMPLES), action="append", help="only this site; may be repeated")
    options.add_argument("--only", default="", metavar="WORDS", help="only requests whose name has these words")
    options.add_argument(
        "--out",
        type=Path,
        default=_PLACE / "eval.json",
        metavar="FILE",
        help="where the figures are written (%(default)s)",
    )
    return options


def _chosen(chosen: argparse.Namespace) -> tuple[list[Wish], list[str]]:
    """Return the requests whose generator is on this machine, and the sites whose generator is not."""
    wanted = [each for each in REQUESTS if each.site in (chosen.site or SAMPLES) and chosen.only in each.name]
    missing = {name: SAMPLES[name].missing() for name in dict.fromkeys(wish.site for wish in wanted)}
    for name, programs in missing.items():
        if programs:
            sys.stderr.write(f"{name} is left out: install {' and '.join(programs)} to see it\n")
    return [wish for wish in wanted if not missing[wish.site]], sorted(name for name, each in missing.items() if each)


def main() -> int:
    """Ask the chosen requests and say what came of them."""
    chosen = _options().parse_args()
    # Astro takes a newer Node than many machines have; the development requirements bring one.
    os.environ["PATH"] = node_path()
    wishes, left_out = _chosen(chosen)
    if not wishes:
        sys.stderr.write("There is no request to try: choose another --site, or other words for --only.\n")
        return _NOTHING_TRIED
    _PLACE.mkdir(exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix="eval-", dir=_PLACE.absolute()) as folder:
            scores = run_requests(wishes, Path(folder), os.environ, _tell)
    except WebOrdinaryError as problem:
        sys.stderr.write(f"The evaluation cannot begin: {problem}\n")
        return _NOTHING_TRIED
    facts = {**figures(scores), "sites": by_site(scores), "left_out": left_out}
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"{table(scores)}\n\nalso in {chosen.out}\n")
    return 1 if any(score.verdict is Verdict.WRONG for score in scores) else 0


if __name__ == "__main__":
    sys.exit(main())
