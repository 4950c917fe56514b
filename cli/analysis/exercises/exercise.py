"""One exercise: a position in which a player went wrong, and when it comes again."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import chess

from boomslang.engine.notation.positions import board_of

TOLERANCE: Final = 5.0  # percentage points below the best winning chance that still are right
# Days until a wrong exercise comes again, then after each right answer.
INTERVALS: Final = (1, 3, 7, 21)


@dataclass(slots=True)
class Exercise:
    """A position with its best line. Moves are in UCI notation, chances in percent for the side to move."""

    fen: str
    chess960: bool
    best: tuple[str, ...]  # the best line
    chance: float  # winning chance after the best move
    played: str  # the wrong move of the game
    known: Mapping[str, float]  # winning chances of the moves that the analysis has looked at
    origin: str  # players and date, for people
    step: int | None = None  # index in INTERVALS; None: new, or finished
    due: datetime.date | None = None  # None: new, or finished
    right: int = 0  # answers
    wrong: int = 0
    reason: str = ""  # why the move of the game is wrong, one sentence; empty: not known

    @property
    def name(self) -> str:
        """A name that depends on the position alone."""
        text = " ".join(self.fen.split()[:4])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def is_finished(self) -> bool:
        """True if it was answered and does not come again."""
        return self.due is None and self.right + self.wrong > 0

    def is_due(self, today: datetime.date) -> bool:
        """True if it is to be solved: a new one, or one whose day has come."""
        return not self.is_finished and (self.due is None or self.due <= today)

    def record_answer(self, is_right: bool, today: datetime.date) -> None:
        """Note an answer. A wrong one starts the intervals anew, a first right one finishes the exercise."""
        if not is_right:
            self.wrong += 1
            self.step = 0
        else:
            self.right += 1
            self.step = None if self.step is None else self.step + 1
        if self.step is None or self.step >= len(INTERVALS):
            self.step = self.due = None
        else:
            self.due = today + datetime.timedelta(days=INTERVALS[self.step])

    def board(self) -> chess.Board:
        """The position on a new board."""
        return board_of(self.fen, self.chess960)

    def accepts(self, chance: float) -> bool:
        """True for the winning chance of a right move."""
        return chance >= self.chance - TOLERANCE

    def right_moves(self) -> list[chess.Move]:
        """The right moves that the analysis has looked at, the best first."""
        board = self.board()
        others = sorted(
            (name for name, chance in self.known.items() if self.accepts(chance)),
            key=lambda name: -self.known[name],
        )
        names = dict.fromkeys([self.best[0], *others])
        return [board.parse_uci(name) for name in names]

    def to_json(self) -> dict[str, Any]:
        """The form in which it is stored."""
        return {**asdict(self), "due": self.due.isoformat() if self.due else None}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Exercise:
        """The reverse of `to_json`; raises KeyError, TypeError or ValueError for anything else."""
        due = kept["due"]
        exercise = cls(
            fen=str(kept["fen"]),
            chess960=kept["chess960"],
            best=tuple(str(move) for move in kept["best"]),
            chance=float(kept["chance"]),
            played=str(kept["played"]),
            known={str(move): float(chance) for move, chance in dict(kept["known"]).items()},
            origin=str(kept["origin"]),
            step=None if kept["step"] is None else int(kept["step"]),
            due=None if due is None else datetime.date.fromisoformat(due),
            right=int(kept["right"]),
            wrong=int(kept["wrong"]),
            reason=" ".join(str(kept.get("reason", "")).split()),
        )
        exercise._check()
        board = exercise.board()
        for name in (exercise.played, *exercise.known):
            board.parse_uci(name)
        for name in exercise.best:
            board.push_uci(name)
        return exercise

    def _check(self) -> None:
        """Raise ValueError for a value that no exercise has."""
        if not self.best:
            raise ValueError("an exercise without a solution")
        if not isinstance(self.chess960, bool):
            raise ValueError(f"chess960 {self.chess960!r}")
        for name, chance in {"chance": self.chance, **self.known}.items():
            if not 0 <= chance <= 100:
                raise ValueError(f"{name} {chance}: not a winning chance in per cent")
        if self.step is not None and not 0 <= self.step < len(INTERVALS):
            raise ValueError(f"step {self.step}: not from 0 to {len(INTERVALS) - 1}")
        if (self.step is None) != (self.due is None):
            raise ValueError("step and due: one without the other")
        if self.right < 0 or self.wrong < 0:
            raise ValueError("right and wrong: a number of answers below 0")
