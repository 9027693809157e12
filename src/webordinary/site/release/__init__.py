"""From a commit to a release: the dependencies, the build in the sandbox, and a clean copy of what it made."""

from __future__ import annotations
