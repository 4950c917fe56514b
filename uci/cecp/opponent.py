"""Who sits on the other side: `name`, `rating`, `computer`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from uci.parse import Refused, loose_number
from uci.report import opponent


class Opponent:
    """Collects what is told, and remarks upon it with `say`, as `UCI_Opponent` does."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.forget()

    def forget(self) -> None:
        """A new game: it may be somebody else."""
        self._name = "none"
        self._rating = 0
        self._kind = "human"

    def call(self, name: str) -> None:
        """`name NAME`."""
        self._name = name or "none"
        self._remark()

    def rate(self, words: Sequence[str]) -> None:
        """`rating OURS THEIRS`; 0 is unknown. Raises Refused."""
        ratings = [loose_number(word) for word in words]
        if len(ratings) < 2 or ratings[1] is None:
            raise Refused("two numbers expected")
        self._rating = max(0, ratings[1])
        self._remark()

    def is_computer(self) -> None:
        """`computer`."""
        self._kind = "computer"
        self._remark()

    def _remark(self) -> None:
        self._say(opponent(f"none {self._rating or 'none'} {self._kind} {self._name}"))
