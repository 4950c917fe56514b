"""Commands as users type them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence


def spelled(words: Sequence[str]) -> str:
    """A command quoted for a shell of this system."""
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)
