"""The plot of `boomslang train`: training and validation loss by epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

_INCHES: Final = (7.5, 5.0)


def draw(losses: Sequence[Mapping[str, float]], title: str, path: Path) -> None:
    """Write an SVG, PNG or PDF file, by the suffix of `path`; the first loss is before epoch 1.

    Raises ImportError without matplotlib, OSError if the file cannot be written, ValueError if the
    suffix is unknown.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=_INCHES, layout="constrained")
    axes = figure.subplots()
    lines = (("training", "training", ":"), ("holdout", "validation", "-"))
    for name, label, style in lines:
        # The loss before the first epoch is much higher and would hide the differences of the others.
        points = [(number, loss[name]) for number, loss in enumerate(losses) if number]
        axes.plot(*zip(*points, strict=True), label=label, linestyle=style, marker=".")
    axes.set_xlabel("epoch")
    axes.set_ylabel("mean squared error of the expected result")
    axes.set_title(title, fontsize="medium")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path)
