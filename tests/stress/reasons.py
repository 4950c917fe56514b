"""Checks the reasons of a report, by searches with eight times the nodes.

python -m tests.stress.reasons --people games.jsonl.xz --games 100 --nodes 50000
python -m tests.stress.reasons --pgn games.pgn --games 20 --nodes 50000
boomslang analyse games.pgn --nodes 50_000 --formats json --out report.json
python -m tests.stress.reasons --json report.json --nodes 50000

Prints how far the report agrees with itself, the shares of judged moves with a reason, and what the longer
search objects to. Of `--people` the games of players rated 1000 to 2000 are taken, of one half by their hash:
nothing is tuned on the other one. The exit status is 1 if a reason is false.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import chess
import chess.pgn

from boomslang.engine.analysis.assessment import GameReport
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.analysis.segment import Evaluations, segment_searcher
from boomslang.engine.analysis.stored import read_reports
from boomslang.engine.analysis.summary.mistakes import MistakeKind, kind_of
from boomslang.engine.analysis.win_percent import SEVERE
from boomslang.engine.notation.pgn import InputGame, games_of_text, read_games
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


def people(path: Path, half: int) -> Iterator[InputGame]:
    """Games of players rated 1000 to 2000 out of a file of JSON lines, mixed, of one half by their hash."""
    found = []
    with lzma.open(path, "rt") as file:
        for data in map(json.loads, file):
            ratings = [data.get(side) or 0 for side in "wb"]
            digest = hashlib.sha256(data["moves"].encode()).digest()
            is_long = 40 <= len(data["moves"].split()) <= 120
            if is_long and digest[0] & 1 == half and all(1000 <= one <= 2000 for one in ratings):
                found.append((digest, data["moves"]))
    for _, moves in sorted(found):
        game = chess.pgn.Game()
        with suppress(ValueError):
            game.add_line(map(chess.Move.from_uci, moves.split()))
            yield from games_of_text(str(game))


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
    source.add_argument(
        "--people", type=Path, metavar="FILE", help="games of people (JSON lines, xz)"
    )
    add(
        "--half",
        type=int,
        choices=(0, 1),
        default=1,
        help="half of the --people; 0 is for tuning (1)",
    )
    add("--games", type=int, metavar="N", help="number of games (all of --json, else 10)")
    add("--first", type=int, default=0, metavar="N", help="games left out at the beginning (0)")
    add("--nodes", type=int, default=250_000, metavar="N", help="nodes per position (250,000)")
    add(
        "--factor",
        type=int,
        default=8,
        metavar="N",
        help="times the nodes of the checks, 0 for none (8)",
    )
    add("--show", action="store_true", help="print all reasons")
    arguments = parser.parse_args()
    settings = AnalysisSettings(nodes=arguments.nodes)
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    checker = Checker(arguments.nodes * max(arguments.factor, 1))
    first, games = arguments.first, arguments.games
    analysed: Iterator[GameReport]
    if arguments.json:
        last = None if games is None else first + games
        analysed = islice(read_reports(arguments.json), first, last)
    else:
        every = (
            read_games(arguments.pgn) if arguments.pgn else people(arguments.people, arguments.half)
        )
        entries = islice(every, first, first + (games or 10))
        analysed = reports(entries, settings)
    for number, report in enumerate(analysed, first + 1):
        counts.update(_counted(report))
        for case in cases(report):
            kinds[case.reason.kind] += 1
            if case.reason.means:
                kinds[f"by {case.reason.means}"] += 1
            place = f"game {number}, {line_words(case.move.board, [case.move.move])}"
            if arguments.factor and (objection := checker.why_false(case)):
                counts["false"] += 1
                print(f"FALSE {place}: {case.reason.text} [{objection}]")
            elif arguments.show:
                print(f"{place}: {case.reason.text}")
        sys.stdout.flush()
    for name, number in [*sorted(counts.items()), *kinds.most_common()]:
        print(f"{number:7,}  {name}")
    return 1 if counts["false"] else 0


def _counted(report: GameReport) -> Counter[str]:
    counts: Counter[str] = Counter(
        {"nodes of positions": sum(found.nodes for found in report.positions if found)}
    )
    for move in filter(None, report.moves):
        counts["moves"] += 1
        counts["best moves"] += move.is_best
        if move.judgement:
            name = "mistakes and blunders" if move.judgement in SEVERE else "inaccuracies"
            counts[name] += 1
            counts[f"{name} with a reason"] += move.reason is not None
            counts["other in a summary"] += kind_of(move) == MistakeKind.OTHER
    return counts


if __name__ == "__main__":
    sys.exit(main())
