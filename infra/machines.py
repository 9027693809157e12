"""Machines of one's own for workers: they come and go with the tasks that need room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_autoscaling as autoscaling
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_iam as iam

if TYPE_CHECKING:
    from constructs import Construct

    from infra.network import Network
    from infra.settings import Settings

# Room for two workers of one processor and three and a half gigabytes each.
_KIND = "m6i.large"
_DISK_GIBIBYTES = 60


def machines(scope: Construct, settings: Settings, cluster: ecs.Cluster, network: Network) -> ecs.AsgCapacityProvider:
    """Make the group of machines and let the cluster decide how many there are."""
    role = iam.Role(
        scope,
        "machine-role",
        role_name=f"{settings.names.workers}-machine-{settings.region}",
        assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"),
    )
    template = ec2.LaunchTemplate(
        scope,
        "machine",
        instance_type=ec2.InstanceType(_KIND),
        machine_image=ecs.EcsOptimizedImage.amazon_linux2023(),
        security_group=network.outwards,
        role=role,
        user_data=ec2.UserData.for_linux(),
        associate_public_ip_address=True,
        # A container is one step further away than the machine: it cannot ask for the machine's credentials.
        http_put_response_hop_limit=1,
        http_tokens=ec2.LaunchTemplateHttpTokens.REQUIRED,
        block_devices=[
            ec2.BlockDevice(
                device_name="/dev/xvda",
                volume=ec2.BlockDeviceVolume.ebs(
                    _DISK_GIBIBYTES, encrypted=True, volume_type=ec2.EbsDeviceVolumeType.GP3
                ),
            )
        ],
    )
    group = autoscaling.AutoScalingGroup(
        scope,
        "machines",
        vpc=cluster.vpc,
        vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PUBLIC),
        launch_template=template,
        min_capacity=0,
        max_capacity=(settings.max_workers + 1) // 2 + 1,
        new_instances_protected_from_scale_in=True,
    )
    provider = ecs.AsgCapacityProvider(
        scope,
        "capacity",
        auto_scaling_group=group,
        enable_managed_scaling=True,
        enable_managed_termination_protection=True,
        # It would be a function with code of its own; the cluster drains by itself.
        enable_managed_draining=True,
    )
    cluster.add_asg_capacity_provider(provider)
    return provider
