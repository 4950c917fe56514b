"""Tables of an analysis for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from rich.table import Table
from rich.text import Text

from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import say
from boomslang.engine.analysis.annotate import remark
from boomslang.engine.analysis.assessment import GameReport, PlayerReport, score_text
from boomslang.engine.analysis.disagreements import find_disagreements
from boomslang.engine.analysis.openings.table import opening_of, theory_of
from boomslang.engine.analysis.phases import Phase, phase_accuracies, phases_of
from boomslang.engine.analysis.plan import Reports
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.analysis.report_page import name_of
from boomslang.engine.analysis.win_percent import Judgement
from boomslang.engine.notation.pgn import result_of

_MAX_GAMES = 40
_MAX_TOLD = 3  # games whose mistakes and blunders are printed too
_MAX_LINE = 12


def show_games(reports: Reports) -> None:
    """Print a table of the players, two rows per game."""
    table = Table(title=f"{len(reports)} game{'s' * (len(reports) != 1)}")
    table.add_column("", justify="right")
    table.add_column("Player", overflow="fold")
    table.add_column("Result")
    for heading in ("Accuracy", "Loss", "?!", "?", "??", "Missed\nmates"):
        table.add_column(Text(heading), justify="right", no_wrap=True)
    for number, report in enumerate(islice(reports, _MAX_GAMES), start=1):
        white, black = (report.game.headers.get(tag, "?") for tag in ("White", "Black"))
        table.add_row(f"{number}", white, result_of(report.game), *_figures(report.white))
        table.add_row("", black, "", *_figures(report.black), end_section=True)
    console = Console()
    console.print(table)
    for file, numbers in _files(islice(reports, _MAX_GAMES)):
        console.print(f"{numbers}: {file}", soft_wrap=True)
    console.print(_openings(reports))
    if len(reports) > _MAX_GAMES:
        console.print(f"... and {len(reports) - _MAX_GAMES} more games")
    if len(reports) <= _MAX_TOLD:
        for number, report in enumerate(reports, start=1):
            name = f"Game {number}, " if len(reports) > 1 else ""
            _show_ratings(report, name)
            _show_moments(report, name)
            _show_disagreements(report, name, list(map(name_of, reports.settings)))


def _files(reports: Iterable[GameReport]) -> Iterator[tuple[str, str]]:
    """The files of the games, if there are several, and which games each has."""
    for file, group in groupby(enumerate(reports, start=1), key=lambda pair: pair[1].file):
        first, *others = [number for number, _ in group]
        if file:
            yield file, f"Games {first} to {others[-1]}" if others else f"Game {first}"


def _show_ratings(report: GameReport, name: str) -> None:
    for side, player in (("White", report.white), ("Black", report.black)):
        if player.played_like:
            Console().print(f"{name}{side} played like {player.played_like}")


def _show_moments(report: GameReport, name: str) -> None:
    for ply in report.critical:
        move = report.moves[ply]
        if move:
            sentence = f"{name}{line_words(move.board, [move.move])}: {remark(move)}"
            Console().print(sentence)


def _show_disagreements(report: GameReport, name: str, engines: Sequence[str]) -> None:
    """Print the moves on which two engines disagree most, with the winning chances that each sees lost."""
    for each in find_disagreements(report):
        losses = zip(engines, (each.first, each.second), strict=True)
        losses_text = ", ".join(f"{engine} -{move.chance_loss:.0f} %" for engine, move in losses)
        move = line_words(each.first.board, [each.first.move])
        Console().print(f"{name}{move} is disputed: {losses_text}")


def _openings(reports: Reports) -> Table:
    """The opening of each game and where it ends, and the accuracies by phase, two rows per game."""
    table = Table(title="Openings and accuracy by phase")
    table.add_column("", justify="right")
    table.add_column("Opening", overflow="fold")
    table.add_column("", no_wrap=True)
    for phase in Phase:
        table.add_column(phase.capitalize(), justify="right", no_wrap=True)
    for number, report in enumerate(islice(reports, _MAX_GAMES), start=1):
        played = opening_of(report.game)
        figures = phase_accuracies(phases_of(report.game), report.moves)
        names = ["-", report.repertoire]
        if played:
            theory = [theory_of(report.game, played), report.repertoire]
            names = [f"{played.opening.eco} {played.opening.name}", ". ".join(filter(None, theory))]
        for side, (label, name) in enumerate(zip(("White", "Black"), names, strict=True)):
            accuracies = [figures[phase][side] if phase in figures else None for phase in Phase]
            cells = ["-" if value is None else f"{value:.1f} %" for value in accuracies]
            number_text = "" if side else f"{number}"
            table.add_row(number_text, name, label, *cells, end_section=bool(side))
    return table


def show_position(reports: Reports) -> None:
    """Print the best lines of a single position."""
    report, engines = next(iter(reports)), list(map(name_of, reports.settings))
    board = report.game.board()
    say(board.fen(shredder=board.chess960))
    for number, each in enumerate(filter(None, (report, report.second))):
        if report.second:
            say(engines[number])
        evaluation = each.positions[0]
        for line in evaluation.lines if evaluation else ():
            moves = line.pv[:_MAX_LINE]
            moves_text = line_words(board, moves) or "the game is over"
            say(
                f"{score_text(line.score.to_chess(), board.turn):>7}  depth {line.depth:<3} {moves_text}"
            )


def _figures(player: PlayerReport) -> list[str]:
    if player.accuracy is None or player.loss is None:
        return ["-"] * 6
    counts = [str(player.judgements.get(kind, 0)) for kind in Judgement]
    return [f"{player.accuracy:.1f} %", f"{player.loss:.0f}", *counts, str(player.missed_mates)]
