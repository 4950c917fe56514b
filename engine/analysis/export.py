"""An analysis as plain data, for JSON files and the report."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final, TextIO

import chess
import chess.pgn
from chess.engine import Score

from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.analysis.annotate import remark
from boomslang.engine.analysis.assessment import GameReport, MoveReport, PlayerReport, san_line
from boomslang.engine.analysis.clock_times import move_times
from boomslang.engine.analysis.disagreements import find_disagreements
from boomslang.engine.analysis.openings.table import opening_of
from boomslang.engine.analysis.peers import Peers
from boomslang.engine.analysis.phases import phase_accuracies, phases_of
from boomslang.engine.analysis.reason import Reason
from boomslang.engine.analyst import NO_WDL, Evaluation
from boomslang.engine.notation.pgn import result_of
from boomslang.engine.search_settings import AnalysisSettings

FORMAT: Final = 1  # counts up when the meaning of a name changes
_MAX_LINE: Final = 40  # plies
# Of the table of moves; `left` and `spent` are seconds of the clock.
_COLUMNS: Final = (
    *("file", "game", "white", "black", "result", "ply", "fen", "san", "uci", "rating", "phase"),
    *("left", "spent", "best", "cp", "mate", "loss", "win_chance", "win_chance_loss", "accuracy"),
    *("judgement", "missed_mate", "reason"),
)


def write_document(
    reports: Iterable[GameReport],
    settings: AnalysisSettings,
    second: AnalysisSettings | None = None,
) -> Iterator[str]:
    """All games, as the text of a JSON file in pieces, so that they need not be in memory at once.

    `second` are the settings of a second engine.

    Scores are in White's view, losses and accuracies the mover's.
    """
    head: dict[str, Any] = {"format": FORMAT, **_searched_by(settings)}
    if second:
        head["second"] = _searched_by(second)
    yield _json(head).removesuffix("\n}") + ',\n "games": ['
    comma = ""
    for report in reports:
        yield f"{comma}\n{_json(game_data(report))}".replace("\n", "\n  ")
        comma = ","
    yield "\n ]\n}"


def _searched_by(settings: AnalysisSettings) -> dict[str, Any]:
    limits = {name: value for name, value in settings.header().items() if value is not None}
    return {"engine": settings.engine_name or f"{NAME} {VERSION}", "settings": limits}


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)


def game_data(report: GameReport) -> dict[str, Any]:
    """One game; positions without a search, and moves next to them, are null."""
    game = report.game
    data: dict[str, Any] = {"file": report.file} if report.file else {}
    data["headers"] = dict(game.headers)
    if source := report.source:
        data |= {"number": source.number, "line": source.line, "problems": source.messages}
    if not report.positions:
        return data | {"analysed": False}
    data["opening"] = opening_data(game)
    if report.repertoire:
        data["repertoire"] = report.repertoire
    board = game.board()
    boards = [board.copy(stack=False)]
    for move in game.mainline_moves():
        board.push(move)
        boards.append(board.copy(stack=False))
    return data | {
        "analysed": True,
        "chess960": boards[0].chess960,
        "win_chances": "wdl" if report.by_wdl else "curve",
        "white": player_data(report.white),
        "black": player_data(report.black),
        "phases": {
            phase: {"white": _round(white), "black": _round(black)}
            for phase, (white, black) in phase_accuracies(phases_of(game), report.moves).items()
        },
        "critical": list(report.critical),
        "positions": [
            _position_data(board, evaluation)
            for board, evaluation in zip(boards, report.positions, strict=True)
        ],
        "moves": _moves_data(report),
        **_second_data(report, boards),
    }


def _moves_data(report: GameReport) -> list[dict[str, Any] | None]:
    phases = phases_of(report.game)
    times = move_times(report.game) or [None] * len(phases)
    return [
        _move_data(move) | {"phase": phase, "clock": asdict(time) if time else None}
        if move
        else None
        for move, phase, time in zip(report.moves, phases, times, strict=True)
    ]


def write_table(reports: Iterable[GameReport], file: TextIO) -> None:
    """Write the assessed moves of all games as CSV, a row each; names and units are those of the JSON."""
    table = csv.DictWriter(file, _COLUMNS, "", "ignore", lineterminator="\n")
    table.writeheader()
    for report in filter(lambda report: report.positions, reports):
        tags, source = report.game.headers, report.source
        game = {"file": report.file, "game": source and source.number}
        game |= {"white": tags["White"], "black": tags["Black"], "result": result_of(report.game)}
        for move, data in zip(report.moves, _moves_data(report), strict=True):
            if move and data:
                data |= {"fen": move.board.fen(shredder=move.board.chess960)}
                data |= {"reason": move.reason and move.reason.kind}
                rating = tags.get("WhiteElo" if move.board.turn else "BlackElo")
                table.writerow(game | data | (data["clock"] or {}) | {"rating": rating})


def _second_data(report: GameReport, boards: Sequence[chess.Board]) -> dict[str, Any]:
    """What a second engine says of the positions and players, and the moves on which the two disagree."""
    second = report.second
    if second is None:
        return {}
    return {
        "second": {
            "white": player_data(second.white),
            "black": player_data(second.black),
            "positions": list(map(_position_data, boards, second.positions)),
        },
        "disagreements": [
            {
                "ply": each.first.ply,
                "win_chance_loss": [
                    round(each.first.chance_loss, 1),
                    round(each.second.chance_loss, 1),
                ],
            }
            for each in find_disagreements(report)
        ],
    }


def opening_data(game: chess.pgn.Game) -> dict[str, Any] | None:
    """The opening of a game, and where it ends: `left` is the first move that is not in the table."""
    played = opening_of(game)
    if played is None:
        return None
    opening = played.opening
    return {"eco": opening.eco, "name": opening.name, "ply": played.ply, "left": played.left}


def score_data(score: Score, turn: chess.Color) -> dict[str, int]:
    """`{"cp": centipawns}` or `{"mate": moves}` in White's view, for a score in that of `turn`."""
    white = score if turn == chess.WHITE else -score
    mate = white.mate()
    if mate is None:
        return {"cp": white.score(mate_score=0)}
    return {"mate": mate}


