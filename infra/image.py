"""The image of workers and functions: a repository of its own, there before anything can run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from aws_cdk import Aws, CfnOutput, RemovalPolicy
from aws_cdk import aws_ecr as ecr
from constructs import Construct

from webordinary.agent.registry import SCRIPTED

if TYPE_CHECKING:
    from infra.arns import Arns

_IMAGES_KEPT = 20
# What the machines, Fargate and the functions run by default.
PLATFORM = "linux/amd64"


class ImageRepository(Construct):
    """Versions can be pushed again under their tag, as `make image` does; the oldest go."""

    def __init__(self, scope: Construct, arns: Arns, agent: str) -> None:
        super().__init__(scope, "image")
        name = arns.names.repository
        made = ecr.CfnRepository(
            self,
            "repository",
            repository_name=name,
            image_scanning_configuration=ecr.CfnRepository.ImageScanningConfigurationProperty(scan_on_push=True),
            encryption_configuration=ecr.CfnRepository.EncryptionConfigurationProperty(encryption_type="AES256"),
            lifecycle_policy=ecr.CfnRepository.LifecyclePolicyProperty(lifecycle_policy_text=json.dumps(_oldest_go())),
            repository_policy_text=_for_functions(arns),
        )
        made.apply_removal_policy(RemovalPolicy.RETAIN)
        place = f"{Aws.ACCOUNT_ID}.dkr.ecr.{arns.region}.amazonaws.com/{name}"
        CfnOutput(self, "push", value=_command(agent, place), description="Builds the image and puts it there.")


def _command(agent: str, place: str) -> str:
    """Return all that has to be typed: an image without the agent's program answers every mail with a failure."""
    program = f"AGENT={agent} " if agent != SCRIPTED else ""
    return f"make image {program}PLATFORM={PLATFORM} PUSH={place}"


def _for_functions(arns: Arns) -> dict[str, Any]:
    return {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "Functions",
                "Effect": "Allow",
                "Principal": {"Service": "lambda.amazonaws.com"},
                "Action": ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"],
                "Condition": {"ArnLike": {"aws:SourceArn": arns.function("*")}},
            }
        ],
    }


def _oldest_go() -> dict[str, Any]:
    chosen = {"tagStatus": "any", "countType": "imageCountMoreThan", "countNumber": _IMAGES_KEPT}
    return {"rules": [{"rulePriority": 1, "selection": chosen, "action": {"type": "expire"}}]}
