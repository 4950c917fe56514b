"""What can go wrong with workers, and is not the fault of the work."""

from __future__ import annotations

from typing import Final

MOST_LOSSES: Final = 4  # workers that die over one item, before it is the item's fault


class JobsError(Exception):
    """Work that cannot be done: no worker is there, or every one dies of it. One line for the user."""
