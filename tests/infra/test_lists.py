"""The infrastructure has exactly what the engine lists, no more and no less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.infra.synthesis import PREFIX
from webordinary.engines.aws.account.own_secrets import SECRETS
from webordinary.engines.aws.dynamodb.tables import TIME_TO_LIVE, tables
from webordinary.engines.aws.dynamodb.tables import definition as table_definition
from webordinary.engines.aws.flow.functions import FUNCTIONS, definition
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.sqs.queues import installation_queues

if TYPE_CHECKING:
    from tests.infra.synthesis import Synthesized

NAMES = Names(PREFIX)


def test_the_tables_are_those_of_the_engine(synthesized: Synthesized) -> None:
    made = {table["TableName"]: table for table in synthesized.resources("AWS::DynamoDB::Table").values()}

    assert {name: keys_of(table) for name, table in made.items()} == {
        table.name: keys_of(table_definition(table)) for table in tables(NAMES)
    }
    assert {table["TimeToLiveSpecification"]["AttributeName"] for table in made.values()} == {TIME_TO_LIVE}
    # A lane says under the same name until when its claim holds, and must never be deleted.
    kept = {name for name, table in made.items() if not table["TimeToLiveSpecification"]["Enabled"]}
    assert kept == {NAMES.ownership}


def keys_of(table: dict[str, Any]) -> dict[str, Any]:
    asked = ("KeySchema", "AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes")
    return {key: table[key] for key in asked if key in table}


def test_the_queues_are_those_of_the_engine(synthesized: Synthesized) -> None:
    made = {queue["QueueName"]: queue for queue in synthesized.resources("AWS::SQS::Queue").values()}

    assert {name: (queue["MessageRetentionPeriod"], queue["VisibilityTimeout"]) for name, queue in made.items()} == {
        queue.name: (queue.kept_for, queue.hidden_for) for queue in installation_queues(NAMES)
    }
    assert {name for name, queue in made.items() if "RedrivePolicy" in queue} == {
        queue.name for queue in installation_queues(NAMES) if queue.dead_letters
    }


def test_the_functions_are_those_of_the_engine(synthesized: Synthesized) -> None:
    made = {each["FunctionName"]: each for each in synthesized.resources("AWS::Lambda::Function").values()}

    assert {
        name: (each["MemorySize"], each["Timeout"], each["ImageConfig"]["Command"]) for name, each in made.items()
    } == {NAMES.function(each.name): (each.memory, each.timeout.total_seconds(), [each.handler]) for each in FUNCTIONS}


def test_the_flow_is_the_one_of_the_engine(synthesized: Synthesized) -> None:
    (machine,) = synthesized.resources("AWS::StepFunctions::StateMachine").values()

    assert machine["StateMachineName"] == NAMES.flow
    assert machine["DefinitionString"] == definition(PREFIX)


def test_the_secrets_are_those_of_the_engine(synthesized: Synthesized) -> None:
    made = {each["Name"] for each in synthesized.resources("AWS::SecretsManager::Secret").values()}

    assert made == {NAMES.own_secret(secret.name) for secret in SECRETS}
