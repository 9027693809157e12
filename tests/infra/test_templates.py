"""The templates are what AWS takes, and what is promised about them holds."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from infra.exceptions import EXCEPTIONS
from infra.steps import MOST_STEPS, steps
from tests.infra.synthesis import DOMAIN, PREFIX, REGION
from webordinary.config.amazon import AWS_WORKERS
from webordinary.engines.aws.account.own_secrets import SECRETS
from webordinary.engines.aws.flow.functions import FUNCTIONS, site_delivery
from webordinary.engines.aws.inbox import REPLAYS
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.s3.buckets import SITES_KEPT
from webordinary.engines.aws.s3.site_policy import SHOWN
from webordinary.engines.aws.sites import NOT_FOUND
from webordinary.metrics.emf import NAMESPACE
from webordinary.metrics.meter import Metric
from webordinary.values import Duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.infra.synthesis import Synthesized

NAMES = Names(PREFIX)
# ECS waits no longer for a task of Fargate.
LONGEST_STOP = timedelta(minutes=2)
# They are backed by code of their own, which no test here could run and nobody here has written.
FORBIDDEN = ("Custom::", "AWS::CloudFormation::CustomResource", "AWS::EC2::NatGateway", "AWS::EC2::EIP")


@pytest.mark.thorough
def test_amazons_own_rules_find_no_error(synthesized: Synthesized, on_machines: Synthesized) -> None:
    files = [str(file) for each in (synthesized, on_machines) for file in sorted(each.folder.glob("*.template.json"))]
    lint = Path(sys.executable).with_name("cfn-lint")
    done = subprocess.run(
        [lint, "--non-zero-exit-code", "warning", "--", *files], capture_output=True, text=True, check=False
    )

    assert done.stdout == ""
    assert done.returncode == 0


def test_the_checks_found_nothing_that_has_no_reason(synthesized: Synthesized, on_machines: Synthesized) -> None:
    for each in (synthesized, on_machines):
        report = json.loads((each.folder / "validation-report.json").read_text())
        (checked,) = (one for one in report["pluginReports"] if one["pluginName"] == "AwsSolutions")
        assert (checked["conclusion"], checked["violations"]) == ("success", [])


def test_every_reason_is_about_something_that_is_there(on_machines: Synthesized) -> None:
    tree = json.loads((on_machines.folder / "tree.json").read_text())["tree"]
    known = {path.partition("/")[2] for path in paths_in(tree)}

    assert [path for path, _, _ in EXCEPTIONS if path not in known] == []
    assert [why for _, _, why in EXCEPTIONS if len(why.split()) < 4] == []


def paths_in(tree: dict[str, Any]) -> Iterator[str]:
    yield tree["path"]
    for below in tree.get("children", {}).values():
        yield from paths_in(below)


def test_nothing_is_made_by_code_that_nobody_sees_and_nothing_costs_for_being_there(
    synthesized: Synthesized, on_machines: Synthesized
) -> None:
    kinds = {
        made["Type"]
        for each in (synthesized, on_machines)
        for template in each.templates.values()
        for made in template["Resources"].values()
    }

    assert [kind for kind in kinds if kind.startswith(FORBIDDEN)] == []


def test_every_function_has_a_role_and_a_log_of_its_own(synthesized: Synthesized) -> None:
    made = synthesized.resources("AWS::Lambda::Function").values()
    logs = {each["LogGroupName"]: each for each in synthesized.resources("AWS::Logs::LogGroup").values()}

    assert len({json.dumps(each["Role"]) for each in made}) == len(FUNCTIONS)
    assert {f"/aws/lambda/{each['FunctionName']}" for each in made} <= set(logs)
    assert {each["RetentionInDays"] for each in logs.values()} == {30}


def test_only_those_who_need_it_know_the_reply_key(synthesized: Synthesized) -> None:
    told = {
        each["FunctionName"]
        for each in synthesized.resources("AWS::Lambda::Function").values()
        if "REPLY_KEY_SECRET" in each["Environment"]["Variables"]
    }

    assert told == {NAMES.function(name) for name in ("parse-email", "send-reply", "sweep")}


def actions_of(synthesized: Synthesized, role: str) -> set[str]:
    (statements,) = (
        each["PolicyDocument"]["Statement"]
        for name, each in synthesized.resources("AWS::IAM::Policy").items()
        if name.startswith(role)
    )
    return {action for statement in statements for action in as_list(statement["Action"])}


def as_list(value: Any) -> list[Any]:  # noqa: ANN401 - what a policy may hold
    return value if isinstance(value, list) else [value]


def test_rights_are_no_larger_than_the_work(synthesized: Synthesized) -> None:
    logs = {"logs:CreateLogStream", "logs:PutLogEvents"}

    assert actions_of(synthesized, "functionscheckactivejob") == logs | {
        "dynamodb:GetItem",
        "dynamodb:BatchGetItem",
        "dynamodb:Query",
        "dynamodb:Scan",
        "dynamodb:ConditionCheckItem",
    }
    assert not {action for action in actions_of(synthesized, "workersrole") if action.startswith(("ses:", "iam:"))}
    assert actions_of(synthesized, "flowrole") >= {"lambda:InvokeFunction", "sqs:SendMessage"}
    assert "states:StartExecution" in actions_of(synthesized, "functionsintake")


def test_no_right_is_for_every_action(synthesized: Synthesized, on_machines: Synthesized) -> None:
    granted = {
        action
        for each in (synthesized, on_machines)
        for policy in each.resources("AWS::IAM::Policy").values()
        for statement in policy["PolicyDocument"]["Statement"]
        for action in as_list(statement["Action"])
    }

    # As CDK itself grants it to a machine of ECS.
    assert {action for action in granted if "*" in action} <= {"ecs:Submit*"}


def test_buckets_are_encrypted_and_private_and_forget(synthesized: Synthesized) -> None:
    made = synthesized.resources("AWS::S3::Bucket")
    lives = {
        name: {rule.get("ExpirationInDays") for rule in each["LifecycleConfiguration"]["Rules"]} - {None}
        for name, each in made.items()
    }

    assert all(each["PublicAccessBlockConfiguration"] == dict.fromkeys(BLOCKED, True) for each in made.values())
    assert all(each["BucketEncryption"] for each in made.values())
    assert sorted(map(sorted, lives.values())) == [[1, 180], [30], [90]]
    (sites,) = (each for each in made.values() if "-sites-" in str(each["BucketName"]))
    ended = {rule.get("Prefix") for rule in sites["LifecycleConfiguration"]["Rules"] if "ExpirationInDays" in rule}
    assert ended == {each.prefix for each in SITES_KEPT}


BLOCKED = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")


def test_queues_and_topics_are_encrypted(synthesized: Synthesized) -> None:
    assert all(each["SqsManagedSseEnabled"] for each in synthesized.resources("AWS::SQS::Queue").values())
    assert all(each["KmsMasterKeyId"] for each in synthesized.resources("AWS::SNS::Topic").values())


def test_mail_goes_into_the_bucket_with_its_verdicts_and_only_replays_are_told_by_the_bucket(
    synthesized: Synthesized,
) -> None:
    (rule,) = synthesized.resources("AWS::SES::ReceiptRule").values()
    (action,) = rule["Rule"]["Actions"]
    told = [
        one
        for each in synthesized.resources("AWS::S3::Bucket").values()
        for one in each.get("NotificationConfiguration", {}).get("LambdaConfigurations", [])
    ]

    assert rule["Rule"]["Recipients"] == [DOMAIN, f".{DOMAIN}"]
    assert action["S3Action"]["TopicArn"]
    assert [one["Filter"]["S3Key"]["Rules"] for one in told] == [[{"Name": "prefix", "Value": REPLAYS}]]


def test_a_domain_that_ses_knows_already_is_left_alone(synthesized: Synthesized, on_machines: Synthesized) -> None:
    assert [each["EmailIdentity"] for each in synthesized.resources("AWS::SES::EmailIdentity").values()] == [DOMAIN]
    assert on_machines.resources("AWS::SES::EmailIdentity") == {}


def test_only_those_who_ask_bedrock_may(synthesized: Synthesized, on_machines: Synthesized) -> None:
    allowed = {"bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"}

    assert allowed <= actions_of(on_machines, "workersrole")
    assert not allowed & actions_of(synthesized, "workersrole")


def test_the_sweep_is_called_as_often_as_the_engine_says(synthesized: Synthesized) -> None:
    (rule,) = synthesized.resources("AWS::Events::Rule").values()
    (sweep,) = (each for each in FUNCTIONS if each.every)

    assert sweep.every == timedelta(minutes=1)
    assert rule["ScheduleExpression"] == "rate(1 minute)"


def the_container(synthesized: Synthesized) -> dict[str, Any]:
    task = task_of(synthesized, "edit-service")
    (container,) = task["ContainerDefinitions"]
    return dict(container)


def test_a_worker_has_time_to_give_everything_back(synthesized: Synthesized) -> None:
    container = the_container(synthesized)
    longest = max(Duration.read(AWS_WORKERS[each]) for each in ("drain", "drain_committing"))

    assert longest < timedelta(seconds=container["StopTimeout"]) <= LONGEST_STOP
    assert container["HealthCheck"]["Command"] == ["CMD", "webordinary", "work", "--healthy"]
    assert {each["Name"] for each in container["Secrets"]} == {secret.variable for secret in SECRETS}


def test_a_worker_knows_no_project(synthesized: Synthesized) -> None:
    known = {each["Name"] for each in the_container(synthesized)["Environment"]}

    assert known >= {
        "UNCLAIMED_QUEUE_URL",
        "OWNERSHIP_TABLE_NAME",
        "ACTIVE_JOBS_TABLE",
        "AWS_REGION",
        "AWS_ACCOUNT_ID",
        "WORKSPACE_PATH",
        "WEBORDINARY_AWS_KEY_VALUE_STORE",
    }
    assert not {name for name in known if "PROJECT" in name or "KEY" in name.removesuffix("_KEY_VALUE_STORE")}


def test_workers_follow_the_lanes_down_to_none(synthesized: Synthesized) -> None:
    (count,) = synthesized.resources("AWS::ApplicationAutoScaling::ScalableTarget").values()
    policies = synthesized.resources("AWS::ApplicationAutoScaling::ScalingPolicy").values()
    made = synthesized.resources("AWS::CloudWatch::Alarm").values()
    alarms = [each for each in made if each["AlarmName"].startswith(f"{PREFIX}-workers-")]
    watched = {
        metric["MetricStat"]["Metric"]["MetricName"]
        for alarm in alarms
        for metric in alarm["Metrics"]
        if "MetricStat" in metric
    }

    assert (count["MinCapacity"], count["ResourceId"]) == (0, f"service/{NAMES.cluster}/{NAMES.workers}")
    assert {each["StepScalingPolicyConfiguration"]["AdjustmentType"] for each in policies} == {"ExactCapacity"}
    assert watched == {Metric.ACTIVE_CLAIMS.value, Metric.LANES_WAITING.value}


@pytest.mark.parametrize("most", [1, 2, 4, 20, 21, 100, 1000])
def test_every_number_of_lanes_has_its_workers(most: int) -> None:
    made = steps(most)

    assert len(made) <= MOST_STEPS
    assert (made[0].lower, made[-1].upper, made[-1].workers) == (0, None, most)
    for step, after in itertools.pairwise(made):
        assert step.upper == after.lower
        # As many lanes as end this step have a worker each; lanes are counted from the first on.
        assert step.workers >= (step.upper or 0)


def test_machines_of_ones_own_let_bubblewrap_work_and_keep_their_credentials(on_machines: Synthesized) -> None:
    task = task_of(on_machines, "edit-service")
    (template,) = on_machines.resources("AWS::EC2::LaunchTemplate").values()
    machine = template["LaunchTemplateData"]

    assert task["NetworkMode"] == "bridge"
    assert the_container(on_machines)["Privileged"] is True
    assert machine["MetadataOptions"] == {"HttpPutResponseHopLimit": 1, "HttpTokens": "required"}
    assert all(each["Ebs"]["Encrypted"] for each in machine["BlockDeviceMappings"])


def task_of(made: Synthesized, what: str) -> dict[str, Any]:
    tasks = made.resources("AWS::ECS::TaskDefinition").values()
    return next(task for task in tasks if task["Family"].endswith(what))


def test_the_dashboard_is_there_only_where_it_is_asked_for_and_nobody_can_call_it(
    synthesized: Synthesized, on_machines: Synthesized
) -> None:
    assert [each["Family"] for each in synthesized.resources("AWS::ECS::TaskDefinition").values()] == [
        f"{PREFIX}-edit-service"
    ]
    (container,) = task_of(on_machines, "dashboard")["ContainerDefinitions"]
    services = on_machines.resources("AWS::ECS::Service").values()
    (face,) = [each for each in services if each["ServiceName"] == f"{PREFIX}-dashboard"]

    # A link in a log would let in whoever reads the log.
    assert container["Command"] == ["webordinary", "dashboard", "--no-browser", "--no-link"]
    assert (face["DesiredCount"], face["EnableExecuteCommand"]) == (1, True)
    assert "LoadBalancers" not in face
    assert all("SecurityGroupIngress" not in each for each in on_machines.resources("AWS::EC2::SecurityGroup").values())


def figures_in(synthesized: Synthesized) -> Iterator[dict[str, Any]]:
    for alarm in synthesized.resources("AWS::CloudWatch::Alarm").values():
        yield from ([alarm] if "MetricName" in alarm else ())
        yield from (each["MetricStat"]["Metric"] for each in alarm.get("Metrics", ()) if "MetricStat" in each)


def test_a_machine_has_room_for_as_many_workers_as_machines_are_counted_for(on_machines: Synthesized) -> None:
    (launched,) = on_machines.resources("AWS::EC2::LaunchTemplate").values()
    assert launched["LaunchTemplateData"]["InstanceType"] == "m6i.large"
    task = task_of(on_machines, "edit-service")
    (group,) = on_machines.resources("AWS::AutoScaling::AutoScalingGroup").values()
    (count,) = on_machines.resources("AWS::ApplicationAutoScaling::ScalableTarget").values()
    # Of its two processors and 8 GiB a machine keeps some memory for its kernel and for the agent of ECS.
    in_one = min(2048 // int(task["Cpu"]), (8192 - 512) // int(task["Memory"]))
    assert in_one * int(group["MaxSize"]) >= count["MaxCapacity"]
    assert in_one == 2


def test_alarms_watch_only_what_the_engine_or_aws_measures(synthesized: Synthesized) -> None:
    ours = {each["MetricName"] for each in figures_in(synthesized) if each["Namespace"] == NAMESPACE}

    assert ours <= {metric.value for metric in Metric}
    assert ours >= {"dead_letters", "oldest_unanswered", "oldest_waiting", "claim_attempts", "timeouts"}
    assert {
        (each["Namespace"], each["MetricName"]) for each in figures_in(synthesized) if each["Namespace"] != NAMESPACE
    } == {
        ("AWS/SQS", "ApproximateNumberOfMessagesVisible"),
        ("AWS/Lambda", "Errors"),
        ("AWS/States", "ExecutionsFailed"),
        ("AWS/States", "ExecutionsTimedOut"),
        ("AWS/States", "ExecutionThrottled"),
        ("AWS/Lambda", "Throttles"),
        ("AWS/DynamoDB", "ReadThrottleEvents"),
        ("AWS/DynamoDB", "WriteThrottleEvents"),
        ("AWS/SES", "Reputation.BounceRate"),
        ("AWS/SES", "Reputation.ComplaintRate"),
    }


def test_half_an_hour_without_an_outcome_is_an_alarm_and_so_is_silence(synthesized: Synthesized) -> None:
    alarms = {each["AlarmName"]: each for each in synthesized.resources("AWS::CloudWatch::Alarm").values()}
    unanswered = alarms[f"{PREFIX}-mail-without-outcome"]

    assert unanswered["Threshold"] == timedelta(minutes=30).total_seconds()
    assert unanswered["TreatMissingData"] == "breaching"
    assert all(each["AlarmDescription"] and each["AlarmActions"] for each in alarms.values())


def test_the_dashboard_shows_what_the_agency_asks_for(synthesized: Synthesized) -> None:
    (page,) = synthesized.resources("AWS::CloudWatch::Dashboard").values()
    pieces = page["DashboardBody"]["Fn::Join"][1]
    shown = "".join(piece if isinstance(piece, str) else "" for piece in pieces)

    for metric in ("unclaimed_depth", "claim_attempts", "time_to_claim", "jobs", "interruptions", "cost"):
        assert f'"{NAMESPACE}","{metric}"' in shown


def test_visitors_are_led_by_the_engines_own_function(synthesized: Synthesized) -> None:
    (function,) = synthesized.resources("AWS::CloudFront::Function").values()
    (distribution,) = synthesized.resources("AWS::CloudFront::Distribution").values()
    behaviour = distribution["DistributionConfig"]["DefaultCacheBehavior"]

    assert function["FunctionCode"] == site_delivery(DOMAIN)
    assert {each["EventType"] for each in behaviour["FunctionAssociations"]} == {"viewer-request", "viewer-response"}
    assert behaviour["ViewerProtocolPolicy"] == "redirect-to-https"


def test_with_a_certificate_every_name_below_the_domain_leads_to_a_site(on_machines: Synthesized) -> None:
    (distribution,) = on_machines.resources("AWS::CloudFront::Distribution").values()

    assert distribution["DistributionConfig"]["Aliases"] == [f"*.{DOMAIN}"]
    assert distribution["DistributionConfig"]["ViewerCertificate"]["MinimumProtocolVersion"] == "TLSv1.2_2021"


def test_visitors_read_what_is_shown_and_nothing_else(synthesized: Synthesized) -> None:
    granted = [
        statement
        for policy in synthesized.resources("AWS::S3::BucketPolicy").values()
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    ]
    (distribution,) = synthesized.resources("AWS::CloudFront::Distribution").values()
    pages = {each["ResponsePagePath"] for each in distribution["DistributionConfig"]["CustomErrorResponses"]}

    assert [len(statement["Resource"]) for statement in granted] == [len(SHOWN)]
    assert pages == {f"/{NOT_FOUND}"}


def test_machines_are_given_to_the_cluster_before_the_service_asks_for_them(on_machines: Synthesized) -> None:
    (given,) = on_machines.resources("AWS::ECS::ClusterCapacityProviderAssociations")
    (template,) = (each for each in on_machines.templates.values() if given in each["Resources"])
    services = [each for each in template["Resources"].values() if each["Type"] == "AWS::ECS::Service"]
    (service,) = (each for each in services if "CapacityProviderStrategy" in each["Properties"])

    assert given in service["DependsOn"]


def test_no_program_of_a_worker_can_gain_a_right(on_machines: Synthesized) -> None:
    tasks = on_machines.resources("AWS::ECS::TaskDefinition").values()
    (worker,) = (one for task in tasks for one in task["ContainerDefinitions"] if one["Name"] == "worker")

    assert worker["DockerSecurityOptions"] == ["no-new-privileges"]


def test_what_all_regions_of_an_account_share_is_named_with_the_region(synthesized: Synthesized) -> None:
    """Buckets and the store hold what nobody may lose, so their names stay: two regions need two prefixes."""
    shared = {
        "AWS::IAM::Role": "RoleName",
        "AWS::CloudFront::Function": "Name",
        "AWS::CloudWatch::Dashboard": "DashboardName",
    }
    names = [made.get(key) for kind, key in shared.items() for made in synthesized.resources(kind).values()]

    assert names
    assert [name for name in names if not str(name).endswith(f"-{REGION}")] == []
    assert [
        name for name in names if len(str(name).replace(PREFIX, "x" * 28).replace(REGION, "ap-southeast-2")) > 64
    ] == []


def test_secrets_lie_in_one_table_under_one_key_that_stays(synthesized: Synthesized) -> None:
    """A row of a kilobyte is nothing beside the dollar that the key costs, with a hundred thousand projects too."""
    (table,) = (
        each for each in synthesized.resources("AWS::DynamoDB::Table").values() if each["TableName"] == NAMES.secrets
    )
    sealed = table["SSESpecification"]
    key = sealed["KMSMasterKeyId"]["Fn::GetAtt"][0]
    (made,) = (each["Resources"][key] for each in synthesized.templates.values() if key in each["Resources"])

    assert sealed["SSEType"] == "KMS"
    assert made["DeletionPolicy"] == "Retain"
