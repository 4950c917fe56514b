"""The command for endings: its dialogue, the user's file, what is missing or damaged."""

from __future__ import annotations

import datetime
import io
import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import chess
import pytest

from boomslang.cli.analysis.endgames import command
from boomslang.cli.analysis.endgames.endgame_trainer import EndgameTrainer
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle
from boomslang.core.system.files import FileError
from boomslang.engine.analysis.endgames.ending import begin, respond
from boomslang.engine.analysis.endgames.judge import EndingJudge
from boomslang.engine.analysis.endgames.kinds import BY_NAME, KINDS, EndingKind
from boomslang.engine.analysis.endgames.positions import NoPositionError
from boomslang.engine.analysis.endgames.record import EndingFile, EndingRecord, next_ending
from boomslang.engine.analysis.endgames.session import EndingSession
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.analyst import AnalysedPosition, Evaluation
from tests.support.analysed import info_of
from tests.support.exercises import mate_in_one
from tests.support.syzygy import FOLDERS

TODAY = datetime.date(2026, 2, 27)
QUEEN, DEFENCE = BY_NAME["queen"], BY_NAME["pawn-defence"]
MATE_IN_ONE = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"  # and other moves to try
STALEMATES = "7k/8/8/6K1/8/8/8/5Q2 w - - 0 1"  # Qf7 would


def search(position: AnalysedPosition) -> Evaluation:
    """A search that finds the side with more pieces winning, else a draw, and the first legal move."""
    board = position.board()
    more = len(board.piece_map()) and chess.popcount(
        board.occupied_co[board.turn]
    ) - chess.popcount(board.occupied_co[not board.turn])
    wdl = (1000, 0, 0) if more > 0 else (0, 0, 1000) if more < 0 else (0, 1000, 0)
    move = min(move.uci() for move in board.legal_moves)
    return Evaluation((info_of(0, None, wdl, 1, (move,)),), 1)


@pytest.fixture
def judge() -> EndingJudge:
    return EndingJudge("", print, search)


class Session:
    """A trainer with typed lines, which begins with the position that was failed yesterday."""

    def __init__(self, folder: Path, judge: EndingJudge, lines: Iterable[str], fen: str) -> None:
        self.file = EndingFile(folder / "exercises.json")
        yesterday = TODAY - datetime.timedelta(days=1)
        self.file.record(QUEEN, fen, False, yesterday)
        self._lines = iter(lines)
        self._output = io.StringIO()
        console = Console(file=self._output, width=80)
        style = BoardStyle(unicode=False, colour=False)
        session = EndingSession(self.file, lambda: TODAY)
        self._trainer = EndgameTrainer(session, judge, console, style, self.ask)

    def ask(self, prompt: str) -> str:
        for line in self._lines:
            return line
        raise EOFError

    def run(
        self, kinds: Sequence[EndingKind] = (QUEEN,), most: int = 1
    ) -> tuple[str, EndingRecord]:
        """What is shown, and what is kept."""
        self._trainer.run(kinds, most)
        (kept,) = self.file.read()
        return self._output.getvalue(), kept


def test_a_win_at_once(tmp_path: Path, judge: EndingJudge) -> None:
    shown, kept = Session(tmp_path, judge, ["Qg7"], MATE_IN_ONE).run()
    assert "Queen. White to move: win (no table has it, so the engine judges)." in shown
    assert "Won: checkmate." in shown and "1 of 1 endings without a mistake." in shown
    assert (kept.right, kept.wrong, kept.fen) == (1, 1, "")
    assert kept.due == TODAY + datetime.timedelta(days=3)


def test_a_mistake_is_refuted_and_taken_back(tmp_path: Path, judge: EndingJudge) -> None:
    shown, kept = Session(tmp_path, judge, ["Qf7", "Qf7", "Kg6", "quit"], STALEMATES).run()
    assert shown.count("1. Qf7 gives the win away: 1. Qf7, stalemate.") == 2
    assert "1. Kg6 probably keeps the win." in shown and "0 of 1" in shown
    assert (kept.right, kept.wrong, kept.fen) == (0, 2, STALEMATES)


