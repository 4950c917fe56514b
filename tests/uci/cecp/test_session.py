"""The CECP session without kernels: what a command does to a search, and what no input may do."""

from __future__ import annotations

import threading
from pathlib import Path

import chess
import chess.polyglot
import pytest

from boomslang.engine.books.book_builder import raw_move, write
from boomslang.engine.limits import Info, Result, Score
from tests.support.cecp_conversation import CecpConversation


@pytest.fixture
def gui() -> CecpConversation:
    return CecpConversation()


def test_other_words_do_not_touch_a_search(gui: CecpConversation) -> None:
    gui.thinking("st 100", "usermove e2e4")
    gui.send("time 100", "otim 100", "post", "nopost", "hard", "easy", ".", "exit", "draw")
    gui.send("name X", "rating 0 2000", "computer", "random", "level 1 1 1", "sd 3")
    gui.send("ping 1")
    gui.send("?")
    (answer,) = gui.before("pong 1$")
    assert answer.startswith("move ") and gui.puppet.calls.count("search") == 1


@pytest.mark.parametrize(
    "line",
    ["force", "new", "result 1-0 {x}", "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "undo",
     "remove", "analyze", "variant normal"],
)  # fmt: skip
def test_a_search_ends_without_a_move(gui: CecpConversation, line: str) -> None:
    gui.thinking("st 100", "force", "usermove e2e4", "usermove e7e5", "go")
    gui.send("ping 1", *line.split("\n"))
    answers = gui.before("pong 1$")
    answers += gui.ask("exit")
    assert not [answer for answer in answers if answer.startswith(("move", "Error", "Illegal"))]


def test_options_wait_for_the_move(gui: CecpConversation) -> None:
    gui.thinking("st 100", "usermove e2e4")
    gui.send("memory 8", "cores 2", "option EvalFile=x")
    assert not [call for call in gui.puppet.calls if call.startswith("set_")]
    gui.send("?")
    assert len(gui.ask()) == 1
    assert gui.puppet.calls[-3:] == ["set_hash 8", "set_threads 2", "set_network x"]


def test_options_do_not_end_an_analysis(gui: CecpConversation) -> None:
    gui.thinking("analyze")
    gui.thinking("memory 8")
    assert gui.puppet.calls.count("search") == 2
    assert gui.puppet.calls.index("set_hash 8") > gui.puppet.calls.index("search")
    assert gui.ask("exit") == []


def test_features_may_be_asked_for_again(gui: CecpConversation) -> None:
    gui.thinking(
        "analyze", "protover 2"
    )  # what is asked for comes between the command and its search
    gui.until("feature done=1")


def test_the_analysis_mode_is_passed_to_the_searcher(gui: CecpConversation) -> None:
    gui.thinking("analyze")
    gui.ask("exit", "sd 1", "go")
    assert [limits.analysing for limits in gui.puppet.asked] == [True, False]


def ponder(gui: CecpConversation, control: str) -> None:
    """Let the puppet move, and ponder on d2d4."""

    def answer(board: chess.Board) -> Result:
        return Result(next(iter(board.legal_moves)), chess.Move.from_uci("d2d4"))

    gui.puppet.answers = answer
    gui.thinking("hard", control, "usermove e2e4")
    gui.puppet.at_work.clear()
    gui.send("?")
    assert gui.until("Hint: d2d4")[-2].startswith("move ")
    assert gui.puppet.at_work.wait(30) and gui.puppet.asked[-1].ponder


def test_the_expected_move_is_a_ponderhit(gui: CecpConversation) -> None:
    ponder(gui, "st 100")
    assert gui.ask("time 1000", "otim 1000") == []  # a pong at once, and the search goes on
    assert "ponderhit" not in gui.puppet.calls
    gui.send("usermove d2d4")
    gui.until("move ")
    assert gui.puppet.calls.count("ponderhit") == 1
    assert len(gui.puppet.boards) >= 2 and gui.puppet.boards[1].peek().uci() == "d2d4"


@pytest.mark.parametrize("lines", [["usermove a2a3"], ["time 500", "usermove d2d4"]])
def test_another_move_or_much_less_time_ends_pondering(
    gui: CecpConversation, lines: list[str]
) -> None:
    ponder(gui, "level 0 5 0")
    gui.thinking(*lines)
    assert "ponderhit" not in gui.puppet.calls and not gui.puppet.asked[-1].ponder
    assert gui.puppet.boards[-1].peek().uci() == lines[-1].split()[1]
    assert len(lines) == 1 or gui.puppet.asked[-1].black_time == 5000


