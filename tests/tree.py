"""The repository as the tests of the house see it: its files and their syntax trees."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "webordinary"
TESTS = ROOT / "tests"
INFRA = ROOT / "infra"
LOCAL_AWS = ROOT / "local-aws"

# Only for a tree without git, such as an unpacked archive: what .gitignore names.
_NOT_OURS = {".git", ".venv", "__pycache__", "build", "dist", "demo", "node_modules"}


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def syntax(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


def place(file: Path, node: ast.stmt | ast.expr | None = None) -> str:
    """Where something stands, as an editor can open it."""
    line = f":{node.lineno}" if node else ""
    return f"{file.relative_to(ROOT)}{line}"


def our_files() -> list[Path]:
    """Every file of the repository, from git where it can tell and from the folders where it cannot."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        files = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        files = [file for file in ROOT.rglob("*") if _NOT_OURS.isdisjoint(file.relative_to(ROOT).parts)]
    return sorted(file for file in files if file.is_file())
