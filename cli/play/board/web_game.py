"""The game of one page: players, moves, and the viewed position."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from copy import copy
from typing import Any, Final, TypeAlias

import chess
import chess.pgn

from boomslang.cli.play.board.game_state import (
    destinations,
    first_half,
    opening_words,
    promotions,
)
from boomslang.cli.play.board.game_tree import GameTree, copy_of, playable
from boomslang.cli.play.board.games_file import GamesFile
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.cli.play.board.review_results import Review
from boomslang.cli.play.my_level import NOT_COUNTED, MyLevel, is_whole, score_of
from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.sanitize import printable
from boomslang.engine.chess_clock import Control
from boomslang.engine.levels.ladder import BALANCED, STYLES
from boomslang.engine.notation.pgn import UNREAD, InputGame
from boomslang.engine.notation.pgn_writer import format_pgn
from boomslang.engine.user_game import AmbiguousMoveError, IllegalMoveError, UserGame

# Tags about the end of a game; they are wrong if it ends otherwise.
_OF_THE_END: Final = ("Termination", "EndDate", "EndTime")

_Ending: TypeAlias = tuple[str | None, str]  # result and reason off the board

EVENT: Final = "Game in a browser"
_MAX_MOVES: Final = 1200  # plies of a game that is read
_RESULTS: Final = ("1-0", "0-1", "1/2-1/2")
_AS_RECORDED: Final = "as the game's record says"


class WebGame:
    """A game between the user and the engine, or one that the user plays through alone.

    Alone, a move at an earlier position begins a variation; `board` has the line that is played on, and
    `tree` all of them. `version` changes whenever the line does, so that late answers are recognised.
    """

    def __init__(self) -> None:
        self.level: int | None = None  # an Elo, None: full strength
        self.style = BALANCED
        self.like: dict[str, str] = {}  # options by which the engine plays like a person
        self.whom = ""  # the name of that person
        self.mine: MyLevel | None = None  # the user's own level, which follows the results
        # For that level: no help, and nothing changed meanwhile; None: its result is told.
        self.counts: bool | None = True
        self.seconds = 1.0  # thinking time of the engine per move, without a clock
        self.version = 0
        self.at = 0  # plies up to the viewed position
        self.file: GamesFile | None = None  # to choose games from
        self._spent = 0.0  # seconds of the interrupted turn
        self.begin(chess.Board(), "white", None)

    # Changes of the game; on an error they raise MessageError and change nothing

    def begin(self, board: chess.Board, side: str, control: Control | None) -> None:
        """Start a new game; `side` is the user's: white, black, random or both."""
        if side == "random":
            side = random.choice(("white", "black"))  # noqa: S311 - the side
        self.alone = side == "both"
        self._start(UserGame(board, side != "black", None if self.alone else control))

    def load(self, entry: InputGame, tree: GameTree | None = None) -> str:
        """Load a game of a PGN file; returns a remark for the user, which may be empty."""
        self.take(entry.game, tree)
        if entry.problems:
            is_cut = UNREAD in entry.game.end().comment
            how_far = "The game is read up to here" if is_cut else "Not all of the game is read"
            return f"{how_far}: {printable(entry.problems[0])}."
        if not all(entry.game.mainline_moves()):
            return "The game is read up to here: a null move follows."
        return ""

    def take(self, read: chess.pgn.Game, tree: GameTree | None = None) -> None:
        """Take over a game read from PGN, which is left as it is; `tree` is made of it."""
        tree = tree or GameTree(read)
        if len(tree.line) > _MAX_MOVES:
            raise MessageError(f"that game has more than {_MAX_MOVES} plies")
        board = read.board()
        for node in tree.line:
            board.push(node.move)
        self.alone = True
        self._start(UserGame(board, board.turn, None), tree)
        for colour, name in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
            player = read.headers.get(name, "?")
            self._names[colour] = name if player == "?" else player
        result = read.headers.get("Result", "*")
        if self.outcome() is None and result in _RESULTS:
            winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(result)
            self.user_game.end(winner, _AS_RECORDED)
        self._as_loaded = board.move_stack.copy(), self.outcome()

    def play(self, move: chess.Move) -> None:
        """Play a move of the side to move; alone, also at an earlier position."""
        if self.alone and not self.is_at_end:
            ply, board = self.at, self.viewed_board()
            self._change_line(lambda: self.tree.play(move, ply, board))
            self.at = ply + 1
            return
        if self._is_over:
            raise MessageError("the game is over")
        ply = len(self.tree.line)
        self.tree.play(move, ply, self.board)
        if not self.user_game.play(move, self._elapsed):
            self.tree.remove(ply)
        self._handle_move()

    def read(self, text: str) -> chess.Move:
        """The move that the user typed, in SAN or UCI notation; raises AmbiguousMoveError too."""
        self.ask_for_turn()
        text = text.strip()
        try:
            board = self.viewed_board()
            return UserGame(board, board.turn, None).read(text)
        except AmbiguousMoveError:
            raise
        except IllegalMoveError as problem:
            words = str(problem).replace(" or command; type help for help", "")
            # Quoted, to keep the case of its first letter: Bxa8 is another move than bxa8.
            raise MessageError(words.replace(text, f"“{text}”", 1)) from None

    def find(self, squares: str, promotion: str) -> chess.Move:
        """The legal move between two squares that the user made on the board."""
        self.ask_for_turn()
        board = self.viewed_board()
        for move in board.legal_moves:
            spelled = {move.uci()[:4], board.uci(move)[:4], board.uci(move, chess960=True)[:4]}
            letter = chess.piece_symbol(move.promotion) if move.promotion else ""
            if squares in spelled and letter == promotion:
                return move
        raise MessageError(f"“{squares}{promotion}” is not a legal move here")

    def ask_for_turn(self) -> None:
        """Raise MessageError unless it is the user's turn."""
        if self.alone and not self.is_at_end:
            return
        if self._is_over:
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
            self.user_game.person = not self.board.turn
        if not self.user_game.undo():
            raise MessageError("there is nothing to take back")
        self.counts = False
        left = len(self.board.move_stack)
        if self.alone:
            self._change_line(lambda: self.tree.remove(left))
        else:
            self.tree.cut(left)
        self._handle_move()
        self.at = left

    def cut(self) -> None:
        """Continue from the viewed position; later moves are taken back."""
        self.user_game.back_to(self.at)
        self.tree.cut(self.at)
        self.counts = False
        self._handle_move()

    def resign(self) -> None:
        """The user resigns."""
        if self.outcome() or self.alone:
            raise MessageError("there is nothing to resign")
        loser = chess.COLOR_NAMES[self.user_game.person].capitalize()
        self.user_game.end(not self.user_game.person, f"{loser} resigned")
        self._handle_move()

    def agree(self) -> None:
        """End the game as a draw by agreement."""
        self.user_game.end(None, "draw agreed")
        self._handle_move()

    def choose_side(self, side: str) -> None:
        """Set the user's side: white, black or both, which removes the clock.

        Against the engine the line on the board is the game.
        """
        self.alone = side == "both"
        self.counts = self.counts and not self.board.move_stack
        if self.alone:
            self.user_game.clock = None
        else:
            self.user_game.person = side == "white"
            self.tree.promote()
        self.version += 1

    def promote(self) -> None:
        """Make the line on the board the main line."""
        if not self.alone:
            raise MessageError("play both sides to change the moves")
        self.tree.promote()
        self.version += 1

    def delete(self) -> None:
        """Remove the move that led to the viewed position, and what follows it."""
        if not (self.alone and self.at):
            raise MessageError("there is no move to delete, or it is not yours alone")
        before = self.at - 1
        self._change_line(lambda: self.tree.remove(before))
        self.at = before

    def look_at(self, ply: int) -> None:
        """View the position after a number of plies of the line on the board."""
        self.at = min(ply, len(self.tree.line))

    def look_at_node(self, number: int) -> None:
        """View the position behind a move of the tree, by its number."""
        node = self.tree.node(number)
        if self.tree.ply_of(node) is None:
            if not self.alone:
                raise MessageError("play both sides to walk through the variations")
            self._change_line(lambda: self.tree.take_line(node))
        self.at = self.tree.ply_of(node) or 0

    def flag(self) -> None:
        """End the game: the side to move has exceeded its time."""
        self.user_game.runs_out(self._elapsed)
        self._handle_move()

    def rest(self) -> None:
        """Stop the clock while no page is connected."""
        self._spent = time.monotonic() - self._since

    def go_on(self) -> None:
        """Restart the stopped clock."""
        self._since = time.monotonic() - self._spent

    def _start(self, game: UserGame, tree: GameTree | None = None) -> None:
        self.user_game = game
        self._is_loaded = tree is not None
        if tree is None:
            empty = chess.pgn.Game()
            empty.setup(game.board.root())
            tree = GameTree(empty)
        self.tree = tree
        self._reviews: dict[tuple[chess.Move, ...], Review] = {}  # by the moves that they are of
        # How the main line has ended, while another is on the board.
        self._ending: _Ending = (None, "")
        self._names: dict[chess.Color, str] = {}
        self.counts = not self.alone
        self._handle_move()

    def set_level(
        self, level: int | None, mine: MyLevel | None, seconds: float, style: str = BALANCED
    ) -> None:
        """Set strength and style of the engine, and its thinking time per move without a clock."""
        changes = (level, mine is None) != (self.level, self.mine is None)
        self.counts = self.counts and not (changes and self.board.move_stack)
        self.level, self.mine, self.seconds, self.style = level, mine, seconds, style

    @property
    def options(self) -> dict[str, Any]:
        """Those of the engine, for its strength and style; full strength is nobody's."""
        like = self.like if self.level else dict.fromkeys(self.like, "")
        limit = {"UCI_Elo": self.level} if self.level else {}
        return {"UCI_LimitStrength": bool(self.level), "Style": self.style, **limit, **like}

    def count(self) -> str:
        """Take the result into the user's own level; what to say about it, empty for nothing.

        Raises FileError if the level cannot be kept.
        """
        ended = self.outcome()
        if not ended or self.alone or self.counts is None:
            return ""
        counts, self.counts = self.counts and is_whole(self.board), None
        if not (self.mine and self.level):
            return ""
        if not counts:
            return NOT_COUNTED
        return self.mine.record(score_of(ended[0], self.user_game.person), self.level)

    def _change_line(self, change: Callable[[], None]) -> None:
        """Change which line of the tree is on the board; only alone, without a clock."""
        game, before = self.user_game, self.tree.line
        if self.tree.is_main:
            self._ending = game.result, game.reason
        change()
        if self.tree.line == before:
            return
        game.board = game.board.root()
        for node in self.tree.line:
            game.board.push(node.move)
        game.result, game.reason = self._ending if self.tree.is_main else (None, "")
        self.version += 1

    def _handle_move(self) -> None:
        self.version += 1
        self.at = len(self.board.move_stack)
        self._since = time.monotonic()

    # Queries

    @property
    def board(self) -> chess.Board:
        """The last position of the line on the board, with its moves."""
        return self.user_game.board

    def outcome(self) -> tuple[str, str] | None:
        """Result and reason, or None while the game goes on."""
        return self.user_game.outcome()

    @property
    def is_persons_turn(self) -> bool:
        """True if the user is to move."""
        return self.alone or self.user_game.is_persons_turn

    @property
    def is_engines_turn(self) -> bool:
        """True if the engine is to move and the game is not over."""
        return not self.is_persons_turn and self.outcome() is None

    @property
    def is_at_end(self) -> bool:
        """True if the last position of the line is viewed."""
        return self.at == len(self.tree.line)

    @property
    def _is_over(self) -> bool:
        """True if no move is played behind the last one; alone a game that was resigned goes on."""
        goes_on = self.alone and self.user_game.result is not None
        return self.outcome() is not None and not goes_on

    @property
    def review(self) -> Review | None:
        """The review of the main line as it is now, if there is one."""
        return self._reviews.get(tuple(self.main_moves()))

    @review.setter
    def review(self, review: Review) -> None:
        self._reviews[tuple(self.main_moves())] = review

    def viewed_board(self) -> chess.Board:
        """The viewed position, with the game up to there."""
        board = self.board.copy()
        while len(board.move_stack) > self.at:
            board.pop()
        return board

    def fen(self) -> str:
        """The FEN of the viewed position."""
        viewed = self.viewed_board()
        return viewed.fen(shredder=viewed.chess960)

    @property
    def _elapsed(self) -> float:
        """Seconds of the turn; the first move of a game takes none, so that one may look."""
        return time.monotonic() - self._since if self.board.move_stack else 0.0

    def time_left(self, colour: chess.Color) -> float | None:
        """Seconds left on a clock now; None without one."""
        if self.user_game.clock is None:
            return None
        left = self.user_game.clock.left(colour)
        if self.board.turn == colour and self.outcome() is None:
            left -= self._elapsed
        return max(left, 0.0)

    def name(self, colour: chess.Color) -> str:
        """The player's name of a side; the colour where the user plays both."""
        if colour in self._names:
            return self._names[colour]
        if self.alone:
            return chess.COLOR_NAMES[colour].capitalize()
        if colour == self.user_game.person:
            return "You"
        whom = f", like {printable(self.whom)}" if self.whom else ""
        return f"{NAME} {VERSION}" + (f"{whom}, {self.level} Elo" if self.level else "")

    def pgn(self) -> str:
        """The game as PGN with its variations; a loaded one with its own tags."""
        return f"{format_pgn(self.written())}\n"

    def written(self) -> chess.pgn.Game:
        """A copy of the game with its tags.

        If the main line is not the loaded one, tags about the end are left out.
        """
        written, main = copy_of(self.tree.root), self._main_game()
        if self._is_loaded:
            moves, ended = main.board.move_stack, main.outcome()
            if (moves, ended) == self._as_loaded:
                return written
            if "PlyCount" in written.headers:
                written.headers["PlyCount"] = f"{len(moves)}"
            for tag in _OF_THE_END:
                written.headers.pop(tag, None)
        else:
            names = {
                colour: "Human"
                if self.alone or colour == self.user_game.person
                else self.name(colour)
                for colour in chess.COLORS
            }
            written.headers = main.to_pgn(EVENT, names).headers
            ended = main.outcome()
        if ended and main.result and main.reason != _AS_RECORDED:
            last = written.end()
            last.comment = f"{last.comment} {main.reason}".strip()
        written.headers["Result"] = ended[0] if ended else "*"
        return written

    def playable(self) -> chess.pgn.Game:
        """The same without what is not shown: its main line is `main_moves`."""
        node: chess.pgn.GameNode = (game := self.written())
        while following := playable(node):
            node.variations = following
            node = following[0]
        node.variations.clear()
        return game

    def main_moves(self) -> list[chess.Move]:
        """The moves of the main line."""
        return [node.move for node in self.tree.line_through(self.tree.root)]

    def _main_game(self) -> UserGame:
        """The game of the main line, which may not be on the board."""
        if self.tree.is_main:
            return self.user_game
        board = self.board.root()
        for node in self.tree.line_through(self.tree.root):
            board.push(node.move)
        main = copy(self.user_game)
        main.board = board
        main.result, main.reason = self._ending
        return main

    def message(self) -> dict[str, Any]:
        """The state of the game for the page."""
        game, viewed = self.user_game, self.viewed_board()
        ended = game.outcome()
        at_last = self.is_at_end and self.is_persons_turn and not self._is_over
        movable = at_last or (self.alone and not self.is_at_end)
        last = viewed.peek() if viewed.move_stack else None
        clock, runs = game.clock, game.board.move_stack and not ended
        return {
            "fen": self.fen(),
            "board": viewed.board_fen(),
            "turn": chess.COLOR_NAMES[viewed.turn],
            "check": viewed.is_check(),
            "last": game.board.uci(last) if last else None,
            "chess960": viewed.chess960,
            "moves": destinations(viewed) if movable else {},
            "promotions": promotions(viewed) if movable else [],
            "at": self.at,
            "first": first_half(game.board),
            "sans": self.tree.sans(),
            "node": self.tree.number_at(self.at),
            "shapes": self.tree.shapes_at(self.at),
            "record": self.tree.clocks_at(self.at),
            "person": None if self.alone else chess.COLOR_NAMES[game.person],
            "below": self.tree.orientation,
            "waiting": self.is_engines_turn,
            "opening": opening_words(viewed),
            "result": ended[0] if ended else None,
            "reason": ended[1] if ended else "",
            "white": self.name(chess.WHITE),
            "black": self.name(chess.BLACK),
            "level": self.level,
            "style": self.style,
            "styles": STYLES,
            "mine": self.mine is not None,
            "seconds": self.seconds,
            "clock": {
                "white": self.time_left(chess.WHITE),
                "black": self.time_left(chess.BLACK),
                "running": chess.COLOR_NAMES[game.board.turn] if runs else None,
            }
            if clock
            else None,
        }
