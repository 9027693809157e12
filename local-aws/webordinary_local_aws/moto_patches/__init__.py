"""What moto gets wrong or does too slowly for us, mended in its process."""

from __future__ import annotations
