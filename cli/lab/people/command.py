"""`boomslang people`: trains the model of people's moves on their games, and tells how good it is."""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    check_outputs,
    remove_folders,
    run_command,
)
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import open_file, sole_writer
from boomslang.core.system.identity import VERSION
from boomslang.engine.errors import refuse_errors
from boomslang.engine.learning.people.people_settings import (
    PeopleEvaluateSettings,
    PeopleGamesSettings,
    PeopleTrainSettings,
)
from boomslang.engine.search_settings import LikeSettings
from boomslang.engine.settings import declared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boomslang.engine.learning.people.evaluation import Tally
    from boomslang.engine.people.samples import PeopleGame

_EXAMPLES: Final = """\
examples:
  boomslang people train lichess_month.pgn.zst -o people.net
  boomslang people evaluate lichess_month.pgn.zst --net people.net --positions 20_000 --searches 2000
  boomslang people evaluate others.pgn --every
  boomslang people like games.pgn --player "Ann Example"

Training leaves out one game in 25, by the hash of its moves: half of these fit the weights of a search, the
others are what `evaluate` measures. It keeps NET.samples, NET.words and NET.state until it is done, some 400
bytes for each move of the games; after an interruption the same command goes on from there.
"""
_SIZES: Final = (50, 200, 1000)  # games
_BETWEEN: Final = 60.0  # seconds between checkpoints
_MAX_FILE: Final = 1 << 40  # bytes


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang people", "The model of people's moves.", _EXAMPLES)
    words = parser.add_subparsers(dest="word", required=True, metavar="train | evaluate | like")
    add_settings(words.add_parser("train", help="model from games"), PeopleTrainSettings)
    evaluate = words.add_parser("evaluate", help="how well a model tells people's moves")
    add_settings(evaluate, PeopleEvaluateSettings)
    like = words.add_parser("like", help="what one person's games tell of his moves")
    like.add_argument("like", type=Path, metavar="GAMES", help=declared(LikeSettings)["like"].help)
    add_settings(like, LikeSettings, "player")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `people`; return the exit status."""

    def work(arguments: argparse.Namespace) -> int:
        if arguments.word == "train":
            return _train(remove_folders(argv), arguments)
        return (_evaluate if arguments.word == "evaluate" else _compare)(arguments)

    return run_command(new_parser(), argv, work, "interrupted; repeat the command to resume")


def _read(settings: PeopleGamesSettings) -> list[PeopleGame]:
    """The games of all files."""
    from boomslang.engine.people.samples import read_people

    for path in settings.files:
        open_file(path, _MAX_FILE).close()  # reports missing files before the work begins
    load_kernels()
    games: list[PeopleGame] = []
    with progress("Reading games", len(settings.files)) as advance, refuse_errors(ValueError):
        for path in settings.files:
            games += read_people(path, settings.games)
            advance(1)
    if not games:
        raise UsageError("no game has a rating, moves and the usual start position")
    return games


def _train(command: str, arguments: argparse.Namespace) -> int:
    from boomslang.engine.learning.people import training_run as course
    from boomslang.engine.people import file

    settings = read_settings(PeopleTrainSettings, arguments)
    check_outputs(settings.out, *course.files_beside(settings.out), sources=settings.files)
    with refuse_errors(ValueError):
        file.FILE.check_overwritable(settings.out)
    with sole_writer(settings.out):
        return _write(command, settings)


def _write(command: str, settings: PeopleTrainSettings) -> int:
    """Train, new or resumed, while nobody else writes the files."""
    from boomslang.engine.learning import checkpoint
    from boomslang.engine.learning.people import training_run as course
    from boomslang.engine.people import file
    from boomslang.engine.people.trainer import PeoplePlan, PeopleTrainer, count_steps, initial

    console = Console()
    chosen = {
        name: getattr(settings, name) for name in ("epochs", "batch_size", "learning_rate", "seed")
    }
    plan = PeoplePlan(**chosen, jobs=settings.threads)
    *_, state = course.files_beside(settings.out)
    origin = course.origin_of(settings.files, plan)
    with PeopleTrainer(initial(plan.seed), plan) as trainer:
        with refuse_errors(ValueError):
            run = course.resume(state, trainer, origin)
        if run is None:
            games = _read(settings)
            with progress("Describing games", len(games), counted=True) as advance:
                run = course.prepare(
                    settings.out, games, plan.seed, plan.jobs, lambda done: advance(done=done)
                )
        load_kernels()
        with refuse_errors(ValueError):
            words, samples = course.load_samples(settings.out, run)
        console.print(f"{len(samples):,} positions")
        trainer.steps = count_steps(samples, plan)
        if not trainer.steps:
            raise UsageError(f"too few positions for batches of {plan.batch_size:,}")
        if trainer.number:
            console.print(f"resuming after {trainer.number:,} of {trainer.steps:,} steps")
        keep = partial(checkpoint.save, course.FILE, state, run, trainer, origin)
        try:
            _follow(run, trainer, words, samples, console, keep)
        finally:
            keep()
        combination = _combine(settings, trainer.parameters, words, samples)
        description = {"engine": VERSION, "command": f"boomslang people {command}"}
        outcome = {"origin": origin, "positions": len(samples), "losses": run.losses}
        file.write(settings.out, trainer.parameters, combination, description | outcome)
    del words, samples
    for path in course.files_beside(settings.out):
        path.unlink(missing_ok=True)
    console.print(f"{settings.out} written")
    return 0


def _follow(
    run: Any, trainer: Any, words: Any, samples: Any, console: Console, keep: partial[None]
) -> None:
    """Train with a progress bar, a line for each epoch, and checkpoints."""
    from boomslang.engine.learning.people.training_run import follow

    began = kept = time.monotonic()
    since = trainer.number
    with progress("", trainer.steps, done=trainer.number, counted=True) as advance:
        for ended in follow(run, trainer, words, samples):
            now = time.monotonic()
            speed = (trainer.number - since) * trainer.plan.batch_size / max(now - began, 1e-9)
            mean = run.total / max(run.batches, 1)
            advance(1, title=f"epoch {run.epochs + 1}, {mean:.4f} nats, {speed:,.0f}/s")
            if ended:
                console.print(f"epoch {run.epochs}: {run.losses[-1]:.4f} nats, {speed:,.0f}/s")
            if now - kept > _BETWEEN:
                keep()
                kept = now


def _combine(settings: PeopleTrainSettings, parameters: Any, words: Any, samples: Any) -> Any:
    """The weights of a search beside the policy, fitted to games that it has not learnt from."""
    import numpy as np

    from boomslang.engine.learning.people import evaluation, searches
    from boomslang.engine.people.trainer import HELD_OUT

    fitting = (samples.fold < HELD_OUT) & ~evaluation.is_held_out(samples)
    chosen = np.flatnonzero(fitting & evaluation.is_measured(samples, (0, 4000)))
    if not settings.searches or not len(chosen):
        return searches.no_search()
    # Weak and strong players are few, and the weights at their ratings are to be fitted too.
    _, band, counts = np.unique(
        samples.rating[chosen] // 200, return_inverse=True, return_counts=True
    )
    shares = 1 / np.sqrt(counts[band])
    count = min(settings.searches, len(chosen))
    dice = np.random.default_rng(settings.seed)
    chosen = np.sort(dice.choice(chosen, count, replace=False, p=shares / shares.sum()))
    rows = list(_searched(parameters, words, samples, chosen, "Searching positions"))
    return searches.fit(rows)


def _compare(arguments: argparse.Namespace) -> int:
    """What 50, 200, 1000 and all games of a person tell of the last ones."""
    load_kernels()
    from boomslang.engine.people.person import MAX_GAMES, PersonGames

    settings = read_settings(LikeSettings, arguments)
    console = Console()
    with console.status("Reading games"):
        games = PersonGames(arguments.like, settings.player or "")
    table = figure_table("games", "nats before", "after", "share learnt")
    for most in (*_SIZES, MAX_GAMES):
        with console.status(f"Learning from {most} games"):
            person, _ = games.adapt(most)
        learnt = person.games - person.kept
        if person.kept:
            figures = f"{person.before:.3f}", f"{person.after:.3f}", f"{person.share:.2f}"
            table.add_row(f"{min(most, learnt):,}", *figures)
        if learnt <= most:
            break
    console.print(f"{person}.")
    if person.kept:
        console.print(table)
    return 0


def _evaluate(arguments: argparse.Namespace) -> int:
    import numpy as np

    from boomslang.engine.learning.people import evaluation, training_run
    from boomslang.engine.learning.people.evaluation import Tally
    from boomslang.engine.people import file
    from boomslang.engine.people.model import LOOKS, chances_of, chances_with
    from boomslang.engine.people.samples import FOLDS
    from boomslang.engine.people.trainer import HELD_OUT

    settings = read_settings(PeopleEvaluateSettings, arguments)
    with refuse_errors(ValueError):
        parameters, combination, _ = file.read(settings.net or file.SHIPPED)
    games = _read(settings)
    console = Console()
    parts, count = [], 0
    with progress("Describing games", len(games), counted=True) as advance:
        folds = FOLDS if settings.every else HELD_OUT - 1
        parts_of = training_run.describe_games(games, settings.seed, settings.threads, folds)
        for words, samples, done in parts_of:
            wanted = evaluation.is_measured(samples)
            parts.append((words, samples[wanted]))
            count += int(wanted.sum())
            advance(done=done)
            if count >= 8 * settings.positions:  # of many games a few positions each
                break
    words, samples = training_run.join_parts(parts, settings.positions, settings.seed)
    if not len(samples):
        raise UsageError(
            "no position of these games is measured: blitz to classical, 900 to 2300, from ply 10 on; "
            "of games that training does not hold out only with --every"
        )
    policy = Tally()
    for chances, sample in zip(chances_of(parameters, words, samples), samples, strict=True):
        policy.add(int(sample.rating), chances, int(sample.played))
    _show(console, "Without a search", policy)
    if settings.searches:
        chosen = np.arange(min(settings.searches, len(samples)))
        alone, both = Tally(), Tally()
        for scores, numbers, played, rating, worth in _searched(
            parameters, words, samples, chosen, "Searching"
        ):
            chances = np.exp(scores)
            alone.add(int(rating), chances, played, worth)
            both.add(
                int(rating), chances_with(combination, chances, numbers, rating), played, worth
            )
        _show(console, "The same positions without a search", alone)
        _show(console, f"With a search of {LOOKS[-1].nodes:,} nodes", both)
    return 0


def _searched(parameters: Any, words: Any, samples: Any, chosen: Any, title: str) -> Any:
    """The chosen samples with what a search finds, one after the other, with a bar."""
    from boomslang.engine.learning.people.searches import search_samples

    load_kernels()
    with progress(title, len(chosen), counted=True) as advance:
        for row in search_samples(parameters, words, samples, chosen):
            yield row
            advance(1)


def _show(console: Console, title: str, tally: Tally) -> None:
    """Print the tables of a tally."""
    console.print(title)
    table = figure_table("rating", "positions", "top %", "nats", "by lot %")
    for band, count, top, nats, chance in tally.table():
        table.add_row(band, f"{count:,}", f"{top:.1f}", f"{nats:.3f}", f"{chance:.1f}")
    console.print(table)
    table = figure_table("chance %", "moves", "mean %", "played %")
    for name, count, chance, played in tally.calibration():
        table.add_row(name, f"{count:,}", f"{chance:.1f}", f"{played:.1f}")
    console.print(table)
    if tally.judged:
        model, people = tally.errors()
        told = ["  ".join(f"{share:.1f}" for share in shares) for shares in (model, people)]
        console.print(f"moves that lose more than 10, 20, 30 %: {told[0]}; people's: {told[1]}")
