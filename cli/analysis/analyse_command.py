"""`boomslang analyse`: annotated games and a report."""

from __future__ import annotations

import argparse
import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_repertoire,
    board_of,
    check_kind,
    check_outputs,
    file_stem,
    kind_of,
    some_of,
    with_arguments,
)
from boomslang.cli.terminal.engine_arguments import (
    add_two_engines,
    probed_engines,
    refuse_failed_engine,
)
from boomslang.cli.terminal.output import complain, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import quote_path
from boomslang.engine.search_settings import AnalysisSettings, WorkSettings

if TYPE_CHECKING:
    from boomslang.engine.analysis.output_files import ReportFiles
    from boomslang.engine.analysis.plan import AnalysisPlan, Reports
    from boomslang.engine.analysis.segment import Evaluations
    from boomslang.engine.notation.pgn import InputGame

DONE, PROBLEMS = 0, 1
FORMATS: Final = ("pgn", "json", "html")
_DESCRIPTION: Final = """\
Search every position of the games in PGN files, or folders of them. Each move gets its score, best line, loss
in centipawns and in winning chances, judgement (inaccuracy, mistake, blunder) and missed mates, each player
an accuracy by phase, each game the name of its opening. The command writes an annotated PGN, JSON and an HTML
report that works offline; several input files are joined in one of each.
"""
_EXAMPLES: Final = """\
examples:
  boomslang analyse games.pgn
  boomslang analyse monday.pgn tuesday.pgn -o week
  boomslang analyse club/
  boomslang analyse games.pgn --nodes 2_000_000 --jobs 4 -o reports/club
  boomslang analyse games.pgn --movetime 1000 --multipv 3 --formats html
  boomslang analyse games.pgn --engine stockfish --option "Use NNUE=true" --nodes 1_000_000
  boomslang analyse games.pgn --engine stockfish --engine ethereal-chess --option "2:Hash=64"
  boomslang analyse --fen "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1" --depth 20 --multipv 2

Repeat an interrupted command to resume it. With --nodes or --depth and one thread per search the result is
reproducible. The exit status is 0 on success, 1 after a remark on the input or if a game, or a file of a
folder, was left out, 2 after a usage error or if a file cannot be read or written.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang analyse", _DESCRIPTION, _EXAMPLES)
    parser.option(
        "files FILE",
        Path,
        "PGN files of games, or folders of them; - for standard input",
        nargs="*",
    )
    parser.option("--fen F", str, "single position instead of files, in quotes")
    parser.flag("--chess960", "castling rights of --fen read as Chess960")
    parser.option(
        "-o --out STEM",
        file_stem,
        "files to write, without extension, or the one file with it (FILE-analysed or "
        "FILE-and-N-more-analysed)",
    )
    parser.option(
        "--formats A,B",
        some_of(FORMATS),
        "output formats out of pgn, json, html (that of --out, or all three)",
    )
    parser.option("--table FILE", Path, "CSV file to write too, with a row for each move")
    add_repertoire(parser)
    search = parser.add_argument_group("limits per position; the first one reached ends the search")
    add_settings(search, AnalysisSettings)
    add_two_engines(search, "that searches the games; reasons are proved by this one")
    add_settings(parser.add_argument_group("work"), WorkSettings)
    return parser


@with_arguments(new_parser, "interrupted; repeat the command to resume")
def main(arguments: argparse.Namespace) -> int:
    from boomslang.cli.analysis.show import show_games, show_position
    from boomslang.engine.analysis.input_files import game_files, usual_stem
    from boomslang.engine.analysis.openings.repertoire import Repertoire
    from boomslang.engine.analysis.output_files import ReportFiles
    from boomslang.engine.analysis.plan import AnalysisPlan, Reports
    from boomslang.engine.analysis.report_page import credit

    stem, formats = _read_output(arguments)
    if stem is None and arguments.files:
        stem = usual_stem(arguments.files)
    output = None if stem is None else ReportFiles(stem, formats, arguments.table)
    files = game_files(arguments.files, result=stem)
    games, left_out = _games(arguments, files)
    repertoire = Repertoire(arguments.repertoire) if arguments.repertoire else None
    settings, *others = _settings(arguments)
    plans = []
    for path, entry in games:
        left = repertoire.departure(entry.game) if repertoire and entry.analysable else None
        words = left.sentence if left else ""
        name = str(path) if len(files) > 1 else ""
        other = (AnalysisPlan(entry.game, each, entry.analysable) for each in others)
        second = next(other, None)
        plans.append(
            AnalysisPlan(entry.game, settings, entry.analysable, entry, name, second, words)
        )
    if output is None:
        results: dict[str, Evaluations] = {}
        for key, evaluations in _search(plans, arguments, results):
            results[key] = evaluations
        reports = Reports(plans, results)
    else:
        for path in filter(output.overwrites, [*files, *arguments.repertoire]):
            raise UsageError(f"{quote_path(path)} would be overwritten; choose another --out")
        reports = _analyse_with_journal(plans, arguments, output)
    if files or settings.engine:
        say(credit(reports.settings))
    if files:
        show_games(reports)
    else:
        show_position(reports)
    if output:
        say(*output.paths.values())
    return _report_problems(games, [*left_out, *(repertoire.problems if repertoire else [])])


def _read_output(arguments: argparse.Namespace) -> tuple[Path | None, tuple[str, ...]]:
    """The stem of the files to write, and their formats; an extension of --out names the only one."""
    out: Path | None = arguments.out
    if out is None and arguments.formats and not arguments.files:
        raise UsageError("--formats needs --out where there is no file of games")
    if arguments.table and not arguments.files:
        raise UsageError("--table needs files of games")
    check_kind("--table", arguments.table, "csv")
    if out is None or not (kind := kind_of(out)):
        return out, arguments.formats or FORMATS
    check_kind("--out", out, *FORMATS)
    if arguments.formats not in (None, (kind,)):
        raise UsageError(
            f"--out {quote_path(out)} is one file, and --formats asks for {', '.join(arguments.formats)}; "
            "name it without extension"
        )
    return out.with_suffix(""), (kind,)


def _analyse_with_journal(
    plans: Sequence[AnalysisPlan], arguments: argparse.Namespace, output: ReportFiles
) -> Reports:
    from boomslang.engine.analysis.analysis_journal import add_result, analysis_journal
    from boomslang.engine.analysis.plan import Reports

    try:
        journal = analysis_journal(output.journal)
        check_outputs(*output.paths.values())
        with journal.open() as results_file:
            results = dict(results_file.entries)
            for key, evaluations in _search(plans, arguments, results):
                add_result(results_file, key, evaluations)
                results[key] = evaluations
            reports = Reports(plans, results)
            output.write(reports)
            results_file.is_done = True
    except OSError as error:
        place = error.filename or output.journal
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {quote_path(place)}: {reason}") from None
    return reports


def _search(
    plans: Sequence[AnalysisPlan], arguments: argparse.Namespace, known: Mapping[str, Evaluations]
) -> Iterator[tuple[str, Evaluations]]:
    """Search the segments without a known result, with a progress bar.

    The caller adds each result to `known`; what they leave doubtful is searched in the end.
    """
    from boomslang.engine.analysis.segment import search_segments

    if seconds := [plan.second for plan in plans if plan.second]:
        yield from _search(seconds, arguments, known)
    settings = plans[0].settings
    work_by = read_settings(WorkSettings, arguments)
    jobs = work_by.count(settings.threads)
    is_loaded = False
    for title in itertools.chain(("Positions",), itertools.repeat("Doubtful moves")):
        tasks = {key: task for plan in plans for key, task in plan.tasks(known).items()}
        if not tasks:
            return
        if not is_loaded:
            load_kernels()
            is_loaded = True
        with progress(title, sum(map(len, tasks.values())), counted=True) as advance:
            work = search_segments(tasks, settings, min(jobs, len(tasks)), work_by.cluster)
            is_kept = arguments.files or arguments.out
            name = settings.engine_name
            with refuse_failed_engine(name, is_kept=is_kept), contextlib.closing(work):
                for key, evaluations in work:
                    yield key, evaluations
                    advance(len(tasks[key]))


def _settings(arguments: argparse.Namespace) -> list[AnalysisSettings]:
    """Those of the searches by each engine; one rule of winning chances for all games."""
    settings = read_settings(AnalysisSettings, arguments)
    others = probed_engines(arguments)
    by_wdl = all(other.shows_wdl for other in others)
    return [settings.by(other, by_wdl=by_wdl) for other in others] or [settings]


def _games(
    arguments: argparse.Namespace, files: Sequence[Path]
) -> tuple[list[tuple[Path, InputGame]], list[str]]:
    """The games to analyse with their files, in order; or a game made of the single position.

    And why files are left out.
    """
    from boomslang.engine.analysis.input_files import read_all
    from boomslang.engine.notation.pgn import InputGame, read_games

    if (not arguments.files) == (arguments.fen is None):
        raise UsageError("name PGN files or a --fen, for example: boomslang analyse games.pgn")
    if arguments.fen is not None:
        import chess.pgn

        game = chess.pgn.Game()
        game.setup(board_of(arguments.fen, arguments.chess960))
        return [(Path(), InputGame(1, 1, game))], []
    if arguments.chess960:
        raise UsageError("--chess960 needs --fen; PGN files mark Chess960 by the Variant tag")
    return read_all(arguments.files, files, read_games)


def _report_problems(games: Sequence[tuple[Path, InputGame]], left_out: Sequence[str]) -> int:
    status = PROBLEMS if left_out else DONE
    for problem in left_out:
        complain(problem)
    for path, entry in games:
        for problem in entry.messages:
            status = PROBLEMS
            consequence = "" if entry.analysable else "left out: "
            complain(f"{path}:{entry.line}: game {entry.number}: {consequence}{problem}")
    return status
