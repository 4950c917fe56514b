"""Checks the reasons for the mistakes and blunders of games, by searches with eight times the nodes.

python -m tests.stress.reasons --pgn games.pgn --games 20 --nodes 50000

Prints how far the report agrees with itself, the share of mistakes and blunders with a reason, and what the
longer search objects to. The exit status is 1 if a reason is false or a best move costs something.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from boomslang.cli.analysis.agreement import SEVERE
from boomslang.cli.analysis.assessment import GameReport
from boomslang.cli.analysis.plan import AnalysisPlan
from boomslang.cli.analysis.position import AnalysisSettings
from boomslang.cli.analysis.reasons.candidate import line_words
from boomslang.cli.analysis.stretch import Evaluations, stretch_searcher
from boomslang.engine.notation.games import read_games
from tests.support.reason_check import Case, Checker


def reports(path: Path, settings: AnalysisSettings, first: int, games: int) -> Iterator[GameReport]:
    """The reports of games `first` to `first + games` of a file."""
    search = stretch_searcher(settings)
    for entry in islice(read_games(path), first, first + games):
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
    add("--pgn", type=Path, required=True, metavar="FILE")
    add("--games", type=int, default=10, metavar="N", help="number of games (10)")
    add("--first", type=int, default=0, metavar="N", help="games left out at the beginning (0)")
    add("--nodes", type=int, default=250_000, metavar="N", help="nodes per position (250,000)")
    add("--factor", type=int, default=8, metavar="N", help="times the nodes of the checks (8)")
    add("--show", action="store_true", help="print all reasons")
    arguments = parser.parse_args()
    settings = AnalysisSettings(nodes=arguments.nodes)
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    checker = Checker(arguments.nodes * arguments.factor)
    for number, report in enumerate(
        reports(arguments.pgn, settings, arguments.first, arguments.games), arguments.first + 1
    ):
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
