"""`boomslang exercises`: a player's own mistakes, solved again until they are right."""

from __future__ import annotations

import argparse
import datetime
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import chess
import chess.pgn

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_option,
    add_repertoire,
    check_kind,
    check_outputs,
    kind_of,
    with_arguments,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.engine_arguments import add_engine, probed_engine, refuse_failed_engine
from boomslang.cli.terminal.output import ask, complain, say
from boomslang.core.system.files import quote_path, write_whole
from boomslang.engine.analysis.exercises.texts import move_played, why_wrong
from boomslang.engine.notation.pgn_writer import format_pgn
from boomslang.engine.settings import whole

if TYPE_CHECKING:
    from boomslang.engine.analysis.assessment import GameReport
    from boomslang.engine.analysis.exercises.collect import LeftOut
    from boomslang.engine.analysis.exercises.exercise import Exercise
    from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile

_JUDGEMENTS: Final = ("inaccuracy", "mistake", "blunder")
_KINDS: Final = ("epd", "pgn")
_DESCRIPTION: Final = """\
Exercises from a player's own mistakes: find a better move. Any move within 5 percentage points of the best
winning chances is right; one that the analysis has not looked at is searched beside the best one. Or from a
repertoire: find a move of it. A wrong exercise comes again after 1 day, then 3, 7 and 21 days while the
answers are right; a move of a repertoire always comes again, at growing intervals. `boomslang board` has the
same exercises on its fourth page.
"""
_EXAMPLES: Final = """\
examples:
  boomslang analyse games.pgn
  boomslang exercises add games-analysed.json --player "Doe, Jane"
  boomslang exercises add --repertoire white.pgn --colour white
  boomslang exercises solve
  boomslang exercises list
  boomslang exercises export mistakes.epd
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang exercises", _DESCRIPTION, _EXAMPLES)
    words = parser.add_subparsers(dest="word", required=True, metavar="add | solve | list | export")
    add = words.add_parser("add", help="new exercises from analysed games")
    add.option("files FILE", Path, "analysed games, JSON or PGN, or folders of them", nargs="*")
    add_repertoire(add)
    add.add_argument(
        "--colour",
        "--color",
        choices=chess.COLOR_NAMES[::-1],
        help="your side in the repertoire (that of its tag Orientation)",
    )
    add.flag("--replace", "remove positions of your side that the files of --repertoire lack")
    add.option("--player NAME", str, "name of the player (the most frequent one)")
    add.add_argument(
        "--least",
        choices=_JUDGEMENTS,
        default="mistake",
        metavar="KIND",
        help="least judgement of a move: inaccuracy, mistake or blunder (mistake)",
    )
    solve = words.add_parser("solve", help="exercises that are due, in the terminal")
    solve.option("--count N", whole(1, 100_000), "maximum number of exercises (all that are due)")
    solve.flag("--ascii", "board of letters only")
    add_engine(solve, "that judges moves which the analysis has not looked at")
    listing = words.add_parser("list", help="all exercises and when they are due")
    export = words.add_parser("export", help="all exercises as EPD or PGN")
    export.option("out FILE", Path, "file to write, with the ending .epd or .pgn")
    for each in (add, solve, listing, export):
        add_option(each, "--file FILE", Path, "file of exercises (the user's own)")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    words = {"add": _add, "solve": _solve, "list": _list, "export": _export}
    return words[arguments.word](arguments)


def _file(arguments: argparse.Namespace) -> ExerciseFile:
    from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile

    return ExerciseFile(arguments.file)


def _add(arguments: argparse.Namespace) -> int:
    from boomslang.engine.analysis.exercises.texts import count_noun
    from boomslang.engine.analysis.input_files import read_all, report_files
    from boomslang.engine.analysis.stored import read_each_once

    file = _file(arguments)
    file.read()  # its errors come before the work
    if bool(arguments.files) == bool(arguments.repertoire):
        raise UsageError("name analysed games, or PGN files by --repertoire")
    if arguments.colour and not arguments.repertoire:
        raise UsageError("--colour belongs to --repertoire; --player names the player of games")
    if arguments.replace and not arguments.repertoire:
        raise UsageError("--replace belongs to --repertoire")
    if arguments.repertoire:
        if arguments.player:
            raise UsageError("--player belongs to analysed games; --colour names your side")
        return _add_repertoire(arguments, file)
    files = report_files(arguments.files)
    pairs, unread = read_all(arguments.files, files, read_each_once())
    reports = [report for _, report in pairs]
    if not reports:
        named = ", ".join(map(quote_path, arguments.files))
        raise UsageError(f"no analysed game in {named}; first: boomslang analyse FILE")
    player = _player(arguments.player, reports)
    exercises, left_out = _exercises(reports, player, arguments.least)
    added = file.add(exercises)
    moves = count_noun(len(exercises) + left_out.total(), "bad move")
    say(f"{player}: {moves}, {count_noun(added, 'new exercise')} in {quote_path(file.path)}")
    if repeated := len(exercises) - added:
        say(f"left out: {repeated} in positions that are exercises already")
    for why, number in left_out.items():
        say(f"left out: {number} {why}")
    for problem in unread:
        complain(problem)
    return 1 if unread else 0


def _add_repertoire(arguments: argparse.Namespace, file: ExerciseFile) -> int:
    """New exercises from the positions of a repertoire; returns the exit status."""
    from boomslang.engine.analysis.exercises.collect import repertoire_exercise
    from boomslang.engine.analysis.exercises.texts import count_noun
    from boomslang.engine.analysis.openings.repertoire import Repertoire

    repertoire = Repertoire(arguments.repertoire)
    sides = {arguments.colour} if arguments.colour else repertoire.sides
    if len(sides) != 1 or not sides <= set(chess.COLOR_NAMES):
        raise UsageError("--repertoire: for which side? Add --colour white or --colour black")
    (side,) = sides
    exercises = [*map(repertoire_exercise, repertoire.positions(side == "white"))]
    added = count_noun(file.add(exercises), "new exercise")
    say(f"{side}: {count_noun(len(exercises), 'position')}, {added} in {quote_path(file.path)}")
    names = {exercise.name for exercise in exercises}

    def is_lacking(kept: Exercise) -> bool:
        is_own = kept.is_repertoire and chess.COLOR_NAMES[kept.board().turn] == side
        return is_own and kept.name not in names

    if lacking := sum(map(is_lacking, file.read())):
        what = f"{count_noun(lacking, 'position')} for {side} that the repertoire lacks"
        if not arguments.replace:
            say(f"kept: {what}; --replace removes them")
        elif repertoire.problems:
            say(f"kept: {what}, since not all of it is read")
        else:
            file.remove(is_lacking)
            say(f"removed: {what}")
    for problem in repertoire.problems:
        complain(problem)
    return 1 if repertoire.problems else 0


def _player(wanted: str | None, reports: Sequence[GameReport]) -> str:
    """The name as it stands in the games; raises UsageError for one that does not."""
    from boomslang.engine.notation.players import choose_player, machines, player_names

    names = [name for report in reports for name in player_names(report.game)]
    return choose_player(
        wanted, names, {n for report in reports for n in machines(report.game)}, complain
    )


def _exercises(
    reports: Sequence[GameReport], player: str, least: str
) -> tuple[list[Exercise], Counter[LeftOut]]:
    """Exercises from the player's bad moves, and the number of others by why they make none."""
    import chess

    from boomslang.engine.analysis.exercises.collect import LeftOut, exercises_of
    from boomslang.engine.analysis.win_percent import Judgement
    from boomslang.engine.notation.players import player_names

    judgements = frozenset(Judgement(name) for name in _JUDGEMENTS[_JUDGEMENTS.index(least) :])
    exercises: list[Exercise] = []
    left_out: Counter[LeftOut] = Counter()
    for report in reports:
        for colour, name in zip(chess.COLORS, player_names(report.game), strict=True):
            if name.casefold() != player.casefold():
                continue
            for exercise in exercises_of(report, colour, judgements):
                if isinstance(exercise, LeftOut):
                    left_out[exercise] += 1
                else:
                    exercises.append(exercise)
    return exercises, left_out


