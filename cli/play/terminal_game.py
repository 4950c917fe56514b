"""The dialogue of a game in the terminal: commands, moves and output."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

import chess

from boomslang.cli.play.my_level import NOT_COUNTED, is_whole, parse_level, score_of, strength
from boomslang.cli.play.opponent import EngineOpponent
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle, balance, last_moves, screen
from boomslang.core.system.files import FileError
from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.chess_clock import format_time
from boomslang.engine.driver.chances import displayed
from boomslang.engine.driver.draw_offers import DrawOffers
from boomslang.engine.limits import Score
from boomslang.engine.user_game import IllegalMoveError, UserGame
from boomslang.eval.wdl import conversion

HELP: Final = """\
Type a move as it is written down (e4, Nf3, exd5, O-O, e8=Q) or from square to
square (e2e4, e7e8q), or
  undo         take back your last move     hint    what would the engine play?
  level [N]    0 to 20, an Elo, or mine     switch  change sides
  moves        your legal moves             flip    turn the board
  resign       give up                      draw    offer a draw
  save [FILE]  write the game as PGN        new     begin another game
  board        show the board               fen     the position in one line
  quit         leave
Ctrl-C while it thinks: move now; else, twice: leave"""


class TerminalGame:
    """Reads lines until `quit`, Ctrl-C twice or the end of the input, at which `ask` raises EOFError."""

    def __init__(
        self,
        game: UserGame,
        opponent: EngineOpponent,
        console: Console,
        style: BoardStyle,
        ask: Callable[[str], str],
        path: Path | None,
    ) -> None:
        self._game = game
        self._start = (game.board.copy(stack=False), game.person)
        self._opponent = opponent
        self._console = console
        self._style = style
        self._ask = ask
        self._path = path
        self._sheet = Scoresheet()
        self._offers = DrawOffers()
        self._left = False
        self._unwritable: Path | None = None  # where the game could not be saved
        self._is_leaving = False  # the last input was Ctrl-C
        self._end_shown = False  # the result of the game was shown
        self._counts = True  # for the user's own level: no help, and no result yet
        self._since: float | None = None  # when the person's turn began
        self._commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "hint": self._hint,
            "level": self._level,
            "switch": self._switch,
            "moves": self._moves,
            "flip": self._flip,
            "resign": self._resign,
            "draw": self._draw,
            "save": self._save,
            "new": self._new,
            "board": lambda _: self._show(),
            "fen": lambda _: self._console.print(self._game.board.fen(), soft_wrap=True),
            "help": lambda _: self._say(*HELP.split("\n")),
            "quit": self._quit,
        }

    def run(self) -> bool:
        """Play until the user leaves, then save the game if requested; False if that fails.

        The game is saved too if it ends by an error, such as output to a terminal that is gone.
        """
        try:
            self._converse()
        except EOFError:  # a signal, which may come while another end is handled
            pass
        finally:
            self._left = True
            saved = self._keep()
        return saved

    def end(self) -> None:
        """Called by a signal: end the game like the end of the input, once; the saving goes on."""
        if not self._left:
            self._left = True
            raise EOFError

    def _converse(self) -> None:
        self._say("Type a move, or help.")
        self._show()
        while not self._left:
            try:
                outcome = self._game.outcome()
                if outcome and not self._end_shown:
                    self._say(f"The game is over: {outcome[0]}, {outcome[1]}.")
                    self._count(outcome[0])
                    self._tell_oversights()
                self._end_shown = outcome is not None
                if outcome is None and not self._game.is_persons_turn:
                    self._engine_moves()
                else:
                    self._person_says(over=outcome is not None)
            except EOFError:
                with suppress(OSError):  # the terminal may be gone
                    self._say("")
                break
            except KeyboardInterrupt:
                # It may have been meant for the engine, which has just moved.
                if self._is_leaving:
                    self._say("")
                    break
                self._is_leaving = True
                self._say("", "Ctrl-C once more leaves the game, and so does quit.")

    @property
    def words(self) -> list[str]:
        """The words that may be typed now, for completion."""
        board = self._game.board
        return [*self._commands, *(board.san(move) for move in board.legal_moves)]

    # Turns

    def _engine_moves(self) -> None:
        game = self._game
        begun = time.monotonic()
        with self._console.status("thinking"):
            result = self._opponent.choose(game.board, game.clock)
        if result.best is None:
            raise RuntimeError("no move in a game that goes on")
        if result.info and not result.info.bound:
            self._offers.record(displayed(result.info.score))
        number = f"{game.board.fullmove_number}{'.' if game.board.turn else '...'}"
        san = game.board.san(result.best)
        is_in_time = game.play(result.best, time.monotonic() - begun)
        self._show()
        if is_in_time:
            self._say(f"{NAME} plays {number} {san}")

    def _person_says(self, over: bool) -> None:
        prompt = "new, undo, save or quit> " if over else f"{self._mover()} to move> "
        if self._since is None:
            self._since = time.monotonic()
        line = self._ask(prompt).strip()
        self._is_leaving = False
        word, _, rest = line.partition(" ")
        if command := self._commands.get(word.lower()):
            command(rest.strip())
        elif over and line:
            self._say("The game is over: new begins another one, undo takes back.")
        elif line:
            try:
                move = self._game.read(line)
            except IllegalMoveError as problem:
                self._say(f"{problem}.")
                return
            self._opponent.oversights.forget(self._game.board)
            self._game.play(move, time.monotonic() - self._since)
            self._since = None
            if self._game.outcome():
                self._show()

    def _tell_oversights(self) -> None:
        """Say after the game what the level overlooked."""
        board = self._game.board
        for ply, words in self._opponent.oversights.tell(board):
            before = board.root()
            for move in board.move_stack[:ply]:
                before.push(move)
            played = before.variation_san([board.move_stack[ply]])
            self._say(f"{NAME} played {played}: {words}.")

    def _count(self, result: str) -> None:
        """Take the result into the user's own level, unless the game does not count."""
        mine, game = self._opponent.my_level, self._game
        if mine is None:
            return
        if not self._counts or not is_whole(game.board):
            self._say(NOT_COUNTED)
            return
        self._counts = False
        try:
            self._say(mine.record(score_of(result, game.person), self._opponent.level))
        except FileError as problem:
            self._say(f"{problem}.")

    # Commands

    def _undo(self, _: str) -> None:
        if not self._game.undo():
            self._say("There is nothing to take back.")
            return
        self._counts = False
        self._offers.forget()
        self._since = None
        self._show()

    def _hint(self, _: str) -> None:
        if self._is_over():
            return
        board = self._game.board
        self._counts = False
        with self._console.status("thinking"):
            info = self._opponent.advise(board)
        line = board.variation_san(info.pv[:6])
        self._say(f"{board.san(info.pv[0])} ({_words(info.score)}): {line}")

    def _level(self, text: str) -> None:
        if text:
            try:
                self._opponent.set_level(parse_level(text))
            except ValueError as problem:
                self._say(f"{problem}.")
                return
            self._counts = self._counts and not self._game.board.move_stack
        mine = ", your level" if self._opponent.my_level else ""
        self._say(f"{NAME} plays at {strength(self._opponent.level)}{mine}.")

    def _switch(self, _: str) -> None:
        if self._is_over():
            return
        self._game.person = not self._game.person
        self._counts = self._counts and not self._game.board.move_stack
        self._offers.forget()
        self._style.flipped = self._game.person == chess.BLACK
        self._since = None
        self._show()

    def _moves(self, _: str) -> None:
        board = self._game.board
        self._say(" ".join(sorted(map(board.san, board.legal_moves))) or "There are none.")

    def _flip(self, _: str) -> None:
        self._style.flipped = not self._style.flipped
        self._show()

    def _resign(self, _: str) -> None:
        if not self._is_over():
            loser = chess.COLOR_NAMES[self._game.person].capitalize()
            self._game.end(not self._game.person, f"{loser} resigned")

    def _draw(self, _: str) -> None:
        if self._is_over():
            return
        if self._offers.accepts(self._game.board):
            self._game.end(None, "draw agreed")
        else:
            self._say(f"{NAME} wants to play on.")

    def _save(self, name: str) -> None:
        default = self._path or Path(f"boomslang-{datetime.datetime.now():%Y%m%d-%H%M%S}.pgn")
        path = Path(name) if name else default
        with suppress(RuntimeError):  # no such user: the name as it is, like a shell
            path = path.expanduser()
        is_saved = self._write(path)
        if self._path is None or (is_saved and self._path == self._unwritable):
            self._path = path
        if is_saved:
            self._say(f"Saved as {path}; the end of the game will be in {self._path}.")

    def _new(self, _: str) -> None:
        if not self._keep():
            self._say("This game would be lost: save FILE keeps it in another file.")
            return
        board, person = self._start
        control = self._game.clock.control if self._game.clock else None
        self._game = UserGame(board.copy(), person, control)
        self._style.flipped = person == chess.BLACK
        self._opponent.new_game()
        self._sheet.forget()
        self._offers.forget()
        self._since = None
        self._counts = True
        self._show()

    def _quit(self, _: str) -> None:
        self._left = True

    # Showing and writing

    def _is_over(self) -> bool:
        """True, with a message, if the game is over."""
        over = self._game.outcome() is not None
        if over:
            self._say("The game is over.")
        return over

    def _keep(self) -> bool:
        """Save the game before leaving it, if it has a file; False if that fails."""
        if self._path is None or not self._game.board.move_stack:
            return True
        return self._write(self._path)

    def _write(self, path: Path) -> bool:
        """Save the game; False, with a message, if that fails."""
        try:
            self._sheet.save(
                path, self._game.pgn(f"{NAME} {VERSION}, {strength(self._opponent.level)}")
            )
        # Also a circle of links, or a null character in the name.
        except (OSError, RuntimeError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            self._say(f"Cannot write {path}: {reason}.")
            self._unwritable = path
            return False
        return True

    def _show(self) -> None:
        game = self._game
        lines = []
        for side in (not game.person, game.person):
            player = "you" if side == game.person else f"{NAME}, {strength(self._opponent.level)}"
            time_left = f"  {format_time(game.clock.left(side))}" if game.clock else ""
            lines.append(f"{chess.COLOR_NAMES[side].capitalize()}: {player}{time_left}")
        lines += [balance(game.board), *last_moves(game.board)]
        self._console.print()
        self._console.print(screen(game.board, self._style, lines))

    def _mover(self) -> str:
        return chess.COLOR_NAMES[self._game.board.turn].capitalize()

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._console.print(line)


def _words(score: Score) -> str:
    """A score in words, from the view of the side to move."""
    if score.mate is not None:
        return f"mate in {score.mate}" if score.mate > 0 else f"mated in {-score.mate}"
    return f"{conversion.to_cp(score.centipawns or 0) / 100:+.2f}"


class Scoresheet:
    """Keeps the place of the game in each file, so that other games are not overwritten."""

    def __init__(self) -> None:
        # Where the game begins in each file, in bytes, and how it was written there.
        self._written: dict[Path, tuple[int, bytes]] = {}

    def save(self, path: Path, pgn: str) -> None:
        """Append the game to a file, or replace it where it was saved before; raises OSError.

        If the file has another end by then, as another program has written to it, the game is appended.
        """
        known_path = path.resolve()
        start, before = self._written.get(known_path, (0, b""))
        with known_path.open("r+b" if known_path.exists() else "w+b") as file:
            file.seek(start)
            if not before or file.read(len(before) + 1) != before:
                start = file.seek(0, os.SEEK_END)
            text = _separator(file, start) + pgn.encode()
            file.seek(start)
            file.write(text)
            file.flush()
            if file.tell() < known_path.stat().st_size:
                file.truncate()
        self._written[known_path] = start, text

    def forget(self) -> None:
        """Start a new game; saved games stay in their files."""
        self._written.clear()


def _separator(file: BinaryIO, end: int) -> bytes:
    """What makes an empty line before a game, without which many programs join it to the one before."""
    if not end:
        return b""
    file.seek(end - 1)
    return b"\n" if file.read(1) == b"\n" else b"\n\n"
