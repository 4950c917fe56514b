"""The picture of `boomslang network`: what pieces that are not threatened add to hidden units."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from boomslang.eval.network.shape import ONE_INPUT

_PIECES: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
_OWNERS: Final = ("own", "opponent's")
_INCHES: Final = 1.15  # of a board


def draw(network: Any, units: Sequence[int], path: Path) -> None:
    """Write an SVG, PNG or PDF file, by the suffix of `path`: a row of 12 boards for each unit.

    A board shows the input weight of a piece on each square, from the view of the unit's side: its own back
    rank is below, its own king on the right half. Raises ImportError without matplotlib, OSError if the file
    cannot be written, ValueError if the suffix is unknown.
    """
    from matplotlib.figure import Figure

    kinds = len(_PIECES) * len(_OWNERS)
    figure = Figure(figsize=(_INCHES * kinds, _INCHES * (len(units) + 0.4)), layout="constrained")
    grid = figure.subplots(len(units), kinds, squeeze=False)
    image: Any = None
    for number, (row, unit) in enumerate(zip(grid, units, strict=True)):
        weights = network.input[:, unit].reshape(kinds, 8, 8) / ONE_INPUT
        largest = float(np.abs(weights).max()) or 1.0
        for kind, (axes, board) in enumerate(zip(row, weights, strict=True)):
            shown = board.copy()
            if kind % 6 == 0:
                shown[[0, 7]] = np.nan  # no pawns on these ranks
            if kind == 5:
                shown[:, :4] = np.nan  # the own king is never here
            image = axes.imshow(
                shown, cmap="RdBu", vmin=-largest, vmax=largest, origin="lower", aspect="equal"
            )
            axes.set_xticks([])
            axes.set_yticks([])
            if number == 0:
                axes.set_title(f"{_OWNERS[kind // 6]}\n{_PIECES[kind % 6]}", fontsize="small")
        row[0].set_ylabel(f"unit {unit}", fontsize="small")
    bar = figure.colorbar(image, ax=grid, shrink=0.8, ticks=[])
    bar.set_label("negative        positive", fontsize="small")
    figure.savefig(path)
