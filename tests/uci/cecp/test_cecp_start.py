"""CECP, rows C1 to C9 and C22, C23: how it begins, options, moves in and out, errors, the end."""

from __future__ import annotations

import re
import shlex
import signal

import chess
import pytest

from tests.support.process import CecpProcess, UciProcess

pytestmark = pytest.mark.jit_only  # plain Python would be too slow, and coverage cannot follow


def board(*moves: str, fen: str = chess.STARTING_FEN, chess960: bool = False) -> chess.Board:
    position = chess.Board(fen, chess960=chess960)
    for move in moves:
        position.push_xboard(move)
    return position


def test_the_engine_plays_without_protover() -> None:
    with UciProcess() as process:
        process.send("xboard", "new", "st 0.1", "usermove e2e4")
        assert process.until("move ")[:-1] == [""]


def test_the_first_word_selects_the_protocol() -> None:
    with UciProcess() as process:
        process.send("", "  ", "uci")
        process.until("uciok$")
        process.send("xboard", "isready")
        assert process.until("readyok$")[0].startswith("info string error: unknown command")


def test_done_is_sent_before_the_kernels_are_loaded(tmp_path: object) -> None:
    with CecpProcess(BOOMSLANG_CACHE_DIR=str(tmp_path)) as process:  # compiles for a while
        assert process.features[0] == "done=0" and process.features[-1] == "done=1"
        assert process.move("new", "st 0.2", "usermove e2e4")


def test_no_debug_lines_where_they_are_rejected() -> None:
    with CecpProcess() as process:
        process.send("usermove e2e5")
        process.until("#")
        process.send("rejected debug", "usermove e2e5", "usermove e2e6")
        assert process.until("Illegal move: e2e6")[-2:] == [
            "Illegal move: e2e5",
            "Illegal move: e2e6",
        ]
        process.send("force", "ping 1")
        assert not [line for line in process.settled_by(1) if line.startswith("#")]


def test_features_are_complete(engine: CecpProcess) -> None:
    words = shlex.split(" ".join(engine.features))
    told = dict(word.split("=", 1) for word in words if not word.startswith("option="))
    assert told["myname"].startswith("Boomslang ")
    for name in ("ping", "setboard", "playother", "usermove", "time", "draw", "reuse", "analyze"):
        assert told[name] == "1", name
    for name in ("name", "nps", "debug", "memory", "smp", "exclude"):
        assert told[name] == "1", name
    for name in ("san", "sigint", "colors", "ics", "pause"):
        assert told[name] == "0", name
    assert "sigterm" not in told  # python-chess and others end engines by that
    assert told["egt"] == "syzygy"
    assert told["variants"] == "normal,fischerandom"


def test_option_names_contain_no_blanks(engine: CecpProcess) -> None:
    declared = re.findall(r'option="([^"]*)"', " ".join(engine.features))
    names = [text.split(" -")[0] for text in declared]
    assert "MultiPV" in names and "MoveOverhead" in names and "ClearHash" in names
    kinds = r"button|check [01]|spin -?\d+ -?\d+ \d+|combo \S.*|(string|path|file) .*"
    assert all(re.fullmatch(rf"\S+ -({kinds})", text) for text in declared)
    assert not {"Hash", "Threads", "Ponder", "UCI_Chess960"} & set(names)


@pytest.mark.parametrize(
    "line",
    [
        "option MoveOverhead=50",
        "option Move Overhead=50",
        "option moveoverhead = 50",
        "option MoveOverhead=999999999999999999999",
        "option ClearHash",
        "option Clear Hash",
        "option MultiPV=1",
        "option ResignBelow=0",
        "option SearchAlgorithm=alphabeta",
        "memory 16",
        "cores 1",
    ],
)
def test_options_are_accepted(engine: CecpProcess, line: str) -> None:
    assert engine.ask(line) == []


