"""Webhooks: other programs are told when a job is finished or something needs a person."""
