"""The score of a match in words, and the SPRT that decides when it stops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from boomslang.engine.errors import CommandError
from boomslang.engine.learning.selfplay.pentanomial import Pentanomial

_ERRORS: Final = 0.05  # error probabilities of the SPRT, alpha and beta
_PERCENT: Final = f"{100 * _ERRORS:g} %"
# Bound of the log-likelihood ratio, in both directions.
_LIMIT: Final = math.log((1.0 - _ERRORS) / _ERRORS)


def check_sprt(sprt: Sequence[float] | None) -> None:
    """Raises CommandError unless ELO0 is below ELO1, and both are finite."""
    if sprt and not -math.inf < sprt[0] < sprt[1] < math.inf:
        raise CommandError("--sprt: ELO0 must be below ELO1, and both finite")


def is_decided(results: Pentanomial, sprt: Sequence[float] | None) -> bool:
    """True if no more games are needed."""
    return bool(sprt) and abs(results.log_likelihood_ratio(*(sprt or ()))) >= _LIMIT


def score(results: Pentanomial, sprt: Sequence[float] | None) -> str:
    """The score so far, short enough for the title of a progress bar."""
    won, drawn, lost = results.games
    elo, error = results.elo()
    error_text = "?" if error is None else f"{error:.1f}"
    text = f"+{won} ={drawn} -{lost}  {elo:+.1f} +/- {error_text} Elo"
    return f"{text}  {_ratio(results, sprt)}" if sprt else text


def _ratio(results: Pentanomial, sprt: Sequence[float]) -> str:
    return f"LLR {results.log_likelihood_ratio(*sprt):.2f} [{-_LIMIT:.2f}, {_LIMIT:.2f}]"


def verdict(results: Pentanomial, sprt: Sequence[float] | None) -> list[str]:
    """The final summary, in lines."""
    unknown = "  (+/- ?: too few pairs, or all alike)" if results.elo()[1] is None else ""
    lines = [f"{score(results, None)}  pairs {results.pairs}{unknown}"]
    if sprt:
        low, high = (f"{elo:g}" for elo in sprt)
        lines.append(
            f"SPRT of {high} against {low} Elo: {_ratio(results, sprt)}, errors {_PERCENT} each"
        )
        lines.append(_meaning(results.log_likelihood_ratio(*sprt), low, high))
    return lines


def _meaning(ratio: float, low: str, high: str) -> str:
    if abs(ratio) < _LIMIT:
        return f"Undecided: the games do not tell {low} from {high} Elo yet, so more are needed."
    taken, other, side = (high, low, "less") if ratio > 0 else (low, high, "more")
    return f"{taken} Elo is accepted: were it {other} or {side}, {_PERCENT} of such matches would end so."
