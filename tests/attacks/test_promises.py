"""What a rung keeps is found out by trying, old kernels included, and the page says the same."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.attacks.promises import head, rows
from tests.attacks.rungs import IS_ROOT, as_a_user
from tests.conftest import STRICT
from tests.tree import ROOT
from webordinary.errors import Misconfigured
from webordinary.workspace import sandbox
from webordinary.workspace.sandbox import Sandbox, SandboxKind, _choose, choose_sandbox, try_rung

PAGE = ROOT / "SECURITY.md"
BEGIN, END = "<!-- promises: made by tests/attacks/test_promises.py -->\n", "<!-- end of promises -->\n"
_ALL_ROWS = 11
_AS_A_USER = f"""
import runpy, sys
sys.path.insert(0, {str(ROOT)!r})
runpy.run_module("tests.attacks.promises", run_name="__main__")
"""


def tried() -> list[str]:
    """Return the rows that can be tried here, as us and, where we are root, as a user too."""
    found = [str(row) for row in rows()]
    if IS_ROOT:
        with tempfile.TemporaryDirectory(prefix="promises-") as folder:
            finished = as_a_user(Path(folder), sys.executable, "-c", _AS_A_USER)
        assert finished.succeeded, finished.stderr
        found += json.loads(finished.stdout)
    return found


@pytest.mark.thorough
def test_the_table_in_the_page_is_what_was_tried() -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    table, _, after = rest.partition(END)
    found = tried()
    is_whole = len(found) == _ALL_ROWS
    if is_whole and table.splitlines() != [*head(), *found]:
        # Put right, for whoever reads the difference and commits it.
        PAGE.write_text(before + BEGIN + "\n".join([*head(), *found]) + "\n" + END + after, encoding="utf-8")
    assert [row for row in found if row not in table.splitlines()] == []
    assert is_whole or not (STRICT and IS_ROOT)


def test_a_kernel_before_6_7_lets_nobody_out_where_programs_have_a_network_of_their_own() -> None:
    old = try_rung(SandboxKind.LANDLOCK, 3)
    if not IS_ROOT:
        assert old == "a program inside could end the worker"
        return
    assert isinstance(old, Sandbox), old
    assert old.port_for_model()


def test_a_port_that_leads_to_other_machines_too_is_found_out_and_no_agent_with_a_model_is_started() -> None:
    """Landlock judges ports and not addresses; where programs cannot leave the network, one port is one too many."""
    rung = try_rung(SandboxKind.LANDLOCK)
    assert isinstance(rung, Sandbox), rung
    assert rung.beyond_model == ""
    beyond = sandbox._beyond_model(replace(rung, leaves_network=False))  # noqa: SLF001 - what a choice would ask
    assert beyond == "connect to more than its model"
    with pytest.raises(Misconfigured, match=r"needs bubblewrap or .* it could connect to more than its model"):
        replace(rung, beyond_model=beyond).port_for_model()


def test_a_kernel_before_6_12_lets_a_user_s_programs_end_the_worker_and_is_refused() -> None:
    found = try_rung(SandboxKind.LANDLOCK, 5)
    assert isinstance(found, Sandbox) if IS_ROOT else found == "a program inside could end the worker"


def test_a_kernel_with_the_first_landlock_is_refused_because_nothing_could_be_built() -> None:
    assert try_rung(SandboxKind.LANDLOCK, 1) == "a program inside cannot do its work (Invalid cross-device link)"


def test_a_rung_that_does_not_hold_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "try_rung", lambda kind: f"a program inside could end the worker on {kind}")
    _choose.cache_clear()
    try:
        with pytest.raises(
            Misconfigured, match=r"landlock: a program inside could end the worker.*: install bubblewrap"
        ):
            choose_sandbox("auto")
    finally:
        _choose.cache_clear()


def test_a_processor_that_nobody_knows_has_no_filter_and_so_no_rung_that_needs_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "abacus")
    assert try_rung(SandboxKind.LANDLOCK) == "this kind of processor is not known"
    assert try_rung(SandboxKind.OWN_UID) == "this kind of processor is not known"