@pytest.mark.parametrize(
    ("lines", "wrong", "told"),
    [
        (["hint", "Qg7"], 2, "Best is 1. "),
        (["skip"], 1, ""),
        (["", "help", "fen", "Qa8", "Kg8", "Zz9", "quit"], 1, MATE_IN_ONE),
        ([], 1, "White to move"),  # the end of the input
        (["Qg1-a2", "e8=Q", "quit"], 1, "e8=Q is not legal here."),
    ],
)
def test_words(lines: list[str], wrong: int, told: str, tmp_path: Path, judge: EndingJudge) -> None:
    shown, kept = Session(tmp_path, judge, lines, MATE_IN_ONE).run()
    assert kept.wrong == wrong and kept.right == 0 and told in shown


def test_both_kinds_of_entries_share_the_file(tmp_path: Path) -> None:
    exercises, endings = ExerciseFile(tmp_path / "e.json"), EndingFile(tmp_path / "e.json")
    endings.record(QUEEN, MATE_IN_ONE, False, TODAY)
    assert exercises.read() == [] and exercises.add([mate_in_one()]) == 1
    endings.record(QUEEN, "", True, TODAY)
    assert exercises.read() == [mate_in_one()] and endings.read()[0].right == 1
    data = json.loads(exercises.path.read_text())
    data["later"] = [{"new": 1}]  # of a later version
    data["endings"].append({**data["endings"][0], "kind": "unheard-of"})
    exercises.path.write_text(json.dumps(data))
    exercises.update(mate_in_one().name, lambda kept: kept.record_answer(True, TODAY))
    assert json.loads(exercises.path.read_text())["later"] == [{"new": 1}]
    assert next_ending(endings.read(), KINDS, (), TODAY)[0] == KINDS[1]


@pytest.mark.parametrize(
    "damage", [{"step": 9}, {"kind": None, "fen": "x"}, {"fen": 5}, {"due": 1}, {"right": 10**4299}]
)
def test_damaged_records(damage: dict[str, object], tmp_path: Path) -> None:
    file = EndingFile(tmp_path / "e.json")
    file.record(QUEEN, "", False, TODAY)
    data = json.loads(file.path.read_text())
    data["endings"][0] |= damage
    file.path.write_text(json.dumps(data))
    with pytest.raises(FileError, match="damaged: ending 1, "):
        file.record(QUEEN, "", True, TODAY)
    assert json.loads(file.path.read_text()) == data
    assert ExerciseFile(file.path).read() == []


def test_what_is_due_comes_first_then_what_is_new() -> None:
    names = [kind.name for kind in KINDS]
    records = [EndingRecord(name) for name in names[:4]]
    records[2].record_answer(False, TODAY)
    records[3].record_answer(False, TODAY - datetime.timedelta(days=1))
    records[3].fen = MATE_IN_ONE
    assert next_ending(records, KINDS, (), TODAY) == (KINDS[3], MATE_IN_ONE)
    assert next_ending(records, KINDS, (), datetime.date.max) == (KINDS[3], MATE_IN_ONE)
    assert next_ending(records, KINDS, {names[3]}, TODAY)[0] == KINDS[4]
    assert next_ending(records, KINDS[:3], (), TODAY)[0] in KINDS[:3]
    assert next_ending(records, KINDS[:1], {names[0]}, TODAY)[0] == KINDS[0]


def test_the_clock_and_the_third_repetition(judge: EndingJudge) -> None:
    board = chess.Board(MATE_IN_ONE.replace("0 1", "99 90"))
    response = respond(judge, QUEEN, board, chess.Move.from_uci("g1g2"))
    assert not response.is_kept
    assert "fifty moves without capture or pawn move." in response.text
    assert respond(judge, QUEEN, board, chess.Move.from_uci("g1g7")).is_over  # mate all the same
    board = chess.Board(MATE_IN_ONE)
    for name in ["g1g2", "h8h7", "g2g1", "h7h8"] * 2:
        board.push_uci(name)
    board.pop()
    board.pop()
    response = respond(judge, QUEEN, board, chess.Move.from_uci("g2g1"))
    assert response.is_kept and response.reply
    board.push_uci("g2g1")
    board.push_uci("h7h8")
    board.push_uci("g1g2")
    board.push_uci("h8h7")
    response = respond(judge, QUEEN, board, chess.Move.from_uci("g2g1"))
    assert not response.is_kept and "threefold repetition" in response.text


