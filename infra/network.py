"""The network of the workers: public subnets without a way in, and no NAT that would cost more than the workers."""

from __future__ import annotations

from aws_cdk import aws_ec2 as ec2
from constructs import Construct


class Network(Construct):
    """Workers reach git, the model and AWS; nobody reaches them."""

    def __init__(self, scope: Construct) -> None:
        super().__init__(scope, "network")
        self.vpc = ec2.Vpc(
            self,
            "vpc",
            max_azs=2,
            nat_gateways=0,
            restrict_default_security_group=False,
            subnet_configuration=[
                ec2.SubnetConfiguration(name="workers", subnet_type=ec2.SubnetType.PUBLIC, cidr_mask=24),
            ],
            # They cost nothing, and keep what is uploaded off the public addresses.
            gateway_endpoints={
                "s3": ec2.GatewayVpcEndpointOptions(service=ec2.GatewayVpcEndpointAwsService.S3),
                "dynamodb": ec2.GatewayVpcEndpointOptions(service=ec2.GatewayVpcEndpointAwsService.DYNAMODB),
            },
        )
        self.outwards = ec2.SecurityGroup(
            self, "outwards", vpc=self.vpc, description="Workers call out; nobody calls in", allow_all_outbound=True
        )
