"""Answers that take a search: the best lines, two moves compared, a move of a level."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import chess
import chess.pgn

from boomslang.cli.mcp.bounded_searcher import BoundedSearcher
from boomslang.cli.mcp.reading import RefusalError, over_words
from boomslang.cli.mcp.results import Answer, Data
from boomslang.cli.mcp.words import (
    SCALE,
    claims,
    head,
    head_data,
    line_data,
    percent,
    quoted_line,
    side,
    verdict,
)
from boomslang.engine.analysis.assessment import MoveReport, assess
from boomslang.engine.analysis.people_moves import values_in
from boomslang.engine.analysis.reason import Reason
from boomslang.engine.analysis.reasons.candidate import ReasonSearch, line_words
from boomslang.engine.analysis.reasons.choice import candidates
from boomslang.engine.analysis.segment import Evaluations, Segment, search_segment
from boomslang.engine.analyst import NO_WDL, Evaluation, evaluate, finished_evaluation
from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.limits import Info, Limits, Score, ignore
from boomslang.engine.people.model import LOOKS, shipped_model
from boomslang.engine.search_settings import AnalysisSettings

_SEED_BITS: Final = 32  # that every reader of JSON knows exactly
_EQUAL: Final = 2  # points of winning chances; moves that differ by less are called equally good


def analyse(
    searcher: BoundedSearcher, board: chess.Board, lines: int, nodes: int, rating: int | None = None
) -> Answer:
    """The best lines of a position, with scores in numbers and words, and how many people see them."""
    _refuse_finished(board)
    evaluation = evaluate(
        searcher.analyst, board, Limits(nodes=nodes, multipv=lines), is_new_game=True
    )
    found = [line_data(board, line, evaluation.nodes) for line in evaluation.lines]
    _add_people(searcher, board, rating, found)
    words = [
        *head(board),
        *(
            f"Line {number}: {quoted_line(board, line.pv)}: {verdict(result)}"
            for number, (line, result) in enumerate(zip(evaluation.lines, found, strict=True), 1)
        ),
        f"Depth {evaluation.best.depth}, {evaluation.nodes:,} nodes. {_scale(rating)}",
    ]
    return Answer("\n".join(words), head_data(board) | {"lines": found, "rating": rating})


def _add_people(
    searcher: BoundedSearcher, board: chess.Board, rating: int | None, lines: Sequence[Data]
) -> None:
    """Add to each line how many players with a rating play its first move, if there is a rating."""
    if rating is None:
        return
    searcher.work = "looking for what people play"
    looks = [evaluate(searcher.analyst, board, limits, is_new_game=True) for limits in LOOKS]
    chances = shipped_model().chances(board, rating, values=values_in(looks))
    for line in lines:
        line["people"] = percent(chances[chess.Move.from_uci(line["uci"][0])])


def _scale(rating: int | None) -> str:
    people = f" Such players are rated {rating} on Lichess, in blitz."
    return SCALE if rating is None else SCALE + people


def compare(
    searcher: BoundedSearcher,
    board: chess.Board,
    better: chess.Move,
    worse: chess.Move,
    nodes: int,
    rating: int | None = None,
) -> Answer:
    """Two moves with their lines, and the proved reason why the first is better, if it is."""
    if better == worse:
        raise RefusalError("both moves are the same")
    evaluations = [evaluate_after(searcher, board, move, nodes) for move in (better, worse)]
    best, other = (
        _seen_before(after, move).best
        for after, move in zip(evaluations, (better, worse), strict=True)
    )
    results = [
        line_data(board, line, after.nodes)
        for line, after in zip((best, other), evaluations, strict=True)
    ]
    _add_people(searcher, board, rating, results)
    words = [
        " ".join([f"{quoted_line(board, line.pv)}: {verdict(result)}", *_claims_after(board, move)])
        for line, result, move in zip((best, other), results, (better, worse), strict=True)
    ]
    first, second = (line_words(board, [move]) for move in (better, worse))
    lead, points = _lead(best, other, results, board.turn)
    share = f", by {points} percentage points of {side(board.turn)}'s chances" if points else ""
    reason = None
    if not lead:
        words.append(f"{first} and {second} are about equally good.")
    elif lead < 0:
        words.append(f"{first} is not better: {second} is{share}.")
    else:
        words.append(f"{first} is better{share}.")
        bad = mistake(searcher, board, (better, worse), evaluations, nodes)
        if reason := bad.reason.text if bad and bad.reason else None:
            words.append(f"Reason, proved by searches, against {second}: {reason}")
    depths = " and ".join(str(result["depth"]) for result in results)
    told = "\n".join(
        [
            *head(board),
            *words,
            f"{nodes:,} nodes for each move, depths {depths}. {_scale(rating)}",
        ]
    )
    verdicts = "better" if lead > 0 else "worse" if lead else "equal"
    figures = {"better": results[0], "worse": results[1], "verdict": verdicts, "rating": rating}
    return Answer(told, head_data(board) | figures | {"points": points, "reason": reason})


def _claims_after(board: chess.Board, move: chess.Move) -> Iterator[str]:
    after = board.copy()
    after.push(move)
    return claims(after)


def _lead(
    best: Info, other: Info, results: Sequence[Data], colour: chess.Color
) -> tuple[int, int | None]:
    """By how much `colour` to move prefers the first line, positive if it does, and the points of chances.

    They are the difference of the chances as they are shown; beside a mate only the order counts.
    """
    first, second = (result.get("white_chance") for result in results)
    if first is None or second is None:
        return (best.score > other.score) - (best.score < other.score), None
    lead = first - second if colour else second - first
    return (0, None) if abs(lead) < _EQUAL else (lead, abs(lead))


def evaluate_after(
    searcher: BoundedSearcher, board: chess.Board, move: chess.Move, nodes: int
) -> Evaluation:
    """The evaluation of the position behind a move, where its player may claim a draw."""
    after = board.copy()
    after.push(move)
    finished = finished_evaluation(after, final=True)
    return finished or evaluate(searcher.analyst, after, Limits(nodes=nodes), is_new_game=True)


def _seen_before(after: Evaluation, move: chess.Move) -> Evaluation:
    """The evaluation of a position by that of the one behind its move, so that both say the same."""
    line = after.best
    mate, cp = line.score.mate, line.score.centipawns
    mate = mate if mate is None else 1 - mate if mate <= 0 else -mate
    score = Score(None if cp is None else -cp, mate)
    win, draw, loss = line.wdl or NO_WDL
    before = replace(line, score=score, wdl=(loss, draw, win), pv=(move, *line.pv))
    return Evaluation((before,), after.nodes)


def mistake(
    searcher: BoundedSearcher,
    board: chess.Board,
    moves: tuple[chess.Move, chess.Move],
    after: Sequence[Evaluation],
    nodes: int,
) -> MoveReport | None:
    """The report of the second move beside the first one, with the reason, if that is proved.

    `after` are the evaluations behind the two. None if it is no mistake.
    """
    searcher.work = "looking for a reason"
    game = chess.pgn.Game()
    game.setup(board.copy(stack=False))
    game.add_variation(moves[1])
    (move,) = assess(game, (_seen_before(after[0], moves[0]), after[1])).moves
    if not (move and move.judgement):
        return None
    return replace(move, reason=_prove(searcher, AnalysisSettings(nodes=nodes), move, board))


def _prove(
    searcher: BoundedSearcher, settings: AnalysisSettings, move: MoveReport, history: chess.Board
) -> Reason | None:
    search = ReasonSearch(candidates(move, history))
    evaluations: dict[Segment, Evaluations] = {}
    while isinstance(segment := search.advance(evaluations.get), Segment):
        evaluations[segment] = search_segment(searcher.analyst, settings, segment)
    return segment


def play(
    searcher: BoundedSearcher, board: chess.Board, elo: int | None, nodes: int, seed: int | None
) -> Answer:
    """A move of a level of limited strength, or without `elo` the best one."""
    _refuse_finished(board)
    limits, handicap = Limits(), Handicap()
    if elo is None:
        limits = Limits(nodes=nodes)
    else:
        handicap.set_limited(True)
        handicap.set_elo(elo)
        searcher.use_tables(None)
    seed = secrets.randbits(_SEED_BITS) if seed is None else seed
    handicap.reseed(str(seed))
    result = handicap.search(searcher, board.copy(), limits, ignore, time.monotonic())
    if result.best is None:
        raise RefusalError("the search found no move")
    after = board.copy()
    after.push(result.best)
    strength = "full strength" if elo is None else f"a level of {elo} Elo with the seed {seed}"
    depth, searched = (result.info.depth, searcher.nodes) if result.info else (None, None)
    effort = f" Depth {depth}, {searched:,} nodes." if result.info else ""
    words = [
        f"{side(board.turn)} plays {line_words(board, [result.best])} ({result.best.uci()}), "
        f"at {strength}.{effort}",
        *head(after),
    ]
    figures = {"elo": elo, "seed": None if elo is None else seed, "depth": depth, "nodes": searched}
    move = {"san": board.san(result.best), "uci": result.best.uci()}
    return Answer("\n".join(words), head_data(after) | move | figures)


def _refuse_finished(board: chess.Board) -> None:
    if over := over_words(board):
        raise RefusalError(f"there is nothing to search, for the game is over: {over}")
