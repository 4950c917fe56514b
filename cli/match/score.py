"""The score of a match in words, and the SPRT that decides when it stops."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import Final

from boomslang.cli.terminal.arguments import UsageError
from boomslang.engine.selfplay.pentanomial import Pentanomial

_ERRORS: Final = 0.05  # error probabilities of the SPRT, alpha and beta


def add_sprt(parser: argparse._ActionsContainer) -> None:
    """`--sprt`: the Elo differences of both hypotheses; check them with `check_sprt`."""
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="end by SPRT between these two Elo differences (no SPRT)",
    )


def check_sprt(sprt: Sequence[float] | None) -> None:
    """Raises UsageError unless ELO0 is below ELO1."""
    if sprt and not sprt[0] < sprt[1]:
        raise UsageError("--sprt: ELO0 must be below ELO1")


def is_decided(results: Pentanomial, sprt: Sequence[float] | None) -> bool:
    """True if no more games are needed."""
    limit = math.log((1.0 - _ERRORS) / _ERRORS)
    return bool(sprt) and abs(results.log_likelihood_ratio(*(sprt or ()))) >= limit


def score(results: Pentanomial, sprt: Sequence[float] | None) -> str:
    """The score so far, short enough for the title of a progress bar."""
    won, drawn, lost = results.games
    elo, error = results.elo()
    known = "?" if error is None else f"{error:.1f}"
    text = f"+{won} ={drawn} -{lost}  {elo:+.1f} +/- {known} Elo"
    return f"{text}  LLR {results.log_likelihood_ratio(*sprt):.2f}" if sprt else text


def verdict(results: Pentanomial, sprt: Sequence[float] | None) -> str:
    """The final summary."""
    bounds = f" for [{sprt[0]:g}, {sprt[1]:g}]" if sprt else ""
    unknown = "  (+/- ?: too few pairs, or all alike)" if results.elo()[1] is None else ""
    return f"{score(results, sprt)}{bounds}  pairs {results.pairs}{unknown}"
