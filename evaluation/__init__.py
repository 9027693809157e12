"""How good an agent is: real requests to real sites, judged by what stands on the built pages afterwards."""

from __future__ import annotations
