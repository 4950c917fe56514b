"""Games as they are read, before they are columns."""

from __future__ import annotations

from typing import Any, Final

import chess
import chess.pgn
import numpy as np
import numpy.typing as npt

from boomslang.engine import bridge
from boomslang.engine.games import scan, tokens
from boomslang.engine.games.columns import TEXTS, GameProblem, Games, columns_of
from boomslang.engine.notation.pgn import InputGame, start_board

_NAMES: Final = tuple(
    dict.fromkeys((*tokens.TAGS, *TEXTS.values(), "WhiteElo", "BlackElo", "UTCDate"))
)
MAX_OTHERS: Final = tokens.MAX_TAGS - len(_NAMES)


class GamesBuilder:
    """Games as they are read, game by game or many at once."""

    def __init__(self, rules: Any, source: int, others: tuple[str, ...]) -> None:
        """The castling squares of `rules` are overwritten."""
        self._source = source
        self._others = others
        self.names = (*_NAMES, *(name for name in others if name not in _NAMES))
        padded = [name.encode().ljust(tokens.MAX_NAME, b"\0") for name in self.names]
        self.spelled = np.array([list(name) for name in padded], dtype=np.uint8)
        self.texts: dict[str, list[str]] = {name: [] for name in self.names}
        self.numbers: list[int] = []
        self.lines: list[int] = []
        self.lengths: list[int] = []
        self.odd: list[int] = []
        self.start_of_game: list[int] = []
        self.plies: list[npt.NDArray[np.void]] = []
        self.nags: list[npt.NDArray[np.void]] = []
        self.problems: list[GameProblem] = []
        self._count = 0  # plies
        self._boards: list[bool] = []
        self._starts: dict[object, tuple[int, str, str] | None] = {}  # by their tags
        self._numbers: dict[object, int] = {}  # by FEN
        self._rules = rules
        self.starts = np.zeros(1, scan.START_POSITION).view(np.recarray)
        self.number_of_start(chess.Board())

    def __len__(self) -> int:
        return len(self.numbers)

    def number_of_start(self, board: chess.Board) -> int:
        """The number of a start position, which is added if it is new."""
        key, number = board.fen(shredder=board.chess960), len(self._boards)
        if (key, board.chess960) in self._numbers:
            return self._numbers[key, board.chess960]
        self._numbers[key, board.chess960] = number
        if number == len(self.starts):
            more = np.zeros(len(self.starts), scan.START_POSITION)
            self.starts = np.concatenate([self.starts, more]).view(np.recarray)
        start = self.starts[number]
        bridge.set_castling(self._rules, board)
        bridge.to_position(self._rules, board, start.position)
        start.rook[:] = self._rules.castling_rook
        start.number = board.fullmove_number
        self._boards.append(board.chess960)
        return number

    def start_of(self, tags: dict[str, str]) -> tuple[int, str, str] | None:
        """The number of the start position that tags say, and FEN and variant as they are kept.

        None if it cannot be played.
        """
        key = tuple(tags.get(name) for name in ("FEN", "SetUp", "Variant"))
        if key not in self._starts:
            headers = chess.pgn.Headers(tags)
            board, _ = start_board(headers)
            names = headers.get("FEN", ""), headers.get("Variant", "")
            self._starts[key] = (self.number_of_start(board), *names) if board else None
        return self._starts[key]

    def add(
        self, plies: npt.NDArray[np.void], lengths: list[int], nags: npt.NDArray[np.void]
    ) -> None:
        """Add the plies of games, as PLY and NAG."""
        nags["ply"] += self._count
        self.plies.append(plies)
        self.nags.append(nags)
        self.lengths += lengths
        self._count += len(plies)

    def add_entry(self, entry: InputGame, file: str, number: int) -> None:
        """Add a game of the other reader."""
        headers, messages = entry.game.headers, entry.messages
        for name, texts in self.texts.items():
            texts.append(headers.get(name, ""))
        plies, nags = [], []
        start = -1  # nobody knows
        if entry.analysable:
            board = entry.game.board()
            start = self.number_of_start(board) if "FEN" in headers else 0
            for node in entry.game.mainline():
                clock, score = node.clock(), node.eval()
                points = score.white().score(mate_score=tokens.MATE_SCORE) if score else None
                move = bridge.from_move(node.move, board) if node.move else 0
                plies.append(
                    (np.nan if clock is None else clock, np.nan if points is None else points, move)
                )
                nags += [(len(plies) - 1, nag) for nag in node.nags]
                board.push(node.move)
        self.numbers.append(number)
        self.lines.append(entry.line)
        self.odd.append(2 if entry.problems else 1 if messages else 0)
        self.start_of_game.append(start)
        self.add(np.array(plies, scan.PLY), [len(plies)], np.array(nags, scan.NAG))
        self.problems += (
            GameProblem(file, number, entry.line, len(plies), message) for message in messages
        )

    def build(self) -> Games:
        """The games as columns."""
        plies = np.concatenate([np.zeros(0, scan.PLY), *self.plies])
        nags = np.sort(np.concatenate([np.zeros(0, scan.NAG), *self.nags]))
        starts = np.array(self.start_of_game, dtype=np.int64)
        columns: dict[str, npt.NDArray[Any]] = {
            "source": np.full(len(self), self._source, dtype=np.int32),
            "game": np.array(self.numbers, dtype=np.int64),
            "line": np.array(self.lines, dtype=np.int64),
            **columns_of(self.texts, self._others),
            "chess960": np.array(self._boards, dtype=np.bool_)[np.maximum(starts, 0)],
            "plies": np.array(self.lengths, dtype=np.int32),
            "odd": np.array(self.odd, dtype=np.uint8),
        }
        return Games(
            columns,
            np.cumsum([0, *self.lengths], dtype=np.int64),
            plies["move"].copy(),
            plies["clock"].copy(),
            plies["eval"].copy(),
            nags["ply"].copy(),
            nags["nag"].copy(),
            self.problems,
            np.array(self.starts[: len(self._boards)]),
            starts,
        )
