"""`boomslang perft` as a user meets it."""

from __future__ import annotations

import re
import sys
from itertools import product
from pathlib import Path

import chess
import pytest

from boomslang.cli.lab.suites.perft_command import RIGHT, WRONG, main
from boomslang.cli.terminal.arguments import BAD_USAGE
from boomslang.perft.walk import _BELOW, _spell, describe
from tests.support.places import ROOT

pytestmark = pytest.mark.usefixtures("kernels", "shared_tables")

# A UCI engine with one fault, that counts by python-chess.
FAULTY_ENGINE = """
import sys
import chess

fault = "FAULT"


class Board(chess.Board):
    def moves(self):
        back = 0 if self.turn else 7
        for move in list(self.pseudo_legal_moves):
            kind = self.piece_type_at(move.from_square)
            pinned = self.is_pinned(self.turn, move.from_square)
            passing, castling = self.is_en_passant(move), self.is_castling(move)
            if not self.is_legal(move):
                if fault == "pinned pieces move" and pinned and not self.is_check():
                    yield move
                if fault == "en passant opens a rank" and passing and not self.is_check():
                    yield move
                continue
            if fault in ("no en passant", "lists nothing", "SAN") and passing:
                continue
            if fault == "no castling to the queen's side" and castling and self.is_queenside_castling(move):
                continue
            if fault == "no promotion to a knight" and move.promotion == chess.KNIGHT:
                continue
            if fault == "pinned pieces never move" and pinned and kind not in (chess.KING, chess.PAWN):
                continue
            yield move
            if fault == "twice" and move.promotion == chess.ROOK:
                yield move
        if fault == "castling through check" and self.has_kingside_castling_rights(self.turn):
            king = self.king(self.turn)
            free = not any(self.piece_at(king + step) for step in (1, 2)) and not self.is_check()
            if free and self.is_attacked_by(not self.turn, king + 1):
                yield chess.Move(king, king + 2)

    def push(self, move):
        kept = self.castling_rights
        super().push(move)
        if fault == "castling without a rook" and not self.is_check():
            self.castling_rights = kept

    def count(self, depth):
        if depth == 0:
            return 1
        total = 0
        for move in self.moves():
            self.push(move)
            total += self.count(depth - 1)
            self.pop()
        return total + (fault == "unmaking" and depth == 2 and len(self.move_stack) == 1)


board = Board()
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["quit"]:
        break
    elif words[:1] == ["uci"]:
        print("uciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:2] == ["position", "fen"]:
        board = Board(" ".join(words[2:8]))
        for move in words[9:]:
            board.push_uci(move)
    elif words[:2] == ["go", "perft"]:
        if fault == "dumb":
            print("bestmove a2a3")
        elif fault == "mumbles":
            print("Nodes searched: many")
        elif fault == "dies":
            sys.exit()
        total = 0
        for move in board.moves():
            board.push(move)
            below = board.count(int(words[2]) - 1)
            board.pop()
            below += fault == "a leaf twice" and words[2] == "1" and move.uci() == "e2e4"
            total += below
            if fault != "lists nothing":
                print(f"{board.san(move) if fault == 'SAN' else move}: {below}")
        print("Nodes searched:", total)
    sys.stdout.flush()
"""


def engine_command(tmp_path: Path, fault: str) -> str:
    script = tmp_path / "engine.py"
    script.write_text(FAULTY_ENGINE.replace("FAULT", fault), encoding="utf-8")
    return f"{sys.executable} {script}"


def test_a_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["2"]) == RIGHT
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Nodes searched: 400"
    assert lines[1].startswith("Time: ")


def test_divide_of_a_given_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["2", "--divide", "--fen", "8/8/8/8/8/1k6/8/K7 w - - 0 1"]) == RIGHT
    assert capsys.readouterr().out.startswith("a1b1: 5\n\nNodes searched: 5\n")


def test_chess960_is_asked_for_or_seen(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert main(["1", "--divide", "--chess960", "--fen", fen]) == RIGHT
    assert "e1h1: 1" in capsys.readouterr().out
    assert main(["1", "--divide", "--fen", fen.replace(" K ", " H ")]) == RIGHT
    assert "e1h1: 1" in capsys.readouterr().out


def test_threads_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["3", "--threads", "2", "--hash", "1", "--startpos"]) == RIGHT
    assert "Nodes searched: 8902" in capsys.readouterr().out


