"""Games analysed without an engine: by counting material after each reply. Fast, and never the same."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

import chess
import chess.pgn

from boomslang.engine.analysis.assessment import GameReport
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.segment import Evaluations
from boomslang.engine.analyst import Evaluation
from boomslang.engine.limits import Info, Score
from boomslang.engine.notation.pgn import read_games
from boomslang.engine.search_settings import AnalysisSettings
from tests.support.places import SUITES

SETTINGS = AnalysisSettings(nodes=1)
PGN = SUITES / "pgn"
VALUES = (100, 310, 330, 500, 900, 0)

ANNOTATED = """\
[Event "A game with everything: \\"quotes\\", </script>, é"]
[White "Doe, \u001b[31mJane <b>"]
[Black "Roe & Sons"]
[Result "1-0"]
[WhiteElo "1850"]

{ Before the first move. } 1. e4 { [%clk 0:05:00] King's pawn } e5 $1 2. Qh5 $6 ( { First } 2. Nf3 Nc6
( 2... d6 3. d4 { Philidor } ) 3. Bb5 ) ( 2. f4 ) 2... Nc6 3. Bc4 Nf6 $4 { [%eval 0.1] oh no }
( 3... g6 { was needed } 4. Qf3 ) 4. Qxf7# { Scholar's mate } 1-0
"""


CHESS960 = """\
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]

1. O-O O-O 2. e4 e5 3. Bg4 d6 *
"""


def info_of(
    centipawns: int | None,
    mate: int | None,
    wdl: tuple[int, int, int],
    depth: int,
    moves: Iterable[str],
) -> Info:
    """A line of an analysis, its moves in UCI notation."""
    pv = tuple(map(chess.Move.from_uci, moves))
    return Info.of(Score(centipawns, mate), depth, pv, wdl)


def moves_of(info: Info) -> tuple[str, ...]:
    """The moves of a line in UCI notation."""
    return tuple(move.uci() for move in info.pv)


def material_evaluation(board: chess.Board, avoided: str | None = None) -> Evaluation:
    """The two best moves by the material that is left, in the order of their names."""
    lines = []
    for move in sorted(board.legal_moves, key=chess.Move.uci):
        if move.uci() == avoided:
            continue
        board.push(move)
        mates = board.is_checkmate()
        lines.append((not mates, -_material(board, not board.turn), move.uci()))
        board.pop()
    lines.sort()
    return Evaluation(
        tuple(
            info_of(None, 1, (1000, 0, 0), 1, (move,))
            if not slow
            else info_of(-loss, None, (0, 1000, 0), 1, (move,))
            for slow, loss, move in lines[:2]
        ),
        len(lines),
    )


def _material(board: chess.Board, colour: chess.Color) -> int:
    return sum(
        value * (len(board.pieces(kind, colour)) - len(board.pieces(kind, not colour)))
        for kind, value in zip(chess.PIECE_TYPES, VALUES, strict=True)
    )


def report_of(game: chess.pgn.Game, analysable: bool = True) -> GameReport:
    plan = AnalysisPlan(game, SETTINGS, analysable)
    return plan.report(material_results(plan))


def material_results(plan: AnalysisPlan) -> dict[str, Evaluations]:
    """Everything that a plan asks for."""
    results: dict[str, Evaluations] = {}
    while tasks := plan.tasks(results):
        for key, task in tasks.items():
            boards = task.boards()
            results[key] = tuple(material_evaluation(board, task.avoided) for board in boards)
    return results


def game_of(pgn: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    return game


def games_of_suites() -> Iterator[chess.pgn.Game]:
    for path in sorted(PGN.glob("*.pgn")):
        if path.name != "pychess_badpgn.pgn":
            yield from (entry.game for entry in read_games(path))
