"""How games against an opponent stand, in words, and whether more of them are needed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import Final

from boomslang.cli.terminal.arguments import UsageError
from boomslang.engine.selfplay.pentanomial import Pentanomial

_ERRORS: Final = 0.05  # chance that the SPRT accepts the wrong hypothesis, either way


def add_sprt(parser: argparse._ActionsContainer) -> None:
    """`--sprt`: two differences in Elo; check them with `check_sprt`."""
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="stop as soon as one of these differences is far more likely than the other",
    )


def check_sprt(sprt: Sequence[float] | None) -> None:
    """Raises UsageError."""
    if sprt and not sprt[0] < sprt[1]:
        raise UsageError("ELO0 must be below ELO1")


def is_decided(tally: Pentanomial, sprt: Sequence[float] | None) -> bool:
    """True if no more games are needed."""
    limit = math.log((1.0 - _ERRORS) / _ERRORS)
    return bool(sprt) and abs(tally.log_likelihood_ratio(*(sprt or ()))) >= limit


def score(tally: Pentanomial, sprt: Sequence[float] | None) -> str:
    """How it stands, short enough for a bar beside it."""
    won, drawn, lost = tally.games
    elo, error = tally.elo()
    known = "?" if error is None else f"{error:.1f}"
    text = f"+{won} ={drawn} -{lost}  {elo:+.1f} +/- {known} Elo"
    return f"{text}  LLR {tally.log_likelihood_ratio(*sprt):.2f}" if sprt else text


def verdict(tally: Pentanomial, sprt: Sequence[float] | None) -> str:
    """What is said at the end."""
    bounds = f" for [{sprt[0]:g}, {sprt[1]:g}]" if sprt else ""
    return f"{score(tally, sprt)}{bounds}  pairs {tally.pairs}"
