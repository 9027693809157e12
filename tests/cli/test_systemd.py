"""`webordinary init --systemd`: units that systemd takes, and that leave the sandbox what it needs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.programs import need, need_own_view, need_root, need_to_work
from webordinary.config import load_config
from webordinary.serve.systemd import low_ports, service_unit, writable_places

if TYPE_CHECKING:
    from tests.cli.program import Program

pytestmark = pytest.mark.programs

# What each of these would take away from a sandbox that is made by whoever needs it.
UNBEARABLE = {
    "RestrictNamespaces": "it has namespaces of its own",
    "ProtectKernelTunables": "it has a /proc of its own, which the kernel refuses below a covered one",
    "ProtectKernelLogs": "the same",
    "ProtectProc": "the same",
    "ProcSubset": "the same",
    "ProtectHostname": "it has a host name of its own",
    "PrivateUsers": "it maps users itself",
    "AmbientCapabilities": "bubblewrap refuses to start with any",
    "MemoryDenyWriteExecute": "Node and browsers translate code while they run",
}


def unit_of(program: Program) -> Path:
    return program.folder / "systemd" / "webordinary.service"


def test_the_unit_is_written_shown_and_taken_by_systemd(bakery: Program) -> None:
    said = bakery.run("init", "--systemd")
    text = unit_of(bakery).read_text()
    assert f"--config {bakery.folder}/webordinary.toml serve" in text
    assert "ProtectSystem=strict" in said
    assert "systemctl enable --now webordinary" in said
    verified = subprocess.run(
        [need("systemd-analyze"), "verify", "--man=no", str(unit_of(bakery))],
        capture_output=True,
        check=False,
        text=True,
    )
    about_ours = [line for line in verified.stderr.splitlines() if "webordinary" in line]
    assert (verified.returncode, about_ours) == (0, [])


def test_a_first_configuration_is_written_with_it_and_an_existing_one_is_left_alone(program: Program) -> None:
    program.run("init", "--systemd")
    text = (program.folder / "webordinary.toml").read_text()
    program.run("init", "--systemd")
    assert (program.folder / "webordinary.toml").read_text() == text


def test_only_what_the_service_writes_can_be_written(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    without = re.sub(r"(?m)^to = .*\n", "", path.read_text())
    path.write_text(re.sub(r"(?m)^\[project\.site\]$", '[project.site]\nto = "/srv/www/amelia"', without))
    config = load_config(path, {})
    text = service_unit(config, ["/opt/web ordinary/webordinary"])
    for place in writable_places(config):
        assert f"ReadWritePaths=-{place}\n" in text
    assert writable_places(config)[:2] == [config.data, Path("/srv/www/amelia")]
    assert 'ExecStart="/opt/web ordinary/webordinary" --config' in text
    settings = {line.partition("=")[0] for line in text.splitlines() if not line.startswith("#")}
    assert settings.isdisjoint(UNBEARABLE)


def test_a_port_of_root_is_told(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    path.write_text(path.read_text().replace('listen = "127.0.0.1:0"', 'listen = "127.0.0.1:25"', 1))
    assert low_ports(load_config(path, {})) == [25]
    assert "ip_unprivileged_port_start=25" in " ".join(bakery.run("init", "--systemd").split())


@pytest.mark.thorough
def test_bubblewrap_works_on_a_read_only_machine_without_privileges_and_not_below_a_covered_proc() -> None:
    """As the unit makes it: everything read-only, a user without rights who can never get any."""
    bwrap, setpriv, unshare = need("bwrap"), need("setpriv"), need_root("unshare")
    need_own_view()
    poor = f"{setpriv} --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all"
    sandbox = f"{poor} {bwrap} --ro-bind / / --proc /proc --dev /dev --unshare-all --hostname sandbox true"
    need_to_work(sandbox.split(), "bubblewrap for an ordinary user")
    readonly = "mount --make-rprivate / && mount -o remount,bind,ro /"
    covered = "mount --bind /proc/sys /proc/sys"
    for steps, works in ((readonly, True), (f"{readonly} && {covered}", False)):
        argv = [unshare, "--mount", "sh", "-c", f"{steps} && {sandbox}"]
        done = subprocess.run(argv, capture_output=True, check=False, env={**os.environ, "LANG": "C"})
        assert (done.returncode == 0) is works, done.stderr.decode()
