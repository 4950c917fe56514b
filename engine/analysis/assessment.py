"""Assessment of a game from the evaluations of its positions: losses, judgements, accuracy, key moments."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import chess
import chess.pgn
from chess.engine import Score

from boomslang.engine.analysis.peers import Peers
from boomslang.engine.analysis.performance import Performance, Reading, performance
from boomslang.engine.analysis.reason import Reason
from boomslang.engine.analysis.win_percent import (
    LICHESS,
    Judgement,
    Thresholds,
    accuracy,
    clip_score,
    game_accuracy,
    is_winning_mate,
    judged_score,
    lenient_judgement_of,
    win_chance,
)
from boomslang.engine.analyst import Evaluation
from boomslang.engine.limits import Info
from boomslang.engine.notation.pgn import InputGame

_MAX_CRITICAL: Final = 8  # maximum number of key moments per game


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One move and its effect; scores and winning chances (per cent) from the mover's view."""

    ply: int  # index in the game, from 0
    board: chess.Board  # before the move, without its history
    move: chess.Move
    before: Evaluation
    after: Evaluation
    score_before: Score
    score_after: Score
    loss: int  # centipawns, at least 0
    chance_before: float
    chance_after: float
    accuracy: float
    judgement: Judgement | None
    missed_mate: int | None  # its length, if the move misses one that the line does not refute
    is_excused: bool = False  # not judged only because the engine has chosen it
    reason: Reason | None = None  # why it is a mistake or a blunder, if that is proved
    peers: Peers | None = None  # what players of the mover's rating do, if it is judged or rare
    merit: str = ""  # "great" or "brilliant", if it is proved to be the only good move, and rare

    @property
    def chance_loss(self) -> float:
        """Winning chances lost in per cent, at least 0."""
        return max(self.chance_before - self.chance_after, 0.0)

    @property
    def allowed_mate(self) -> int | None:
        """The length of the mate that the move allows, if the line does not refute it."""
        mate = self.score_after.mate()
        if mate is None or mate >= 0 or self.score_before.is_mate():
            return None
        return None if self.is_mate_shown_after is False else -mate

    @property
    def is_mate_shown_after(self) -> bool | None:
        """`is_mate_shown` of the best line behind the move."""
        after = self.board.copy(stack=False)
        after.push(self.move)
        return is_mate_shown(after, self.after.best)

    @property
    def is_best(self) -> bool:
        """True if it is the engine's choice."""
        return self.before.best.pv[:1] == (self.move,)


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """A summary of the moves of one player."""

    moves: int = 0
    accuracy: float | None = None  # percent
    loss: float | None = None  # centipawns per move
    judgements: Mapping[Judgement, int] = field(default_factory=dict)
    missed_mates: int = 0
    reading: Reading | None = None  # what the moves tell of a rating

    @property
    def played_like(self) -> Performance | None:
        """The rating of players who play like this."""
        return performance([self.reading])


@dataclass(frozen=True, slots=True)
class GameReport:
    """A whole game; `positions` has one evaluation more than there are moves."""

    game: chess.pgn.Game
    positions: tuple[Evaluation | None, ...]
    moves: tuple[MoveReport | None, ...]
    white: PlayerReport
    black: PlayerReport
    critical: tuple[int, ...]  # plies of the key moments, in order
    source: InputGame | None = None  # the game in the input, with its problems
    file: str = ""  # the input file, if there are several
    number: int = 0  # position of a stored game in its file, from 1
    by_wdl: bool = False  # the winning chances are those that the engine says, in the whole game
    thresholds: Thresholds = LICHESS  # by which the moves are judged
    second: GameReport | None = None  # by a second engine, with winning chances by the same rule
    repertoire: str = ""  # where it leaves the user's, in words

    @property
    def left_out(self) -> str:
        """The reason why the game is not analysed; empty if it is, or without a known source."""
        source = self.source
        return "; ".join(source.problems) if source and not source.analysable else ""


def assess(
    game: chess.pgn.Game,
    positions: tuple[Evaluation | None, ...],
    source: InputGame | None = None,
    file: str = "",
    by_wdl: bool = False,
    thresholds: Thresholds = LICHESS,
) -> GameReport:
    """The report of a game by the evaluations of its positions, one more than there are moves, or none.

    `by_wdl` is the rule of the winning chances, see `win_percent`.
    """
    moves = tuple(_moves(game, positions, by_wdl, thresholds))
    return GameReport(
        game,
        positions,
        moves,
        _player(chess.WHITE, moves),
        _player(chess.BLACK, moves),
        _critical(moves),
        source,
        file,
        by_wdl=by_wdl,
        thresholds=thresholds,
    )


