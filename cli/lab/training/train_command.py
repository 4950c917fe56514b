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
    add_option,
    check_drawing,
    check_outputs,
    draw_plot,
    number_within,
    remove_folders,
    run_command,
    share,
    warner,
    whole_number,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.core.system.files import exists, sole_writer
from boomslang.core.system.identity import VERSION
from boomslang.core.system.shutdown import replace_interrupts
from boomslang.core.system.threads import usable_processors
from boomslang.engine.errors import refuse_errors
from boomslang.eval.network.shape import SCALE

if TYPE_CHECKING:
    from boomslang.engine.learning.data.dataset import Dataset
    from boomslang.engine.learning.training.parameters import Floats
    from boomslang.engine.learning.training.trainer import Trainer, TrainingSettings
    from boomslang.engine.learning.training.training_run import TrainingRun

_DESCRIPTION: Final = """\
Train the network on self-play games from `boomslang datagen`. One game in fifty is held out for validation.
The network and a checkpoint (NET.state) are written after each epoch, at most every 20 seconds. After an
interruption the same command resumes from the checkpoint and produces the same network.
"""
_EXAMPLES: Final = """\
examples:
  boomslang train games.bin -o first.net --plot-loss loss.svg
  boomslang train games.bin --pretrain --epochs 10 -o pretrained.net
  boomslang train games.bin more.bin --from pretrained.net --learning-rate 4e-4 --epochs 20 -o second.net
  boomslang train games.bin --from second.net --distill-share 0.5 --learning-rate 2e-4 --epochs 4 -o third.net
"""
_PLIES: Final = 5.0  # default half-life
_BETWEEN: Final = 20.0  # seconds between checkpoints, at least
_WORK: Final = 800_000_000  # positions over all epochs, by default
_MIN_EPOCHS, _MAX_EPOCHS = 10, 60  # epochs, by default


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang train", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add("data", nargs="+", type=Path, metavar="DATA", help="game files of boomslang datagen")
    add("-o", "--out", type=Path, required=True, metavar="NET", help="network file to write")
    add(
        "--from", dest="start", type=Path, metavar="NET", help="initial network (random parameters)"
    )
    add(
        "--pretrain",
        action="store_true",
        help="training on the classical evaluation of positions near those of the games",
    )
    add(
        "--distill-share",
        type=share,
        metavar="X",
        help="the same, with weight X for the evaluation by the network of --from (0)",
    )
    add_option(
        parser,
        "--half-life N",
        number_within(0, 1000),
        "half-life in plies of the weight of later scores of the game in the target; 0: none of "
        f"them ({_PLIES:g})",
    )
    add_option(parser, "--plot-loss FILE", Path, "plot of the losses by epoch (.svg, .png or .pdf)")
    add(
        "--epochs",
        type=whole_number(1, 10_000),
        metavar="N",
        help="number of epochs (10 to 60, fewer with more positions)",
    )
    add_option(
        parser, "--batch-size N", whole_number(1, 1 << 24), "positions per optimiser step", 16384
    )
    add_option(
        parser,
        "--learning-rate X",
        number_within(0, 1, above=True),
        "highest learning rate, after a short warm-up",
        1e-3,
    )
    add("--weight-decay", type=share, default=0.01, metavar="X", help="weight decay (0.01)")
    add(
        "--wdl",
        type=share,
        default=0.0,
        metavar="X",
        help="weight of the game's result in the target, beside the score of the search (0); not used "
        "for positions before a random move and for sidelines",
    )
    add(
        "--wdl-constant",
        action="store_true",
        help="constant --wdl instead of a linear increase from 0 in the second half",
    )
    add(
        "--eval-scale",
        type=whole_number(1, 10_000),
        default=SCALE,
        metavar="CP",
        help=f"score in centipawns that corresponds to odds of e : 1 ({SCALE}); scores averaged by "
        "--half-life always use 220",
    )
    add("--seed", type=whole_number(0, 1 << 32), default=1, metavar="S", help="random seed (1)")
    add(
        "--jobs",
        type=whole_number(1, 64),
        default=usable_processors(),
        metavar="N",
        help="number of threads (all processors)",
    )
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

    _check_together(arguments)
    out: Path = arguments.out
    state = out.with_name(f"{out.name}.state")
    check_outputs(out, state, arguments.plot_loss, sources=[*arguments.data, arguments.start])
    with refuse_errors(ValueError):
        file.FILE.check_overwritable(out)
    if arguments.plot_loss:
        check_drawing("--plot-loss", arguments.plot_loss)
    check_games(arguments.data)
    with sole_writer(out):
        return _write(command, arguments, out, state)