def _solve(arguments: argparse.Namespace) -> int:
    from boomslang.cli.analysis.exercises.terminal_trainer import ExerciseTrainer
    from boomslang.cli.terminal.screen import BoardStyle
    from boomslang.engine.analysis.exercises.session import ExerciseSession
    from boomslang.engine.analysis.exercises.texts import count_noun, nothing_due
    from boomslang.engine.analysis.exercises.verdict import new_search, search_chance

    file = _file(arguments)
    exercises = _read_exercises(file)
    engine = probed_engine(arguments)
    judge = search_chance
    if engine:
        search = new_search(engine.command, by_wdl=engine.shows_wdl)
        judge = partial(search_chance, search=search)
    session = ExerciseSession(file)
    due = len(session.due())
    if not due:
        say(nothing_due(exercises))
        return 0
    console = Console()
    style = BoardStyle.of(console, arguments.ascii)
    console.print(f"{count_noun(due, 'exercise')} due. Type a move, or help.")
    with refuse_failed_engine(engine and engine.name, is_kept=True):
        ExerciseTrainer(session, console, style, ask, judge).run(arguments.count)
    return 0


def _read_exercises(file: ExerciseFile) -> list[Exercise]:
    """The exercises of the file, at least one."""
    exercises = file.read()
    if not exercises:
        raise UsageError(
            f"there are no exercises in {quote_path(file.path)}; first: boomslang exercises add FILE"
        )
    return exercises


