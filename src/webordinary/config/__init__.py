"""The configuration of an installation: `webordinary.toml` and the `WEBORDINARY_*` variables."""

from __future__ import annotations

from webordinary.config.agent import Provider
from webordinary.config.check import missing_repositories
from webordinary.config.load import Config, config_of_surroundings, find_config, load_config, read_config
from webordinary.config.outgoing import Outgoing, OutgoingRoute
from webordinary.config.shape import EngineKind, LogFormat, PicturesMode, SandboxMode, Workers
from webordinary.config.write import example_config, example_config_on_aws, project_block, with_project
from webordinary.values import Duration, Listen

__all__ = [
    "Config",
    "Duration",
    "EngineKind",
    "Listen",
    "LogFormat",
    "Outgoing",
    "OutgoingRoute",
    "PicturesMode",
    "Provider",
    "SandboxMode",
    "Workers",
    "config_of_surroundings",
    "example_config",
    "example_config_on_aws",
    "find_config",
    "load_config",
    "missing_repositories",
    "project_block",
    "read_config",
    "with_project",
]
