"""Checks the moves that an answer for language models quotes, with python-chess and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

import chess

_SAN = r"(?:O-O(?:-O)?|[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|(?:[a-h]x)?[a-h][1-8](?:=[QRBN])?)[+#]?"
_LINE = re.compile(rf"(\d+)(\.\.\.|\.) ({_SAN}(?: (?:\d+\. )?{_SAN})*)(?![\w=])")
_MOVE = re.compile(rf"(?<![\w#+.-]){_SAN}(?![\w=-])")
# Squares that are named as such, and what is no sentence.
_SQUARES = re.compile(r"\bon [a-h][1-8](?:(?:, | and )[a-h][1-8])*")
_SKIPPED = re.compile(
    r"^(?:FEN: |Castling rights: ).*$|\([a-h][1-8][a-h][1-8][qrbn]?\)", re.MULTILINE
)


def quoted_lines(text: str) -> list[str]:
    """The numbered lines of an answer."""
    return [match[0] for match in _LINE.finditer(_SKIPPED.sub("", text))]


def faults_of(text: str, boards: Iterable[chess.Board]) -> list[str]:
    """What is illegal, or spelled otherwise, in an answer about these positions."""
    text = _SQUARES.sub("", _SKIPPED.sub("", text))
    known = [board.copy(stack=False) for board in boards]
    faults: list[str] = []
    for match in _LINE.finditer(text):
        number, is_white = int(match[1]), match[2] == "."
        starts = [b for b in known if b.fullmove_number == number and b.turn == is_white]
        for start in starts:
            if (passed := _passed(start, match[3])) is not None:
                known += passed  # a remark may stand between two parts of a line
                break
        else:
            faults.append(match[0])
    legal = {board.san(move) for board in known for move in board.legal_moves}
    faults += [move for move in _MOVE.findall(_LINE.sub("", text)) if move not in legal]
    return faults


def _passed(start: chess.Board, line: str) -> list[chess.Board] | None:
    """The positions of a line; None if a move of it is illegal or not spelled as it should be."""
    board, passed = start.copy(stack=False), []
    for word in line.split():
        if word.endswith("."):
            if int(word[:-1]) != board.fullmove_number or not board.turn:
                return None
            continue
        try:
            move = board.parse_san(word)
        except ValueError:
            return None
        if board.san(move) != word:
            return None
        board.push(move)
        passed.append(board.copy(stack=False))
    return passed