def _write(command: str, arguments: argparse.Namespace, out: Path, state: Path) -> int:
    """Train, new or resumed, while nobody else writes the files."""
    from boomslang.engine.learning.data.dataset import read_data
    from boomslang.engine.learning.training.trainer import Trainer
    from boomslang.engine.learning.training.training_run import TrainingRun, resume

    pretrains = _pretrains(arguments)
    half_life = _PLIES if arguments.half_life is None else arguments.half_life
    with refuse_errors(OSError, ValueError):
        network, start = _begin(arguments)
    load_kernels()
    console = Console()
    with refuse_errors(OSError, ValueError):
        data = read_data(arguments.data, warner("train"), 0.0 if pretrains else half_life)
    if pretrains:
        from boomslang.engine.learning.training.distillation import near_positions

        load_kernels()
        data = near_positions(data, network, arguments.distill_share or 0.0)
    if not len(data.holdout) or not data.positions:
        raise UsageError(
            "too few games: training and validation (one game in fifty) need positions each"
        )
    plan = _plan(arguments, data)
    origin = {
        "data": [one["sha256"] for one in data.files],
        "start": start,
        "pretrain": f"share {arguments.distill_share or 0.0}" if pretrains else False,
        "half-life": None if pretrains else half_life,
    }
    run = TrainingRun()
    with Trainer(_parameters(arguments, network), plan) as trainer:
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
    if arguments.plot_loss and run.epochs:
        _plot(run, out, arguments.plot_loss)
    if not ended:
        raise KeyboardInterrupt
    state.unlink(missing_ok=True)
    console.print(f"{out} written")
    return 0


def _check_together(arguments: argparse.Namespace) -> None:
    """Raises UsageError for options that have no effect together."""
    if arguments.distill_share is not None and arguments.start is None:
        raise UsageError("--distill-share needs a network: add --from NET")
    if _pretrains(arguments):
        if arguments.half_life is not None:
            raise UsageError("--half-life: pretraining does not use the scores of the games")
        if arguments.wdl:
            raise UsageError(
                "--wdl: the positions of pretraining belong to no game, so have no result"
            )
    if arguments.wdl_constant and not arguments.wdl:
        raise UsageError("--wdl-constant needs a weight above 0: add --wdl X")


def _pretrains(arguments: argparse.Namespace) -> bool:
    """True if the targets are evaluations, not scores of searches."""
    return arguments.pretrain or arguments.distill_share is not None


def _begin(arguments: argparse.Namespace) -> tuple[Any, str | None]:
    """The initial NETWORK record and its hash, if there is one."""
    from boomslang.eval.network import file

    if arguments.start is None:
        return None, None
    network, _ = file.read(arguments.start)
    return network, file.sha256_of(network)


def _parameters(arguments: argparse.Namespace, network: Any) -> Floats:
    """The initial parameters: those of the network, or random ones."""
    from boomslang.engine.learning.training.parameters import from_network, initial

    if network is None:
        return initial(arguments.seed, arguments.eval_scale)
    return from_network(network, arguments.eval_scale)


def _plan(arguments: argparse.Namespace, data: Dataset) -> TrainingSettings:
    from boomslang.engine.learning.training.trainer import TrainingSettings

    batch_size = min(arguments.batch_size, data.positions)
    epochs = arguments.epochs or min(max(_WORK // data.positions, _MIN_EPOCHS), _MAX_EPOCHS)
    return TrainingSettings(
        steps=epochs * (data.positions // batch_size),
        batch_size=batch_size,
        learning_rate=arguments.learning_rate,
        weight_decay=arguments.weight_decay,
        eval_scale=arguments.eval_scale,
        wdl=arguments.wdl,
        wdl_ramp=not arguments.wdl_constant,
        seed=arguments.seed,
        jobs=arguments.jobs,
    )


def _description(
    command: str, plan: TrainingSettings, data: Dataset, start: str | None
) -> dict[str, Any]:
    """The origin of the network, for its header."""
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
    """Write the checkpoint and the network; returns a line about the quantisation error."""
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


def _plot(run: TrainingRun, out: Path, path: Path) -> None:
    """Draw training and validation loss by epoch."""
    with draw_plot("--plot-loss", path):
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator

        figure = Figure(figsize=(7.5, 5.0), layout="constrained")
        axes = figure.subplots()
        lines = (("training", "training", ":"), ("holdout", "validation", "-"))
        for name, label, style in lines:
            # The loss before the first epoch is much higher and would hide the differences of the others.
            points = [(number, loss[name]) for number, loss in enumerate(run.losses) if number]
            axes.plot(*zip(*points, strict=True), label=label, linestyle=style, marker=".")
        axes.set_xlabel("epoch")
        axes.set_ylabel("mean squared error of the expected result")
        axes.set_title(f"{out.name}: loss by epoch", fontsize="medium")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
        figure.savefig(path)
