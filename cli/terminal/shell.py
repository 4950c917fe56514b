"""Commands as a shell of this system takes them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence


def pip_install(package: str) -> str:
    """The command that installs a package where this Python finds it."""
    return shell_quote([sys.executable, "-m", "pip", "install", package])


def shell_quote(words: Sequence[str]) -> str:
    """A command quoted for a shell of this system."""
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)
