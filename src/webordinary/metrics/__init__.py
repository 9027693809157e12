"""Figures of a running installation: what is counted and measured, and where it is written."""