def test_without_an_expected_move_the_memory_is_filled(gui: CecpConversation) -> None:
    gui.thinking("hard", "post", "st 100", "usermove e2e4")
    gui.puppet.at_work.clear()
    gui.send("?")
    gui.until("move ")
    assert gui.puppet.at_work.wait(30)
    assert gui.puppet.asked[-1].infinite and gui.puppet.boards[-1].turn == chess.WHITE
    assert gui.ask("easy") == []


def test_a_failing_search_still_moves(gui: CecpConversation) -> None:
    gui.puppet.problem = RuntimeError("broken\nmove a1a1")
    gui.send("sd 1", "usermove e2e4")
    lines = gui.until("move ")
    assert any(line.startswith("# error: the search failed") for line in lines)


def test_excluded_moves_hold_for_one_position(gui: CecpConversation) -> None:
    gui.thinking("analyze")
    gui.send("exclude all", "include e2e4", "include d4")
    gui.searching(lambda limits: limits.search_moves == ("d2d4", "e2e4"))
    gui.ask()
    assert gui.puppet.asked[-1].search_moves == ("d2d4", "e2e4")
    gui.thinking("exclude d2d4")
    gui.ask()
    assert "".join(gui.puppet.asked[-1].search_moves or ()) == "e2e4"
    gui.thinking("include all")
    gui.ask()
    assert gui.puppet.asked[-1].search_moves is None
    gui.thinking("exclude e2e4")
    gui.thinking("usermove e2e4")
    gui.ask()
    assert gui.puppet.asked[-1].search_moves is None
    assert gui.ask("exit") == []


def test_when_everything_is_excluded_nothing_is_searched(gui: CecpConversation) -> None:
    gui.thinking("analyze")
    searches = gui.puppet.calls.count("search")
    assert gui.ask("exclude all") == []
    assert gui.puppet.calls.count("search") == searches
    gui.thinking("include e2e4")
    assert gui.ask("exit") == []


def scored(gui: CecpConversation, centipawns: int, bound: str = "") -> None:
    """Let the puppet think that of its moves."""

    def answer(board: chess.Board) -> Result:
        best = next(iter(board.legal_moves))
        info = Info(1, 1, 1, Score(centipawns=centipawns), bound, 1, 1, 0, 0, 0, (best,))
        return Result(best, None, (info,))

    gui.puppet.answers = answer


def test_draw_offers_are_weighed(gui: CecpConversation) -> None:
    assert gui.ask("sd 1", "draw") == []  # nothing is known yet
    scored(gui, 200)
    assert gui.ask("usermove e2e4")[0].startswith("move ")
    assert gui.ask("draw") == []
    scored(gui, -300)
    gui.ask("setboard r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 11", "sd 1")
    for move in ("a1b1", "b1c1", "c1b1"):
        assert gui.ask("draw", f"usermove {move}")[0].startswith(
            "offer draw" if move == "c1b1" else "move "
        )
    assert gui.ask("draw") == ["offer draw"]
    assert gui.ask("force", "undo", "undo", "draw") == []  # those were other moves
    assert gui.ask("new", "draw") == []


def test_a_bound_is_no_reason_for_a_draw_or_to_resign(gui: CecpConversation) -> None:
    scored(gui, -1500, "lowerbound")
    gui.ask("option ResignBelow=500", "setboard r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 11", "sd 1")
    for move in ("a1b1", "b1c1", "c1d1", "d1d2"):
        assert gui.ask("draw", f"usermove {move}")[0].startswith("move ")


def test_another_position_begins_anew(gui: CecpConversation) -> None:
    scored(gui, -300)
    place = "setboard r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 {}"
    gui.ask(place.format(11), "sd 1")
    for move in ("a1b1", "b1c1", "c1b1"):
        gui.ask(f"usermove {move}")
    assert gui.ask("draw") == ["offer draw"]
    assert gui.ask(place.format(30), "draw") == []


@pytest.mark.parametrize("word", ["draw", "option ResignBelow=500"])
def test_force_and_go_at_every_move_do_not_begin_anew(gui: CecpConversation, word: str) -> None:
    """As python-chess does it."""
    scored(gui, -1500)
    gui.ask("new", "force", "setboard r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 41", "sd 1")
    last = []
    for move in ("a1b1", "b1c1", "c1b1"):
        last = gui.ask("force", f"usermove {move}", word, "nopost", "easy", "go")
    assert last[0] == ("offer draw" if word == "draw" else "resign")


