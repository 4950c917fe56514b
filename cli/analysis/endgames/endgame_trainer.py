"""Endings practised in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import chess

from boomslang.cli.analysis.dialogue import MoveDialogue
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle, last_moves
from boomslang.engine.analysis.endgames.ending import Ending, begin, hint, respond
from boomslang.engine.analysis.endgames.judge import EndingJudge
from boomslang.engine.analysis.endgames.kinds import EndingKind
from boomslang.engine.analysis.endgames.positions import NoPositionError
from boomslang.engine.analysis.endgames.session import EndingSession
from boomslang.engine.notation.positions import board_of


class EndgameTrainer(MoveDialogue):
    """Asks for endings; the result of each is on the disk when it is known."""

    words = ("hint", "skip", "quit")
    help = """\
Type a move (Kd5, e8=Q, e2e4), or
  hint     show the best move; counts as failed
  skip     another ending; this one counts only if it was failed already
  fen      the position in one line
  quit     leave, and so does Ctrl-C"""

    def __init__(
        self,
        session: EndingSession,
        judge: EndingJudge,
        console: Console,
        style: BoardStyle,
        ask: Callable[[str], str],
    ) -> None:
        """`ask` reads a line and raises EOFError at the end."""
        super().__init__(console, style, ask)
        self._session = session
        self._judge = judge

    def run(self, kinds: Sequence[EndingKind], most: int | None = None) -> None:
        """One ending of these kinds after the other, at most so many; raises FileError."""
        session, number = self._session, 0
        with suppress(EOFError):
            while kinds and (most is None or number < most):
                kind, fen = session.next(kinds)
                number += 1
                try:
                    with self._console.status("looking for a position"):
                        ending = begin(self._judge, kind, fen)
                except NoPositionError as problem:
                    self.say("", f"{kind.title}: {problem}.")
                    kinds = [one for one in kinds if one != kind]
                    continue
                session.begin(ending)
                if not self._play(ending):
                    break
        played = session.right + session.wrong
        result = f"{session.right} of {played} endings without a mistake."
        self.say(result if played else "No ending was played.")

    def _play(self, ending: Ending) -> bool:
        """One ending; False if the user leaves."""
        session, board = self._session, board_of(ending.fen)
        self._style.flipped = board.turn == chess.BLACK
        self.say("", f"{ending.kind.title}. {ending.task()}")
        is_over = False
        while not is_over:
            self.show(board, *last_moves(board))
            while (answer := self.ask_move(board)) == "hint":
                session.record(is_right=False)
                self.say(hint(self._judge, board))
            if not isinstance(answer, chess.Move):
                return answer == "skip"
            with self._console.status("judging this move"):
                response = respond(self._judge, ending.kind, board, answer)
            self.say(session.judge(response, len(board.move_stack) + 1))
            is_over = response.is_over
            if is_over or not response.is_kept:
                session.record(response.is_kept)
            for move in (answer, response.reply):
                if move and response.is_kept:
                    board.push(move)
        self.show(board, *last_moves(board))
        return True
