"""Compares the judgements of an analysis with those in its games, and asks an engine which are right.

boomslang analyse games.pgn --formats json --out report.json
python -m tests.stress.judgements --pgn games.pgn --json report.json --judge /usr/games/stockfish

The games have the glyphs of Lichess ($6, $2, $4). Where two judgements are two steps or more apart, the judge
searches the positions before and after the move, and the nearer judgement is right.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine
import chess.pgn

from boomslang.engine.analysis.win_percent import Judgement, judgement_of
from boomslang.engine.notation.pgn import read_games

STEPS: Final = ("nothing", "inaccuracy", "mistake", "blunder")
GLYPHS: Final = {chess.pgn.NAG_DUBIOUS_MOVE: 1, chess.pgn.NAG_MISTAKE: 2, chess.pgn.NAG_BLUNDER: 3}


class EngineJudge:
    """Judges moves by two searches of an engine."""

    def __init__(self, command: str, nodes: int) -> None:
        self._engine = chess.engine.SimpleEngine.popen_uci(command)
        self._limit = chess.engine.Limit(nodes=nodes)

    def step(self, board: chess.Board, move: chess.Move) -> int:
        """The judgement of a move, 0 to 3."""
        before = self._engine.analyse(board, self._limit, game=object())
        if before["pv"][0] == move:
            return 0
        after = board.copy()
        after.push(move)
        was = before["score"].pov(board.turn)
        return step_of(judgement_of(was, self._score(after).pov(board.turn)))

    def _score(self, board: chess.Board) -> chess.engine.PovScore:
        if outcome := board.outcome():
            over = chess.engine.Mate(0) if outcome.winner is not None else chess.engine.Cp(0)
            return chess.engine.PovScore(over, board.turn)
        return self._engine.analyse(board, self._limit, game=object())["score"]

    def close(self) -> None:
        """End the engine."""
        self._engine.quit()


def step_of(judgement: Judgement | str | None) -> int:
    """0 for a good move, up to 3 for a blunder."""
    return STEPS.index(judgement) if judgement else 0


def moves(path: Path, report: Any) -> Iterator[tuple[chess.Board, chess.Move, int, int]]:
    """Moves with their boards, and the judgements in the game and in the report."""
    for entry, analysed in zip(read_games(path), report["games"], strict=False):
        board = entry.game.board()
        for node, found in zip(entry.game.mainline(), analysed["moves"], strict=True):
            theirs = max((GLYPHS.get(nag, 0) for nag in node.nags), default=0)
            if found:
                yield board.copy(), node.move, theirs, step_of(found["judgement"])
            board.push(node.move)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--pgn", type=Path, required=True, metavar="FILE", help="games with glyphs")
    add("--json", type=Path, required=True, metavar="FILE", help="their analysis")
    add("--judge", metavar="PROGRAM", help="UCI engine")
    add("--nodes", type=int, default=2_000_000, metavar="N", help="of the judge (2,000,000)")
    arguments = parser.parse_args()
    report = json.loads(arguments.json.read_text(encoding="utf-8"))
    table: Counter[tuple[int, int]] = Counter()
    right: Counter[str] = Counter()
    judge = EngineJudge(arguments.judge, arguments.nodes) if arguments.judge else None
    for board, move, theirs, ours in moves(arguments.pgn, report):
        table[theirs, ours] += 1
        if judge and abs(theirs - ours) >= 2:
            step = judge.step(board, move)
            near = abs(step - theirs) - abs(step - ours)
            winner = "neither" if not near else "the game" if near < 0 else "the report"
            right[winner] += 1
            place = f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san(move)}"
            print(f"{place}: {STEPS[theirs]}, {STEPS[ours]}; judge {STEPS[step]}; {board.fen()}")
    print("\nrows: the game, columns: the report")
    print(" " * 12 + "".join(f"{name:>12}" for name in STEPS))
    for theirs, name in enumerate(STEPS):
        cells = "".join(f"{table[theirs, ours]:12}" for ours in range(len(STEPS)))
        print(f"{name:12}{cells}")
    print(f"{sum(table.values())} moves; right where two steps differ: {dict(right)}")
    if judge:
        judge.close()


if __name__ == "__main__":
    main()
