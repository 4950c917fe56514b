"""The plot of `boomslang algorithms`: nodes of each algorithm by depth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boomslang.engine.comparisons.algorithms import TITLES, AlgorithmRun

_INCHES: Final = (7.5, 5.0)


def draw(runs: Sequence[AlgorithmRun], moves: int, title: str, path: Path) -> None:
    """Write an SVG, PNG or PDF file, by the suffix of `path`.

    Two dotted lines show the counts for a branching factor of `moves`: b^d for a full search, b^(d/2) for
    alpha-beta at best. Raises ImportError without matplotlib, OSError if the file cannot be written,
    ValueError if the suffix is unknown.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=_INCHES, layout="constrained")
    axes = figure.subplots()
    deepest = max(run.depth for run in runs)
    for algorithm in dict.fromkeys(run.algorithm for run in runs):
        line = [run for run in runs if run.algorithm == algorithm]
        # Minimax and negamax visit the same nodes; a larger, open marker keeps both visible.
        is_minimax = algorithm == "minimax"
        axes.plot(
            [run.depth for run in line],
            [run.nodes for run in line],
            label=TITLES[algorithm],
            marker="s" if is_minimax else "o",
            markersize=9 if is_minimax else 5,
            fillstyle="none" if is_minimax else "full",
        )
    depths = [1, deepest]
    for exponent, style, label in ((1.0, ":", "$b^d$"), (0.5, "--", "$b^{d/2}$")):
        axes.plot(
            depths,
            [moves ** (depth * exponent) for depth in depths],
            color="grey",
            linestyle=style,
            label=f"{label}, b = {moves}",
        )
    axes.set_yscale("log")
    axes.set_xlabel("depth d in plies")
    axes.set_ylabel("nodes")
    axes.set_title(title, fontsize="medium")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path)
