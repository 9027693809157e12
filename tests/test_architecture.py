"""The tree is as agreed: lengths, names, sentences, engines with the same rooms, tests without patience."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from tests.tree import INFRA, LOCAL_AWS, PACKAGE, TESTS, place, python_files, syntax

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OURS = (PACKAGE, LOCAL_AWS, INFRA)
LONGEST_FILE = 500
READ_BY_PEOPLE = {".py", ".sql", ".html", ".css"}

EMPTY_WORDS = {"manager", "service", "helper", "util", "common", "misc", "base", "impl"}
EMPTY_VERBS = ("get_", "process_", "handle_", "do_", "perform_")
# Names that a library looks for; every other name is ours to choose.
DEMANDED = {
    "__get__": "Python asks a descriptor for its value with it",
    "do_GET": "http.server answers a GET with it",
    "do_HEAD": "http.server answers a HEAD with it",
    "do_POST": "http.server answers a POST with it",
    "get_cfn_attribute": "moto asks it for an attribute of a resource",
    "get_remaining_time_in_millis": "Amazon's name for what a Lambda asks about itself",
    "handle_DATA": "aiosmtpd gives it each mail",
    "handle_EHLO": "aiosmtpd asks it which extensions to offer",
    "handle_MAIL": "aiosmtpd asks it about a sender",
    "handle_RCPT": "aiosmtpd asks it about a recipient",
    "handle_data": "html.parser gives it each piece of text",
    "handle_endtag": "html.parser gives it each end of an element",
    "handle_error": "socketserver tells it that a connection broke",
    "handle_exception": "aiosmtpd asks it what to answer when something broke",
    "handle_starttag": "html.parser gives it each beginning of an element",
    "process_request_thread": "socketserver calls it in the thread of each caller",
}
# Words with one meaning, and where functions may begin with them: what a commit, a lane and a site have done to them.
# A command is named by the word that its users type.
ONE_MEANING = {
    "settle": ("worker/attempt.py", "worker/change/publish.py"),
    "claim": ("ownership/", "dispatch/", "worker/loop.py"),
    "release": (
        *("ownership/", "dispatch/", "jobs/lanes.py", "actions/queue.py", "serve/pool.py"),
        *("site/", "engines/aws/sites.py", "worker/change/live_site.py", "dashboard/api/seen.py"),
        "cli/",
    ),
}

SHORTEST_SENTENCE = 3


def test_every_file_of_the_package_can_be_read_in_one_sitting() -> None:
    files = [
        file
        for room in (PACKAGE, LOCAL_AWS, INFRA)
        for file in sorted(room.rglob("*"))
        if file.suffix in READ_BY_PEOPLE
    ]
    lengths = {place(file): len(file.read_text(encoding="utf-8").splitlines()) for file in files}

    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_no_module_and_no_class_has_an_empty_word_for_a_name() -> None:
    modules = [(place(file), file.stem) for file in package_modules()]
    folders = [(place(file), file.parent.name) for file in package_modules() if file.stem == "__init__"]
    classes = [(place(file, found), found.name) for file, found in classes_of_the_package()]

    assert [where for where, name in modules + folders + classes if words_of(name) & EMPTY_WORDS] == []


def test_a_public_class_name_stands_for_one_thing_in_the_whole_package() -> None:
    places: dict[str, list[str]] = {}
    for file in python_files(PACKAGE):
        for found in syntax(file).body:
            if isinstance(found, ast.ClassDef) and not found.name.startswith("_"):
                places.setdefault(found.name, []).append(place(file, found))

    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_functions_are_named_for_what_they_do() -> None:
    assert [
        f"{place(file, found)} {found.name}"
        for file, found in functions_in(package_modules())
        if found.name.lstrip("_").startswith(EMPTY_VERBS) and found.name not in DEMANDED
    ] == []


def test_a_word_with_one_meaning_begins_the_names_of_its_own_room_only() -> None:
    assert [
        f"{place(file, found)} {found.name}"
        for file, found in functions_in(python_files(PACKAGE))
        for word in [found.name.lstrip("_").partition("_")[0]]
        if not file.relative_to(PACKAGE).as_posix().startswith(ONE_MEANING.get(word, ""))
    ] == []


def test_every_module_says_in_one_sentence_what_it_is() -> None:
    assert [place(file) for file in package_modules() if not begins_with_one_sentence(syntax(file))] == []


def test_errors_are_facts_and_only_their_root_is_called_an_error() -> None:
    names = {found.name for _, found in classes_of_the_package()}

    assert {name for name in names if name.endswith(("Error", "Exception"))} == {"WebOrdinaryError"}


def test_every_engine_keeps_each_port_in_a_file_of_the_same_name() -> None:
    # What dispatches lanes is written once; an engine brings the store for it.
    ports = [port for port in ports_of_an_engine() if not has_room(PACKAGE / "dispatch", port)]
    engines = [folder.parent for folder in sorted(PACKAGE.glob("engines/*/__init__.py"))]

    assert ports, "webordinary.engine.Engine names no ports"
    assert engines, "there is no engine under webordinary/engines"
    assert [f"{place(engine)}/{port}.py" for engine in engines for port in ports if not has_room(engine, port)] == []
    assert [place(engine) for engine in engines if not list(engine.rglob("store.py"))] == []


def test_only_the_configuration_and_what_opens_it_ask_which_engine_it_is() -> None:
    askers = [
        place(file, found)
        for file in package_modules()
        if file.parent.name != "config" and file.name != "choose.py"
        for found in ast.walk(syntax(file))
        if isinstance(found, ast.Compare) and "EngineKind." in ast.unparse(found)
    ]

    assert askers == [], "say what matters about an engine in its traits"


def test_only_the_attempt_decides_what_an_error_means_for_a_job() -> None:
    deciders = {
        place(file)
        for file in sorted((PACKAGE / "worker").rglob("*.py"))
        for handler in ast.walk(syntax(file))
        if isinstance(handler, ast.ExceptHandler)
        for made in ast.walk(handler)
        if isinstance(made, ast.Call) and "Ending" in ast.unparse(made.func)
    }

    assert deciders <= {"src/webordinary/worker/attempt.py"}


def test_the_lines_of_facts_are_written_and_read_in_one_place() -> None:
    rooms = ("reply", "worker", "intake", "jobs", "site/checks", "site/receipt")
    files = [file for room in rooms for file in sorted((PACKAGE / room).rglob("*.py")) if file.name != "lines.py"]
    tabs = [
        place(file, found)
        for file in files
        for found in ast.walk(syntax(file))
        if isinstance(found, ast.expr) and puts_tabs_between(found)
    ]

    assert tabs == [], "use the types of jobs/lines.py"


def puts_tabs_between(found: ast.expr) -> bool:
    """Tell whether this is a tab alone, as for a join or a split, or a text that is filled in around one."""
    if isinstance(found, ast.Constant):
        return found.value == "\t"
    parts = found.values if isinstance(found, ast.JoinedStr) else []
    return any("\t" in str(part.value) for part in parts if isinstance(part, ast.Constant))


def test_tests_never_sleep() -> None:
    assert [
        place(file, found)
        for file in python_files(TESTS)
        for found in ast.walk(syntax(file))
        if isinstance(found, ast.Call) and called_name(found) == "sleep"
    ] == []


def test_tests_are_sentences() -> None:
    assert [
        f"{place(file, found)} {found.name}"
        for file, found in functions_in(python_files(TESTS))
        if found.name.startswith("test_") and len(found.name.removeprefix("test_").split("_")) < SHORTEST_SENTENCE
    ] == []


def package_modules() -> list[Path]:
    return [file for room in OURS for file in python_files(room)]


def classes_of_the_package() -> Iterator[tuple[Path, ast.ClassDef]]:
    for file in package_modules():
        for found in ast.walk(syntax(file)):
            if isinstance(found, ast.ClassDef):
                yield file, found


def functions_in(files: list[Path]) -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for file in files:
        for found in ast.walk(syntax(file)):
            if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
                yield file, found


def words_of(name: str) -> set[str]:
    """The words of a snake_case or CamelCase name, in the singular."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return {word.lower().removesuffix("s") for word in spaced.split("_") if word}


def begins_with_one_sentence(module: ast.Module) -> bool:
    first_line = (ast.get_docstring(module) or "").partition("\n")[0]
    return re.fullmatch(r"\S.*[.?!]", first_line) is not None and not re.search(r"[.?!] [A-Z]", first_line)


def ports_of_an_engine() -> list[str]:
    engine = next(
        found
        for found in syntax(PACKAGE / "engine.py").body
        if isinstance(found, ast.ClassDef) and found.name == "Engine"
    )
    return [
        field.target.id
        for field in engine.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    ]


def has_room(engine: Path, port: str) -> bool:
    return (engine / f"{port}.py").is_file()


def called_name(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""
