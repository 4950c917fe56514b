"""How well a network judges: its static evaluations beside the scores of a much better judge.

Two things are marked. *Overall*: does it know how well a side stands? And *among moves*, where an exam has
several positions that follow from one: does it know which of them is better? The search asks the second
question far more often, and the first is much the easier. Neither is a substitute for games: evaluations with
much the same marks may be a hundred Elo apart. What has clearly worse marks need not be played with.

Who learns from a search that he judges for agrees with it more and more, right or wrong; so the judge should
be another engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from boomslang.engine.batch import Batch
from boomslang.engine.core.system.files import shown
from boomslang.engine.notation.positions import operations_of, read_line, tidy, whole_number
from boomslang.engine.notation.text import file_lines
from boomslang.eval.data.records import DECIDED
from boomslang.eval.network.shape import SCALE

Floats = npt.NDArray[np.float64]

_FEWEST: Final = 30  # positions that say anything
_SCALES: Final = np.geomspace(0.25, 4.0, 81)
_SHIFTS: Final = np.arange(-30.0, 31.0, 10.0)  # centipawns for the move


@dataclass(frozen=True, slots=True)
class Paper:
    """Positions, a line of EPD each, and what they are worth, centipawns for the side to move."""

    lines: list[str]
    truths: Floats
    families: npt.NDArray[np.int64]  # positions with the same number follow from the same one


@dataclass(frozen=True, slots=True)
class Mark:
    """How well one judge did in one of the two parts."""

    errors: Floats  # squared, of the expected result (0 to 1); not a number where unjudged
    families: npt.NDArray[np.int64]  # of the positions
    correlation: float

    @property
    def error(self) -> float:
        """The mean."""
        return float(np.nanmean(self.errors))

    def against(self, other: Mark) -> tuple[float, float] | None:
        """How much larger the error is than the other's, in per cent of that, and the 95 % interval of it.

        What follows from one position is much alike, so families are what is counted. None beside somebody
        who makes no errors.
        """
        if other.error == 0.0:
            return None
        judged = np.isfinite(self.errors) & np.isfinite(other.errors)
        differences = (self.errors - other.errors)[judged]
        mean = float(differences.mean())
        sums = np.bincount(self.families[judged], differences - mean)
        spread = 1.96 * math.sqrt(float(np.square(sums).sum())) / len(differences)
        part = 100.0 / other.error
        return mean * part, spread * part


@dataclass(frozen=True, slots=True)
class Marks:
    """Both parts; there is none among moves if no two positions follow from one."""

    overall: Mark
    among: Mark | None


def read_paper(path: Path) -> Paper:
    """Lines of EPD with a score (`ce`), such as `boomslang exam` writes; others are passed over.

    Those that follow from one position have the same `id`. Raises FileError, or ValueError if there are
    too few.
    """
    found = list(_scored(path))
    if len(found) < _FEWEST:
        raise ValueError(
            f"{shown(path)} has {len(found)} positions with scores (ce), not {_FEWEST}"
        )
    lines, truths, names = zip(*found, strict=True)
    _, families = np.unique(names, return_inverse=True)
    return Paper(list(lines), np.array(truths), families.astype(np.int64))


def sit(paper: Paper, network: Path | None = None, classical: bool = False) -> Marks:
    """The marks of a network, the one that ships or the classical evaluation; kernels must be loaded.

    Scale and shift of the scores are a matter of taste: everybody gets those that suit him best. Raises
    ValueError if it is no network, or understands too few of the positions.
    """
    scores, _ = Batch(network, classical).lines(paper.lines)
    known = np.array([score is not None for score in scores])
    if known.sum() < _FEWEST:
        raise ValueError(f"only {known.sum()} of the positions can be judged")
    judged = np.array([score or 0 for score in scores], dtype=np.float64)[known]
    truths = _expected(paper.truths[known])

    def marked(guesses: Floats, answers: Floats, slope: float = 1.0) -> Mark:
        errors = np.full(len(scores), np.nan)
        errors[known] = np.square(slope * guesses - answers)
        return Mark(errors, paper.families, _correlation(guesses, answers))

    guesses = (_expected(judged * scale + shift) for scale in _SCALES for shift in _SHIFTS)
    best = min(guesses, key=lambda guess: float(np.square(guess - truths).mean()))
    among = _deviation(paper.families[known])
    guesses_there, truths_there = among(best), among(truths)
    if not guesses_there.any() or not truths_there.any():
        return Marks(marked(best, truths), None)
    slope = float((guesses_there @ truths_there) / (guesses_there @ guesses_there))
    return Marks(marked(best, truths), marked(guesses_there, truths_there, max(slope, 0.0)))


def _scored(path: Path) -> Iterator[tuple[str, float, str]]:
    """Line, score and family of each line that has a score; without a name it is a family of its own."""
    for number, text in enumerate(file_lines(path)):
        line = tidy(text.strip())
        try:
            _, _, rest = read_line(line)
            operations = operations_of(rest)
            score = whole_number(operations, "ce")
        except ValueError:
            continue
        if score is not None:
            name = operations.get("id")
            yield line, float(score), f"id {name}" if name else f"line {number}"


def _deviation(families: npt.NDArray[np.int64]) -> Callable[[Floats], Floats]:
    """A function that takes from each value the mean of its family."""
    sizes = np.maximum(np.bincount(families), 1)  # of some nobody is left
    return lambda values: values - (np.bincount(families, values) / sizes)[families]


def _correlation(one: Floats, other: Floats) -> float:
    """Pearson's; none, 0, where one side says the same of all."""
    return float(np.corrcoef(one, other)[0, 1]) if one.std() and other.std() else 0.0


def _expected(scores: Floats) -> Floats:
    """The result to expect, 0 to 1."""
    return 1.0 / (1.0 + np.exp(-np.clip(scores, -DECIDED, DECIDED) / SCALE))
