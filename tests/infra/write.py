"""Writes the templates of every variant that the tests look at, in one process, because starting CDK is slow."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import aws_cdk as cdk

from infra.settings import Capacity, Identity, Settings
from infra.stacks import build
from tests.infra.synthesis import DOMAIN, PREFIX, REGION
from webordinary.config.agent import Provider

USUAL = Settings(DOMAIN, REGION, PREFIX, agency="agency@example.com", alarm_mail="alarms@example.com")
VARIANTS = {
    "fargate": replace(USUAL, capacity=Capacity.FARGATE),
    # Everything else that somebody can choose, at once.
    "ec2": replace(
        USUAL,
        identity=Identity.EXISTING,
        provider=Provider.BEDROCK,
        certificate="arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000",
        max_workers=50,
        dashboard=True,
    ),
}


def main() -> None:
    """Run `python -m tests.infra.write FOLDER`."""
    for name, settings in VARIANTS.items():
        app = cdk.App(outdir=str(Path(sys.argv[1]) / name))
        build(app, settings)
        app.synth()


if __name__ == "__main__":
    main()
