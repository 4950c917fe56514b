"""Games analysed earlier, read back: JSON of `boomslang analyse`, or PGN with `[%eval]` and its signs.

They become the reports from which they were written, so that all figures are computed by the same code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Any, Final

import chess
import chess.pgn
from chess.engine import Cp, PovScore

from boomslang.core.system.files import MAX_TEXT, FileError, quote_path, read_text
from boomslang.engine.analysis.annotate import is_judged
from boomslang.engine.analysis.assessment import GameReport, assess, san_line, with_reasons
from boomslang.engine.analysis.export import FORMAT
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.labels.search_position import AnalysisLine, Evaluation, finished_evaluation
from boomslang.engine.notation.pgn import read_games
from boomslang.engine.notation.positions import board_of
from boomslang.engine.other_engines.engine_lines import MAX_MATE, MAX_SCORE

# The start position, which PGN does not score.
_FIRST: Final = AnalysisLine(15, None, (0, 0, 0), 0, ())
_HEAD: Final = re.compile(rb'\s*\{\s*"format": *\d+, *\s*"engine": *"[^"]*",\s*"settings":')
_HEAD_BYTES: Final = 300
_BEST: Final = re.compile(r"(?<!\S)(\S+) was best\.")
# A move that the text names as the best one.
_NAMED: Final = re.compile(r"(?:Misses|Only) .{0,250}?\d+\.(?:\.\.)? (\S+?)\.?(?:\s|$)")
_CHECKED: Final = 40  # plies of a line
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
    known: set[int] = set()  # hashes, as whole games take room

    def read(path: Path) -> Iterator[GameReport]:
        own = set()
        for report in read_reports(path):
            game = report.game
            tags = tuple(map(game.headers.get, chess.pgn.TAG_ROSTER))
            key = hash((tags, game.board().fen(), tuple(game.mainline_moves())))
            if key not in known:
                own.add(key)
                yield report
        known.update(own)

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
        if not isinstance(games, list):
            raise ValueError("no games of this format")
    except FileError:
        raise
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise FileError(f"{quote_path(path)} is not a JSON file of boomslang analyse") from None
    for number, entry in enumerate(games, start=1):
        try:
            report = replace(_report_of(entry), number=number) if entry["analysed"] else None
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError):
            raise FileError(
                f"{quote_path(path)}: game {number} is damaged; analyse it again"
            ) from None
        if report:
            yield report


def _report_of(entry: Mapping[str, Any]) -> GameReport:
    """The report of a game; it ends before a move that was not assessed, such as a null move."""
    positions = entry["positions"]
    board = board_of(positions[0]["fen"], bool(entry["chess960"]))
    game = chess.pgn.Game()
    for name, value in entry["headers"].items():
        game.headers[str(name)] = str(value)
    game.setup(board)
    node: chess.pgn.GameNode = game
    boards = [board]
    reasons: dict[int, Reason] = {}
    for ply, move in enumerate(entry["moves"]):
        if move is None:
            break
        node = node.add_variation(boards[-1].parse_uci(move["uci"]))
        if clock := move.get("clock"):
            node.set_clock(_seconds(clock["left"]))
            node.set_emt(_seconds(clock["spent"]))
        boards.append(boards[-1].copy(stack=False))
        boards[-1].push(node.move)
        if reason := move.get("reason"):
            reasons[ply] = _reason(reason, boards[-2], boards[-1])
    by_wdl = entry.get("win_chances") == "wdl"
    found = tuple(
        _evaluation(kept, board, by_wdl) if kept else None
        for kept, board in zip(positions, boards, strict=False)
    )
    return with_reasons(assess(game, found, by_wdl=by_wdl), reasons)


def _reason(kept: Mapping[str, Any], before: chess.Board, after: chess.Board) -> Reason:
    """The reason of a move, with the boards around it; raises ValueError for an illegal line."""
    instead = bool(kept["instead"])
    board = (before if instead else after).copy(stack=False)
    line = tuple(board.push_uci(name).uci() for name in kept["uci"])
    means = kept["means"]
    return Reason(
        ReasonKind(kept["kind"]),
        str(kept["text"]),
        line,
        instead,
        None if means is None else Motif(means),
        tuple(map(chess.parse_square, kept["squares"])),
    )


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
        found = AnalysisLine(
            sign * int(line["cp"]) if mate is None else None,
            None if mate is None else sign * int(mate),
            (wins, draws, losses) if board.turn else (losses, draws, wins),
            int(line["depth"]),
            tuple(line["uci"]),
        )
        san_line(board, found, _CHECKED)  # raises ValueError for an illegal line
        lines.append(found)
    if not lines:
        raise ValueError("an evaluation without a line")
    first_choice = kept.get("first_choice")
    return Evaluation(
        tuple(lines), int(kept["nodes"]), None if first_choice is None else str(first_choice)
    )


# PGN


def _of_pgn(path: Path) -> Iterator[GameReport]:
    for entry in read_games(path):
        if entry.analysable and (report := _read_annotated(entry.game)):
            yield replace(report, number=entry.number)


def _read_annotated(game: chess.pgn.Game) -> GameReport | None:
    """The report of an annotated game; None if it has no scores.

    The signs of the game decide which moves are judged: without one the played move counts as the best.
    """
    nodes = list(game.mainline())
    scores = [_read_score(node) for node in nodes]
    if not any(scores):
        return None
    board = game.board()
    usual = board.board_fen() == chess.STARTING_BOARD_FEN
    found: list[Evaluation | None] = []
    for ply in range(len(nodes) + 1):
        score = scores[ply - 1] if ply else None
        line = _line(score, board) if score else _FIRST if usual and not ply else None
        if ply == len(nodes):
            found.append(
                finished_evaluation(board, final=True) or (Evaluation((line,), 0) if line else None)
            )
            break
        if line:
            line = AnalysisLine(line.centipawns, line.mate, line.wdl, 0, _best_moves(nodes[ply]))
        found.append(Evaluation((line,), 0) if line else None)
        board.push(nodes[ply].move)
    return assess(game, tuple(found))


def _read_score(node: chess.pgn.ChildNode) -> PovScore | None:
    """The score of a move; None without one, and for a mate in more moves than any."""
    score = node.eval()
    if score is None or score.is_mate():
        return score if score and abs(score.relative.mate() or 0) <= MAX_MATE else None
    centipawns = score.relative.score(mate_score=0)
    return PovScore(Cp(min(max(centipawns, -MAX_SCORE), MAX_SCORE)), score.turn)


def _line(score: PovScore, board: chess.Board) -> AnalysisLine:
    own = score.pov(board.turn)
    mate = own.mate()
    centipawns = own.score() if mate is None else None
    return AnalysisLine(centipawns, mate, (0, 0, 0), 0, ())


def _best_moves(node: chess.pgn.ChildNode) -> tuple[str, ...]:
    """The best line where a move was made: a variation beside a judged move, or else the game itself.

    The variation is the one that the remark names, or the first with a score, or the first. The game is the
    best line as long as no move is judged.
    """
    if not is_judged(node):
        return tuple(played.move.uci() for played in takewhile(_is_unjudged, _from(node)))
    others = node.parent.variations[1:]
    if not others:
        return ()
    named = _BEST.search(node.comment) or _NAMED.search(node.comment)
    first = next(
        (other for other in others if named and other.san() == named[1]),
        next((other for other in others if other.eval()), others[0]),
    )
    return (first.move.uci(), *(child.move.uci() for child in first.mainline()))


def _is_unjudged(node: chess.pgn.ChildNode) -> bool:
    return bool(node.move) and not is_judged(node)


def _from(node: chess.pgn.ChildNode) -> Iterator[chess.pgn.ChildNode]:
    """A move and those that follow it in its line, a few of them."""
    return islice(chain([node], node.mainline()), _CONTINUED)
