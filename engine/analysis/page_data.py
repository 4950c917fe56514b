"""The data of the report, compact, because a page may contain a hundred games.

A change of the board is a string of three characters per square, for example "e2.e4P" (a dot is an empty
square), so the page need not know the rules of chess.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, zip_longest
from typing import Any, Final

import chess
import chess.pgn

from boomslang.engine.analysis.annotate import author_text, remark, replaced_signs
from boomslang.engine.analysis.assessment import GameReport, MoveReport, PlayerReport, score_text
from boomslang.engine.analysis.clock_times import MoveTime, clock_text, move_times
from boomslang.engine.analysis.comparison import peer_words
from boomslang.engine.analysis.disagreements import find_disagreements
from boomslang.engine.analysis.exercises import texts
from boomslang.engine.analysis.exercises.collect import exercise_of
from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.export import player_data
from boomslang.engine.analysis.notes import glyph_of, words_of
from boomslang.engine.analysis.openings.table import opening_of, theory_of
from boomslang.engine.analysis.phases import phase_accuracies, phases_of
from boomslang.engine.analysis.win_percent import judged_score, win_chance
from boomslang.engine.analyst import Evaluation
from boomslang.engine.notation.pgn import result_of

_MAX_LINE: Final = 12  # plies


def game_page(report: GameReport) -> dict[str, Any]:
    """One game; to be called before the game is annotated, so that it has only its author's comments."""
    game = report.game
    headers = game.headers
    board = chess.Board() if report.left_out else game.board()
    data: dict[str, Any] = {
        "white": headers.get("White", "?"),
        "black": headers.get("Black", "?"),
        "white_label": _label(headers, "White"),
        "black_label": _label(headers, "Black"),
        "result": result_of(game),
        "details": " · ".join(filter(None, (report.file, _details(game)))),
        "comment": _left_out(report) or words_of(game.comment),
        "placement": board.board_fen(),
        "white_begins": board.turn == chess.WHITE,
        "first_number": board.fullmove_number,
        "players": [_player(report.white), _player(report.black)],
        "critical": list(report.critical),
        "opening": ". ".join(filter(None, [_opening(game), report.repertoire])),
        "phases": _phases(report),
        "rule": "by its own words (WDL)" if report.by_wdl else "by the curve of Lichess",
    }
    times = move_times(game) or [None] * len(report.moves)
    moves: list[dict[str, Any]] = []
    positions: list[dict[str, Any] | None] = []
    evaluations = report.positions or (None,) * (len(report.moves) + 1)
    signs = replaced_signs(report)
    for node, move, time, old in zip(game.mainline(), report.moves, times, signs, strict=True):
        positions.append(_position(board, evaluations[len(moves)], report.by_wdl))
        moves.append(_move(node, board, move, old) | _time(time) | _tries(report, move))
        board.push(node.move)
    positions.append(_position(board, evaluations[-1], report.by_wdl))
    return data | {"moves": moves, "positions": positions} | _second(report)


def _player(player: PlayerReport) -> dict[str, Any]:
    return player_data(player) | {"played_like": player.played_like and str(player.played_like)}


def _second(report: GameReport) -> dict[str, Any]:
    """The positions by a second engine, and the moves on which the two disagree."""
    second = report.second
    if second is None:
        return {}
    board = report.game.board()
    positions = []
    for evaluation, move in zip_longest(second.positions, report.game.mainline_moves()):
        positions.append(_position(board, evaluation, report.by_wdl))
        if move is not None:
            board.push(move)
    disputed = [
        [each.first.ply, *(round(move.chance_loss, 1) for move in (each.first, each.second))]
        for each in find_disagreements(report)
    ]
    return {"second": positions, "disputed": disputed}


def _opening(game: chess.pgn.Game) -> str:
    """Code, name and end of the opening; empty if the table has none."""
    played = opening_of(game)
    if played is None:
        return ""
    return f"{played.opening.eco} {played.opening.name}, {theory_of(game, played)}"


def _phases(report: GameReport) -> list[dict[str, Any]]:
    """The phases of the game, each with its first move and the accuracies of White and Black."""
    if not report.positions:
        return []
    phases = phases_of(report.game)
    return [
        {"name": phase.capitalize(), "first": phases.index(phase), "accuracy": list(figures)}
        for phase, figures in phase_accuracies(phases, report.moves).items()
    ]


def _time(time: MoveTime | None) -> dict[str, Any]:
    """The clock of a move as text, and the elapsed seconds; empty items are left out."""
    if time is None:
        return {}
    data = {
        "clock": "" if time.left is None else clock_text(time.left),
        "spent": None if time.spent is None else round(time.spent, 1),
        "trouble": time.trouble,
    }
    return {name: value for name, value in data.items() if value not in ("", None, False)}


def _left_out(report: GameReport) -> str:
    source = report.source
    if not (source and report.left_out):
        return ""
    return f"Game {source.number}, line {source.line}, is left out: {report.left_out}."