def test_new_is_the_initial_position_with_the_engine_black(engine: CecpProcess) -> None:
    engine.ask("force", "setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "sd 1")
    assert engine.ask("new", "hard") == []  # no pondering yet
    reply = engine.move("st 0.1", "post", "usermove e2e4")
    assert reply in {move.uci() for move in board("e2e4").legal_moves}
    assert engine.lines[-2].split()[0] != "1"  # `sd` is off


def test_variant_follows_new(engine: CecpProcess) -> None:
    fen = "nrbkrbqn/pppppppp/8/8/8/8/PPPPPPPP/NRBKRBQN w EBeb - 0 1"
    assert engine.ask("new", "variant fischerandom", "force", f"setboard {fen}") == []
    move = engine.move("st 0.1", "go")
    assert board(fen=fen, chess960=True).parse_xboard(move)


def test_force_plays_no_moves(engine: CecpProcess) -> None:
    assert engine.ask("force", "usermove e2e4", "usermove e7e5", "g1f3") == []
    assert engine.move("st 0.1", "go") in {
        move.uci() for move in board("e2e4", "e7e5", "g1f3").legal_moves
    }


def test_playother_takes_the_side_that_is_not_to_move(engine: CecpProcess) -> None:
    assert engine.ask("force", "usermove e2e4", "st 0.1", "playother") == []
    assert engine.move("usermove e7e5")


def test_a_move_without_usermove_is_accepted(engine: CecpProcess) -> None:
    # cutechess gives Black the turn like that, before `setboard`.
    assert engine.ask("force", "b2b3", "setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1") == []
    assert engine.move("sd 1", "go").startswith("e8")


@pytest.mark.parametrize(
    "moves",
    [
        "e2e4 e7e5",
        "E2E4 e5 Nf3 Nc6 Bb5 a6 O-O axb5",
        "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8",
        "e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 o-o",
        "e2e4 @@@@ d2d4 @@@@",
        "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6 b7a8q",
        "a2a4 b7b5 axb5 a7a6 bxa6 c8b7 axb7 h7h6 bxa8=Q b8c6 Qxd8+ Kxd8",
    ],
)
def test_moves_are_read_in_any_notation(engine: CecpProcess, moves: str) -> None:
    assert engine.ask("force", *(f"usermove {move}" for move in moves.split())) == []


@pytest.mark.parametrize(
    ("fen", "chess960", "move"),
    [
        ("4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1", True, "O-O"),
        ("r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", True, "O-O-O"),
        ("4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1", False, "e1g1"),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", False, "a7a8q"),
    ],
)
def test_moves_are_written_in_coordinate_notation(
    engine: CecpProcess, fen: str, chess960: bool, move: str
) -> None:
    variant = ["variant fischerandom"] if chess960 else []
    engine.ask("new", *variant, "force", f"setboard {fen}")
    engine.ask("exclude all", f"include {move}")
    engine.send("analyze")
    assert engine.until("3 ")[-1].split("\t")[1].split()[0] == move
    engine.ask("exit")


def test_an_interrupt_is_ignored(engine: CecpProcess) -> None:
    engine.process.send_signal(signal.SIGINT)
    assert engine.ask() == []
    engine.send("analyze")
    engine.process.send_signal(signal.SIGINT)
    assert not [line for line in engine.ask("exit") if not line[0].isdigit()]


@pytest.mark.parametrize(
    ("busy", "end"), [("hard\nst 0.1\ngo", "quit"), ("st 0.2\ngo", "eof"), ("analyze", "term")]
)
def test_quit_end_of_input_and_sigterm_end_the_engine(busy: str, end: str) -> None:
    with UciProcess("xboard") as process:
        process.send_bytes(f"protover 2\n{busy}".encode())
        if end == "quit":
            process.send("", "quit")
        elif end == "eof":
            process.close_input()
        else:
            process.until("feature done=0")
            process.process.terminate()
        assert process.wait() == (-signal.SIGTERM if end == "term" else 0)
        assert process.errors() == ""
