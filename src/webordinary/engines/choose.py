"""Which engine a configuration asks for; the machinery of the other one is not even loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config import EngineKind
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from webordinary.config import Config
    from webordinary.engine import Engine
    from webordinary.jobs.limits import Limits


def open_engine(config: Config, limits: Limits) -> Engine:
    """Open the engine that the configuration names."""
    match config.engine:
        case EngineKind.EMBEDDED:
            from webordinary.engines.embedded.open import open_engine as open_embedded  # noqa: PLC0415 - one of two

            return open_embedded(config, limits)
        case EngineKind.AWS:
            return _open_aws(config, limits)


def _open_aws(config: Config, limits: Limits) -> Engine:
    try:
        from webordinary.engines.aws.clients import AwsSettings  # noqa: PLC0415 - boto3 is an extra
        from webordinary.engines.aws.open import open_engine as open_aws  # noqa: PLC0415 - the same
    except ModuleNotFoundError as missing:
        if missing.name not in {"boto3", "botocore"}:
            raise
        raise Misconfigured(
            'engine = "aws" needs boto3, which is not installed: pip install "webordinary[aws]"'
        ) from missing
    return open_aws(AwsSettings.of(config.aws, config.mail.reply_key), limits)
