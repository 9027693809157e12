"""`python -m infra`: writes the templates of an installation, offline, for the CDK command line to deploy."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import aws_cdk as cdk

from infra.settings import read_settings
from infra.stacks import build
from webordinary.errors import Misconfigured

_OUT = Path("build") / "cdk.out"


def main() -> int:
    """Say in one sentence what was written, or what is wrong."""
    app = cdk.App(outdir=os.environ.get("CDK_OUTDIR", str(_OUT)))
    try:
        settings = read_settings(app.node.try_get_context, os.environ)
    except Misconfigured as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    build(app, settings)
    app.synth()
    return 0


if __name__ == "__main__":
    sys.exit(main())
