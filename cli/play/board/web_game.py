"""The game of one page: players, moves, and the viewed position."""

from __future__ import annotations

import random
import time
from itertools import takewhile
from typing import Any, Final

import chess
import chess.pgn

from boomslang.cli.analysis.openings.table import find_played_opening, theory_text
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.cli.play.my_level import MyLevel, is_whole, score_of
from boomslang.cli.terminal.chess_clock import Control
from boomslang.cli.terminal.game import AmbiguousMoveError, IllegalMoveError, UserGame
from boomslang.engine.notation.pgn import UNREAD, first_game
from boomslang.engine.notation.pgn_writer import format_pgn
from boomslang.engine.system.identity import NAME, VERSION
from boomslang.engine.system.sanitize import printable

# Tags about the end of a game; they are wrong if it ends otherwise.
_OF_THE_END: Final = ("Termination", "EndDate", "EndTime")

EVENT: Final = "Game in a browser"
MAX_PGN: Final = 128 * 1024  # characters
_MAX_MOVES: Final = 1200  # single moves of a game that is read
_RESULTS: Final = ("1-0", "0-1", "1/2-1/2")


class WebGame:
    """A game between the user and the engine, or one that the user plays through alone.

    `version` changes whenever the game does, so that late answers are recognised.
    """

    def __init__(self) -> None:
        self.level: int | None = None  # an Elo, None: full strength
        self.mine: MyLevel | None = None  # the user's own level, which follows the results
        self.counts = True  # for that level: no help, and no result yet
        self.seconds = 1.0  # thinking time of the engine per move, without a clock
        self.version = 0
        self._record: LoadedGame | None = None  # set for a loaded game
        self._spent = 0.0  # seconds of the interrupted turn
        self.begin(chess.Board(), "white", None)

    # Changes of the game; on an error they raise MessageError and change nothing

    def begin(self, board: chess.Board, side: str, control: Control | None) -> None:
        """Start a new game; `side` is the user's: white, black, random or both."""
        if side == "random":
            side = random.choice(("white", "black"))  # noqa: S311 - the side
        self.alone = side == "both"
        self._start(UserGame(board, side != "black", None if self.alone else control))

    def load(self, text: str) -> str:
        """Load the first game of a PGN text.

        Returns a remark for the user, which may be empty.
        """
        entry = first_game(text)
        if entry is None:
            raise MessageError("that is no PGN")
        if not entry.analysable:
            raise MessageError(printable(entry.problems[0]))
        self.take(entry.game)
        remarks = [f"Game {entry.number} is read, the first that can be."] * (entry.number > 1)
        if entry.problems:
            is_cut = UNREAD in entry.game.end().comment
            how_far = "The game is read up to here" if is_cut else "Not all of the game is read"
            remarks.append(f"{how_far}: {printable(entry.problems[0])}.")
        elif not all(entry.game.mainline_moves()):
            remarks.append("The game is read up to here: a null move follows.")
        return " ".join(remarks)

    def take(self, read: chess.pgn.Game) -> None:
        """Take over a game read from PGN."""
        board = read.board()
        moves = list(takewhile(bool, read.mainline_moves()))  # a null move cannot be played
        if len(moves) > _MAX_MOVES:
            raise MessageError(f"that game has more than {_MAX_MOVES} single moves")
        for move in moves:
            board.push(move)
        self.alone = True
        self._start(UserGame(board, board.turn, None))
        for colour, name in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
            known = read.headers.get(name, "?")
            self._names[colour] = name if known == "?" else known
        result = read.headers.get("Result", "*")
        if self.game.outcome() is None and result in _RESULTS:
            winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(result)
            self.game.end(winner, "as the game's record says")
        self._record = LoadedGame(read, self.game)

    def play(self, move: chess.Move) -> None:
        """Play a move of the side to move."""
        if self.game.outcome():
            raise MessageError("the game is over")
        self.game.play(move, time.monotonic() - self._since)
        self._handle_move()

    def read(self, text: str) -> chess.Move:
        """The move that the user typed, in SAN or UCI notation; raises AmbiguousMoveError too."""
        self.ask_for_turn()
        text = text.strip()
        try:
            return self.game.read(text)
        except AmbiguousMoveError:
            raise
        except IllegalMoveError as problem:
            words = str(problem).replace(" or command; type help for help", "")
            # Quoted, to keep the case of its first letter: Bxa8 is another move than bxa8.
            raise MessageError(words.replace(text, f"“{text}”", 1) if text else words) from None

    def find(self, squares: str, promotion: str) -> chess.Move:
        """The legal move between two squares that the user made on the board."""
        self.ask_for_turn()
        board = self.game.board
        for move in board.legal_moves:
            spelled = {move.uci()[:4], board.uci(move)[:4], board.uci(move, chess960=True)[:4]}
            letter = chess.piece_symbol(move.promotion) if move.promotion else ""
            if squares in spelled and letter == promotion:
                return move
        raise MessageError(f"“{squares}{promotion}” is not a legal move here")

    def ask_for_turn(self) -> None:
        """Raise MessageError unless it is the user's turn."""
        if self.game.outcome():
            raise MessageError("the game is over")
        if not self.is_persons_turn:
            raise MessageError(f"it is {NAME}'s turn")
        if not self.is_at_end:
            raise MessageError(
                "you look at an earlier position: continue from there, or go to the last"
            )

    def take_back(self) -> None:
        """Take back to the user's last turn; a single move if the user plays alone."""
        if self.alone:
            self.game.person = not self.game.board.turn
        if not self.game.undo():
            raise MessageError("there is nothing to take back")
        self.counts = False
        self._handle_move()

    def cut(self) -> None:
        """Continue from the viewed position; later moves are taken back."""
        self.game.back_to(self.at)
        self.counts = False
        self._handle_move()

    def resign(self) -> None:
        """The user resigns."""
        if self.game.outcome() or self.alone:
            raise MessageError("there is nothing to resign")
        loser = chess.COLOR_NAMES[self.game.person].capitalize()
        self.game.end(not self.game.person, f"{loser} resigned")
        self._handle_move()

    def agree(self) -> None:
        """End the game as a draw by agreement."""
        self.game.end(None, "draw agreed")
        self._handle_move()

    def seat(self, side: str) -> None:
        """Set the user's side: white, black or both, which removes the clock."""
        self.alone = side == "both"
        self.counts = self.counts and not self.game.board.move_stack
        if self.alone:
            self.game.clock = None
        else:
            self.game.person = side == "white"
        self.version += 1

    def look_at(self, ply: int) -> None:
        """View the position after a number of plies."""
        self.at = min(ply, len(self.game.board.move_stack))

    def flag(self) -> None:
        """End the game: the side to move has exceeded its time."""
        self.game.runs_out(time.monotonic() - self._since)
        self._handle_move()

    def rest(self) -> None:
        """Stop the clock while no page is connected."""
        self._spent = time.monotonic() - self._since

    def go_on(self) -> None:
        """Restart the stopped clock."""
        self._since = time.monotonic() - self._spent

    def _start(self, game: UserGame) -> None:
        self.game = game
        self._spelled, self._known_sans = game.board.root(), list[str]()
        self._names: dict[chess.Color, str] = {}
        self._record = None
        self.counts = not self.alone
        self._handle_move()

    def set_level(self, level: int | None, mine: MyLevel | None, seconds: float) -> None:
        """Set the strength of the engine and its thinking time per move without a clock."""
        changes = (level, mine is None) != (self.level, self.mine is None)
        self.counts = self.counts and not (changes and self.game.board.move_stack)
        self.level, self.mine, self.seconds = level, mine, seconds

    def count(self) -> str:
        """Take the result into the user's own level; what to say about it, empty for nothing.

        Raises FileError if the level cannot be kept.
        """
        ended = self.game.outcome()
        if not (ended and self.mine and self.counts and self.level and is_whole(self.game.board)):
            return ""
        self.counts = False
        return self.mine.record(score_of(ended[0], self.game.person), self.level)

    def _handle_move(self) -> None:
        self.version += 1
        self.at = len(self.game.board.move_stack)
        self._since = time.monotonic()

    # Queries

    @property
    def is_persons_turn(self) -> bool:
        """True if the user is to move."""
        return self.alone or self.game.is_persons_turn

    @property
    def is_engines_turn(self) -> bool:
        """True if the engine is to move and the game is not over."""
        return not self.is_persons_turn and self.game.outcome() is None

    @property
    def is_at_end(self) -> bool:
        """True if the last position is viewed."""
        return self.at == len(self.game.board.move_stack)

    def viewed_board(self) -> chess.Board:
        """The viewed position, with the game up to there."""
        board = self.game.board.copy()
        while len(board.move_stack) > self.at:
            board.pop()
        return board

    def fen(self) -> str:
        """The FEN of the viewed position."""
        viewed = self.viewed_board()
        return viewed.fen(shredder=viewed.chess960)

    def time_left(self, colour: chess.Color) -> float | None:
        """Seconds left on a clock now; None without one."""
        if self.game.clock is None:
            return None
        left = self.game.clock.left(colour)
        if self.game.board.turn == colour and self.game.outcome() is None:
            left -= time.monotonic() - self._since
        return max(left, 0.0)

    def name(self, colour: chess.Color) -> str:
        """The player's name of a side; the colour where the user plays both."""
        if colour in self._names:
            return self._names[colour]
        if self.alone:
            return chess.COLOR_NAMES[colour].capitalize()
        if colour == self.game.person:
            return "You"
        return f"{NAME} {VERSION}" + (f", {self.level} Elo" if self.level else "")

    def pgn(self) -> str:
        """The game as PGN; a loaded one with its own tags, comments and variations."""
        if self._record:
            return f"{format_pgn(self._record.to_pgn(self.game))}\n"
        names = {
            colour: "Human" if self.alone or colour == self.game.person else self.name(colour)
            for colour in chess.COLORS
        }
        return f"{format_pgn(self.game.to_pgn(EVENT, names))}\n"

    def message(self) -> dict[str, Any]:
        """The state of the game for the page."""
        game, viewed = self.game, self.viewed_board()
        ended = game.outcome()
        movable = ended is None and self.is_at_end and self.is_persons_turn
        last = viewed.peek() if viewed.move_stack else None
        clock = game.clock
        return {
            "fen": self.fen(),
            "board": viewed.board_fen(),
            "turn": chess.COLOR_NAMES[viewed.turn],
            "check": viewed.is_check(),
            "last": game.board.uci(last) if last else None,
            "chess960": viewed.chess960,
            "moves": _destinations(viewed) if movable else {},
            "promotions": _promotions(viewed) if movable else [],
            "at": self.at,
            "first": _first(game.board),
            "sans": self._sans(),
            "person": None if self.alone else chess.COLOR_NAMES[game.person],
            "waiting": self.is_engines_turn,
            "opening": _opening(viewed),
            "result": ended[0] if ended else None,
            "reason": ended[1] if ended else "",
            "white": self.name(chess.WHITE),
            "black": self.name(chess.BLACK),
            "level": self.level,
            "mine": self.mine is not None,
            "seconds": self.seconds,
            "clock": {
                "white": self.time_left(chess.WHITE),
                "black": self.time_left(chess.BLACK),
                "running": None if ended else chess.COLOR_NAMES[game.board.turn],
            }
            if clock
            else None,
        }

    def _sans(self) -> list[str]:
        """All moves in SAN; only new ones are computed."""
        board, moves = self._spelled, self.game.board.move_stack
        both = zip(board.move_stack, moves, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
        while len(board.move_stack) > same:
            board.pop()
        del self._known_sans[same:]
        self._known_sans += [board.san_and_push(move) for move in moves[same:]]
        return self._known_sans.copy()


def _opening(board: chess.Board) -> str:
    """Code, name and end of the opening up to a position; empty if the table has none."""
    played = find_played_opening(board.root(), board.move_stack)
    if played is None:
        return ""
    name = f"{played.opening.eco} {played.opening.name}"
    if played.left is None:
        return name
    return f"{name}, {theory_text(board.root(), board.move_stack, played)}"


def _first(board: chess.Board) -> int:
    """The number of the first single move: 0 for White's first, 1 for Black's."""
    root = board.root()
    return 2 * (root.fullmove_number - 1) + (root.turn == chess.BLACK)


def _destinations(board: chess.Board) -> dict[str, list[str]]:
    """Squares by square; castling is a move of the king to the rook, and in usual chess by two squares."""
    found: dict[str, list[str]] = {}
    for move in board.legal_moves:
        spellings = {board.uci(move, chess960=True)[:4], board.uci(move)[:4]}
        for spelled in sorted(spellings):
            squares = found.setdefault(spelled[:2], [])
            if spelled[2:] not in squares:
                squares.append(spelled[2:])
    return found


def _promotions(board: chess.Board) -> list[str]:
    """The moves, by their two squares, for which a piece must be chosen."""
    return sorted({move.uci()[:4] for move in board.legal_moves if move.promotion})


class LoadedGame:
    """The game as loaded, for saving it again."""

    def __init__(self, read: chess.pgn.Game, game: UserGame) -> None:
        """`game` is the unchanged game made from `read`."""
        self._read = read
        self._moves = game.board.move_stack.copy()
        self._outcome = game.outcome()

    def to_pgn(self, game: UserGame) -> chess.pgn.Game:
        """The current game, to be printed as PGN.

        An unchanged game is the loaded one. If it deviates from the record or continues behind it, everything
        up to there is kept, the result is the current one, and tags about the end are left out.
        """
        moves, ended = game.board.move_stack, game.outcome()
        if moves == self._moves and ended == self._outcome:
            return self._read
        written = self._read.accept(chess.pgn.GameBuilder())
        written.headers = chess.pgn.Headers(self._read.headers)
        last = _follow(written, moves)
        if ended and game.result:
            last.comment = f"{last.comment} {game.reason}".strip()
        written.headers["Result"] = ended[0] if ended else "*"
        if "PlyCount" in written.headers:
            written.headers["PlyCount"] = f"{len(moves)}"
        for tag in _OF_THE_END:
            written.headers.pop(tag, None)
        return written


def _follow(root: chess.pgn.Game, moves: list[chess.Move]) -> chess.pgn.GameNode:
    """Make these moves the main line, without variations at the first different move; returns its end."""
    node: chess.pgn.GameNode = root
    for move in moves:
        if not node.variations or node.variations[0].move != move:
            node.variations.clear()
            node.add_main_variation(move)
        node = node.variations[0]
    node.variations.clear()
    return node
