"""`boomslang train`: the network from the engine's own games."""

from __future__ import annotations

import argparse
import os
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
    check_drawing,
    drawing,
    number,
    refusing,
    run_command,
    share,
    warner,
    whole_number,
    without_folders,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.core.system.ending import instead
from boomslang.engine.core.system.files import check_writable
from boomslang.engine.identity import VERSION
from boomslang.eval.network.shape import SCALE

if TYPE_CHECKING:
    from boomslang.eval.data.dataset import Dataset
    from boomslang.eval.training.parameters import Floats
    from boomslang.eval.training.trainer import Trainer, TrainingSettings
    from boomslang.eval.training.training_run import TrainingRun

_DESCRIPTION: Final = """\
Train the network on the games of `boomslang datagen`, and write it. One game in fifty is kept aside: the
loss on these says whether what is learnt holds in general. Now and then the network and the state of the
training (NET.state) are written: after Ctrl-C, or whatever else has ended it, the same command goes on
and comes to the same network.
"""
_EXAMPLES: Final = """\
examples:
  boomslang train games.bin --out first.net --curve first.svg
  boomslang train games.bin --teach --passes 10 --out taught.net
  boomslang train games.bin more.bin --from taught.net --rate 4e-4 --passes 20 --out second.net
  boomslang train games.bin --from second.net --teach-share 0.5 --rate 2e-4 --passes 4 --out both.net
"""
_PLIES: Final = 5.0  # the half-life, if nothing else is asked for
_BETWEEN: Final = 20.0  # seconds from one state to the next, at least
_WORK: Final = 800_000_000  # positions in all passes, if nothing else is asked for
_FEWEST, _MOST = 10, 60  # passes, then


def _rate(text: str) -> float:
    value = number(text)
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0, at most 1")
    return value


def _plies(text: str) -> float:
    value = number(text)
    if not 0.0 <= value <= 1000.0:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1000")
    return value


