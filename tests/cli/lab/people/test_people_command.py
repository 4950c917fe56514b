"""`boomslang people`: a model trained on a tiny file of games, and measured; what it refuses."""

from __future__ import annotations

import json
import random
from pathlib import Path

import chess
import pytest

from boomslang.cli.lab.people import command
from boomslang.cli.terminal.arguments import BAD_USAGE
from boomslang.engine.people import file
from boomslang.engine.people.model import PeopleModel

pytestmark = pytest.mark.jit_only


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("people") / "games.jsonl"
    dice, lines = random.Random(9), []
    for _ in range(80):
        board = chess.Board()
        while board.ply() < 50 and not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(dice.choice([move for move in moves if board.is_capture(move)] or moves))
        played = " ".join(move.uci() for move in board.move_stack)
        lines.append(json.dumps({"w": 1400, "b": 1800, "base": 600, "inc": 0, "moves": played}))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_trains_resumes_and_measures(
    games: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from boomslang.engine.people import trainer

    out = tmp_path / "people.net"
    words = ["train", str(games), "-o", str(out), "--batch-size", "256", "--epochs", "3"]
    learn = trainer.PeopleTrainer.learn

    def stop(self: trainer.PeopleTrainer, *batch: object) -> float:
        if self.number == 5:
            raise KeyboardInterrupt
        return learn(self, *batch)  # type: ignore[arg-type]

    monkeypatch.setattr(trainer.PeopleTrainer, "learn", stop)
    assert command.main([*words, "--searches", "4", "--jobs", "1"]) == 130
    assert not out.exists()
    assert "repeat the command to resume" in capsys.readouterr().err
    monkeypatch.setattr(trainer.PeopleTrainer, "learn", learn)
    assert command.main([*words, "--jobs", "1", "--seed", "2"]) == BAD_USAGE
    assert "another value of seed" in capsys.readouterr().err
    assert command.main([*words, "--searches", "4", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "resuming after 5 of" in told
    assert "epoch 3: " in told
    assert [path.name for path in tmp_path.iterdir() if ".net." in path.name] == []

    board = chess.Board("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    model = PeopleModel(*file.read(out)[:2])
    assert next(iter(model.chances(board, 1500))) == chess.Move.from_uci("e4d5")

    measure = ["evaluate", str(games), "--net", str(out), "--every", "--positions", "300"]
    assert command.main([*measure, "--searches", "3", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert told.count("all") == 3
    assert "300" in told
    assert "moves that lose more than 10, 20, 30 %" in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no game"),
        ("no json", "line 1 is no game"),
        ('{"w": 1500, "b": 1500, "moves": "e2e4"}', "too few positions"),
    ],
)
def test_files_that_teach_nothing(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text, encoding="utf-8")
    assert command.main(["train", str(path), "-o", str(tmp_path / "x.net")]) == BAD_USAGE
    assert said in capsys.readouterr().err
    assert not (tmp_path / "x.net").exists()


def test_what_is_no_model_or_no_file(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        ["evaluate", str(games), "--net", str(games)],
        ["train", str(games), "-o", str(games)],
    ):
        assert command.main(words) == BAD_USAGE
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert games.read_text("utf-8").startswith("{")
