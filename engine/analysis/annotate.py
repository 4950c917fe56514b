"""Annotates the game itself, for Lichess, Scid and other PGN readers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import chess
import chess.pgn
from chess.engine import Cp, PovScore

from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.analysis.assessment import (
    GameReport,
    MoveReport,
    is_mate_shown,
    san_line,
    score_text,
)
from boomslang.engine.analysis.disagreements import find_disagreements
from boomslang.engine.analysis.notes import COMMANDS
from boomslang.engine.analysis.openings.table import opening_of
from boomslang.engine.analysis.win_percent import Judgement, judgement_of
from boomslang.engine.labels.search_position import AnalysisLine

MAX_LINE: Final = 12  # plies of a variation that is added

_NAGS: Final = {
    Judgement.INACCURACY: chess.pgn.NAG_DUBIOUS_MOVE,
    Judgement.MISTAKE: chess.pgn.NAG_MISTAKE,
    Judgement.BLUNDER: chess.pgn.NAG_BLUNDER,
}
_MOVE_NAGS: Final = frozenset(range(chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_DUBIOUS_MOVE + 1))

# Remarks of an earlier analysis, by this engine or by another in the style of Lichess. They are replaced,
# but only beside a score, because a person may have written the same words.
_MACHINE_TEXT: Final = re.compile(
    r"(?<!\s)\s*(?P<change>\([^()]{1,20} (?:→|->) [^()]{1,20}\) )?"
    r"(?P<judgement>Inaccuracy|Mistake|Blunder|Checkmate is now unavoidable|Lost forced checkmate sequence)\."
    r"(?:(?: (Allows|Missed|Misses|Loses|Lets|Stalemate|Threefold|Gives|Turns|Leads|Only)"
    r" ?[^{}]{0,250}?\.)?"
    r" \S+ was best\."
    r"| (?:Misses|Only) [^{}]{0,250}\.\s*$"  # which names the best move itself; ours stand last
    r"|(?(change)|(?!)))"
)
_CLAIM: Final = ", as the engine claims"  # but its line does not show it
_BOTH_SCORES: Final = re.compile(r"\s*\((?:[^():{}]{1,100}: (?:[-+]\d+\.\d\d|#-?\d*)(?:, |\))){2}")
_NO_NAME: Final = re.compile(r"[():{}]")  # what no name in such a comment may contain
_START: Final = PovScore(Cp(15), chess.WHITE)  # by which Lichess judges the first move of a game


def annotate(report: GameReport, engines: Sequence[str] = ()) -> chess.pgn.Game:
    """Write scores, judgements and better lines into the game of the report, which is returned.

    Existing moves, comments and variations are kept; an older `[%eval]` is replaced, with its sign (see
    `earlier_signs`). A move with another sign, such as `!?`, keeps it. The tags ECO and Opening are added
    where they are missing. The engine is this one, unless others are named. With two of them a comment has
    the scores of both, and a move that one has judged, or on which they disagree, the lines of both.
    """
    game = report.game
    nodes = list(game.mainline())
    signs = earlier_signs(game)  # before the scores are replaced
    names = [_NO_NAME.sub(" ", engine) for engine in engines]
    disputed = {each.first.ply for each in find_disagreements(report)}
    others = report.second.moves if report.second else (None,) * len(nodes)
    for node, move, other, old in zip(nodes, report.moves, others, signs, strict=True):
        if not move:
            continue
        node.nags -= old
        if not other:
            _annotate(node, move)
            continue
        told = zip(names, (move, other), strict=True)
        scores = (f"{name}: {score_text(each.score_after, each.board.turn)}" for name, each in told)
        _annotate(node, move, f"({', '.join(scores)})")
        if move.ply in disputed or move.judgement or other.judgement:
            _add_both_lines(node, (move, other), names)
    if any(report.moves):
        name = " and ".join(engines) or f"{NAME} {VERSION}"
        game.headers.setdefault("Annotator", name)
    if played := opening_of(game):
        game.headers.setdefault("ECO", played.opening.eco)
        game.headers.setdefault("Opening", played.opening.name)
    return game


def author_text(node: chess.pgn.ChildNode) -> str:
    """The comment of a move without the remark of an earlier analysis, and the scores of two engines."""
    if node.eval() is None:
        return node.comment
    return _MACHINE_TEXT.sub("", _BOTH_SCORES.sub("", node.comment))


def is_judged(node: chess.pgn.ChildNode) -> bool:
    """True if an analysis has judged the move: by one of its signs, or by its remark beside a score."""
    signs = frozenset(_NAGS.values())
    return bool(signs & node.nags) or bool(_MACHINE_TEXT.search(node.comment))


def earlier_signs(game: chess.pgn.Game) -> list[frozenset[int]]:
    """The sign of an earlier analysis of each move: that of its remark, or that which its scores deserve.

    A sign beside a comment may be the author's, unless the comment is that of an analysis; and so may any
    other in a game where an analysis has left remarks, as `annotate` puts one beside each sign of its own.
    """
    nodes = list(game.mainline())
    is_ours = game.headers.get("Annotator", "").startswith(NAME)
    is_told = is_ours or any(author_text(node) != node.comment for node in nodes)
    return [_earlier_sign(node, is_told) for node in nodes]


def _earlier_sign(node: chess.pgn.ChildNode, is_told: bool) -> frozenset[int]:
    """That of one move; with `is_told` each sign of the analysis has a remark."""
    if len(node.nags & _MOVE_NAGS) > 1:
        return frozenset()  # `annotate` adds none beside another
    said = _MACHINE_TEXT.search(node.comment)
    if said and (word := said["judgement"].lower()) in _NAGS:
        return frozenset(node.nags & {_NAGS[Judgement(word)]})
    if not said and (is_told or COMMANDS.sub("", node.comment).strip()):
        return frozenset()
    before, after = node.parent.eval(), node.eval()
    if before is None and node.parent.parent is None and node.parent.board() == chess.Board():
        before = _START
    if before is None or after is None:
        return frozenset()
    mover = not node.turn()
    judgement = judgement_of(before.pov(mover), after.pov(mover))
    return frozenset(node.nags & {_NAGS[judgement]}) if judgement else frozenset()


def remark(move: MoveReport) -> str:
    """The judgement of a move in words; empty if there is none."""
    if not move.judgement:
        return ""
    words = [f"{move.judgement.capitalize()}."]
    if move.reason:
        words.append(move.reason.text)
    elif move.missed_mate is not None:
        claim = "" if is_mate_shown(move.board, move.before.best) else _CLAIM
        words.append(f"Misses mate in {move.missed_mate}{claim}.")
    elif move.allowed_mate is not None:
        claim = "" if move.is_mate_shown_after else _CLAIM
        words.append(f"Allows mate in {move.allowed_mate}{claim}.")
    if line := san_line(move.board, move.before.best, 1):
        best, name = line[0]
        is_named = move.reason and move.reason.instead and move.reason.line[:1] == (best.uci(),)
        if not is_named:
            words.append(f"{name} was best.")
    return " ".join(words)


def _annotate(node: chess.pgn.ChildNode, move: MoveReport, scores: str = "") -> None:
    node.comment = author_text(node)
    node.set_eval(None)
    text = node.comment.strip()
    node.comment = ""
    node.set_eval(PovScore(move.score_after, move.board.turn))
    node.comment = " ".join(
        part for part in (node.comment, scores if node.comment else "", text, remark(move)) if part
    )
    if not move.judgement:
        return
    if not _MOVE_NAGS & node.nags:
        node.nags.add(_NAGS[move.judgement])
    for line in move.before.lines:
        if line.moves and line.moves[0] != move.move.uci():
            _add_line(node.parent, line, move.board)


def _add_both_lines(
    node: chess.pgn.ChildNode, moves: Sequence[MoveReport], engines: Sequence[str]
) -> None:
    """Add the best lines of two engines, each with its name."""
    for name, move in zip(engines, moves, strict=True):
        line = move.before.best
        if line.moves and line.moves[0] != move.move.uci():
            _add_line(node.parent, line, move.board)
            first = node.parent.variation(chess.Move.from_uci(line.moves[0]))
            known = rf"(?<!\S){re.escape(name)}(?![^,])"
            if not re.search(known, first.comment):  # as after an earlier analysis
                is_named = first.comment.endswith(engines[0])
                first.comment = f"{first.comment}{', ' if is_named else ' '}{name}".strip()


def _add_line(parent: chess.pgn.GameNode, line: AnalysisLine, board: chess.Board) -> None:
    """Add a variation, merged with an existing one as far as they agree."""
    node: chess.pgn.GameNode = parent
    moves = [move for move, _ in san_line(board, line, MAX_LINE)]
    is_new = False
    for move in moves:
        known = next((child for child in node.variations if child.move == move), None)
        if known is None:
            known = node.add_variation(move)
            if not is_new and node is parent:
                known.set_eval(PovScore(line.score, board.turn))
            is_new = True
        node = known
