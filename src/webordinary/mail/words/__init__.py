"""The words of a mail: what the person wrote, told apart from quotes and signatures, and what short replies mean."""

from __future__ import annotations
