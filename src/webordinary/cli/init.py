"""`webordinary init`: the first configuration of an installation."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from webordinary.cli.options import CONFIG_NAME, examples
from webordinary.cli.output import say
from webordinary.config import (
    Config,
    EngineKind,
    example_config,
    example_config_on_aws,
    load_config,
    read_config,
)
from webordinary.errors import Misconfigured

_NEXT = {
    EngineKind.EMBEDDED: (
        "look through it, above all at domain and outgoing",
        "webordinary project add ID --from FOLDER --editor USER=ADDRESS",
        "webordinary doctor",
        "webordinary serve",
    ),
    EngineKind.AWS: (
        "look through it, above all at domain and prefix",
        "make the tables, buckets and functions of that prefix in your account",
        "webordinary project add ID --from REPOSITORY --editor USER=ADDRESS",
        "webordinary aws onboard ID --test",
        "webordinary doctor",
    ),
}


def add_to(app: typer.Typer) -> None:
    """Give the program its first command."""
    example = examples(
        "webordinary init",
        "webordinary init bakeries --domain edit.example.com --engine aws",
        "webordinary init bakeries --systemd",
    )
    app.command("init", epilog=example)(init)


def init(
    folder: Annotated[Path, typer.Argument(help="Where the installation will live; made if it is missing.")] = Path(),
    domain: Annotated[
        str, typer.Option("--domain", help="The mail domain that people will write to.")
    ] = "edit.example.com",
    agency: Annotated[str | None, typer.Option("--agency", metavar="ADDRESS", help="Your own mail address.")] = None,
    engine: Annotated[EngineKind, typer.Option("--engine", help="What it runs on.")] = EngineKind.EMBEDDED,
    systemd: Annotated[
        bool,
        typer.Option("--systemd", help="Write and show a unit for systemd, also for a configuration that exists."),
    ] = False,
) -> None:
    """Write a first webordinary.toml, with every choice explained in it; never over an existing one."""
    path = folder / CONFIG_NAME
    if not systemd or not path.exists():
        _write_configuration(path, domain, agency, engine)
    if systemd:
        _write_units(load_config(path, os.environ))
        return
    say(f"Wrote {path}. What now:", "bold")
    for number, line in enumerate(_NEXT[engine], start=1):
        say(f"  {number}. {line}")


def _write_configuration(path: Path, domain: str, agency: str | None, engine: EngineKind) -> None:
    match engine:
        case EngineKind.EMBEDDED:
            text = example_config(domain=domain, agency=agency)
        case EngineKind.AWS:
            text = example_config_on_aws(domain=domain, agency=agency)
    read_config(text, path, {})
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Misconfigured(f"{path} exists already and was left as it is; edit it, or name another folder.") from None


def _write_units(config: Config) -> None:
    """Write the files beside the configuration, show them, and say how root installs them."""
    from webordinary.serve.systemd import USER, low_ports, service_unit, sysusers, writable_places  # noqa: PLC0415 - rare

    if not config.traits.is_one_machine:
        raise Misconfigured("A unit is for one machine; on AWS workers are containers (docs/howto/deploy-aws.md).")
    beside = Path(sys.executable).parent / "webordinary"
    program = [str(beside)] if beside.exists() else [sys.executable, "-m", "webordinary.cli"]
    texts = service_unit(config, program), sysusers(config)
    folder = config.path.parent / "systemd"
    folder.mkdir(exist_ok=True)
    unit, users = folder / f"{USER}.service", folder / f"{USER}.conf"
    for file, text in zip((unit, users), texts, strict=True):
        file.write_text(text, encoding="utf-8")
    for line in unit.read_text(encoding="utf-8").splitlines():
        say(line)
    say(f"Wrote {unit} and {users}. What now, as root:", "bold")
    places = " ".join(map(shlex.quote, map(str, writable_places(config))))
    for number, line in enumerate(
        (
            f"install -m 644 {shlex.quote(str(users))} /etc/sysusers.d/ && systemd-sysusers",
            f"install -m 644 {shlex.quote(str(unit))} /etc/systemd/system/ && systemctl daemon-reload",
            f"mkdir -p {places} && chown -R {USER}: {places}",
            f"chgrp {USER} {shlex.quote(str(config.path))} && chmod 640 {shlex.quote(str(config.path))}",
            f"systemctl enable --now {USER}",
        ),
        start=1,
    ):
        say(f"  {number}. {line}")
    if ports := low_ports(config):
        say(
            f"Only root may listen at {', '.join(map(str, ports))}: put a mail or web server in front, or let everybody"
            f" with `net.ipv4.ip_unprivileged_port_start={min(ports)}` in a file of /etc/sysctl.d.",
            "yellow",
        )
