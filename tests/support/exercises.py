"""Exercises as from an analysis."""

from __future__ import annotations

from boomslang.engine.analysis.exercises.exercise import Exercise

# Two mates in one, a rook that gives the other up, and much else.
FEN = "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 3 30"


def mate_in_one() -> Exercise:
    return Exercise(
        fen=FEN,
        chess960=False,
        best=("a1a8",),
        chance=97.5,
        played="h2h3",
        known={"a1a8": 97.5, "e1e8": 97.5, "h2h3": 90.0, "g2g3": 93.0},
        origin='Doe, "Jane" – Roe, 2026.01.02',
    )


def en_passant() -> Exercise:
    return Exercise(
        fen="4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9",
        chess960=False,
        best=("e5d6", "e8d7"),
        chance=70.0,
        played="e1e2",
        known={"e5d6": 70.0, "e1e2": 55.0},
        origin="A – B",
    )
