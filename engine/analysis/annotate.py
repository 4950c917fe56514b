"""Annotates the game itself, for Lichess, Scid and other PGN readers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import chess
import chess.pgn
from chess.engine import Cp, PovScore

from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.analysis.assessment import GameReport, MoveReport, is_mate_shown, score_text
from boomslang.engine.analysis.disagreements import find_disagreements
from boomslang.engine.analysis.notes import COMMANDS, words_of
from boomslang.engine.analysis.openings.table import opening_of
from boomslang.engine.analysis.win_percent import LICHESS, Judgement, judgement_of
from boomslang.engine.analyst import NO_WDL, Evaluation
from boomslang.engine.limits import Info
from boomslang.engine.other_engines.engine_lines import MAX_MATE, MAX_SCORE

THRESHOLDS_TAG: Final = "Thresholds"  # of judgements by others than those of Lichess
MAX_LINE: Final = 12  # plies of a variation that is added

_NAGS: Final = {
    Judgement.INACCURACY: chess.pgn.NAG_DUBIOUS_MOVE,
    Judgement.MISTAKE: chess.pgn.NAG_MISTAKE,
    Judgement.BLUNDER: chess.pgn.NAG_BLUNDER,
}
_MOVE_NAGS: Final = frozenset(range(chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_DUBIOUS_MOVE + 1))

# Remarks of an earlier analysis, by this engine or by another in the style of Lichess. They are replaced,
# but only beside a score, because a person may have written the same words.
_CHOICE: Final = "The engine's choice."  # beside scores that would judge the move
_MACHINE_TEXT: Final = re.compile(
    rf"(?<!\s)\s*{re.escape(_CHOICE)}|"
    r"(?<!\s)\s*(?P<change>\([^()]{1,20} (?:→|->) [^()]{1,20}\) )?"
    r"(?P<judgement>Inaccuracy|Mistake|Blunder|Checkmate is now unavoidable|Lost forced checkmate sequence)\."
    r"(?:(?: (Allows|Missed|Misses|Loses|Lets|Leaves|Opens|Trades|Achieves|Does|Stalemate|Threefold|Only)"
    r" ?[^{}]{0,250}?\.)?"
    r" \S+ was best\."
    r"| (?:Misses|Only) [^{}]{0,250}\.\s*$"  # which names the best move itself; ours stand last
    r"|(?(change)|(?!)))"
)
_CLAIM: Final = ", as the engine claims"  # but its line does not show it
_BOTH_SCORES: Final = re.compile(r"\s*\((?:[^():{}]{1,100}: (?:[-+]\d+\.\d\d|#-?\d*)(?:, |\))){2}")
_NO_NAME: Final = re.compile(r"[():{}]")  # what no name in such a comment may contain
_START: Final = PovScore(Cp(15), chess.WHITE)  # by which Lichess judges the first move of a game
# What only `stored` reads: win, draw and loss per mille in White's view, where the engine that says them is
# judged by them, and the best line behind a judged move, which tells what it loses.
_WDL: Final = re.compile(r"\s*\[%wdl (\d{1,4}),(\d{1,4}),(\d{1,4})\]")
_LINE: Final = re.compile(r"\s*\[%pv ([^\[\]]*)\]")
_MAX_REPLY: Final = 8  # plies of such a line


def annotate(report: GameReport, engines: Sequence[str] = ()) -> chess.pgn.Game:
    """Write scores, judgements and better lines into the game of the report, which is returned.

    Existing moves, comments and variations are kept; an older `[%eval]` is replaced, with its sign (see
    `replaced_signs`). A move with another sign, such as `!?`, keeps it. The tags ECO and Opening are added
    where they are missing. The engine is this one, unless others are named. With two of them a comment has
    the scores of both, and a move that one has judged, or on which they disagree, the lines of both.
    """
    game = report.game
    nodes = list(game.mainline())
    signs = replaced_signs(report)  # before the scores are replaced
    names = [_NO_NAME.sub(" ", engine) for engine in engines]
    disputed = {each.first.ply for each in find_disagreements(report)}
    others = report.second.moves if report.second else (None,) * len(nodes)
    if report.positions and (first := report.positions[0]):
        _write_score(game, first, report.by_wdl, author_text(game))
    for node, move, other, old in zip(nodes, report.moves, others, signs, strict=True):
        if not move:
            if report.positions and (evaluation := report.positions[node.ply() - game.ply()]):
                _write_score(node, evaluation, report.by_wdl, author_text(node))
            continue
        node.nags -= old
        if not other:
            _annotate(node, move, report.by_wdl)
            continue
        named_moves = zip(names, (move, other), strict=True)
        scores = (
            f"{name}: {score_text(each.score_after, each.board.turn)}" for name, each in named_moves
        )
        _annotate(node, move, report.by_wdl, f"({', '.join(scores)})")
        if move.ply in disputed or move.judgement or other.judgement:
            _add_both_lines(node, (move, other), names)
    if any(report.moves):
        name = " and ".join(engines) or f"{NAME} {VERSION}"
        game.headers.setdefault("Annotator", name)
    game.headers.pop(THRESHOLDS_TAG, None)
    if report.thresholds != LICHESS:
        game.headers[THRESHOLDS_TAG] = ",".join(f"{loss:g}" for loss in report.thresholds)
    if played := opening_of(game):
        game.headers.setdefault("ECO", played.opening.eco)
        game.headers.setdefault("Opening", played.opening.name)
    return game


def author_text(node: chess.pgn.GameNode) -> str:
    """The comment of a move without the remark of an earlier analysis, and the scores of two engines."""
    if node.eval() is None:
        return node.comment
    text = _LINE.sub("", _WDL.sub("", node.comment))
    return _MACHINE_TEXT.sub("", _BOTH_SCORES.sub("", text))


def score_at(node: chess.pgn.GameNode) -> PovScore | None:
    """The score that a game says of a position, within bounds; None for a mate in more moves than any.

    If it is silent, the start position has the score of Lichess.
    """
    score = node.eval()
    if score is None:
        is_start = node.parent is None and node.board().chess960_pos() is not None
        return _START if is_start else None
    if score.is_mate():
        return score if abs(score.relative.mate() or 0) <= MAX_MATE else None
    centipawns = score.relative.score(mate_score=0)
    return PovScore(Cp(min(max(centipawns, -MAX_SCORE), MAX_SCORE)), score.turn)


def wdl_at(node: chess.pgn.GameNode) -> tuple[int, int, int] | None:
    """Wins, draws and losses per mille that a game says of a position, in the view of the side to move."""
    match = _WDL.search(node.comment)
    wins, draws, losses = map(int, match.groups()) if match else (0, 0, 0)
    if not wins + draws + losses:
        return None
    return (wins, draws, losses) if node.turn() == chess.WHITE else (losses, draws, wins)


def line_at(node: chess.pgn.GameNode) -> tuple[chess.Move, ...]:
    """The best line that a game says of a position, as far as it is legal."""
    match = _LINE.search(node.comment)
    if not match:
        return ()
    board = node.board()
    moves: list[chess.Move] = []
    with suppress(ValueError):
        for text in match[1].split()[:_MAX_REPLY]:
            moves.append(board.push_uci(text))
    return tuple(moves)


def is_choice(node: chess.pgn.ChildNode) -> bool:
    """True if an analysis has noted that the move was its engine's, whatever the scores say."""
    return _CHOICE in node.comment