def change(board: chess.Board, move: chess.Move) -> str:
    """The squares changed by a move, origin and target first."""
    if not move:
        return ""
    after = board.copy(stack=False)
    after.push(move)
    squares = [move.from_square, move.to_square]
    if board.is_castling(move):
        king = after.king(board.turn)
        rank = chess.SquareSet(chess.BB_RANKS[chess.square_rank(move.from_square)])
        squares = [square for square in rank if board.piece_at(square) != after.piece_at(square)]
        squares.sort(key=lambda square: (square != move.from_square, square != king))
    elif board.is_en_passant(move):
        squares.append(move.to_square + (-8 if board.turn else 8))
    return "".join(
        f"{chess.square_name(square)}{after.piece_at(square) or '.'}" for square in squares
    )


def _position(
    board: chess.Board, evaluation: Evaluation | None, by_wdl: bool
) -> dict[str, Any] | None:
    if evaluation is None:
        return None
    chance = win_chance(judged_score(evaluation.best, by_wdl))
    return {
        "score": score_text(evaluation.best.score.to_chess(), board.turn),
        "chance": round(chance if board.turn else 100 - chance, 1),
        "lines": [
            {
                "score": score_text(line.score.to_chess(), board.turn),
                "moves": line_of(board, line.pv),
            }
            for line in evaluation.lines
            if line.pv
        ],
    }


def line_of(board: chess.Board, line: Iterable[chess.Move]) -> str:
    """Moves as "Nf3 g1.f3N", with commas between them."""
    after = board.copy(stack=False)
    moves: list[str] = []
    for move in islice(line, _MAX_LINE):
        moves.append(f"{after.san(move)} {change(after, move)}")
        after.push(move)
    return ",".join(moves)


def _move(
    node: chess.pgn.ChildNode, board: chess.Board, report: MoveReport | None, old: frozenset[int]
) -> dict[str, Any]:
    """One move of the main line with all its data, but for `old` signs; empty items are left out."""
    data: dict[str, Any] = {
        "san": board.san(node.move),
        "change": change(board, node.move),
        "glyph": glyph_of(node.nags - old),
        "comment": words_of(author_text(node)),
        "variations": [_variation(other, board) for other in node.parent.variations[1:]],
    }
    if report:
        data |= {
            "score": score_text(report.score_after, board.turn),
            "judgement": report.judgement or report.merit,
            "best": report.is_best,
            "remark": " ".join(filter(None, [remark(report), peer_words(report)])),
        }
    entries = {name: value for name, value in data.items() if value or name == "change"}
    if report:
        entries |= {"loss": report.loss, "chance_loss": round(report.chance_loss, 1)}
    return entries


def _tries(report: GameReport, move: MoveReport | None) -> dict[str, Any]:
    """What trying again needs: all legal moves, and what is known of some of them.

    Empty for a move that makes no exercise.
    """
    exercise = exercise_of(report, move) if move and move.judgement else None
    if not (move and isinstance(exercise, Exercise)):
        return {}
    board = move.board
    legal = (f"{board.san(other)} {change(board, other)}" for other in board.legal_moves)
    lines = {line.pv[0].uci(): line.pv[1:] for line in move.before.lines if line.pv}
    lines[exercise.played] = move.after.best.pv
    known_tries = {}
    for name, chance in exercise.known.items():
        tried = chess.Move.from_uci(name)
        after = board.copy(stack=False)
        after.push(tried)
        known_tries[board.san(tried)] = {
            "right": exercise.accepts(chance),
            "text": texts.verdict(exercise, tried, chance),
            "line": line_of(after, lines.get(name, ())),
        }
    return {"tries": {"moves": ",".join(legal), "known": known_tries}}


def _variation(first: chess.pgn.ChildNode, before: chess.Board) -> dict[str, Any]:
    """A variation of the author, with its sub-variations and comments."""
    board = before.copy(stack=False)
    moves: list[dict[str, Any]] = []
    node: chess.pgn.ChildNode | None = first
    while node is not None:
        data = {
            "move": f"{board.san(node.move)} {change(board, node.move)}",
            "glyph": glyph_of(node.nags),
            "comment": words_of(node.comment),
            # Variations beside the first move belong to the parent line.
            "variations": []
            if node is first
            else [_variation(other, board) for other in node.parent.variations[1:]],
        }
        moves.append({name: value for name, value in data.items() if value})
        board.push(node.move)
        node = node.next()
    comment = words_of(first.starting_comment)
    return {"moves": moves, "comment": comment} if comment else {"moves": moves}


def _label(headers: chess.pgn.Headers, colour: str) -> str:
    """A player with title and rating."""
    parts = [headers.get(f"{colour}Title"), headers.get(colour, "?")]
    if (rating := headers.get(f"{colour}Elo", "?")).isdigit():
        parts.append(f"({rating})")
    return " ".join(part for part in parts if part)


def _details(game: chess.pgn.Game) -> str:
    """Tags of the game; of the opening only what differs from the line that names it."""
    tags = ("Event", "Site", "Date", "Round", "Variant", "ECO", "Opening", "Result")
    values = (game.headers.get(tag, "?") for tag in tags)
    played = opening_of(game)
    opening_names = (played.opening.eco, played.opening.name) if played else ()
    return " · ".join(text for text in values if text.strip("?.- ") and text not in opening_names)