def _moves(
    game: chess.pgn.Game,
    positions: Sequence[Evaluation | None],
    by_wdl: bool,
    thresholds: Thresholds,
) -> list[MoveReport | None]:
    if not positions:
        return [None for _ in game.mainline_moves()]
    reports: list[MoveReport | None] = []
    board = game.board()
    for ply, move in enumerate(game.mainline_moves()):
        before, after = positions[ply], positions[ply + 1]
        if move and before and after:
            reports.append(move_report(ply, board, move, before, after, by_wdl, thresholds))
        else:
            reports.append(None)  # a null move is not assessed
        board.push(move)
    return reports


def move_report(
    ply: int,
    board: chess.Board,
    move: chess.Move,
    before: Evaluation,
    after: Evaluation,
    by_wdl: bool = False,
    thresholds: Thresholds = LICHESS,
) -> MoveReport:
    """The report of a move by the scores around it; one that the engine has chosen is not judged.

    Its loss is what the scores say all the same, as other programs compute it from them.
    """
    was, became = before.best.score.to_chess(), -after.best.score.to_chess()
    is_choice = before.is_choice(move.uci())
    missed = is_winning_mate(was) and not is_winning_mate(became)
    missed = missed and is_mate_shown(board, before.best) is not False
    judged = judged_score(before.best, by_wdl), -judged_score(after.best, by_wdl)
    chance_before, chance_after = map(win_chance, judged)
    judgement = lenient_judgement_of(*judged, thresholds)
    return MoveReport(
        ply=ply,
        board=board.copy(stack=False),
        move=move,
        before=before,
        after=after,
        score_before=was,
        score_after=became,
        loss=max(clip_score(was) - clip_score(became), 0),
        chance_before=chance_before,
        chance_after=chance_after,
        accuracy=accuracy(chance_before, chance_after),
        judgement=None if is_choice else judgement,
        missed_mate=was.mate() if missed and not is_choice else None,
        is_excused=is_choice and bool(judgement or missed),
    )


def is_mate_shown(board: chess.Board, line: Info) -> bool | None:
    """Whether a line ends in the mate that its score says; None if it ends before.

    Another engine may say a mate that is none.
    """
    mate = line.score.mate or 0
    plies = 2 * mate - 1 if mate > 0 else -2 * mate
    after = board.copy(stack=False)
    for move in line.pv[:plies]:
        after.push(move)
    return after.is_checkmate() or (None if len(line.pv) < plies else False)


def with_reasons(report: GameReport, reasons: Mapping[int, Reason]) -> GameReport:
    """The report with the reasons of its moves, by ply."""
    moves = [
        replace(move, reason=reasons[move.ply]) if move and move.ply in reasons else move
        for move in report.moves
    ]
    return replace(report, moves=tuple(moves))


def _player(colour: chess.Color, moves: Sequence[MoveReport | None]) -> PlayerReport:
    own = [move for move in moves if move and move.board.turn == colour]
    if not own:
        return PlayerReport()
    made = [move.judgement for move in own if move.judgement]
    return PlayerReport(
        moves=len(own),
        accuracy=accuracies(moves)[0 if colour == chess.WHITE else 1],
        loss=statistics.fmean(move.loss for move in own),
        judgements={kind: made.count(kind) for kind in Judgement},
        missed_mates=sum(move.missed_mate is not None for move in own),
    )


def accuracies(moves: Sequence[MoveReport | None]) -> tuple[float | None, float | None]:
    """White's and Black's accuracy over the evaluated moves."""
    runs: list[tuple[list[float], bool]] = []
    last: MoveReport | None = None
    for move in moves:
        if move and not last:
            runs.append(([_white_chance(move.board.turn, move.chance_before)], move.board.turn))
        if move:
            runs[-1][0].append(_white_chance(move.board.turn, move.chance_after))
        last = move
    return game_accuracy(runs)


def _white_chance(mover: chess.Color, chance: float) -> float:
    return chance if mover == chess.WHITE else 100 - chance


def _critical(moves: Sequence[MoveReport | None]) -> tuple[int, ...]:
    """The most costly mistakes and blunders, in the order of the game."""
    serious = [
        move for move in moves if move and move.judgement in (Judgement.MISTAKE, Judgement.BLUNDER)
    ]
    serious.sort(key=lambda move: (-move.chance_loss, move.ply))
    return tuple(sorted(move.ply for move in serious[:_MAX_CRITICAL]))


def score_text(score: Score, turn: chess.Color) -> str:
    """White's view, in pawns or moves to mate: "+0.35", "#-4"."""
    white = score if turn == chess.WHITE else -score
    mate = white.mate()
    if mate is None:
        return f"{white.score(mate_score=0) / 100:+.2f}"
    return f"#{mate}" if mate else "#"


def san_line(board: chess.Board, moves: Iterable[chess.Move]) -> list[str]:
    """The moves of a line in SAN."""
    after = board.copy(stack=False)
    return [after.san_and_push(move) for move in moves]
