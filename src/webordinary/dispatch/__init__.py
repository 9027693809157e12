"""Dispatch: every rule of lanes, claims, attempts, interrupts and limits, once; an engine brings only a store."""
