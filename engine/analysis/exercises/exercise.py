"""One exercise: a position in which a player went wrong, or one of a repertoire."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import chess

from boomslang.engine.analysis.exercises.repetition import Repetition
from boomslang.engine.notation.positions import board_of

EXERCISES: Final = "exercises"  # the list that every version expects
REPERTOIRE: Final = "repertoire"
_UNKNOWN: Final = 0.25
TOLERANCE: Final = 5.0  # percentage points below the best winning chance that still are right


@dataclass(slots=True)
class Exercise(Repetition):
    """A position with its best line. Moves are in UCI notation, chances in percent for the side to move.

    In a repertoire the chances of its moves are 100, and nothing was played.
    """

    fen: str
    chess960: bool
    best: tuple[str, ...]  # the best line
    chance: float  # winning chance after the best move
    played: str  # the wrong move of the game; empty: a position of a repertoire
    known: Mapping[str, float]  # winning chances of the moves that the analysis has looked at
    origin: str  # players and date, or chapter and line, for people
    reason: str = ""  # why the move of the game is wrong, one sentence; empty: not known
    by_wdl: bool = False  # the chances are those that an engine says, see `win_percent`
    found: float | None = None  # share of players with his rating that find the best move, if known

    @property
    def name(self) -> str:
        """A name that depends on the position alone, and is another one in a repertoire."""
        text = " ".join([*self.fen.split()[:4], *[REPERTOIRE] * self.is_repertoire])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def is_repertoire(self) -> bool:
        """True for a position of a repertoire."""
        return not self.played

    @property
    def oddness(self) -> float:
        """How far it is from what every second such player solves, 0 to 0.5; in between if not known."""
        return _UNKNOWN if self.found is None else abs(self.found - 0.5)

    @property
    def is_kept_in_mind(self) -> bool:
        """True for a position of a repertoire."""
        return self.is_repertoire

    @property
    def section(self) -> str:
        """The list in which it is kept."""
        return REPERTOIRE if self.is_repertoire else EXERCISES

    def take_moves(self, other: Exercise) -> None:
        """Take over what is right in the same position."""
        self.best, self.known, self.origin = other.best, other.known, other.origin

    def board(self) -> chess.Board:
        """The position on a new board."""
        return board_of(self.fen, self.chess960)

    def accepts(self, chance: float) -> bool:
        """True for the winning chance of a right move, to the tenth that is shown."""
        return round(chance, 1) >= round(self.chance - TOLERANCE, 1)

    def right_moves(self) -> list[chess.Move]:
        """The right moves that the analysis has looked at, the best first."""
        board = self.board()
        others = sorted(
            (name for name, chance in self.known.items() if self.accepts(chance)),
            key=lambda name: -self.known[name],
        )
        names = dict.fromkeys([self.best[0], *others])
        return [board.parse_uci(name) for name in names]

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Exercise:
        """The reverse of `to_json`; raises KeyError, TypeError or ValueError for anything else."""
        exercise = cls(
            fen=str(kept["fen"]),
            chess960=kept["chess960"],
            best=tuple(str(move) for move in kept["best"]),
            chance=float(kept["chance"]),
            played=str(kept["played"]),
            known={str(move): float(chance) for move, chance in dict(kept["known"]).items()},
            origin=str(kept["origin"]),
            reason=" ".join(str(kept.get("reason", "")).split()),
            by_wdl=kept.get("by_wdl", False),
            found=None if kept.get("found") is None else float(kept["found"]),
            **cls.read_schedule(kept),
        )
        exercise._check()
        board = exercise.board()
        for name in (*filter(None, [exercise.played]), *exercise.known):
            board.parse_uci(name)
        for name in exercise.best:
            board.push_uci(name)
        return exercise

    def _check(self) -> None:
        """Raise ValueError for a value that no exercise has."""
        if not self.best:
            raise ValueError("an exercise without a solution")
        for name, flag in (("chess960", self.chess960), ("by_wdl", self.by_wdl)):
            if not isinstance(flag, bool):
                raise ValueError(f"{name} {flag!r}")
        found = 100 * (self.found or 0)
        for name, chance in {"chance": self.chance, "found": found, **self.known}.items():
            if not 0 <= chance <= 100:
                raise ValueError(f"{name} {chance}: not a winning chance in per cent")
