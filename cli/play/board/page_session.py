"""The session of one page: handles its messages and runs the engine accordingly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

import chess

from boomslang.cli.play.board.board_engines import ATTEMPTS, BoardEngines
from boomslang.cli.play.board.ending_practice import EndingPractice
from boomslang.cli.play.board.evaluation_data import evaluate
from boomslang.cli.play.board.game_loader import GameLoader
from boomslang.cli.play.board.game_state import limits_for
from boomslang.cli.play.board.game_tree import COLOURS, GameTree
from boomslang.cli.play.board.games_file import MAX_GAMES
from boomslang.cli.play.board.helper import Helper, HelperError
from boomslang.cli.play.board.info_data import InfoData
from boomslang.cli.play.board.latest_task import LatestTask
from boomslang.cli.play.board.outbox import Outbox, as_sentence
from boomslang.cli.play.board.page_messages import SIDES, Message, MessageError
from boomslang.cli.play.board.practice import Practice
from boomslang.cli.play.board.review import Reviewer
from boomslang.cli.play.board.tree_drawer import TreeDrawer
from boomslang.cli.play.board.watch import Watch
from boomslang.cli.play.board.web_game import WebGame
from boomslang.core.system.files import FileError
from boomslang.core.system.identity import NAME
from boomslang.engine.analysis.endgames.ending import Response
from boomslang.engine.analysis.endgames.record import EndingFile
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.driver.draw_offers import DrawOffers
from boomslang.engine.levels.ladder import TIME_OPTION
from boomslang.engine.levels.oversight import OPTION, Oversights
from boomslang.engine.limits import Info
from boomslang.engine.notation.pgn import InputGame
from boomslang.engine.other_engines.engine_connection import EngineProcessError
from boomslang.engine.other_engines.engine_lines import NO_EXACT_LINE
from boomslang.engine.user_game import AmbiguousMoveError

# The identity of a search: a change of any part starts another search.
Search: TypeAlias = tuple[str, int, int, Watch | None]  # purpose, version, ply, what is wanted
# FEN, Chess960, moves from there, classical, rating of people.
_Evaluated: TypeAlias = tuple[str, bool, tuple[chess.Move, ...], bool, int | None]

_TO_MOVE, _TO_SHOW = "move", "show"
_SPARE: Final = 30.0  # seconds beyond that
_MAX_COMMENT: Final = 2000  # characters


class BoardSession:
    """One page's game, engines and search trees. Created within a running event loop."""

    def __init__(
        self,
        game: WebGame,
        outbox: Outbox,
        engines: BoardEngines,
        evaluator: Helper,
        reviewing: asyncio.Semaphore,
        tables: str = "",
    ) -> None:
        """`evaluator`, the turns for `reviewing` and perhaps `engines` are also those of other pages.

        `tables` are folders of tablebases.
        """
        self.game = game
        self._outbox = outbox
        self._evaluator = evaluator
        self._engines = engines
        if engines.name:
            outbox.say(f"The lines under Think are those of {engines.name}.")
        self._loader = GameLoader(outbox, self._load, game)
        self._practice = Practice(ExerciseFile(), evaluator, outbox)
        self._endings = EndingPractice(
            EndingFile(), tables, evaluator, outbox, self._show_ending, self._go_on_with_ending
        )
        self._paused_game: WebGame | None = None  # while exercises are solved
        self._reviewer = Reviewer(
            lambda: self._paused_game or self.game, outbox, evaluator, reviewing, tables
        )
        self._offers = DrawOffers()
        self._oversights = Oversights()
        self._asked = 0  # the newest view that the page has asked for
        self._watching = False
        self._watch_for = Watch()
        self._lost: set[str] = set()  # what an engine was given up for, until the user asks again
        self._flag: asyncio.TimerHandle | None = None
        self._game_names = {_TO_MOVE: object(), _TO_SHOW: object()}  # as known to the engines
        self._search_task = LatestTask(self._choose_search, self._search)
        self._evaluation_task = LatestTask(self._choose_evaluation, self._evaluate)
        self._tree_drawer = TreeDrawer(outbox, engines.drawing)
        self._shown_tree: tuple[GameTree, int] | None = None  # the moves that the page has
        self._commands: dict[str, Callable[[Message], None]] = {
            "new": self._new,
            "file": self._loader.begin,
            "choose": lambda message: self._loader.choose(message.whole("number", 1, MAX_GAMES)),
            "shapes": self._draw_shapes,
            "move": self._move,
            "line": self._play_line,
            "say": self._say,
            "undo": self._undo,
            "cut": lambda message: self._change_game(self.game.cut),
            "promote": lambda message: self._change_game(self.game.promote),
            "delete": lambda message: self._change_game(self.game.delete),
            "note": self._annotate,
            "resign": lambda message: self._change_game(self.game.resign),
            "draw": self._offer_draw,
            "view": self._view,
            "level": self._level,
            "side": self._side,
            "watch": self._watch,
            "tree": self._draw_tree,
            "practise": self._practise,
            "exercise": lambda message: self._next_exercise(),
            "solution": lambda message: self._practice.give_up(),
            "ending": lambda message: self._endings.next(message.text("kind")),
            "endings": lambda message: self._leave_exercises(),
            "hint": lambda message: self._endings.hint(self.game.board),
            "again": self._again,
            "export": lambda message: self._outbox.put("pgn", lambda: {"text": self.game.pgn()}),
            "review": lambda message: self._reviewer.want(message.flag("on")),
            "try": lambda message: self._reviewer.try_move(message.ply(), message.text("san")),
            "keep": lambda message: self._reviewer.keep(message.ply()),
        }
        self._handle_change()  # a move, a clock or a review may have been going on when the page was left

    def execute(self, text: str) -> None:
        """Handle a message of the page; errors are reported and change nothing."""

        def act() -> None:
            message = Message.read(text)
            command = self._commands.get(message.do)
            if command is None:
                raise MessageError("unknown message")
            command(message)

        self._try(act)

    def receive(self, piece: bytes) -> None:
        """Handle a piece of a file, in the same way."""
        self._try(partial(self._loader.receive, piece))

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except (MessageError, FileError) as problem:
            self._outbox.say(as_sentence(str(problem)), "error")
            self._show()  # a move that was refused goes back

    async def close(self) -> None:
        """End all activity; the game is kept."""
        if self._flag:
            self._flag.cancel()
        searches = (self._search_task, self._evaluation_task, self._tree_drawer)
        pages = (self._practice, self._endings, self._loader, self._reviewer)
        await asyncio.gather(*(task.close() for task in (*searches, *pages)))
        if self._paused_game is None:  # else its clock rests already
            self.game.rest()  # after the engine has ended, so that no move restarts the clock
        await self._engines.leave()

    # Actions of the page

    def _new(self, message: Message) -> None:
        board, side = message.board(), message.choice("side", SIDES)
        control = message.control()
        strength = message.strength()
        self._leave_exercises()
        self.game.begin(board, side, control)
        self.game.set_level(*strength)
        self._game_names[_TO_MOVE] = object()
        self._offers.forget()
        self._handle_change()
        self._outbox.put("begun", dict)

    def _load(self, entry: InputGame, tree: GameTree) -> None:
        self._leave_exercises()
        remark = self.game.load(entry, tree)
        self._offers.forget()
        self._handle_change()
        self._outbox.put("loaded", dict)
        if remark:
            self._outbox.say(remark)

    def _draw_shapes(self, message: Message) -> None:
        self.game.tree.draw(message.node(), message.shapes(COLOURS))
        self._show()

    def _move(self, message: Message) -> None:
        promotion = message.optional("promotion", partial(message.text, longest=1)) or ""
        self._play(self.game.find(message.text("squares", 4), promotion))

    def _play_line(self, message: Message) -> None:
        """The moves of an engine's line, up to the one that was chosen."""
        line = message.line()
        if len(line) > 1 and not self.game.alone:
            raise MessageError("play both sides to walk along a line")
        self.game.look_at_node(message.node())
        for move in line:
            self._play(self.game.read(move))

    def _annotate(self, message: Message) -> None:
        words = message.text("text", longest=_MAX_COMMENT)
        self.game.tree.annotate(message.node(), message.whole("glyph", 0, 6), words)
        self._show()

    def _say(self, message: Message) -> None:
        try:
            move = self.game.read(message.text("text"))
        except AmbiguousMoveError as question:
            about = {"squares": question.squares, "fen": self.game.fen()}
            self._outbox.put("promotion", lambda: about)
            return
        self._play(move)

    def _play(self, move: chess.Move) -> None:
        """The user's move."""
        self._oversights.forget(self.game.board)
        self.game.play(move)
        self._handle_change()
        if self._is_ending:
            self._endings.answer(self.game.board)
        elif self._paused_game and self.game.at == 1:
            self._practice.answer(move)

    def _change_game(self, change: Callable[[], None]) -> None:
        change()
        self._offers.forget()
        self._handle_change()

    def _undo(self, message: Message) -> None:
        self._change_game(self.game.take_back)
        if self._is_ending:
            self._endings.go_back(self.game.board)

    def _offer_draw(self, message: Message) -> None:
        game = self.game
        if game.alone or game.outcome():
            raise MessageError("there is nobody to offer a draw to")
        if self._offers.accepts(game.board):
            self._change_game(game.agree)
        else:
            self._outbox.say(f"{NAME} wants to play on.")

    def _view(self, message: Message) -> None:
        asked = message.optional("asked", lambda name: message.whole(name, 0, 1_000_000))
        self._asked = asked or self._asked
        node = message.optional("node", lambda name: message.node())
        if node is None:
            self.game.look_at(message.ply())
        else:
            self.game.look_at_node(node)
        self._handle_change()

    def _level(self, message: Message) -> None:
        (self._paused_game or self.game).set_level(*message.strength())
        self.game.version += 1
        self._handle_change()

    def _side(self, message: Message) -> None:
        side = message.choice("side", ("white", "black", "both"))
        self._leave_exercises()
        self._change_game(partial(self.game.choose_side, side))

    def _watch(self, message: Message) -> None:
        watch = Watch.read(message)
        self._watching, self._watch_for = message.flag("on"), watch
        self._handle_change()

    def _draw_tree(self, message: Message) -> None:
        board = message.other_board() or self.game.viewed_board()
        self._tree_drawer.draw(message.tree_search(board))

    def _practise(self, message: Message) -> None:
        if not message.flag("on"):
            self._leave_exercises()
        elif self._paused_game is None:
            self._next_exercise()

    def _next_exercise(self) -> None:
        """Put the game aside, and the next exercise on the board."""
        self._endings.leave()
        board = self._practice.next()
        if board is None:
            self._resume_game()
            return
        self._set_position(board, "both")

    def _set_position(self, board: chess.Board, side: str) -> None:
        """Put the game aside, and another position on the board."""
        if self._paused_game is None:
            self._paused_game = self.game
            self.game.rest()
        game = WebGame()
        game.begin(board, side, None)
        self._show_game(game)

    def _show_ending(self, board: chess.Board) -> None:
        self._practice.leave()
        self._set_position(board, chess.COLOR_NAMES[board.turn])

    def _go_on_with_ending(self, moves: tuple[str, ...], response: Response) -> bool:
        """Play the reply to the last of the moves, or take it back; False if they are not on the board."""
        played = self.game.board.move_stack
        if not self._is_ending or tuple(move.uci() for move in played) != moves:
            return False
        if response.reply and self.game.outcome():  # resigned meanwhile
            return False
        if not response.is_kept:
            self._change_game(self.game.take_back)
        elif response.reply:
            self._change_game(partial(self.game.play, response.reply))
        return True

    @property
    def _is_ending(self) -> bool:
        """True if an ending is on the board, whose moves the engine does not answer."""
        return self._paused_game is not None and self._endings.is_on

    def _leave_exercises(self) -> None:
        self._practice.leave()
        self._endings.leave()
        self._resume_game()

    def _resume_game(self) -> None:
        """Put the game on the board again, if it was put aside."""
        if self._paused_game is None:
            return
        game, self._paused_game = self._paused_game, None
        game.go_on()
        self._show_game(game)

    def _show_game(self, game: WebGame) -> None:
        """Exchange the game; the versions of both differ, so that late answers are recognised."""
        game.version = max(game.version, self.game.version) + 1
        self.game = game
        self._offers.forget()
        self._handle_change()

    def _again(self, message: Message) -> None:
        self._lost.clear()
        self._search_task.again()
        self._show()

    # Background tasks

    def _handle_change(self) -> None:
        if self._watching and not self.game.outcome():
            self.game.counts = False  # the lines of the analysis are a help
        try:
            if words := self.game.count():
                self._outbox.say(words)
        except FileError as problem:
            self._outbox.say(f"{problem}.", "error")
        if self._paused_game is None and self.game.outcome():
            for ply, words in self._oversights.tell(self.game.board):
                self.game.tree.comment(ply, f"{words}.")
        self._show()
        self._search_task.look()
        self._evaluation_task.look()
        self._watch_clock()
        self._reviewer.look()

    def _show(self) -> None:
        tree = self.game.tree
        if (tree, tree.version) != self._shown_tree:
            self._shown_tree = tree, tree.version
            self._outbox.put("moves", lambda: {"items": tree.items()})
        about = {"lost": sorted(self._lost), "asked": self._asked}
        self._outbox.put("game", lambda: self.game.message() | about)

    def _watch_clock(self) -> None:
        """Start the timer by which the user loses on time."""
        if self._flag:
            self._flag.cancel()
            self._flag = None
        game = self.game
        left = game.time_left(game.board.turn)
        if left is not None and game.outcome() is None and game.is_persons_turn:
            self._flag = asyncio.get_running_loop().call_later(left + 0.01, self._flag_falls)

    def _flag_falls(self) -> None:
        self._flag = None
        self.game.flag()
        self._handle_change()

    def _choose_search(self) -> Search | None:
        """The engine's move comes first; else the analysis of the viewed position."""
        game = self.game
        if game.is_engines_turn and _TO_MOVE not in self._lost and not self._is_ending:
            return _TO_MOVE, game.version, 0, None
        is_shown = self._watching and _TO_SHOW not in self._lost
        if is_shown and any(game.viewed_board().legal_moves):
            return _TO_SHOW, game.version, game.at, self._watch_for
        return None

    async def _search(self, search: Search) -> None:
        purpose = search[0]
        try:
            await (self._choose() if purpose == _TO_MOVE else self._think(search))
        except MessageError as problem:  # the game has no room for the engine's move
            self._give_up(purpose, str(problem))
        except EngineProcessError as problem:
            self._give_up(purpose, f"{problem}, {ATTEMPTS} times in a row")

    def _give_up(self, purpose: str, words: str) -> None:
        self._lost.add(purpose)
        is_other = purpose == _TO_SHOW and self._engines.name
        name = f"{self._engines.name}: " if is_other else ""
        self._outbox.say(as_sentence(f"{name}{words}"), "error")
        self._show()

    async def _choose(self) -> None:
        """The engine's move."""
        game = self.game
        version, board = game.version, game.board.copy()
        thinking = self._thinking(board, _TO_MOVE)
        takes_time = not self._engines.is_shared  # other pages would wait too
        limits, timeout = limits_for(game.user_game.clock, game.seconds, game.time_left, board.turn)
        self._oversights.forget(board)
        move = await self._engines.opponent(game.level).search(
            board,
            limits,
            partial(self._send_info, thinking),
            on_remark=partial(self._oversights.note, board),
            options={OPTION: True, TIME_OPTION: takes_time, **game.options},
            game=self._game_names[_TO_MOVE],
            timeout=timeout + _SPARE,
        )
        if not move or game is not self.game or game.version != version:
            return
        if (hope := thinking.hope()) is not None:
            self._offers.record(hope)
        game.play(move)
        self._handle_change()

    async def _think(self, search: Search) -> None:
        """Analyse the viewed position until it changes, or to the depth that is wanted."""
        board = self.game.viewed_board()
        limits, options = self._engines.analysis(self._watch_for)
        thinking = self._thinking(board, _TO_SHOW)
        await self._engines.analyst.search(
            board,
            limits,
            partial(self._send_info, thinking),
            options=options,
            game=self._game_names[_TO_SHOW],
        )
        if thinking.hope() is None:
            self._give_up(_TO_SHOW, NO_EXACT_LINE)

    def _thinking(self, board: chess.Board, purpose: str) -> InfoData:
        thinking = InfoData(board, {"purpose": purpose})
        self._outbox.put("thinking", thinking.message)
        return thinking

    def _send_info(self, thinking: InfoData, info: Info) -> None:
        thinking.record(info)
        self._outbox.put("thinking", thinking.message)

    def _choose_evaluation(self) -> _Evaluated | None:
        viewed, watch = self.game.viewed_board().copy(stack=3), self._watch_for
        start = viewed.root().fen(), viewed.chess960
        wanted = *start, tuple(viewed.move_stack), watch.classical, watch.people
        return wanted if self._watching else None

    async def _evaluate(self, wanted: _Evaluated) -> None:
        try:
            evaluation = await self._evaluator.call(evaluate, *wanted)
        except HelperError as problem:
            self._outbox.say(f"The evaluation {problem}.", "error")
            return
        self._outbox.put("evaluation", lambda: evaluation)
