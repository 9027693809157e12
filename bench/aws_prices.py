"""What AWS charges, in US dollars for eu-central-1, as its price pages said in the autumn of 2025; free tiers left out.

Prices change: look them up before you rely on a sum. What is counted here is exact, what it costs is an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bench.aws_counting import Request

_MILLION = 1_000_000
PRICES = {
    "states_transition": 0.025 / 1000,
    "lambda_request": 0.20 / _MILLION,
    "lambda_gb_second": 0.0000166667,
    "dynamodb_read_unit": 0.1525 / _MILLION,
    "dynamodb_write_unit": 0.7625 / _MILLION,
    "sqs_request": 0.40 / _MILLION,
    "sqs_fifo_request": 0.50 / _MILLION,
    "s3_write": 0.0054 / 1000,
    "s3_read": 0.00043 / 1000,
    "ses_mail": 0.10 / 1000,
    "fargate_vcpu_hour": 0.04656,
    "fargate_gb_hour": 0.00511,
}
_S3_WRITES = {"PutObject", "CopyObject", "ListObjectsV2", "CreateMultipartUpload", "UploadPart"}


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of functions, which are charged by the call and by time and memory."""

    count: int
    seconds: float
    gigabytes: float

    @property
    def usd(self) -> float:
        time = self.seconds * self.gigabytes * PRICES["lambda_gb_second"]
        return self.count * PRICES["lambda_request"] + time


def usd_of(requests: Iterable[Request]) -> float:
    """Return what these requests cost."""
    return sum(usd_by_service(requests).values())


def usd_by_service(requests: Iterable[Request]) -> dict[str, float]:
    """Return what these requests cost at each service."""
    by: dict[str, float] = {}
    for request in requests:
        by[request.service] = by.get(request.service, 0.0) + _usd(request)
    return by


def _usd(request: Request) -> float:
    match request.service:
        case "dynamodb":
            reads = request.reads * PRICES["dynamodb_read_unit"]
            return reads + request.writes * PRICES["dynamodb_write_unit"]
        case "sqs":
            return PRICES["sqs_request"]
        case "s3":
            return PRICES["s3_write" if request.operation in _S3_WRITES else "s3_read"]
        case "sesv2":
            return PRICES["ses_mail"]
        case _:
            # Step Functions charges for transitions and not for answers, STS for nothing.
            return 0.0
