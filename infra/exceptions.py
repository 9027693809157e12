"""What the checks would have otherwise, and why it is as it should be."""

from __future__ import annotations

# Where in the tree, which rule, and why not.
EXCEPTIONS = (
    ("secrets/reply-key", "SMG4", "With another key, answers to mails of yesterday would be refused."),
    ("secrets/model", "SMG4", "The model's maker gives this key, and nobody can ask him for another by machine."),
    ("lanes/intake-dlq", "SQS3", "It is one: intake's, which is a function and no queue."),
    ("mail/mails", "S1", "Who read which mail is in the logs of the functions; a bucket of logs would cost more."),
    ("mail/media", "S1", "Who read which file is in the logs of the functions; a bucket of logs would cost more."),
    ("sites/releases", "S1", "Nobody reads it but CloudFront."),
    ("flow/machine", "SF2", "The history of each execution has every state with its times; there is nothing to trace."),
    ("sites/distribution", "CFR1", "A shop's site is for everybody, wherever they are."),
    ("sites/distribution", "CFR2", "Static files and no forms: there is nothing to defend but the bill."),
    ("sites/distribution", "CFR3", "Visitors of other people's sites are not ours to record."),
    ("sites/distribution", "CFR4", "Only without a certificate, while nobody but the agency looks at it."),
    (
        "workers/network/vpc",
        "VPC7",
        "Nobody can call in, and workers fetch repositories: a log of that costs more than it says.",
    ),
    ("workers/cluster", "ECS4", "The sweep measures what matters, lanes; the rest would cost more than the workers."),
    ("face/task", "ECS2", "Names of tables and queues; what is secret comes from Secrets Manager."),
    ("face/role", "IAM5[Resource::*]", "A session through AWS has no name of its own, AWS says in its manual."),
    ("workers/task", "ECS2", "Names of tables and queues; what is secret comes from Secrets Manager."),
    ("flow/role", "IAM5[Resource::*]", "A delivery of logs has no name of its own, AWS says in its manual."),
    ("workers/starter", "IAM5[Resource::*]", "To log in at the registry of images is a right without a thing."),
    (
        "workers/machine-role",
        "IAM5[Resource::*]",
        "What a machine of ECS does with its cluster, as CDK itself grants it.",
    ),
    ("workers/machine-role", "IAM5[Action::ecs:Submit*]", "The same: it tells the cluster what became of its tasks."),
    ("workers/machines", "AS3", "Machines come and go with the work; the dashboard shows the lanes that they are for."),
)
