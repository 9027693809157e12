"""`python -m handbook [FOLDER]`: builds the site, and fails if a link leads nowhere."""

from __future__ import annotations

import sys
from pathlib import Path

from handbook.build import build
from handbook.shelf import ROOT, pages


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else ROOT / "build" / "docs"
    wrong = build(folder)
    for line in wrong:
        sys.stderr.write(f"{line}\n")
    if wrong:
        sys.stderr.write("These links lead nowhere: put them right and run the same command again.\n")
        return 1
    sys.stdout.write(f"{len(pages())} pages: {folder / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
