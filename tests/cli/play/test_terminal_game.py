"""The game in a terminal: what is shown, and what is answered to what is typed."""

from __future__ import annotations

import io
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest

from boomslang.cli.play.my_level import MyLevel
from boomslang.cli.play.opponent import EngineOpponent
from boomslang.cli.play.terminal_game import TerminalGame
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle, balance, last_moves, screen
from boomslang.engine.chess_clock import ChessClock, Control
from boomslang.engine.levels.oversight import OVERLOOKED, Oversights
from boomslang.engine.limits import Info, Result, Score
from boomslang.engine.user_game import UserGame


class Stooge(EngineOpponent):
    """Plays what it is told to, or the first legal move."""

    def __init__(self, *moves: str) -> None:
        self.level = 5
        self.my_level = None
        self.plan = list(moves)
        self.score = 30
        self.games = 1
        self.oversights = Oversights()

    def set_level(self, level: int | MyLevel) -> None:
        self.my_level = level if isinstance(level, MyLevel) else None
        self.level = level.level if isinstance(level, MyLevel) else level

    def new_game(self) -> None:
        self.games += 1

    def choose(self, board: chess.Board, clock: ChessClock | None) -> Result:
        move = board.parse_san(self.plan.pop(0)) if self.plan else next(iter(board.legal_moves))
        return Result(move, None, (self.advise(board),))

    def advise(self, board: chess.Board) -> Info:
        line = (next(iter(board.legal_moves)),)
        return Info(1, 1, 1, Score(centipawns=self.score), "", 1, 1, 0, 0, 1, line)


class Table:
    """A conversation with lines that are known in advance, and what was shown."""

    def __init__(
        self,
        lines: Iterable[str],
        opponent: EngineOpponent | None = None,
        fen: str = chess.STARTING_FEN,
        person: chess.Color = chess.WHITE,
        control: Control | None = None,
        path: Path | None = None,
    ) -> None:
        self._lines = iter(lines)
        self.output = io.StringIO()
        self.game = UserGame(chess.Board(fen), person, control)
        console = Console(file=self.output, width=200)
        self.talk = TerminalGame(
            self.game,
            opponent or Stooge(),
            console,
            BoardStyle(unicode=True, colour=False),
            self._ask,
            path,
        )
        self.saved = self.talk.run()

    def _ask(self, prompt: str) -> str:
        self.output.write(prompt)
        try:
            return next(self._lines)
        except StopIteration:
            raise EOFError from None

    @property
    def shown(self) -> str:
        return self.output.getvalue()

    def moves(self) -> list[str]:
        return [move.uci() for move in self.game.board.move_stack]


# The screen


def drawn(board: chess.Board, style: BoardStyle, **how: bool | str | None) -> str:
    output = io.StringIO()
    console = Console(file=output, width=80, **how)
    console.print(screen(board, style, ["beside"]))
    return output.getvalue()


def test_the_board_without_colour() -> None:
    board = chess.Board()
    board.push_san("e4")
    lines = drawn(board, BoardStyle(unicode=True, colour=False)).splitlines()
    assert lines[0].startswith(" 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜") and lines[0].rstrip().endswith(
        "beside"
    )
    assert "[♙]" in lines[4] and "[·]" not in lines[6] and "[ ]" in lines[6]
    assert lines[8].split() == list("abcdefgh")
    flipped = drawn(board, BoardStyle(unicode=False, colour=False, flipped=True))
    assert flipped.isascii() and flipped.startswith(" 1  R  N  B  K  Q  B  N  R")


def test_the_board_with_colour() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4RK2 b - - 0 1")
    colours = {"force_terminal": True, "color_system": "truecolor"}
    text = drawn(board, BoardStyle(unicode=True, colour=True), **colours)  # type: ignore[arg-type]
    assert "\x1b[" in text and "♚" in text
    assert "48;2;208;89;75" in text  # the king in check