def test_suite_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.epd"
    path.write_text(f"{chess.STARTING_FEN} ;D1 20 ;D2 400 ;D3 1\n", encoding="utf-8")
    assert main(["--suite", str(path), "--max-nodes", "400"]) == WRONG
    out = capsys.readouterr().out
    assert "3 counts of 1 positions, 1 wrong" in out
    assert "8902" in out and "+8901" in out
    path.write_text(f"{chess.STARTING_FEN} ;D1 20 ;D2 400\n", encoding="utf-8")
    assert main(["--suite", str(path)]) == RIGHT
    assert "2 counts of 1 positions, 0 wrong" in capsys.readouterr().out


def test_the_shipped_suite_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--suite", "--max-nodes", "50"]) == RIGHT
    assert ", 0 wrong" in capsys.readouterr().out


def test_many_wrong_counts_are_cut_short(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.epd"
    path.write_text(f"{chess.STARTING_FEN} ;D1 19\n" * 35, encoding="utf-8")
    assert main(["--suite", str(path)]) == WRONG
    assert "... and 5 more" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no depth given"),
        (["0"], "is not a whole number from 1 to 31"),
        (["3", "--fen", "nonsense"], "bad FEN"),
        (["3", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"], "illegal position: Black has no king"),
        (["3", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1", "--startpos"], "not allowed"),
        (["--suite", "--max-nodes", "1"], "no counts to check"),
        (["3", "--suite"], "a depth has no effect with --suite"),
        (["--suite", "--fen", chess.STARTING_FEN], "--fen has no effect"),
        (["--suite", "--hash", "1024"], "--hash has no effect"),
        (["3", "--max-nodes", "9"], "--max-nodes needs --suite"),
        (["--against", "no-such-engine-here"], "cannot start"),
        (["--against", "'engine"], "No closing quotation"),
        (["--against", "x", "--divide"], "--divide has no effect"),
        (["--against", "x", "--fen", chess.STARTING_FEN], "no depth given"),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == BAD_USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("boomslang perft: ") and captured.err.count("\n") == 1
    assert words in captured.err


def test_a_bad_suite_is_named_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.epd"
    path.write_text("nonsense\n", encoding="utf-8")
    assert main(["--suite", str(path)]) == BAD_USAGE
    assert f"{path}:1: no counts" in capsys.readouterr().err


PROMOTIONS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"


@pytest.mark.parametrize(
    ("fault", "fen", "said"),
    [
        ("no en passant", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", r"missing: e5d6 \(en passant\)"),
        (
            "en passant opens a rank",
            "4k3/3p4/8/r3P2K/8/8/8/8 b - - 0 1",
            r"too many: e5d6 \(en passant, leaves the king in check\)",
        ),
        (
            "no castling to the queen's side",
            "r3k3/8/8/8/8/8/P7/4K3 w q - 0 1",
            r"missing: e8c8 \(castling\)",
        ),
        (
            "castling through check",
            "4k3/8/8/8/8/5p2/4p3/4K2R b K - 0 1",
            r"too many: e1g1 \(castling\)",
        ),
        (
            "castling without a rook",
            "4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1",
            r"too many: e1g1 \(castling\)",
        ),
        ("SAN", "4k3/3p4/8/8/4P3/8/8/4K3 w - - 0 1", r"missing: e5d6 \(en passant\)"),
        ("no promotion to a knight", PROMOTIONS, r"missing: \w{4}n \(promotion\)"),
        ("twice", PROMOTIONS, r"too many: \w{4}r \(promotion\)"),
        (
            "pinned pieces move",
            "4k3/8/8/4r3/8/4N3/3P4/4K3 b - - 0 1",
            r"too many: e3\w\w \(of a pinned piece, leaves the king in check\)",
        ),
        (
            "pinned pieces never move",
            "4k3/8/8/4r3/8/4R3/8/4K3 b - - 0 1",
            r"missing: e[35]e\d \(of a pinned piece\)",
        ),
    ],
)
def test_the_wrong_move_of_another_engine_is_named(
    fault: str, fen: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["3", "--fen", fen, "--against", engine_command(tmp_path, fault)]) == WRONG
    out = capsys.readouterr().out
    assert re.search(rf"^{said}$", out, re.M)
    assert ("after " in out) == (fen not in out.partition("Wrong: ")[2])
    wrong = re.search(r"Wrong: (.*)\nat depth (\d) has (\d+) move paths, not (\d+) as for", out)
    assert wrong and wrong[3] != wrong[4]
    board = chess.Board(wrong[1])
    moves = re.findall(r"^(missing|too many): (\w+)", out, re.M)
    assert (moves and fault == "twice") or all(
        (board.is_legal(chess.Move.from_uci(move))) == (kind == "missing") for kind, move in moves
    )
    assert main([wrong[2], "--fen", wrong[1]]) == RIGHT
    assert capsys.readouterr().out.startswith(f"Nodes searched: {wrong[3]}\n")


@pytest.mark.parametrize(("fault", "depth"), [("unmaking", "3"), ("a leaf twice", "1")])
def test_counts_that_are_wrong_on_the_way_only(
    fault: str, depth: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = engine_command(tmp_path, fault)
    assert main([depth, "--against", command]) == WRONG
    assert "\nmiscounted: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("Nf3: 20", "g1f3"),
        ("Ngf3 - 20", "g1f3"),
        ("0-0-0 20", "e1c1"),
        ("e1a1: 20", "e1c1"),
        ("Bxc6+: 20", "b5c6"),
        ("bxc6: 20", "bxc6"),  # no pawn can
        ("g8=Q#: 20", "g7g8q"),
        ("G7G8Q: 20", "g7g8q"),
        ("D7D8: 20", "d7d8"),
    ],
)
def test_a_count_is_read_however_its_move_is_written(line: str, move: str) -> None:
    board = chess.Board("4k3/6P1/2p5/1B6/8/8/8/R3K1N1 w Q - 0 1")
    match = _BELOW.fullmatch(line)
    assert match and match[2] == "20" and _spell(board, match[1]) == move
    assert describe(board, move).startswith(move)


@pytest.mark.parametrize("promoted", ["", "q", "k"])
def test_whatever_is_taken_for_a_move_is_described(promoted: str) -> None:
    for first, second in product(chess.SQUARE_NAMES, repeat=2):
        assert describe(chess.Board(), f"{first}{second}{promoted}").startswith(first + second)


def test_an_engine_that_lists_nothing_is_followed_to_the_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = engine_command(tmp_path, "lists nothing")
    assert main(["3", "--against", command]) == RIGHT
    assert main(["5", "--fen", "4k3/3p4/8/8/4P3/8/8/4K3 w - - 0 1", "--against", command]) == WRONG
    out = capsys.readouterr().out
    assert " e4e5 d7d5\nWrong: " in out and "lists no moves" in out


def test_the_suite_finds_a_fault_and_passes_a_right_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--suite", "--max-nodes", "300"]
    assert main([*few, "--against", engine_command(tmp_path, "none")]) == RIGHT
    out = capsys.readouterr().out
    assert re.match(r"The counts of \d+ positions agree", out) and "of Chess960 are left out" in out
    assert main([*few, "--against", engine_command(tmp_path, "pinned pieces move")]) == WRONG
    assert "of a pinned piece, leaves the king in check)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("dumb", "does not know 'go perft'"),
        ("mumbles", "answered 'Nodes searched: many'"),
        ("dies", "died"),
    ],
)
def test_an_engine_that_cannot_count(
    fault: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["1", "--against", engine_command(tmp_path, fault)]) == BAD_USAGE
    assert words in capsys.readouterr().err


def test_something_that_ends_is_no_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["1", "--against", f"{sys.executable} -c pass"]) == BAD_USAGE
    assert "ended" in capsys.readouterr().err


@pytest.mark.slow
def test_chess960_is_compared_with_an_engine_that_knows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fen = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1"
    command = engine_command(tmp_path, "none")
    assert main(["2", "--fen", fen, "--against", command]) == BAD_USAGE
    assert "no option UCI_Chess960" in capsys.readouterr().err
    own = f"{sys.executable} -P {ROOT / 'cli' / '__main__.py'}"
    assert main(["2", "--fen", fen, "--against", own]) == RIGHT
