"""How much of the long tests is run: all of it, or the part that `make chaos N=0.1` asks for."""

from __future__ import annotations

import os

SCALE = float(os.environ.get("WEBORDINARY_SCALE", "1"))
