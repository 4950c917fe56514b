"""Checks the reasons for the mistakes and blunders of games, by searches with eight times the nodes.

python -m tests.stress.reasons --pgn games.pgn --games 20 --nodes 50000
boomslang analyse games.pgn --nodes 50_000 --formats json --out report.json
python -m tests.stress.reasons --json report.json --nodes 50000

Prints how far the report agrees with itself, the share of mistakes and blunders with a reason, and what the
longer search objects to. The exit status is 1 if a reason is false or a best move costs something.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from boomslang.engine.analysis.assessment import GameReport
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.analysis.segment import Evaluations, segment_searcher
from boomslang.engine.analysis.stored import read_reports
from boomslang.engine.analysis.win_percent import SEVERE
from boomslang.engine.notation.pgn import InputGame, read_games
from boomslang.engine.search_settings import AnalysisSettings
from tests.support.reason_check import Case, Checker


def reports(entries: Iterable[InputGame], settings: AnalysisSettings) -> Iterator[GameReport]:
    """The reports of games, each searched when it is wanted."""
    search = segment_searcher(settings)
    for entry in entries:
        plan = AnalysisPlan(entry.game, settings, entry.analysable, entry)
        results: dict[str, Evaluations] = {}
        while tasks := plan.tasks(results):
            for key, task in tasks.items():
                results[key] = search(task)
        yield plan.report(results)


def cases(report: GameReport) -> Iterator[Case]:
    """The moves with a reason."""
    board = report.game.board()
    for node, move in zip(report.game.mainline(), report.moves, strict=True):
        if move and move.reason:
            yield Case(board.copy(), move)
        board.push(node.move)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--pgn", type=Path, metavar="FILE", help="games to analyse")
    source.add_argument("--json", type=Path, metavar="FILE", help="analysed games")
    add("--games", type=int, metavar="N", help="number of games (all of --json, 10 of --pgn)")
    add("--first", type=int, default=0, metavar="N", help="games left out at the beginning (0)")
    add("--nodes", type=int, default=250_000, metavar="N", help="nodes per position (250,000)")
    add("--factor", type=int, default=8, metavar="N", help="times the nodes of the checks (8)")
    add("--show", action="store_true", help="print all reasons")
    arguments = parser.parse_args()
    settings = AnalysisSettings(nodes=arguments.nodes)
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    checker = Checker(arguments.nodes * arguments.factor)
    first, games = arguments.first, arguments.games
    analysed: Iterator[GameReport]
    if arguments.json:
        last = None if games is None else first + games
        analysed = islice(read_reports(arguments.json), first, last)
    else:
        entries = islice(read_games(arguments.pgn), first, first + (games or 10))
        analysed = reports(entries, settings)
    for number, report in enumerate(analysed, first + 1):
        counts.update(_counted(report))
        for case in cases(report):
            kinds[case.reason.kind] += 1
            if case.reason.means:
                kinds[f"by {case.reason.means}"] += 1
            place = f"game {number}, {line_words(case.move.board, [case.move.move])}"
            if objection := checker.why_false(case):
                counts["false"] += 1
                print(f"FALSE {place}: {case.reason.text} [{objection}]")
            elif arguments.show:
                print(f"{place}: {case.reason.text}")
        sys.stdout.flush()
    for name, number in [*sorted(counts.items()), *kinds.most_common()]:
        print(f"{number:7,}  {name}")
    return 1 if counts["false"] or counts["best moves with a loss"] else 0


def _counted(report: GameReport) -> Counter[str]:
    counts: Counter[str] = Counter(
        {"nodes of positions": sum(found.nodes for found in report.positions if found)}
    )
    for move in filter(None, report.moves):
        counts["moves"] += 1
        counts["best moves"] += move.is_best
        counts["best moves with a loss"] += move.is_best and move.chance_loss > 0
        counts["mistakes and blunders"] += move.judgement in SEVERE
        counts["of these with a reason"] += move.reason is not None
    return counts


if __name__ == "__main__":
    sys.exit(main())
