"""`boomslang train`: trains the network on self-play games."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    check_outputs,
    remove_folders,
    run_command,
    warner,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import beside, exists, sole_writer
from boomslang.core.system.identity import VERSION
from boomslang.core.system.shutdown import replace_interrupts
from boomslang.engine.errors import refuse_errors
from boomslang.engine.learning.training.train_settings import TrainSettings

if TYPE_CHECKING:
    from boomslang.engine.learning.data.dataset import Dataset
    from boomslang.engine.learning.training.trainer import Trainer, TrainingSettings
    from boomslang.engine.learning.training.training_run import TrainingRun
    from boomslang.engine.optimiser import Floats

_DESCRIPTION: Final = """\
Train the network on self-play games from `boomslang datagen`. One game in fifty is held out for validation.
The network and a checkpoint (NET.state) are written after each epoch, at most every 20 seconds. After an
interruption the same command resumes from the checkpoint and produces the same network.
"""
_EXAMPLES: Final = """\
examples:
  boomslang train games.bin -o first.net
  boomslang train games.bin --pretrain --epochs 10 -o pretrained.net
  boomslang train games.bin more.bin --from pretrained.net --learning-rate 4e-4 --epochs 20 -o second.net
  boomslang train games.bin --from second.net --distill-share 0.5 --learning-rate 2e-4 --epochs 4 -o third.net
"""
_BETWEEN: Final = 20.0  # seconds between checkpoints, at least


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang train", _DESCRIPTION, _EXAMPLES)
    add_settings(parser, TrainSettings)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `train`; return the exit status."""
    return run_command(
        new_parser(),
        argv,
        partial(_train, remove_folders(argv)),
        "interrupted; repeat the command to resume",
    )


def _train(command: str, arguments: argparse.Namespace) -> int:
    from boomslang.engine.learning.data.game_files import check_games
    from boomslang.eval.network import file

    settings = read_settings(TrainSettings, arguments)
    out = settings.out
    state = beside(out, "state")
    check_outputs(out, state, sources=[*settings.data, settings.start])
    with refuse_errors(ValueError):
        file.FILE.check_overwritable(out)
    check_games(settings.data)
    with sole_writer(out):
        return _write(command, settings, out, state)


def _write(command: str, settings: TrainSettings, out: Path, state: Path) -> int:
    from boomslang.engine.learning.data.dataset import read_data
    from boomslang.engine.learning.training.trainer import Trainer
    from boomslang.engine.learning.training.training_run import TrainingRun, resume

    with refuse_errors(OSError, ValueError):
        network, start = _begin(settings)
    load_kernels()
    console = Console()
    with refuse_errors(OSError, ValueError):
        data = read_data(settings.data, warner("train"), settings.plies or 0.0)
    share = settings.distill_share or 0.0
    if settings.pretrains:
        from boomslang.engine.learning.training.distillation import near_positions

        load_kernels()
        data = near_positions(data, network, share)
    if not len(data.holdout) or not data.positions:
        raise UsageError(
            "too few games: training and validation (one game in fifty) need positions each"
        )
    plan = settings.plan(data.positions)
    origin = {
        "data": [one["sha256"] for one in data.files],
        "start": start,
        "pretrain": f"share {share}" if settings.pretrains else False,
        "half-life": settings.plies,
    }
    run = TrainingRun()
    with Trainer(_parameters(settings, network), plan) as trainer:
        if exists(state):
            with refuse_errors(OSError, ValueError):
                run = resume(state, trainer, origin)
            console.print(f"resuming after {trainer.number:,} of {plan.steps:,} steps")
        console.print(
            f"{data.games:,} games: {data.positions:,} training and {len(data.holdout):,} validation "
            "positions"
        )
        keep = partial(_keep, out, state, _description(command, plan, data, start), origin)
        with _stopping() as stopped, refuse_errors(ValueError):
            ended = _follow(run, trainer, data, console, keep, stopped)
    if not ended:
        raise KeyboardInterrupt
    state.unlink(missing_ok=True)
    console.print(f"{out} written")
    return 0


def _begin(settings: TrainSettings) -> tuple[Any, str | None]:
    from boomslang.eval.network import file

    if settings.start is None:
        return None, None
    network, _ = file.read(settings.start)
    return network, file.sha256_of(network)


def _parameters(settings: TrainSettings, network: Any) -> Floats:
    from boomslang.engine.learning.training.parameters import from_network, initial

    if network is None:
        return initial(settings.seed, settings.eval_scale)
    return from_network(network, settings.eval_scale)


def _description(
    command: str, plan: TrainingSettings, data: Dataset, start: str | None
) -> dict[str, Any]:
    return {
        "engine": VERSION,
        "command": f"boomslang train {command}",
        "plan": asdict(plan),
        "data": data.files,
        "games": data.games,
        "positions": data.positions,
        "holdout": len(data.holdout),
        "start": start,
    }


def _follow(
    run: TrainingRun,
    trainer: Trainer,
    data: Dataset,
    console: Console,
    keep: Callable[[TrainingRun, Trainer, Dataset], str],
    stopped: Callable[[], bool],
) -> bool:
    """Train with a progress bar, a line per epoch and checkpoints; False if stopped before the end."""
    from boomslang.engine.learning.training.training_run import follow

    plan = trainer.plan
    console.print("epoch, training loss, validation loss, positions/s")
    began = kept = time.monotonic()
    since = trainer.number
    with progress("", plan.steps, done=trainer.number, counted=True) as advance:
        for ended in follow(run, trainer, data):
            now = time.monotonic()
            speed = (trainer.number - since) * plan.batch_size / max(now - began, 1e-9)
            mean = run.total / max(run.batches, 1)
            advance(1, title=f"epoch {run.epochs + 1}, loss {mean:.6f}, {speed:,.0f}/s")
            if ended:
                last = run.losses[-1]
                losses = f"{last['training']:.6f} {last['holdout']:.6f}"
                console.print(f"{run.epochs:4} {losses} {speed:,.0f}")
                began, since = now, trainer.number
            if stopped():
                break
            if ended and now - kept > _BETWEEN:
                keep(run, trainer, data)
                kept = time.monotonic()
    console.print(keep(run, trainer, data))
    return trainer.number == plan.steps


def _keep(
    out: Path,
    state: Path,
    description: dict[str, Any],
    origin: dict[str, Any],
    run: TrainingRun,
    trainer: Trainer,
    data: Dataset,
) -> str:
    from boomslang.engine.learning.training.training_run import publish, save

    save(state, run, trainer, origin)
    error = publish(out, run, trainer, data, description)
    return (
        f"quantisation error over {error.positions:,} positions: mean {error.mean:.2f}, "
        f"maximum {error.largest:.1f} centipawns"
    )


@contextmanager
def _stopping() -> Iterator[Callable[[], bool]]:
    """A function that is true once Ctrl-C was pressed in the block; a second Ctrl-C interrupts at once."""
    pressed: list[bool] = []

    def press() -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(True)

    with replace_interrupts(press):
        yield lambda: bool(pressed)
