"""Errors of the workers, as opposed to errors of their work."""

from __future__ import annotations

from typing import Final

MAX_LOSSES: Final = 4  # after this many dead workers an item counts as faulty


class JobsError(Exception):
    """Work that cannot be done: there are no workers, or all of them die. One line for the user."""
