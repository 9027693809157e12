"""The flow in Step Functions: its definition, its functions and their steps."""

from __future__ import annotations
