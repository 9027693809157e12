"""Operating an installation on AWS from the command line."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from tests.rigs.aws_ports import aws_clients, aws_server
from tests.serving import listening
from webordinary.config import load_config
from webordinary.engines.aws.flow.events import ses_notification
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.sqs.dead_letters import DeadLetters
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.routing.lane import Lane
from webordinary_local_aws.flow import LocalFlow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.inside import InsideProgram
    from tests.cli.program import Program
    from webordinary.engine import Engine

SCOTT = Lane("amelia", "scott")


def change(program: Program, before: str, after: str) -> None:
    path = program.folder / "webordinary.toml"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def flow_of(program: Program) -> LocalFlow:
    """Make what the infrastructure makes."""
    return LocalFlow(aws_server(), load_config(program.folder / "webordinary.toml", {}), aws_clients())


def names_of(program: Program) -> Names:
    return Names(str(load_config(program.folder / "webordinary.toml", {}).aws.prefix))


@contextmanager
def a_worker(flow: LocalFlow) -> Iterator[None]:
    """Do every job that comes, as a worker does."""
    here = flow.here.mails.here
    over = threading.Event()

    def work(engine: Engine) -> None:
        ending = Ending(State.DONE, Outcome.NOTHING_CHANGED, summary="Nothing.", template="nothing_changed")
        while not over.wait(0.02):
            claimed = engine.claims.claim("hand", here.clock.now())
            if claimed is not None and claimed.job is not None:
                engine.attempts.finish(claimed.claim, claimed.job, ending, here.clock.now())
                engine.claims.give_back(claimed.claim, here.clock.now())

    hand = threading.Thread(target=work, args=(here.engine,))
    hand.start()
    try:
        yield
    finally:
        over.set()
        hand.join()


def test_onboarding_makes_queues_rows_and_a_site_and_can_be_repeated(aws_bakery: InsideProgram) -> None:
    change(aws_bakery, 'user = "scott"', 'user = "maria"')

    first = aws_bakery.read("aws", "onboard", "amelia")
    again = aws_bakery.read("aws", "onboard", "amelia")

    names, lane = names_of(aws_bakery), Lane("amelia", "maria")
    made = {names.input(lane), names.dead_letters(lane), names.interrupts(lane), names.output(lane)}
    assert set(first["queues"]) == made
    assert first["lanes"] == ["amelia#maria"]
    assert (first["site"], again["site"]) == ("its site is shown as its live branch is", "its site is shown already")
    assert again["queues"] == first["queues"]
    known = aws_clients().wakeups.list_queues(QueueNamePrefix=f"{names.prefix}-")["QueueUrls"]
    assert made <= {url.rpartition("/")[2] for url in known}
    assert "scott@example.org can write to amelia@edit.localhost" in aws_bakery.run("aws", "onboard", "amelia")
    assert aws_bakery.read("aws", "status")["projects"] == ["amelia"]


@pytest.mark.thorough
def test_a_project_is_added_and_its_site_is_in_the_bucket(aws_bakery: InsideProgram) -> None:
    said = aws_bakery.run("project", "add", "flora", "--from", "bakery", "--editor", "tom=tom@example.net")

    assert "The site as it is now is in the bucket of the installation" in said
    assert "https://flora.edit.localhost/" in said
    assert "webordinary aws onboard flora --test" in said
    assert aws_bakery.read("aws", "onboard", "flora")["site"] == "its site is shown already"
    assert [each["site"]["target"] for each in aws_bakery.read("project", "list")] == ["s3", "s3"]
    assert "it builds to" in aws_bakery.run("project", "check", "flora")


@pytest.mark.parametrize("wrong", ["a" * 29, "Amelia", "amelia_1", "amelia-"])
def test_an_id_that_no_queue_can_be_named_after_is_refused(aws_bakery: InsideProgram, wrong: str) -> None:
    change(aws_bakery, 'id = "amelia"\nrepository', f'id = "{wrong}"\nrepository')

    assert "at most 28 characters" in aws_bakery.run("aws", "onboard", wrong, code=2)


def test_what_is_not_configured_is_not_onboarded(aws_bakery: InsideProgram) -> None:
    assert "There is no project flora" in aws_bakery.run("aws", "onboard", "flora", code=1)
    assert "eve is no editor" in aws_bakery.run("aws", "send-test-mail", "amelia", "--user", "eve", code=1)


def test_the_embedded_engine_has_none_of_this(bakery: Program) -> None:
    for command in (("onboard", "amelia"), ("send-test-mail", "amelia"), ("status",), ("redrive",)):
        assert 'only for `engine = "aws"`' in bakery.run("aws", *command, code=2)


@pytest.mark.thorough
def test_a_test_mail_goes_the_whole_way_to_its_answer(aws_bakery: InsideProgram) -> None:
    flow = flow_of(aws_bakery)
    with a_worker(flow):
        said = aws_bakery.run("aws", "onboard", "amelia", "--test", "--timeout", "60s")

    (job,) = aws_bakery.read("show", "jobs")
    assert (job["state"], job["outcome"], job["subject"]) == ("done", "nothing_changed", "A test")
    assert "answer" in said.splitlines()[-1]
    (execution,) = flow.executions()
    assert flow.aws.outcome_of(execution)["status"] == "SUCCEEDED"


@pytest.mark.thorough
def test_a_test_mail_that_nobody_answers_ends_with_one(aws_bakery: InsideProgram) -> None:
    flow_of(aws_bakery)

    said = aws_bakery.run("aws", "send-test-mail", "amelia", "--wait", "--timeout", "2s", code=1)

    assert "No answer has been sent" in said
    sent = aws_bakery.read("aws", "send-test-mail", "amelia", "--text", "We open at ten.")
    assert aws_bakery.read("show", "mail", sent["mail"])["door"] == "ses"


def test_whoever_asked_without_a_mail_hears_the_end_from_the_output_queue(aws_bakery: InsideProgram) -> None:
    flow = flow_of(aws_bakery)
    with a_worker(flow):
        asked = aws_bakery.read("ask", "amelia", "scott", "We open at nine now.", "--wait", "--timeout", "60s")

    assert (asked["state"], asked["outcome"]) == ("done", "nothing_changed")
    (depth,) = [each for each in aws_bakery.read("aws", "status")["queues"] if "-output-" in each["queue"]]
    assert depth["waiting"] + depth["hidden"] == 0


def test_who_waits_in_vain_on_aws_is_told_why(aws_bakery: InsideProgram) -> None:
    said = aws_bakery.run("ask", "amelia", "scott", "We open at nine now.", "--wait", "--timeout", "0.2s", code=3)

    assert "no worker" in said


def test_serving_is_for_one_machine(aws_bakery: InsideProgram) -> None:
    assert "`webordinary work`" in aws_bakery.run("serve", code=2).replace("\n", " ")


def test_the_status_shows_claims_depths_the_oldest_job_and_dead_letters(aws_bakery: InsideProgram) -> None:
    flow = flow_of(aws_bakery)
    job = aws_bakery.read("ask", "amelia", "scott", "We open at nine now.")["id"]
    DeadLetters(aws_clients().sqs, flow.names).bury_mail("mail-1", "a test")

    found = aws_bakery.read("aws", "status")

    assert [lane["pending"] for lane in found["lanes"]] == [1]
    assert found["oldest_job"]["id"] == job
    assert found["dead_letters"] == {"jobs": [], "messages": 1}
    depths = {each["queue"]: each["waiting"] for each in found["queues"]}
    assert depths[flow.names.unclaimed] >= 1
    assert depths[flow.names.input(SCOTT)] == 0
    assert (found["account"], found["region"]) == ("123456789012", "eu-central-1")
    said = aws_bakery.run("aws", "status")
    assert f"The oldest job is {job} in amelia#scott, queued" in said
    assert "1 wait for a worker" in said
    assert "webordinary aws redrive" in said


def test_dead_letters_are_taken_up_again_once(aws_bakery: InsideProgram) -> None:
    flow = flow_of(aws_bakery)
    job = aws_bakery.read("ask", "amelia", "scott", "We open at nine now.")["id"]
    aws_bakery.run("stop", job)
    engine, letters = flow.here.mails.aws.engine, DeadLetters(aws_clients().sqs, flow.names)
    stopped = engine.overview.job(job)
    assert stopped is not None
    letters.bury(stopped, "it took too long")
    strange = aws_clients().queue_url(flow.names.unclaimed_dead_letters)
    aws_clients().sqs.send_message(QueueUrl=strange, MessageBody="who are you?")
    aws_clients().s3.put_object(Bucket=flow.bucket, Key="arrived/lost", Body=b"From: scott@example.org\r\n\r\nHi\r\n")
    lost = ses_notification(flow.bucket, "arrived/lost", sender="s@example.org", recipients=["x@y"], verdict="PASS")
    told = json.dumps({"requestContext": {"condition": "RetriesExhausted"}, "requestPayload": lost})
    unheard = aws_clients().queue_url(flow.names.intake_dead_letters)
    aws_clients().sqs.send_message(QueueUrl=unheard, MessageBody=told)

    done = {each["about"]: each for each in aws_bakery.read("aws", "redrive", "--project", "amelia")}

    again = engine.overview.job(done[job]["what"])
    assert again is not None
    assert (done[job]["fate"], again.repeats) == ("tried again", job)
    assert done[""]["fate"] == "left there"
    (mail,) = (each for each in done if each.startswith("mail-"))
    assert (done[mail]["fate"], engine.inbox.read(mail)[-4:]) == ("begun anew", b"Hi\r\n")
    assert "There is no lane of flora" in aws_bakery.run("aws", "redrive", "--project", "flora", code=1)
    assert job not in aws_bakery.run("aws", "redrive")


def test_tables_of_another_region_are_said_to_be_missing(aws_bakery: InsideProgram) -> None:
    aws_bakery.environment["AWS_REGION"] = "eu-west-1"

    said = aws_bakery.run("show", "lanes", code=2)

    assert re.search(r"container-ownership does not exist: check prefix and region", said)
    assert "does not exist" in aws_bakery.run("aws", "onboard", "amelia", code=2)


def test_without_credentials_one_sentence_says_so(aws_bakery: InsideProgram) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        aws_bakery.environment[name] = ""

    for command in (("show", "lanes"), ("aws", "status"), ("aws", "onboard", "amelia")):
        said = aws_bakery.run(*command, code=2)
        assert "check credentials and region" in said
        assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ExpiredTokenException", "the session token has expired: get new credentials"),
        ("UnrecognizedClientException", "the access key is not known: check the credentials"),
        ("AccessDeniedException", "the role may not do this"),
    ],
)
def test_refused_credentials_are_said_plainly(aws_bakery: InsideProgram, code: str, said: str) -> None:
    with refusing(code) as endpoint:
        change(aws_bakery, aws_server().endpoint, endpoint)

        for command in (("show", "lanes"), ("aws", "status"), ("aws", "redrive")):
            assert said in aws_bakery.run(*command, code=2)


def test_an_account_that_cannot_be_reached_is_tried_again_later(aws_bakery: InsideProgram) -> None:
    change(aws_bakery, aws_server().endpoint, "http://127.0.0.1:9")

    assert "http://127.0.0.1:9/ cannot be reached" in aws_bakery.run("aws", "status", code=1)


@contextmanager
def refusing(code: str) -> Iterator[str]:
    """Answer every call as AWS does when it does not accept who calls."""

    class Refusal(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = json.dumps({"__type": code, "message": "no"}).encode()
            self.send_response(400)
            self.send_header("x-amzn-ErrorType", code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusal) as server, listening(server):
        yield f"http://127.0.0.1:{server.server_port}"
