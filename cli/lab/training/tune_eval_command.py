"""`boomslang tune-eval`: weights of the classical evaluation from self-play games."""

from __future__ import annotations

import argparse
import hashlib
import shlex
import textwrap
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from boomslang.cli.terminal.arguments import Parser, UsageError, check_outputs, run_command, warner
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import quote_path, write_whole
from boomslang.engine.errors import refuse_errors
from boomslang.engine.learning.training.train_settings import WeightSettings

if TYPE_CHECKING:
    from boomslang.engine.learning.training.texel import Epoch

_WEIGHTS: Final = Path(__file__).resolve().parents[3] / "eval" / "classical" / "weights.py"

_DESCRIPTION: Final = """\
Fit all weights of the classical evaluation to self-play games from `boomslang datagen`. A game in twenty is
held out for validation.
"""
_EXAMPLES: Final = """\
examples:
  boomslang tune-eval games.bin -o eval/classical/weights.py
  boomslang tune-eval games.bin more.bin --positions 500_000 --epochs 20 -o tried.py
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang tune-eval", _DESCRIPTION, _EXAMPLES)
    add_settings(parser, WeightSettings)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `tune-eval`; return the exit status."""
    return run_command(new_parser(), argv, partial(_tune, shlex.join(argv)))


def _tune(command: str, arguments: argparse.Namespace) -> int:
    from boomslang.engine import bridge
    from boomslang.engine.learning.data.game_files import check_games, setting_of
    from boomslang.engine.learning.data.game_reader import read_all
    from boomslang.engine.learning.training import texel
    from boomslang.engine.learning.training.classical_features import extract_features
    from boomslang.engine.learning.training.weights_file import (
        literals,
        read_present_weights,
        rewrite,
    )
    from boomslang.eval.classical.weights import PIECE_SQUARE

    settings = read_settings(WeightSettings, arguments)
    check_outputs(settings.out, sources=settings.data)
    for path, header in zip(settings.data, check_games(settings.data), strict=True):
        if setting_of(path, header, "evaluation") != "classical":
            raise UsageError(
                f"{quote_path(path)}: these games were played with a network; generate games with "
                "boomslang datagen --classical"
            )
    load_kernels()
    console = Console()
    with refuse_errors(OSError, ValueError):
        records, games = read_all(settings.data, warner("tune-eval"))
    if settings.positions is not None and settings.positions < len(records):
        source = np.random.default_rng(settings.seed)
        records = records[np.sort(source.permutation(len(records))[: settings.positions])]
    training, holdout = texel.split(records, settings.seed)
    if not len(training) or not len(holdout):
        raise UsageError(
            "too few games: training and validation (one game in twenty) need positions each"
        )
    with progress("Extracting features", len(records)) as advance:
        features = extract_features(
            bridge.new_rules(None, PIECE_SQUARE), records, lambda done, total: advance(done=done)
        )
    scale = texel.fit_scale(records["score"].astype(np.float64), records["result"] / 2.0)
    features.rows["label"] = texel.labels(records, scale, settings.results)
    console.print(
        f"{len(records):,} positions of {games:,} games; a score of {scale:.0f} corresponds to odds of e : 1"
    )

    epochs: list[Epoch] = []

    def report(epoch: Epoch) -> None:
        epochs.append(epoch)
        console.print(f"{epoch.number:4} {epoch.training_loss:.6f} {epoch.holdout_loss:.6f}")

    console.print("epoch, training loss, validation loss")
    weights = texel.tune(
        features, training, holdout, scale, read_present_weights(), settings, report
    )
    digest = hashlib.sha256(records.tobytes()).hexdigest()
    first, last = epochs[0], epochs[-1]
    docstring = "\n".join(
        (
            "The numbers of the evaluation, in centipawns, for the middlegame and the endgame.",
            "",
            "Learnt from the engine's own games; the comments are by hand.",
            "",
            f"Data:     {len(records)} positions of {games} games, SHA-256 of the records",
            f"          {digest}",
            f"Loss:     {first.training_loss:.6f} before, {last.training_loss:.6f} after",
            f"Kept aside: {first.holdout_loss:.6f} before, {last.holdout_loss:.6f} after",
            *textwrap.wrap(f"Command:  boomslang tune-eval {command}", 100),
            "",
        )
    )
    write_whole(settings.out, rewrite(_WEIGHTS.read_text("utf-8"), literals(weights), docstring))
    console.print(f"{settings.out} written")
    return 0