def _list(arguments: argparse.Namespace) -> int:
    from rich.table import Table

    today = datetime.date.today()
    table = Table()
    table.add_column("Due", no_wrap=True)
    table.add_column("Right", justify="right")
    table.add_column("Wrong", justify="right")
    table.add_column("Played", no_wrap=True)
    table.add_column("Game", overflow="fold")
    for exercise in _read_exercises(_file(arguments)):
        when = "now" if exercise.is_due(today) else str(exercise.due or "done")
        answers = str(exercise.right), str(exercise.wrong)
        table.add_row(when, *answers, move_played(exercise), exercise.origin)
    Console().print(table)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    check_kind("export", arguments.out, *_KINDS)
    file = _file(arguments)
    check_outputs(arguments.out, sources=[file.path])
    writers = {"epd": epd, "pgn": pgn}
    writer = writers.get(kind_of(arguments.out))
    if writer is None:
        raise UsageError(f"{quote_path(arguments.out)} ends neither in .epd nor in .pgn")
    write_whole(arguments.out, writer(_read_exercises(file)))
    say(arguments.out)
    return 0


def epd(exercises: Iterable[Exercise]) -> str:
    """One line for each, with the known right moves (bm), the wrong one of the game (am), id and origin."""
    lines = []
    for exercise in exercises:
        board = exercise.board()
        operations: dict[str, Any] = {"bm": exercise.right_moves()}
        if exercise.played:
            operations["am"] = [board.parse_uci(exercise.played)]
        operations |= {"hmvc": board.halfmove_clock, "fmvn": board.fullmove_number}
        operations |= {"id": exercise.name, "c0": " ".join(exercise.origin.split())}
        lines.append(board.epd(shredder=board.chess960, **operations))
    return "".join(f"{line}\n" for line in lines)


def pgn(exercises: Iterable[Exercise]) -> str:
    """One game for each: the position and the best line, other right moves as variations."""
    return "".join(f"{format_pgn(_game(exercise))}\n\n" for exercise in exercises)


def _game(exercise: Exercise) -> chess.pgn.Game:
    board = exercise.board()
    game = chess.pgn.Game()
    game.headers["Event"] = f"Exercise {exercise.name}"
    game.headers["White"] = "White to move" if board.turn else "?"
    game.headers["Black"] = "?" if board.turn else "Black to move"
    game.setup(board)
    game.comment = f"{exercise.origin}."
    if exercise.played:
        game.comment += f" {why_wrong(exercise)}"
    node: chess.pgn.GameNode = game
    for name in exercise.best:
        node = node.add_variation(chess.Move.from_uci(name))
    for move in exercise.right_moves()[1:]:
        game.add_variation(move)
    return game
