"""Checks the moves and figures of an answer for language models, with python-chess and its words."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import chess
import chess.engine

from boomslang.engine.analysis.win_percent import win_chance
from tests.support.places import ROOT

_SAN = r"(?:O-O(?:-O)?|[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|(?:[a-h]x)?[a-h][1-8](?:=[QRBN])?)[+#]?"
_LINE = re.compile(rf"(\d+)(\.\.\.|\.) ({_SAN}(?: (?:\d+\. )?{_SAN})*)(?![\w=])")
_MOVE = re.compile(rf"(?<![\w#+.-]){_SAN}(?![\w=-])")
# Squares that are named as such, and what is no sentence.
_SQUARES = re.compile(r"\bon [a-h][1-8](?:(?:, | and )[a-h][1-8])*")
_SKIPPED = re.compile(
    r"^(?:FEN: |Castling rights: ).*$|\([a-h][1-8][a-h][1-8][qrbn]?\)", re.MULTILINE
)


@asynccontextmanager
async def mcp_session(*words: str) -> AsyncIterator[Any]:
    """A session of the SDK's own client with a server that has just begun."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "cli", "mcp", *words],
        cwd=str(ROOT),
        env=dict(os.environ),
    )
    async with (
        stdio_client(command) as (reading, writing),
        ClientSession(reading, writing) as session,
    ):
        yield session


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


def contradictions(schema: Any, text: str, data: Any) -> list[str]:
    """What a schema forbids, what is illegal in the data of an answer, and figures that its text lacks."""
    import jsonschema  # type: ignore[import-untyped]  # comes with the SDK, which may be missing

    faults = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(data)]
    for fen, part in _parts(data):
        if "cp" in part:
            chance = round(win_chance(chess.engine.Cp(part["cp"])))
            faults += [f"{part['white_chance']} %"] * (part["white_chance"] != chance)
        if "cp" in part or "mate" in part:
            score = f"#{part['mate']}" if "mate" in part else f"{part['cp'] / 100:+.2f}"
            faults += [score] * (score not in text)
        if "san" in part and isinstance(part["san"], list):
            board = chess.Board(fen, chess960=bool(set(fen.split()[2]) - set("KQkq-")))
            told = [board.san_and_push(board.parse_uci(name)) for name in part["uci"]]
            faults += [f"{part['san']}"] * (told != part["san"])
            shown = f"White's chances {part.get('white_chance')} %"
            faults += [shown] * ("cp" in part and shown not in text)
        for name in ("accuracy", "points", "found", "untold", "seed", "elo"):
            if figure := part.get(name):
                words = f"{figure:.1f}" if name == "accuracy" else f"{figure:g}"
                faults += [f"{name} {figure}"] * (words not in text and str(figure) not in text)
        for name in ("people", "find", "play"):
            share = f"{part.get(name, 0):g} % "
            faults += [f"{name} {share}"] * (name in part and share not in text)
        faults += [fen] * ("turn" in part and fen not in text)
        for word in ("winner", "reason", "remark", "opening", "move", "over", "best", "castling"):
            faults += [f"{word} {part.get(word)}"] * (str(part.get(word, "")) not in text)
    return faults


def _parts(data: Any, fen: str = chess.STARTING_FEN) -> Iterator[tuple[str, dict[str, Any]]]:
    """All objects in the data of an answer, with the position that they are about."""
    if isinstance(data, dict):
        fen = data.get("fen", fen)
        yield fen, data
        for each in data.values():
            yield from _parts(each, fen)
    elif isinstance(data, list):
        for each in data:
            yield from _parts(each, fen)
