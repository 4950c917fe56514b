"""How games of a match begin: with openings of a file, or with random ones that the engine finds fair."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import chess
import chess.pgn

from cli.labels.reading import careful
from engine.limits import Limits
from engine.player import Player, load
from engine.soundness import why_unfit
from engine.system.files import FileProblem, read_lines

_LARGEST: Final = 1 << 28  # bytes
_PLIES: Final = 8  # of chance, or one more
_NODES: Final = 8000  # of the search that judges them
_FAIR: Final = 150  # centipawns
_MOST: Final = 100_000  # openings of a file


class Opening(NamedTuple):
    """Where a game begins."""

    fen: str
    moves: tuple[str, ...] = ()
    chess960: bool = False

    def board(self) -> chess.Board:
        """The position, with the moves that have led to it."""
        board = chess.Board(self.fen, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


def read(path: Path) -> list[Opening]:
    """The openings of a file of FEN, EPD or PGN (its main lines); raises FileProblem."""
    if path.suffix.lower() == ".pgn":
        found = _of_games(path)
    else:
        found = []
        for number, line in read_lines(path, _LARGEST):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                board = careful(line)[0]
                found.append(Opening(board.fen(), (), board.chess960))
            except ValueError as problem:
                raise FileProblem(f"{path}:{number}: {problem}") from None
    if not found:
        raise FileProblem(f"{path}: no openings")
    return found[:_MOST]


def _of_games(path: Path) -> list[Opening]:
    found: list[Opening] = []
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # what is wrong is told below
    with path.open(encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) and len(found) < _MOST:
            problem: object = next(iter(game.errors), None)
            try:
                board = game.board()
                problem = problem or why_unfit(board)
                if type(board) is not chess.Board:
                    problem = "not a game of chess"
            except ValueError as error:
                problem = error
            if problem:
                raise FileProblem(f"{path}: game {len(found) + 1}: {problem}")
            moves = tuple(move.uci() for move in game.mainline_moves())
            found.append(Opening(board.fen(), moves, board.chess960))
    return found


def shuffled(openings: Sequence[Opening], seed: int) -> Callable[[int], Opening]:
    """The opening of each pair of games, counted from 0: all of them in turn, in an order by lot."""
    order = list(openings)
    random.Random(seed).shuffle(order)  # noqa: S311
    return lambda number: order[number % len(order)]


def by_chance(seed: int) -> Callable[[int], Opening]:
    """The same with random moves, after which neither side is far ahead. Kernels are loaded here."""
    load()
    player = Player(hash_mb=1)

    def find(number: int) -> Opening:
        source = random.Random(f"{seed} {number}")  # noqa: S311
        while True:
            board = chess.Board()
            for _ in range(_PLIES + source.randrange(2)):
                if moves := list(board.legal_moves):
                    board.push(source.choice(moves))
            if not board.is_game_over() and _is_fair(player, board):
                return Opening(chess.STARTING_FEN, tuple(m.uci() for m in board.move_stack))

    return find


def _is_fair(player: Player, board: chess.Board) -> bool:
    player.new_game()
    player.arm()
    info = player.search(board, Limits(nodes=_NODES), lambda info: None).info
    centipawns = info.score.centipawns if info else None
    return centipawns is not None and abs(centipawns) <= _FAIR