def replaced_signs(report: GameReport) -> list[frozenset[int]]:
    """The signs that give way: those of an earlier analysis, and beside a judgement one without a word."""
    signs = earlier_signs(report.game)
    for ply, (node, move) in enumerate(zip(report.game.mainline(), report.moves, strict=True)):
        if move and move.judgement and not words_of(author_text(node)):
            own = frozenset(node.nags & _MOVE_NAGS)
            signs[ply] |= own & frozenset(_NAGS.values()) if len(own) == 1 else frozenset()
    return signs


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
    if said and not said["judgement"]:
        return frozenset()
    if said and (word := said["judgement"].lower()) in _NAGS:
        return frozenset(node.nags & {_NAGS[Judgement(word)]})
    if not said and (is_told or COMMANDS.sub("", node.comment).strip()):
        return frozenset()
    before, after = score_at(node.parent), score_at(node)
    if before is None or after is None:
        return frozenset()
    mover = not node.turn()
    judgement = judgement_of(before.pov(mover), after.pov(mover))
    return frozenset(node.nags & {_NAGS[judgement]}) if judgement else frozenset()


def remark(move: MoveReport) -> str:
    """The judgement of a move in words; empty if there is none."""
    if not move.judgement:
        return _CHOICE if move.is_excused else ""
    words = [f"{move.judgement.capitalize()}."]
    if move.reason:
        words.append(move.reason.text)
    elif move.missed_mate is not None:
        claim = "" if is_mate_shown(move.board, move.before.best) else _CLAIM
        words.append(f"Misses mate in {move.missed_mate}{claim}.")
    elif move.allowed_mate is not None:
        claim = "" if move.is_mate_shown_after else _CLAIM
        words.append(f"Allows mate in {move.allowed_mate}{claim}.")
    for best in move.before.best.pv[:1]:
        name = move.board.san(best)
        is_named = move.reason and move.reason.instead and move.reason.line[:1] == (best.uci(),)
        if not is_named:
            words.append(f"{name} was best.")
    return " ".join(words)