def player_data(player: PlayerReport) -> dict[str, Any]:
    """The summary of one player."""
    return {
        "moves": player.moves,
        "accuracy": _round(player.accuracy),
        "average_centipawn_loss": _round(player.loss),
        **{f"{kind}s".replace("ys", "ies"): number for kind, number in player.judgements.items()},
        "missed_mates": player.missed_mates,
        "played_like": asdict(player.played_like) if player.played_like else None,
        "reading": asdict(player.reading) if player.reading else None,
    }


def _position_data(board: chess.Board, evaluation: Evaluation | None) -> dict[str, Any] | None:
    if evaluation is None:
        return None
    return {
        "fen": board.fen(shredder=board.chess960),
        "nodes": evaluation.nodes,
        **_first_choice(evaluation),
        "lines": [
            {
                **score_data(line.score.to_chess(), board.turn),
                "wdl": list((line.wdl or NO_WDL)[:: 1 if board.turn else -1]),
                "depth": line.depth,
                "uci": [move.uci() for move in line.pv[:_MAX_LINE]],
                "san": san_line(board, line.pv[:_MAX_LINE]),
            }
            for line in evaluation.lines
        ],
    }


def _first_choice(evaluation: Evaluation) -> dict[str, str]:
    """The best move of the first search, if more nodes have found another one."""
    first = evaluation.first_choice
    is_best = [move.uci() for move in evaluation.best.pv[:1]] == [first]
    return {} if first is None or is_best else {"first_choice": first}


def _move_data(move: MoveReport) -> dict[str, Any]:
    return {
        "ply": move.ply,
        "move": f"{move.board.fullmove_number}{'.' if move.board.turn else '...'}",
        "san": move.board.san(move.move),
        "uci": move.move.uci(),
        "best": move.is_best,
        **score_data(move.score_after, move.board.turn),
        "loss": move.loss,
        "win_chance": round(move.chance_after, 1),
        "win_chance_loss": round(move.chance_loss, 1),
        "accuracy": round(move.accuracy, 1),
        "judgement": move.judgement,
        "missed_mate": move.missed_mate,
        "reason": _reason_data(move.reason) if move.reason else None,
        "remark": remark(move),
        "peers": _peers_data(move.peers) if move.peers else None,
        "merit": move.merit or None,
    }


def _reason_data(reason: Reason) -> dict[str, Any]:
    return {
        "kind": reason.kind,
        "means": reason.means,
        "text": reason.text,
        "instead": reason.instead,
        "uci": list(reason.line),
        "squares": [chess.square_name(square) for square in reason.squares],
    }


def _peers_data(peers: Peers) -> dict[str, Any]:
    shares = ((name, round(share, 3)) for name, share in asdict(peers).items())
    return dict(shares)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