def _parser() -> Parser:
    parser = Parser("boomslang train", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add("data", nargs="+", type=Path, metavar="DATA", help="files of datagen")
    add("--out", type=Path, required=True, metavar="NET", help="file to write")
    add("--from", dest="start", type=Path, metavar="NET", help="network to begin with (none)")
    add(
        "--teach",
        action="store_true",
        help="learn the classical evaluation instead, of positions near those of the games",
    )
    add(
        "--teach-share",
        type=share,
        metavar="X",
        help="the same, but this share of what is learnt is the judgement of the network of --from",
    )
    add(
        "--half-life",
        type=_plies,
        metavar="N",
        help=f"plies after which a later score of the game counts half as much; 0: not at all ({_PLIES:g})",
    )
    add(
        "--curve", type=Path, metavar="FILE", help="draw the losses into an .svg, .png or .pdf file"
    )
    add(
        "--passes",
        type=whole_number(1, 10_000),
        metavar="N",
        help="times to go through the positions (10 to 60, the fewer the more positions there are)",
    )
    add(
        "--batch",
        type=whole_number(1, 1 << 24),
        default=16384,
        metavar="N",
        help="positions of a step (16384)",
    )
    add("--rate", type=_rate, default=1e-3, metavar="X", help="of learning, at first (0.001)")
    add("--decay", type=share, default=0.01, metavar="X", help="of the weights (0.01)")
    add(
        "--wdl",
        type=share,
        default=0.0,
        metavar="X",
        help="share of the game's result in what is learnt, the rest is the search's score (0); "
        "positions before a random move, and sidelines, have no result",
    )
    add("--constant", action="store_true", help="so from the start, not growing in the last half")
    add(
        "--divisor",
        type=whole_number(1, 10_000),
        default=SCALE,
        metavar="CP",
        help=f"score that is worth e : 1 ({SCALE}); what is to come, see --half-life, has its own: 220",
    )
    add("--seed", type=whole_number(0, 1 << 32), default=1, metavar="S", help="of all chance (1)")
    add(
        "--jobs",
        type=whole_number(1, 64),
        default=os.cpu_count() or 1,
        metavar="N",
        help="threads (as many as there are processors)",
    )
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `train`; return the exit status."""
    return run_command(
        _parser(),
        argv,
        partial(_train, without_folders(argv)),
        "interrupted; the same command goes on",
    )


def _train(command: str, arguments: argparse.Namespace) -> int:
    from boomslang.cli.selfplay.game_files import check_games
    from boomslang.eval.data.dataset import read_data
    from boomslang.eval.training.trainer import Trainer
    from boomslang.eval.training.training_run import TrainingRun, resume

    _check_together(arguments)
    taught = arguments.teach or arguments.teach_share is not None
    half_life = _PLIES if arguments.half_life is None else arguments.half_life
    out: Path = arguments.out
    state = out.with_name(f"{out.name}.state")
    for path in (out, state, *([arguments.curve] if arguments.curve else [])):
        check_writable(path)
    if arguments.curve:
        check_drawing("--curve", arguments.curve)
    check_games(arguments.data)
    with refusing(OSError, ValueError):
        network, start = _begin(arguments)
    load_kernels()
    console = Console()
    with refusing(OSError, ValueError):
        data = read_data(arguments.data, warner("train"), 0.0 if taught else half_life)
    if taught:
        from boomslang.eval.training.teacher import lessons

        load_kernels()
        data = lessons(data, network, arguments.teach_share or 0.0)
    if not len(data.holdout) or not data.positions:
        raise UsageError("too few games: one in fifty is kept aside")
    plan = _plan(arguments, data)
    origin = {
        "data": [one["sha256"] for one in data.files],
        "start": start,
        "teach": f"share {arguments.teach_share or 0.0}" if taught else False,
        "half-life": None if taught else half_life,
    }
    course = TrainingRun()
    with Trainer(_parameters(arguments, network), plan) as learner:
        if state.exists():
            with refusing(OSError, ValueError):
                course = resume(state, learner, origin)
            console.print(f"going on after {learner.number} of {plan.steps} steps")
        console.print(
            f"{data.positions} positions of {data.games} games, {len(data.holdout)} kept aside"
        )
        keep = partial(_keep, out, state, _description(command, plan, data, start), origin)
        with _stopping() as stopped, refusing(ValueError):
            ended = _follow(course, learner, data, console, keep, stopped)
    if arguments.curve and course.passes:
        _plot(course, out, arguments.curve)
    if not ended:
        raise KeyboardInterrupt
    state.unlink(missing_ok=True)
    console.print(f"{out} written")
    return 0


def _check_together(arguments: argparse.Namespace) -> None:
    """Refuse options of which one would make the other mean nothing."""
    if arguments.teach_share is not None and arguments.start is None:
        raise UsageError("--teach-share: say with --from which network judges")
    if arguments.teach or arguments.teach_share is not None:
        if arguments.half_life is not None:
            raise UsageError("--half-life: the teacher judges, not the scores of the games")
        if arguments.wdl:
            raise UsageError(
                "--wdl: the positions that are taught are of no game, and have no result"
            )
    if arguments.constant and not arguments.wdl:
        raise UsageError("--constant: say with --wdl which share of the result")


def _begin(arguments: argparse.Namespace) -> tuple[Any, str | None]:
    """The NETWORK record that the learning begins with, and its hash, if there is one."""
    from boomslang.eval.network import file

    if arguments.start is None:
        return None, None
    network, header = file.read(arguments.start)
    return network, str(header["sha256"])


def _parameters(arguments: argparse.Namespace, network: Any) -> Floats:
    """What is learnt, as it is at first: the network's numbers, or without one those of chance."""
    from boomslang.eval.training.parameters import from_network, initial

    if network is None:
        return initial(arguments.seed, arguments.divisor)
    return from_network(network, arguments.divisor)


def _plan(arguments: argparse.Namespace, data: Dataset) -> TrainingSettings:
    from boomslang.eval.training.trainer import TrainingSettings

    batch = min(arguments.batch, data.positions)
    passes = arguments.passes or min(max(_WORK // data.positions, _FEWEST), _MOST)
    return TrainingSettings(
        steps=passes * (data.positions // batch),
        batch=batch,
        rate=arguments.rate,
        decay=arguments.decay,
        divisor=arguments.divisor,
        results=arguments.wdl,
        ramp=not arguments.constant,
        seed=arguments.seed,
        jobs=arguments.jobs,
    )


def _description(
    command: str, plan: TrainingSettings, data: Dataset, start: str | None
) -> dict[str, Any]:
    """What the header of the network says about where it comes from."""
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
    course: TrainingRun,
    learner: Trainer,
    data: Dataset,
    console: Console,
    keep: Callable[[TrainingRun, Trainer, Dataset], str],
    stopped: Callable[[], bool],
) -> bool:
    """Learn with a bar, a line for each pass and now and then a state; False if stopped before the end."""
    from boomslang.eval.training.training_run import follow

    plan = learner.plan
    console.print("pass, loss, loss of the games kept aside, positions a second")
    began = kept = time.monotonic()
    since = learner.number
    with progress("", plan.steps, done=learner.number, counted=True) as advance:
        for ended in follow(course, learner, data):
            now = time.monotonic()
            speed = (learner.number - since) * plan.batch / max(now - began, 1e-9)
            mean = course.total / max(course.batches, 1)
            advance(1, title=f"pass {course.passes + 1}, {mean:.6f}, {speed:,.0f}/s")
            if ended:
                last = course.losses[-1]
                losses = f"{last['training']:.6f} {last['holdout']:.6f}"
                console.print(f"{course.passes:4} {losses} {speed:,.0f}")
                began, since = now, learner.number
            if stopped():
                break
            if ended and now - kept > _BETWEEN:
                keep(course, learner, data)
                kept = time.monotonic()
    console.print(keep(course, learner, data))
    return learner.number == plan.steps


def _keep(
    out: Path,
    state: Path,
    description: dict[str, Any],
    origin: dict[str, Any],
    course: TrainingRun,
    learner: Trainer,
    data: Dataset,
) -> str:
    """Write the state and the network as it is now; returns a line about how exact this is."""
    from boomslang.eval.training.training_run import publish, save

    save(state, course, learner, origin)
    exactness = publish(out, course, learner, data, description)
    return (
        f"whole numbers against floating-point ones, {exactness.positions} positions: "
        f"{exactness.mean:.2f} centipawns apart, {exactness.largest:.1f} at most"
    )


@contextmanager
def _stopping() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C has been pressed while the block runs; the second one interrupts at once."""
    pressed: list[bool] = []

    def press() -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(True)

    with instead(press):
        yield lambda: bool(pressed)


def _plot(course: TrainingRun, out: Path, path: Path) -> None:
    from boomslang.cli.plots.loss import draw

    with drawing("--curve", path):
        draw(course.losses, f"{out.name}: loss by pass", path)
