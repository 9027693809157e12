"""The infrastructure on AWS: what the engine expects there, as CDK writes it; names and rights come from the engine."""