def test_underpromotion_and_the_end_of_an_ending(judge: EndingJudge) -> None:
    board = chess.Board("8/2P5/k7/8/8/8/8/2K5 w - - 0 1")
    for name, is_kept in (("c7c8r", True), ("c7c8q", True), ("c7c8n", False)):
        response = respond(judge, BY_NAME["pawn"], board, chess.Move.from_uci(name))
        assert response.is_kept == response.is_over == is_kept, name
    held = chess.Board("8/8/8/8/3k4/3P4/3K4/8 b - - 0 1")
    taken = respond(
        judge, DEFENCE, chess.Board("8/8/8/8/8/2kP4/8/K7 b - - 0 1"), chess.Move.from_uci("c3d3")
    )
    assert taken.is_over and taken.text.endswith("Drawn: nobody can win.")
    assert not respond(judge, DEFENCE, held, chess.Move.from_uci("d4d5")).is_kept


def test_no_position(judge: EndingJudge) -> None:
    hopeless = EndingJudge(
        "", print, lambda position: Evaluation((info_of(0, None, (0, 1000, 0), 1, ()),), 1)
    )
    with pytest.raises(NoPositionError, match="judged as a win"):
        begin(hopeless, QUEEN)


def test_a_stored_position_that_is_over_is_exchanged(judge: EndingJudge) -> None:
    stalemate = "k7/P7/K7/8/8/8/8/8 b - - 0 1"
    with pytest.raises(NoPositionError):  # by this search the weaker side draws nothing
        begin(judge, DEFENCE, stalemate)


def test_a_kind_without_positions_is_left_out(tmp_path: Path, judge: EndingJudge) -> None:
    shown, _ = Session(tmp_path, judge, ["Qg7"], MATE_IN_ONE).run([QUEEN, DEFENCE], 3)
    assert "King against pawn: no position" in shown and shown.count("Queen. ") == 2


@pytest.mark.skipif(not FOLDERS, reason="no shared suites beside this checkout")
@pytest.mark.jit_only
def test_a_damaged_table_leaves_the_ending_to_the_engine(kernels: None, tmp_path: Path) -> None:
    for suffix in ("rtbw", "rtbz"):
        shutil.copy(FOLDERS[0] / f"KQvK.{suffix}", tmp_path)
    said: list[str] = []
    tables = EndingJudge(str(tmp_path), said.append, search)
    assert begin(tables, QUEEN, MATE_IN_ONE).by_tables
    data = bytearray((tmp_path / "KQvK.rtbw").read_bytes())
    data[len(data) // 2] ^= 0xFF
    (tmp_path / "KQvK.rtbw").write_bytes(data)
    damaged = EndingJudge(str(tmp_path), said.append, search)
    assert not begin(damaged, QUEEN, MATE_IN_ONE).by_tables
    assert "KQvK" in said[-1] and said[-1].startswith("error: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lucna"], "there is no ending 'lucna'; did you mean lucena?"),
        (["--tables", "none"], "--tables: there are no tablebases in "),
        (["--count", "0"], "is not a whole number from 1"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) == 2
    assert message in capsys.readouterr().err


def test_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = EndingFile(tmp_path / "e.json")
    file.record(QUEEN, MATE_IN_ONE, False, datetime.date(2020, 1, 1))
    assert command.main(["--list", "--file", str(file.path)]) == 0
    rows = {
        row.split()[1]: row.split()[-2]
        for row in capsys.readouterr().out.splitlines()
        if row.startswith("│") and "─" not in row and row.split()[1] != "│"
    }
    assert rows.keys() == BY_NAME.keys() and rows["queen"] == "now" and rows["rook"] == "new"