def _write_score(
    node: chess.pgn.GameNode,
    found: Evaluation,
    by_wdl: bool,
    text: str,
    scores: str = "",
    line: Sequence[chess.Move] = (),
) -> None:
    """Make the score of a position, the text behind it and nothing else the comment of a move."""
    node.comment = text
    node.set_eval(None)
    text = node.comment.strip()
    node.comment = ""
    node.set_eval(PovScore(found.best.score.to_chess(), node.turn()))
    if node.comment and by_wdl:
        wdl = (found.best.wdl or NO_WDL)[:: 1 if node.turn() == chess.WHITE else -1]
        node.comment += f" [%wdl {','.join(map(str, wdl))}]"
    if node.comment and line:
        node.comment += f" [%pv {' '.join(map(chess.Move.uci, line))}]"
    node.comment = " ".join(filter(None, (node.comment, scores if node.comment else "", text)))


def _annotate(node: chess.pgn.ChildNode, move: MoveReport, by_wdl: bool, scores: str = "") -> None:
    text = author_text(node)
    reply = move.after.best.pv[:_MAX_REPLY] if move.judgement else ()
    _write_score(node, move.after, by_wdl, text, scores, reply)
    node.comment = " ".join(filter(None, (node.comment, remark(move))))
    if not move.judgement:
        return
    if not _MOVE_NAGS & node.nags:
        node.nags.add(_NAGS[move.judgement])
    for line in move.before.lines:
        if line.pv and line.pv[0] != move.move:
            _add_line(node.parent, line, move.board)


def _add_both_lines(
    node: chess.pgn.ChildNode, moves: Sequence[MoveReport], engines: Sequence[str]
) -> None:
    """Add the best lines of two engines, each with its name."""
    for name, move in zip(engines, moves, strict=True):
        line = move.before.best
        if line.pv and line.pv[0] != move.move:
            _add_line(node.parent, line, move.board)
            first = node.parent.variation(line.pv[0])
            name_pattern = rf"(?<!\S){re.escape(name)}(?![^,])"
            if not re.search(name_pattern, first.comment):  # as after an earlier analysis
                is_named = first.comment.endswith(engines[0])
                first.comment = f"{first.comment}{', ' if is_named else ' '}{name}".strip()


def _add_line(parent: chess.pgn.GameNode, line: Info, board: chess.Board) -> None:
    """Add a variation, merged with an existing one as far as they agree."""
    node: chess.pgn.GameNode = parent
    is_new = False
    for move in line.pv[:MAX_LINE]:
        child_node = next((child for child in node.variations if child.move == move), None)
        if child_node is None:
            child_node = node.add_variation(move)
            if not is_new and node is parent:
                child_node.set_eval(PovScore(line.score.to_chess(), board.turn))
            is_new = True
        node = child_node
