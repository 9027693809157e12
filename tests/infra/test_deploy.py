"""The synthesized templates, created in the local AWS server: one mail runs on nothing but what they made.

Every function and the worker is a process of its own, with the variables that its template gives it and with the
credentials of its own role; whoever asks for more than that is refused.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email import message_from_bytes, policy
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import boto3
import pytest

from tests.aws.test_work import Container
from tests.cli.inside import InsideProgram
from tests.infra.deployed import FLOW, WORKER, Deployed
from tests.infra.probes import FORBIDDEN, PROBES, is_allowed
from tests.infra.synthesis import DOMAIN, PREFIX
from tests.remotes.web_server import TOKEN, USER, web_server
from tests.rigs.embedded import make_repository
from webordinary.clock import SystemClock
from webordinary.config import example_config_on_aws, project_block, with_project
from webordinary.engines.aws.clients import AwsSettings
from webordinary.engines.aws.flow.events import ses_notification
from webordinary.engines.aws.flow.functions import FUNCTIONS, Need, definition
from webordinary.engines.aws.flow.functions import WORKER as OF_WORKER
from webordinary.engines.aws.open import open_engine
from webordinary.jobs.job import Ending, State
from webordinary.jobs.limits import Limits
from webordinary.testing.mail import write_mail
from webordinary.testing.story import wait_for
from webordinary_local_aws.server import ACCOUNT, REGION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.infra.synthesis import Synthesized

T = TypeVar("T")

SCOTT = "scott@example.org"
NEEDS = {each.name: each.needs for each in FUNCTIONS} | {WORKER: OF_WORKER, FLOW: frozenset[Need]()}


@pytest.fixture(scope="module")
def deployed(synthesized: Synthesized) -> Iterator[Deployed]:
    with Deployed(synthesized, PREFIX) as deployed:
        yield deployed


@pytest.fixture
def operator(deployed: Deployed, tmp_path: Path) -> Iterator[InsideProgram]:
    """Whoever runs the installation, with the account's own key, and a repository that wants a token."""
    (tmp_path / "far").mkdir()
    remote = make_repository(tmp_path / "far", "amelia")
    with web_server(tmp_path / "far") as server:
        block = project_block(
            id="amelia", repository=server.address(remote), site_target="s3", editors=[("scott", SCOTT)]
        )
        text = with_project(example_config_on_aws(domain=DOMAIN, prefix=PREFIX), block)
        where = f'prefix = "{PREFIX}"\nendpoint = "{deployed.aws.endpoint}"\naccount = "{ACCOUNT}"\n'
        text = text.replace(f'prefix = "{PREFIX}"\n', f'{where}region = "{REGION}"\n') + f'\n[git]\nuser = "{USER}"\n'
        (tmp_path / "webordinary.toml").write_text(text, encoding="utf-8")
        yield InsideProgram(tmp_path, deployed.aws.environment())


def arrives(deployed: Deployed, text: str, key: str) -> None:
    """Do what SES does with a mail: put it into the bucket, and tell the topic that its rule names."""
    client = deployed.clients.more("ses")
    client.set_active_receipt_rule_set(RuleSetName=deployed.names.receipt_rules)
    (rule,) = client.describe_active_receipt_rule_set()["Rules"]
    (action,) = [each["S3Action"] for each in rule["Actions"]]
    to, place = f"amelia@{DOMAIN}", f"{action['ObjectKeyPrefix']}{key}"
    files = (("hours.txt", "text/plain", b"nine to six"),)
    raw = write_mail(sender=SCOTT, to=to, text=text, subject=key, written_at=datetime.now(UTC), files=files)
    deployed.clients.s3.put_object(Bucket=action["BucketName"], Key=place, Body=raw)
    told = ses_notification(action["BucketName"], place, sender=SCOTT, recipients=[to], verdict="PASS")
    topics = boto3.client("sns", **deployed.aws.connection())
    topics.publish(TopicArn=action["TopicArn"], Message=told["Records"][0]["Sns"]["Message"])
    topics.close()


def letters(deployed: Deployed) -> list[Any]:
    return [message_from_bytes(each.raw, policy=policy.default) for each in deployed.aws.letters() if SCOTT in each.to]


def story_of(deployed: Deployed, operator: InsideProgram) -> str:
    return f"{operator.run('show', 'trail')}\n{deployed.story()}"


def page(deployed: Deployed, store: str) -> str:
    """Return the page as a visitor gets it: CloudFront's store leads from the host to a place in the bucket."""
    bucket, visitor_routes = deployed.names.sites_bucket(ACCOUNT), deployed.visitor_routes()
    release = visitor_routes.get_key(KvsARN=store, Key="amelia")["Value"]
    found = deployed.clients.s3.get_object(Bucket=bucket, Key=f"amelia/files/{release}/index.html")
    return found["Body"].read().decode()


def onboard(operator: InsideProgram, *more: str, stdin: bytes = b"") -> dict[str, Any]:
    told: dict[str, Any] = json.loads(operator.run("aws", "onboard", "amelia", "--json", *more, stdin=stdin))
    return told


def take_up(operator: InsideProgram, todo: list[str]) -> str:
    """Write what onboarding says into the configuration; return the store that it names."""
    (line,) = [each.split("`")[1] for each in todo if "key_value_store" in each]
    path = operator.folder / "webordinary.toml"
    path.write_text(path.read_text().replace("[aws]\n", f"[aws]\n{line}\n"), encoding="utf-8")
    return line.split('"')[1]


