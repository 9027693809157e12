"""What a person or a program is told about answers: which one is missing, unknown or wrong, before anything is done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.setup.ground import AGENCY, DOMAIN, program_in, states, write_answers

if TYPE_CHECKING:
    from pathlib import Path

MAIL = {"way": "postfix", "domain": DOMAIN, "agency": AGENCY, "host": "mx.example.com", "listen": "127.0.0.1:2599"}


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ({"mail": {**MAIL, "domain": "not a domain"}}, "`mail.domain` must be a domain"),
        ({"mail": {key: value for key, value in MAIL.items() if key != "host"}}, "`mail.host` is missing"),
        ({"mail": {**MAIL, "hots": "x"}}, "`mail.hots` is not asked for; did you mean `host`?"),
        ({"mail": {**MAIL, "way": "pigeon"}}, "`mail.way` must be one of gmail, microsoft"),
        ({"mail": {**MAIL, "agency": {"variable": "no name"}}}, "`mail.agency` must be"),
        ({"mail": {**MAIL, "agency": {"file": "nowhere"}}}, "mail.agency in"),
        ({"mial": MAIL}, "there is no step [mial]; did you mean [mail]?"),
        # Of a step that comes long after the first one.
        ({"mail": MAIL, "site": {"kind": "new"}, "project": {"id": "Not An Id"}}, "`project.id` must"),
    ],
)
def test_a_wrong_answer_is_named_and_nothing_is_written(tmp_path: Path, steps: dict[str, object], told: str) -> None:
    path = write_answers(tmp_path, steps)  # type: ignore[arg-type]  # some are meant to be wrong
    assert told in program_in(tmp_path).run("setup", "--answers", str(path), code=2)
    assert [each.name for each in tmp_path.iterdir()] == ["answers.toml"]


def test_a_person_is_asked_again_and_loses_nothing_by_leaving(tmp_path: Path) -> None:
    program = program_in(tmp_path)

    # A wrong way and a wrong domain are asked for again; then the input ends in the middle of the step.
    told = program.run("setup", code=1, stdin=b"pigeon\n5\nno domain\nedit.bakery.example\n?\n")

    assert "It must be one of gmail" in told
    assert 'It must be a domain such as "edit.example.com"' in told
    assert "Nothing is lost" in told
    assert not (tmp_path / "webordinary.toml").exists()
    assert states(program)["mail"] == "begun"

    # Enter takes what was answered before; what is shown is written only after a yes.
    typed = ["", "", AGENCY, "mx.example.com", "127.0.0.1:2599", ""]
    told = program.run("setup", code=1, stdin="\n".join([*typed, "no", *[""] * 6, "yes", "later"]).encode())

    assert '+domain = "edit.bakery.example"' in told
    assert "relay_domains = edit.bakery.example, .edit.bakery.example" in told
    text = (tmp_path / "webordinary.toml").read_text(encoding="utf-8")
    assert 'protocol = "lmtp"' in text
    assert states(program) | {"mail": "done", "dns": "left", "outgoing": "open"} == states(program)


def test_each_step_can_be_named_and_what_stands_in_the_file_stays(tmp_path: Path) -> None:
    program = program_in(tmp_path)
    program.run("init", "--domain", DOMAIN)
    path = tmp_path / "webordinary.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n# a remark of mine\n", encoding="utf-8")
    answers = write_answers(tmp_path, {"budget": {"usd": "1.5"}, "mail": {"later": True}, "dns": {"later": True}})

    program.run("setup", "--from", "budget", "--answers", str(answers), code=2)
    assert "there is no step" in program.run("setup", "--from", "money", code=1).lower()

    lines = [f"[{each}]\nlater = true" for each in ("editor", "service", "first-mail")]
    answers.write_text(answers.read_text() + "\n".join(lines))
    told = json.loads(program.run("setup", "--from", "budget", "--answers", str(answers), "--json", code=1))
    assert [each["state"] for each in told["steps"]] == ["done", "left", "left", "left"]
    text = path.read_text(encoding="utf-8")
    assert "usd = 1.5" in text
    assert text.count("# a remark of mine") == 1