def test_style_of_a_console(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    colourful = Console(file=io.StringIO(), force_terminal=True, color_system="256")
    assert BoardStyle.of(colourful, False).colour
    assert not BoardStyle.of(colourful, True).unicode
    monkeypatch.setenv("NO_COLOR", "1")
    assert not BoardStyle.of(Console(force_terminal=True, color_system="256"), False).colour


def test_moves_and_material() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 b Q - 0 7")
    for san in ("Kd8", "O-O-O+", "Ke8"):
        board.push_san(san)
    assert last_moves(board) == ["  7. ... Kd8", "  8. O-O-O+ Ke8"]
    assert balance(board) == "White is 5 up"
    assert balance(chess.Board()) == "material is even"


# The conversation


def test_a_move_that_comes_too_late_is_not_played() -> None:
    class Slow(Stooge):
        def choose(self, board: chess.Board, clock: ChessClock | None) -> Result:
            time.sleep(0.01)
            return super().choose(board, clock)

    late = Table(["quit"], Slow(), person=chess.BLACK, control=Control(0.001, 0))
    assert not late.moves() and "White lost on time" in late.shown
    assert "Boomslang plays" not in late.shown


def test_a_game_with_everything(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    lines = [
        *("f3", "undo", "e4", "hello", "Ke3", "hint", "level", "level 9", "level 99"),
        *("moves", "fen"),
        *("flip", "help", "board", "", "draw", f"save {path}", "Bc4", "Qh5", "Qxf7#", "d4", "undo"),
        *("Qxf7#", "hint", "quit"),
    ]
    table = Table(lines, Stooge("e5", "e5", "Nc6", "Nf6"))
    assert table.moves()[-1] == "h5f7"
    for text in (
        "Boomslang plays 1... e5",
        "hello is not a move or command; type help for help.",
        "Ke3 is not legal here.",
        "(+0.",
        "plays at level 9, about ",
        "'99' is not a level: 0 to 20, or an Elo",
        "Ba6 Bb5 Bc4",
        "undo         take back",
        "wants to play on",
        "The game is over: 1-0, checkmate.",
        "new begins another one",
    ):
        assert text in table.shown, text
    saved = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert saved and saved.headers["Result"] == "1-0"
    assert [move.uci() for move in saved.mainline_moves()] == table.moves()


def test_person_has_black_and_changes_sides() -> None:
    table = Table(["e5", "switch", "resign", "undo"], person=chess.BLACK)
    assert table.game.person == chess.WHITE
    assert "Black: you" in table.shown and "White: you" in table.shown
    assert "0-1, White resigned" in table.shown
    assert table.game.outcome() is None  # taken back


def test_a_draw_is_agreed() -> None:
    rooks = "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 {}"
    moves = ["Kd2", "Kd1", "Ke1", "Kd2"]
    for score, number, before, agreed in (
        (-80, 20, 3, True),
        (-80, 20, 2, False),  # not for long enough
        (-80, 2, 3, False),  # in the opening
        (0, 20, 3, False),  # it hopes for more
        (0, 40, 3, True),
        (80, 40, 3, False),
    ):
        stooge = Stooge("Kd7", "Kd8", "Ke8")
        stooge.score = score
        table = Table([*moves[:before], "draw"], stooge, rooks.format(number))
        assert ("draw agreed" in table.shown) == agreed, (score, number, before)
        assert ("wants to play on" in table.shown) != agreed
    stooge = Stooge("Kd7", "Kd8", "Ke8")
    stooge.score = -80
    table = Table([*moves[:3], "undo", "draw"], stooge, rooks.format(20))
    assert "wants to play on" in table.shown
    assert "nothing to take back" in Table(["undo"]).shown


def test_new_game_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    stooge = Stooge()
    table = Table(["e4", "new", "d4", "quit"], stooge, path=path, control=Control(60, 1))
    assert stooge.games == 2 and table.saved
    with path.open() as file:
        first, second = chess.pgn.read_game(file), chess.pgn.read_game(file)
    assert first and second
    assert next(iter(first.mainline_moves())).uci() == "e2e4"
    assert next(iter(second.mainline_moves())).uci() == "d2d4"


def test_saved_on_the_way_and_at_the_end(tmp_path: Path) -> None:
    path, end = tmp_path / "early.pgn", tmp_path / "end.pgn"
    Table(["e4", f"save {path}", "d4", "quit"], Stooge("e5", "d5"), path=end)
    assert path.read_text().endswith("1. e4 e5 *\n")
    assert end.read_text().endswith("1. e4 e5 2. d4 d5 *\n")


def test_games_of_another_program_in_the_file_stay(tmp_path: Path) -> None:
    path, emptied = tmp_path / "games.pgn", tmp_path / "emptied.pgn"
    emptied.write_text("1. c4 *\n")

    def lines() -> Iterator[str]:
        yield from ("e4", "save", f"save {emptied}")
        with path.open("a") as file:
            file.write("\n1. c4 *\n")
        emptied.write_text("")
        yield from ("d4", "save", f"save {emptied}", "quit")

    Table(lines(), Stooge("e5", "d5"), path=path)
    played = [text for text in path.read_text().split("\n\n") if text.startswith("1. ")]
    assert played == ["1. e4 e5 *", "1. c4 *", "1. e4 e5 2. d4 d5 *\n"]
    assert emptied.read_text().startswith("[Event ")


def test_an_empty_line_before_the_game(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text('[Event "first"]\n\n1. c4 *')  # no end of its last line
    Table(["e4", "save", "quit"], Stooge("e5"), path=path)
    assert '1. c4 *\n\n[Event "Game' in path.read_text()


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    table = Table(
        ["e4", "save ~nobody-of-that-name/x", f"save {loop}", "save a\0b", "quit"],
        path=tmp_path / "end.pgn",
    )
    assert table.shown.count("Cannot write ") == 3 and table.game.board.move_stack


def test_a_game_that_cannot_be_saved() -> None:
    table = Table(["e4", "quit"], path=Path("/nowhere/x.pgn"))
    assert not table.saved and "Cannot write /nowhere/x.pgn: No such file" in table.shown


def test_a_game_that_cannot_be_saved_is_kept_elsewhere(tmp_path: Path) -> None:
    nowhere, other = Path("/nowhere/x.pgn"), tmp_path / "other.pgn"
    table = Table(["e4", "new", f"save {other}", "new", "d4", "quit"], path=nowhere)
    assert table.saved and "This game would be lost" in table.shown
    assert other.read_text().count("[Event ") == 2
    table = Table(["e4", f"save {nowhere}", f"save {other}", "d4", "quit"], Stooge("e5", "d5"))
    assert table.saved and other.read_text().endswith("1. e4 e5 2. d4 d5 *\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk() -> None:
    table = Table(["e4", "save /dev/full", "quit"])
    assert not table.saved and "Cannot write /dev/full: No space left" in table.shown


def test_the_words_for_completion() -> None:
    assert {"undo", "hint", "e4", "Nf3"} <= set(Table([]).talk.words)


def test_ctrl_c_asks_once_wherever_it_comes() -> None:
    """It may have been meant for the engine, which has moved in that very moment."""

    class Fingers:
        """What is typed: a word, or Ctrl-C for None."""

        def __init__(self, *words: str | None) -> None:
            self._words = iter(words)

        def __iter__(self) -> Fingers:
            return self

        def __next__(self) -> str:
            word = next(self._words)
            if word is None:
                raise KeyboardInterrupt
            return word

    hint = "Ctrl-C once more leaves the game, and so does quit."
    once = Table(Fingers("e4", None, "d4", "quit"))
    assert once.shown.count(hint) == 1 and once.moves()[::2] == ["e2e4", "d2d4"]
    apart = Table(Fingers(None, "e4", None, "d4", None, "flip", "quit"))
    assert apart.shown.count(hint) == 3 and len(apart.moves()) == 4
    twice = Table(Fingers("e4", None, None, "d4"))
    assert twice.shown.count(hint) == 1 and twice.moves()[::2] == ["e2e4"]


def test_ctrl_c_while_the_move_is_shown_leaves_the_game_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pressed: list[int] = []
    real = TerminalGame._show

    def show(talk: TerminalGame) -> None:
        pressed.append(1)
        if len(pressed) == 2:  # the board after the engine's move
            raise KeyboardInterrupt
        real(talk)

    monkeypatch.setattr(TerminalGame, "_show", show)
    table = Table(["e4", "d4", "quit"])
    assert "Ctrl-C once more" in table.shown and table.moves()[::2] == ["e2e4", "d2d4"]


def test_the_game_is_kept_when_the_terminal_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Output fails then, and the signal may come while the end of the input is handled."""
    real_say, real_show = TerminalGame._say, TerminalGame._show

    def say(talk: TerminalGame, *lines: str) -> None:
        if lines == ("",):
            talk.end()
        real_say(talk, *lines)

    def show(talk: TerminalGame) -> None:
        if talk._game.board.move_stack:
            raise OSError(5, "Input/output error")
        real_show(talk)

    monkeypatch.setattr(TerminalGame, "_say", say)
    signalled = tmp_path / "signalled.pgn"
    assert Table(["e4"], Stooge("e5"), path=signalled).saved
    assert signalled.read_text().endswith("1. e4 e5 *\n")
    monkeypatch.setattr(TerminalGame, "_show", show)
    failed = tmp_path / "failed.pgn"
    with pytest.raises(OSError, match="Input/output error"):
        Table(["e4"], Stooge("e5"), path=failed)
    assert failed.read_text().endswith("1. e4 e5 *\n")


class Confessor(Stooge):
    """Says that it has overlooked something with each move."""

    def choose(self, board: chess.Board, clock: ChessClock | None) -> Result:
        result = super().choose(board, clock)
        self.oversights.note(board, "getting ready")
        self.oversights.note(board, f"{OVERLOOKED}the answer to {result.best}")
        return result


def test_what_the_level_overlooked_is_told_after_the_game() -> None:
    """Not before, and not of a move that was taken back."""
    lines = ["f3", "undo", "f4", "g4", "new", "e4", "resign"]
    table = Table(lines, Confessor("d5", "e5", "Qh4#"))
    before, _, after = table.shown.partition("The game is over")
    assert "I missed" not in before and "getting ready" not in table.shown
    assert "played 1...e5: I missed the answer to e7e5." in after
    assert "the answer to d7d5" not in after and after.count("e7e5") == 1


def test_after_a_change_of_sides_the_level_confesses_its_own_moves_only() -> None:
    lines = ["e5", "undo", "switch", "d4", "resign"]
    table = Table(lines, Confessor("f3", "e4", "e5", "Qh4+"), person=chess.BLACK)
    assert table.moves() == ["f2f3", "e7e5", "d2d4", "d8h4"]
    assert "played 1...e5: I missed" in table.shown and "d4: I missed" not in table.shown
