"""What is raised for a request that cannot be fulfilled."""

from __future__ import annotations


class CommandError(ValueError):
    """An option, a position or a command that cannot be used; the message says why."""
