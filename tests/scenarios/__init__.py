"""Scenarios: the product does what the person expects."""