@pytest.mark.thorough
@pytest.mark.timeout(400)
def test_one_mail_runs_on_what_the_templates_made_with_the_roles_own_credentials(
    deployed: Deployed, operator: InsideProgram, tmp_path: Path
) -> None:
    assert set(deployed.stacks.values()) == {"CREATE_COMPLETE"}
    made = onboard(operator, "--git-secret", "-", stdin=TOKEN.encode())
    assert (made["site"], made["site_policy"]) == ("its site is shown as its live branch is", "unchanged")
    store = take_up(operator, made["left_to_do"])
    onboard(operator)
    before = page(deployed, store)

    (tmp_path / "task").mkdir()
    container = Container(
        tmp_path / "task",
        {
            **deployed.aws.environment(),
            **deployed.variables_of_worker(),
            **deployed.credentials(deployed.role_of(WORKER)),
            "WORKSPACE_PATH": str(tmp_path / "workspace"),
            # No model lives here.
            "WEBORDINARY_AGENT_KIND": "scripted",
            "WEBORDINARY_AGENT_PROVIDER": "",
        },
    )
    with container.start("work") as worker:
        arrives(deployed, "We open at nine now.", "first")
        (letter,) = wait_for(lambda: letters(deployed) or None, "the answer", lambda: story_of(deployed, operator))
        assert worker.end() == 0

    (job,) = json.loads(operator.run("show", "jobs", "--json"))
    assert (job["state"], job["outcome"]) == ("done", "published")
    assert page(deployed, store) != before
    assert job["summary"] in letter.get_body(("plain",)).get_content()
    (execution,) = deployed.clients.states.list_executions(stateMachineArn=deployed.machine)["executions"]
    assert deployed.aws.outcome_of(execution["executionArn"])["status"] == "SUCCEEDED"
    # The model's key is the one secret that nobody can make up, and the workers of the templates want it.
    assert complaints(operator) == {"bootstrap", "mail", "secret"}


def complaints(operator: InsideProgram) -> set[str]:
    """Return what the doctor does not like; no name server is asked here, and nobody has bootstrapped anything."""
    told = json.loads(operator.run("aws", "doctor", "--json", code=1))
    return {each["name"] for each in told if each["state"] == "fail"}


@pytest.mark.thorough
@pytest.mark.timeout(400)
def test_every_function_finds_that_its_rights_are_enough(deployed: Deployed, operator: InsideProgram) -> None:
    onboard(operator, "--git-secret", "-", stdin=TOKEN.encode())
    engine, clock = open_engine(AwsSettings(PREFIX), Limits(), deployed.clients), SystemClock()

    def waits(look: Callable[[], T | None], what: str) -> T:
        return wait_for(look, what, lambda: story_of(deployed, operator))

    arrives(deployed, "We open at ten now.", "slow")
    slow = waits(lambda: engine.claims.claim("hand", clock.now()), "a lane to claim")
    arrives(deployed, "We close at six now.", "quick")
    waits(lambda: deployed.functions["record-interruption"].answers or None, "an interruption")
    assert slow.job is not None
    engine.attempts.finish(slow.claim, slow.job, Ending(State.FAILED, error="no", template="failed"), clock.now())
    (quick,) = engine.overview.jobs(state="running")
    timed_out = {"Error": "States.Timeout", "Cause": ""}
    given_up = {"job": quick.id, "mail": quick.mail, "execution": deployed.execution_of(quick), "error": timed_out}
    name = deployed.names.function("handle-timeout")
    told = deployed.aws.lambdas.call(name, json.dumps(given_up).encode())
    assert told == (b'{"next": "ended"}', False)
    waits(lambda: deployed.functions["send-reply"].answers or None, "an answer")
    assert deployed.aws.lambdas.call(deployed.names.function("sweep"), b"{}")[1] is False

    said = {name: each.answers for name, each in deployed.functions.items()}
    assert [name for name, answers in said.items() if not answers] == []
    assert [words for answers in said.values() for words in answers if "may not do this" in words] == []


@pytest.mark.thorough
@pytest.mark.parametrize("who", NEEDS)
def test_each_role_may_do_what_is_listed_for_it_and_nothing_else(deployed: Deployed, who: str) -> None:
    clients, names = deployed.clients_of(who), deployed.names
    assert clients.visitor_routes is not None
    describes = partial(clients.visitor_routes.describe_key_value_store, KvsARN=deployed.store)
    allowed = {need for need, probe in PROBES.items() if is_allowed(partial(probe, clients, names))}
    too_much = [name for name, probe in FORBIDDEN.items() if is_allowed(partial(probe, clients, names))]

    leads = {Need.VISITOR_ROUTES} if is_allowed(describes) else set()
    # An answer needs a token that somebody waits for: the mail above has had one.
    assert allowed | leads == NEEDS[who] - {Need.ANSWER_FLOW}
    assert too_much == []


@pytest.mark.thorough
def test_the_flow_may_call_its_functions_and_nobody_else_may_call_any(deployed: Deployed) -> None:
    text = definition(PREFIX)
    called = {each.name for each in FUNCTIONS if f'"{deployed.names.function(each.name)}"' in text}

    assert functions_open_to(deployed, FLOW) == called
    assert functions_open_to(deployed, WORKER) == functions_open_to(deployed, "sweep") == set()


def functions_open_to(deployed: Deployed, who: str) -> set[str]:
    client = deployed.clients_of(who).functions
    names = {each.name: deployed.names.function(each.name) for each in FUNCTIONS}
    return {
        each
        for each, name in names.items()
        if is_allowed(partial(client.invoke, FunctionName=name, InvocationType="DryRun"))
    }