@pytest.mark.parametrize("centipawns", [-100, 0, 900])
def test_a_draw_is_claimed_unless_we_hope_for_more(gui: CecpConversation, centipawns: int) -> None:
    scored(gui, centipawns)
    moves = ["e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]
    gui.ask("force", "sd 1", *(f"usermove {move}" for move in moves[:2]), "go")
    gui.ask("undo", "force", *(f"usermove {move}" for move in moves[2:]), "playother")
    answers = gui.ask("usermove f6g8")
    claims = [answer for answer in answers if answer == "1/2-1/2 {Draw by repetition}"]
    assert len(claims) == (centipawns <= 0) and answers[-1].startswith("move ")


@pytest.mark.parametrize("centipawns", [-900, 0, 900])
@pytest.mark.parametrize("changes", [1, 2])
def test_after_a_change_of_sides_the_score_is_the_other_ones(
    gui: CecpConversation, centipawns: int, changes: int
) -> None:
    scored(gui, centipawns)  # as White
    circle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    gui.ask("force", "sd 1", "usermove e2e4", "usermove e7e5", "go")
    gui.ask("undo", "force", *(f"usermove {move}" for move in circle * 2))
    if changes == 2:
        gui.ask("playother", "force", "usermove g1f3")
        hoped, last = centipawns, "f6"  # White again
    else:
        hoped, last = -centipawns, "f3"
    answers = gui.ask("playother", f"usermove g{'8' if changes == 2 else '1'}{last}")
    assert ("1/2-1/2 {Draw by repetition}" in answers) == (hoped <= 0)
    assert answers[-1].startswith("move ")


def test_a_move_does_not_wait_for_kernels_that_are_not_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 3600.0)
    gate = threading.Event()
    gui = CecpConversation(gate)
    # The textbook search finishes two plies unless half of the clock is gone: half a minute here.
    move, hint = gui.ask("hard", "level 0 1 0", "sd 2", "usermove e2e4")
    assert move.startswith("move ") and hint.startswith("Hint: ")
    gate.set()


@pytest.mark.parametrize(
    ("lines", "movetime"),
    [(["st 1"], 900), (["option MoveOverhead=300", "st 2"], 1700), (["st 0.1"], 50), (["st 0"], 1)],
)
def test_a_time_for_a_move_is_at_most_that(
    gui: CecpConversation, lines: list[str], movetime: int
) -> None:
    gui.thinking(*lines, "go")
    assert gui.puppet.asked[-1].movetime == movetime
    gui.send("?")
    gui.until("move ")


def test_a_missing_tablebase_folder_is_reported_once(gui: CecpConversation, tmp_path: Path) -> None:
    """XBoard names one before each game, which no user has set."""

    def told(path: Path | str) -> list[str]:
        gui.send("new", f"egtpath syzygy {path}", "ping 1")
        return gui.until("pong 1$")[:-1]

    missing = ["# no endgame tables: there is no folder '/EGT/Syzygy'"]
    empty = ["# error: there are no tablebases in SyzygyPath"]
    paths = ("/EGT/Syzygy", "/EGT/Syzygy", tmp_path, tmp_path, "/EGT/Syzygy")
    assert [told(path) for path in paths] == [missing, [], empty, empty, []]


def test_the_book_is_played(gui: CecpConversation, tmp_path: Path) -> None:
    board = chess.Board()
    key = chess.polyglot.zobrist_hash(board)
    file = tmp_path / "with blanks.bin"
    write(file, [(key, raw_move(board, chess.Move.from_uci("h2h4")), 1)])
    assert gui.ask(f"option BookFile={file}", "option OwnBook=1") == []
    file.unlink()  # it has been read when it was named
    assert gui.ask("force", "sd 1", "go") == ["move h2h4"]


def test_a_game_may_be_long_but_not_endless(
    gui: CecpConversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boomslang.uci.cecp.game.MAX_MOVES", 4)
    moves = [f"usermove {move}" for move in ("g1f3", "g8f6", "f3g1", "f6g8")]
    assert gui.ask("force", *moves) == []
    assert gui.ask("usermove g1f3") == ["Illegal move: g1f3"]
    (answer,) = gui.ask("sd 1", "go")
    assert answer.startswith("move ")


def test_a_line_that_is_too_long_is_refused(gui: CecpConversation) -> None:
    gui.send_bytes(b"setboard " + b"x" * 500, whole=False)
    assert gui.before("Error") == ["tellusererror Illegal position"]
    gui.send_bytes(b"name x", whole=False)
    gui.until(r"Error \(line too long\): name x$")
    assert gui.ask("usermove e2e4") == ["Illegal move: e2e4"]
