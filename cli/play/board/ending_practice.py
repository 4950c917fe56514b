"""The endings of one page: which one is played, and the answers to its moves."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import chess

from boomslang.cli.play.board.helper import Helper, HelperError
from boomslang.cli.play.board.latest_task import LatestTask
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.core.system.files import FileError
from boomslang.engine.analysis.endgames.ending import Ending, Response, begin, hint, respond
from boomslang.engine.analysis.endgames.judge import EndingJudge
from boomslang.engine.analysis.endgames.kinds import BY_NAME, KINDS
from boomslang.engine.analysis.endgames.positions import NoPositionError
from boomslang.engine.analysis.endgames.record import EndingFile
from boomslang.engine.analysis.endgames.session import EndingSession
from boomslang.engine.notation.positions import board_of

# What the helper is asked: a number, what, the kind, the FEN to begin with, and the moves since.
_Request: TypeAlias = tuple[int, str, str, str, tuple[str, ...]]


class EndingPractice:
    """Asks for endings as `cli.analysis.endgames` does. Created within a running event loop.

    A mistake and a success are on the disk when they are shown.
    """

    def __init__(
        self,
        file: EndingFile,
        tables: str,
        helper: Helper,
        outbox: Outbox,
        set_up: Callable[[chess.Board], None],
        go_on: Callable[[tuple[str, ...], Response], bool],
    ) -> None:
        """`helper` judges, by the tables in these folders or a search.

        `set_up` puts an ending on the board. `go_on` plays the reply after these moves or takes the last one
        back; False if they are not those on the board any more.
        """
        self._session = EndingSession(file)
        self._tables = tables
        self._helper = helper
        self._outbox = outbox
        self._set_up = set_up
        self._go_on = go_on
        self.is_on = False
        self._number = 0
        self._request: _Request | None = None
        self._state: dict[str, Any] = {}
        self._task = LatestTask(lambda: self._request, self._work)

    def next(self, name: str) -> None:
        """Another ending of that kind, or with an empty name of what is due or new.

        Raises MessageError or FileError.
        """
        if name and name not in BY_NAME:
            raise MessageError("there is no ending of this name")
        kind, fen = self._session.next([BY_NAME[name]] if name else KINDS)
        self.is_on = True
        self._state = {
            "kinds": _results(self._session.file),
            "text": "Looking for a position …",
        }
        self._ask("begin", kind.name, fen)

    def answer(self, board: chess.Board) -> None:
        """The user has played the last move on the board of the ending."""
        if ending := self._session.ending:
            self._show({"text": "Judging this move …", "right": None})
            self._ask("move", ending.name, ending.fen, _names(board))

    def go_back(self, board: chess.Board) -> None:
        """The user has taken moves back: nothing is said about them any more, and they do not count."""
        if self._session.ending:
            self._request = None
            self._task.look()
            self._session.go_back(len(board.move_stack))
            self._show({"text": "", "right": None, "over": False})

    def hint(self, board: chess.Board) -> None:
        """Show the best move, which counts as a failure. Raises MessageError."""
        ending = self._session.ending
        if not ending or self._state.get("over"):
            raise MessageError("there is no ending")
        if board.turn != board_of(ending.fen).turn:
            raise MessageError("your move is not answered yet")
        self._record(is_right=False)
        self._ask("hint", ending.name, ending.fen, _names(board))

    def leave(self) -> None:
        """Forget the ending."""
        if self.is_on:
            self._session.begin(None)
            self.is_on, self._request, self._state = False, None, {}
            self._task.look()
            self._show({})

    async def close(self) -> None:
        """End the work for it."""
        await self._task.close()

    def _ask(self, what: str, name: str, fen: str, moves: tuple[str, ...] = ()) -> None:
        self._number += 1
        self._request = self._number, what, name, fen, moves
        self._task.look()
        self._show({})

    async def _work(self, request: _Request) -> None:
        _, what, name, fen, moves = request
        try:
            answer = await self._helper.call(work, self._tables, what, name, fen, moves)
        except NoPositionError as problem:
            answer = f"{BY_NAME[name].title}: {problem}."
        except HelperError as problem:
            answer = f"The judgement {problem}."
        if self._request != request:
            return
        self._request = None
        if isinstance(answer, Ending):
            self._begin(answer)
        elif isinstance(answer, str):
            self._show({"text": answer})
        elif self._go_on(moves, answer):
            self._judge(answer, len(moves))

    def _begin(self, ending: Ending) -> None:
        board = board_of(ending.fen)
        self._session.begin(ending)
        self._set_up(board)
        turn = chess.COLOR_NAMES[board.turn]
        self._show({"title": ending.kind.title, "task": ending.task(), "turn": turn, "text": ""})

    def _judge(self, response: Response, count: int) -> None:
        text = self._session.judge(response, count)
        if response.is_over or not response.is_kept:
            self._record(response.is_kept)
        self._show({"text": text, "right": response.is_kept, "over": response.is_over})

    def _record(self, is_right: bool) -> None:
        try:
            self._session.record(is_right)
            self._state["kinds"] = _results(self._session.file)
        except FileError as problem:
            self._outbox.say(f"The result is not kept: {problem}.", "error")

    def _show(self, news: dict[str, Any]) -> None:
        self._state |= news
        state = dict(self._state)
        self._outbox.put("ending", lambda: state)


@cache
def _judge_by(tables: str) -> EndingJudge:
    return EndingJudge(tables, lambda remark: None)


def work(
    tables: str, what: str, name: str, fen: str, moves: tuple[str, ...]
) -> Ending | Response | str:
    """Begin an ending, answer the last of the moves, or give a hint after them; for a helper's process."""
    judge, kind = _judge_by(tables), BY_NAME[name]
    if what == "begin":
        return begin(judge, kind, fen)
    board = board_of(fen)
    for move in moves:
        board.push_uci(move)
    if what == "hint":
        return hint(judge, board)
    last = board.pop()
    return respond(judge, kind, board, last)


def _results(file: EndingFile) -> list[dict[str, Any]]:
    """All kinds with their pictures and the user's results, for the page. Raises FileError."""
    today = datetime.date.today()
    return [
        {
            "name": kind.name,
            "title": kind.heading,
            "group": kind.group,
            "board": kind.picture,
            "right": record.right,
            "wrong": record.wrong,
            "when": record.when(today),
        }
        for kind, record in file.results(KINDS)
    ]


def _names(board: chess.Board) -> tuple[str, ...]:
    return tuple(move.uci() for move in board.move_stack)
