"""Contracts: each engine keeps each port's promises."""
