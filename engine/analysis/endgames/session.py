"""Endings played one after the other, for any face: the terminal, or the board in a browser."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

from boomslang.engine.analysis.endgames.ending import Ending, Response, plies_words
from boomslang.engine.analysis.endgames.kinds import EndingKind
from boomslang.engine.analysis.endgames.record import EndingFile, next_ending


class EndingSession:
    """Which ending is played, and how well; a result is on the disk when `record` returns."""

    def __init__(
        self, file: EndingFile, today: Callable[[], datetime.date] = datetime.date.today
    ) -> None:
        self.file = file
        self._today = today
        self._skipped: set[str] = set()
        self.ending: Ending | None = None
        self._is_counted = False
        # Plies by which a move was slower than the quickest, by the number of moves up to it.
        self._lost: dict[int, int] = {}
        self.right = 0  # endings without a mistake
        self.wrong = 0

    def next(self, kinds: Sequence[EndingKind]) -> tuple[EndingKind, str]:
        """The kind to practise, and the FEN to begin with or an empty one. Raises FileError."""
        kind, fen = next_ending(self.file.read(), kinds, self._skipped, self._today())
        self._skipped.add(kind.name)
        self.begin(None)
        return kind, fen

    def begin(self, ending: Ending | None) -> None:
        """Play an ending, or none."""
        self.ending, self._is_counted, self._lost = ending, False, {}

    def go_back(self, count: int) -> None:
        """Forget the moves after the first `count`."""
        self._lost = {number: plies for number, plies in self._lost.items() if number <= count}

    def judge(self, response: Response, count: int) -> str:
        """What is said about the last of `count` moves."""
        if not response.is_kept:
            return response.text if response.is_over else f"{response.text} Try again."
        self._lost[count] = response.lost_plies
        if not response.is_over or not self.ending:
            return response.text
        moves, lost = (count + 1) // 2, sum(self._lost.values())
        slower = f", {plies_words(lost)} slower than the quickest moves" if lost else ""
        reached = f"Reached in {moves} move{'s' * (moves != 1)}{slower}."
        return f"{response.text} {reached} {self.ending.kind.idea}"

    def record(self, is_right: bool) -> None:
        """Keep the result of the ending, once: a mistake, or the success. Raises FileError."""
        if not self.ending or self._is_counted:
            return
        self._is_counted = True
        self.right += is_right
        self.wrong += not is_right
        self.file.record(self.ending.kind, self.ending.fen, is_right, self._today())
