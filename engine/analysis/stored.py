"""Games analysed earlier, read back: JSON of `boomslang analyse`, or PGN with `[%eval]`.

They become the reports from which they were written, so that all figures are computed by the same code. Each
move is judged by the scores around it; the signs of a PGN count for nothing.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, takewhile
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine
import chess.pgn

from boomslang.core.system.files import MAX_TEXT, FileError, quote_path, read_text
from boomslang.engine.analysis.annotate import THRESHOLDS_TAG, is_choice, line_at, score_at, wdl_at
from boomslang.engine.analysis.assessment import GameReport, assess, with_reasons
from boomslang.engine.analysis.export import FORMAT
from boomslang.engine.analysis.peers import Peers
from boomslang.engine.analysis.performance import Reading
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind, read_reason
from boomslang.engine.analysis.win_percent import LICHESS, Thresholds
from boomslang.engine.analyst import Evaluation, finished_evaluation
from boomslang.engine.limits import Info, Score
from boomslang.engine.notation.pgn import read_games
from boomslang.engine.notation.positions import board_of
from boomslang.engine.search_settings import THRESHOLDS
from boomslang.engine.settings import whole

_HEAD: Final = re.compile(rb'\s*\{\s*"format": *\d+, *\s*"engine": *"[^"]*",\s*"settings":')
_HEAD_BYTES: Final = 300
_BEST: Final = re.compile(r"(?<!\S)(\S+) was best\.")
# A move that the text names as the best one.
_NAMED: Final = re.compile(r"(?:Misses|Only) .{0,250}?\d+\.(?:\.\.)? (\S+?)\.?(?:\s|$)")
# The sentence of a remark of this program between the judgement and the best move.
_SENTENCE: Final = re.compile(
    r"(?:Inaccuracy|Mistake|Blunder)\. (?!\S+ was best\.)([^{}]+?\.)(?: \S+ was best\.)?$"
)
_COUNT: Final = whole(0, 1 << 62)
_CONTINUED: Final = 12  # plies of a game that are its best line


def read_reports(path: Path) -> Iterator[GameReport]:
    """The analysed games of a file; games without an analysis are left out.

    Raises FileError if the file cannot be read or is neither JSON of `boomslang analyse` nor PGN.
    """
    return _of_json(path) if path.suffix.lower() == ".json" else _of_pgn(path)


def read_each_once() -> Callable[[Path], Iterator[GameReport]]:
    """`read_reports` for several files, without the games that one of the earlier files had.

    The report of a folder has the games of the reports on its files. Two alike in one file are two games.
    """
    hashes: set[int] = set()  # hashes, as whole games take room

    def read(path: Path) -> Iterator[GameReport]:
        own = set()
        for report in read_reports(path):
            game = report.game
            tags = tuple(map(game.headers.get, chess.pgn.TAG_ROSTER))
            key = hash((tags, game.board().fen(), tuple(game.mainline_moves())))
            if key not in hashes:
                own.add(key)
                yield report
        hashes.update(own)

    return read


# JSON


def is_analysis(path: Path) -> bool:
    """True if a file begins as JSON of `boomslang analyse` does."""
    try:
        with path.open("rb") as file:
            return bool(_HEAD.match(file.read(_HEAD_BYTES)))
    except OSError:
        return False


def _of_json(path: Path) -> Iterator[GameReport]:
    try:
        data = json.loads(read_text(path, MAX_TEXT))
        games = data["games"] if data["format"] == FORMAT else None
        thresholds = THRESHOLDS.check(data.get("settings", {}).get("thresholds", "lichess"))
        if not isinstance(games, list):
            raise ValueError("no games of this format")
    except FileError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise FileError(f"{quote_path(path)} is not a JSON file of boomslang analyse") from None
    for number, entry in enumerate(games, start=1):
        try:
            report = (
                replace(_report_of(entry, thresholds), number=number) if entry["analysed"] else None
            )
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError):
            raise FileError(
                f"{quote_path(path)}: game {number} is damaged; analyse it again"
            ) from None
        if report:
            yield report


def _report_of(entry: Mapping[str, Any], thresholds: Thresholds) -> GameReport:
    """The report of a game; it ends before a move that was not assessed and is no null move."""
    positions = entry["positions"]
    board = board_of(positions[0]["fen"], bool(entry["chess960"]))
    game = chess.pgn.Game()
    for name, value in entry["headers"].items():
        game.headers[_text(name)] = _text(value)
    game.setup(board)
    node: chess.pgn.GameNode = game
    boards = [board]
    reasons: dict[int, Reason] = {}
    for ply, move in enumerate(entry["moves"]):
        if move is None and not (positions[ply] and positions[ply + 1]):
            break
        made = boards[-1].parse_uci(move["uci"]) if move else chess.Move.null()
        node = node.add_variation(made)
        move = move or {}
        if clock := move.get("clock"):
            node.set_clock(_seconds(clock["left"]))
            node.set_emt(_seconds(clock["spent"]))
        boards.append(boards[-1].copy(stack=False))
        boards[-1].push(node.move)
        if reason := move.get("reason"):
            reasons[ply] = _reason(reason, boards[-2], boards[-1])
    by_wdl = entry.get("win_chances") == "wdl"
    evaluations = tuple(
        _evaluation(position, board, by_wdl) if position else None
        for position, board in zip(positions, boards, strict=False)
    )
    report = assess(game, evaluations, by_wdl=by_wdl, thresholds=thresholds)
    return _compared(with_reasons(report, reasons), entry)


def _compared(report: GameReport, entry: Mapping[str, Any]) -> GameReport:
    """The report with what players like these do, as far as it is kept."""
    moves = list(report.moves)
    for number, (move, kept) in enumerate(zip(moves, entry["moves"], strict=False)):
        if move and kept and (peers := kept.get("peers")):
            shares = (float(peers[name]) for name in ("best", "played", "stronger"))
            found = Peers(int(peers["rating"]), *shares)
            moves[number] = replace(move, peers=found, merit=_text(kept.get("merit") or ""))
    white, black = (_reading(entry.get(side, {}).get("reading")) for side in ("white", "black"))
    return replace(
        report,
        moves=tuple(moves),
        white=replace(report.white, reading=white),
        black=replace(report.black, reading=black),
    )


def _reading(kept: Any) -> Reading | None:
    if not kept:
        return None
    likeliest, loss, inexact = map(float, kept["signs"])
    if not all(map(math.isfinite, (likeliest, loss, inexact))):
        raise ValueError("no finite numbers")
    return Reading(int(kept["moves"]), (likeliest, loss, inexact))


def _reason(kept: Mapping[str, Any], before: chess.Board, after: chess.Board) -> Reason:
    """The reason of a move, with the boards around it; raises ValueError for an illegal line."""
    instead = bool(kept["instead"])
    board = (before if instead else after).copy(stack=False)
    line = tuple(board.push_uci(name).uci() for name in kept["uci"])
    means = kept["means"]
    return Reason(
        ReasonKind(kept["kind"]),
        _text(kept["text"]),
        line,
        instead,
        None if means is None else Motif(means),
        tuple(map(chess.parse_square, kept["squares"])),
    )


def _text(value: Any) -> str:
    """A text; raises ValueError for half of a surrogate pair, which could not be written again."""
    str(value).encode()
    return str(value)


def _seconds(value: Any) -> float | None:
    return None if value is None else float(value)


def _evaluation(kept: Mapping[str, Any], board: chess.Board, by_wdl: bool) -> Evaluation:
    lines = []
    for line in kept["lines"]:
        sign = 1 if board.turn else -1
        mate = line.get("mate")
        wins, draws, losses = (int(part) for part in line["wdl"])
        if by_wdl and (min(wins, draws, losses) < 0 or not wins + draws + losses):
            raise ValueError("no winning chances")
        score = Score(sign * int(line["cp"])) if mate is None else Score(mate=sign * int(mate))
        wdl = (wins, draws, losses) if board.turn else (losses, draws, wins)
        after = board.copy(stack=False)
        pv = tuple(after.push_uci(name) for name in line["uci"])  # ValueError for an illegal one
        lines.append(Info.of(score, _COUNT.check(line["depth"]), pv, wdl))
    if not lines:
        raise ValueError("an evaluation without a line")
    first_choice = kept.get("first_choice")
    return Evaluation(
        tuple(lines),
        _COUNT.check(kept["nodes"]),
        None if first_choice is None else _text(first_choice),
    )


# PGN


def _of_pgn(path: Path) -> Iterator[GameReport]:
    for entry in read_games(path):
        if entry.analysable and (report := _read_annotated(entry.game)):
            yield replace(report, number=entry.number)


def _read_annotated(game: chess.pgn.Game) -> GameReport | None:
    """The report of an annotated game; None if it has no scores.

    The best line of a position is a variation beside a move that the scores judge, or else the game itself.
    """
    nodes = [game, *game.mainline()]
    thresholds = LICHESS
    with suppress(ValueError):
        thresholds = THRESHOLDS.check(game.headers.get(THRESHOLDS_TAG, "lichess"))
    if not any(score_at(node) for node in nodes if node.eval()):
        return None
    by_wdl = all(wdl_at(node) for node in nodes if node.eval())
    evaluations: list[Evaluation | None] = []
    board = game.board()
    for node in nodes:
        if isinstance(node, chess.pgn.ChildNode):
            board.push(node.move)
        over = finished_evaluation(board)
        if not over and (score := score_at(node)):
            over = _scored(score.pov(board.turn), wdl_at(node))
        evaluations.append(over)
    evaluations[-1] = evaluations[-1] or finished_evaluation(board, final=True)
    for ply, played in enumerate(game.mainline()):
        if (evaluation := evaluations[ply]) and is_choice(played):
            evaluations[ply] = replace(evaluation, first_choice=played.move.uci())
    moves = assess(game, tuple(evaluations), by_wdl=by_wdl, thresholds=thresholds).moves
    is_sound = [bool(move and not move.judgement and not move.missed_mate) for move in moves]
    for ply, (node, evaluation) in enumerate(zip(nodes, evaluations, strict=True)):
        if evaluation:
            played = node.next()
            better = _better(played) if played and not is_sound[ply] else ()
            line = better or line_at(node)
            if played and not line and evaluation.best.score.mate is None:  # a game refutes no mate
                line = _played(played, is_sound[ply:])
            evaluations[ply] = replace(evaluation, lines=(replace(evaluation.best, pv=line),))
    told = (_SENTENCE.search(node.comment) for node in nodes[1:])
    read = ((ply, read_reason(found[1])) for ply, found in enumerate(told) if found)
    reasons = {ply: reason for ply, reason in read if reason}
    report = assess(game, tuple(evaluations), by_wdl=by_wdl, thresholds=thresholds)
    return with_reasons(report, reasons)


def _scored(score: chess.engine.Score, wdl: tuple[int, int, int] | None) -> Evaluation:
    mate = score.mate()
    said = Score(score.score()) if mate is None else Score(mate=mate)
    return Evaluation((Info.of(said, wdl=wdl),), 0)


def _played(node: chess.pgn.ChildNode, is_sound: Sequence[bool]) -> tuple[chess.Move, ...]:
    """A move and those that follow it in the game, a few of them, as long as none is judged."""
    line = zip(chain([node], node.mainline()), is_sound[:_CONTINUED], strict=False)
    return tuple(played.move for played, _ in takewhile(itemgetter(1), line))


def _better(node: chess.pgn.ChildNode) -> tuple[chess.Move, ...]:
    """The variation beside a move: the one that the remark names, or the first with a score, or the first."""
    others = node.parent.variations[1:]
    if not others:
        return ()
    named = _BEST.search(node.comment) or _NAMED.search(node.comment)
    first = next(
        (other for other in others if named and other.san() == named[1]),
        next((other for other in others if other.eval()), others[0]),
    )
    return (first.move, *(child.move for child in first.mainline()))
