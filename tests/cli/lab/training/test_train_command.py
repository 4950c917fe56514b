"""`boomslang train`: what it takes, refuses and prints, and how it goes on."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from boomslang.cli.lab.training import train_command
from boomslang.engine.learning.data import dataset
from boomslang.engine.learning.selfplay.datagen import generate
from boomslang.engine.learning.selfplay.datagen_settings import DatagenSettings
from boomslang.engine.learning.training.train_settings import TrainSettings
from boomslang.eval.network import file
from boomslang.eval.network.shape import NETWORK

pytestmark = pytest.mark.jit_only

BRIEF = ["--epochs", "2", "--batch-size", "100", "--jobs", "1"]
QUICK = [*BRIEF, "--half-life", "0"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("train") / "games.bin"
    generate(path, DatagenSettings(seed=5, nodes=20, engine="test"), games=30)
    return path


@pytest.fixture(autouse=True)
def many_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "VALIDATION_SHARE", 0.2)


def numbers_of(path: Path) -> bytes:
    return path.read_bytes()[-NETWORK.itemsize :]


def test_the_command(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "first.net"
    assert train_command.main([str(games), "--out", str(out), *QUICK, "--wdl", "0.2"]) == 0
    told = capsys.readouterr().out
    assert "validation" in told and "centipawns" in told and "written" in told
    assert sorted(tmp_path.iterdir()) == [out]
    _, header = file.read(out)
    assert header["plan"]["wdl"] == 0.2 and header["plan"]["seed"] == 1
    assert header["command"].startswith("boomslang train games.bin --out first.net ")
    sha256 = hashlib.sha256(games.read_bytes()).hexdigest()
    assert header["data"][0]["name"] == "games.bin" and header["data"][0]["sha256"] == sha256
    losses = [loss["holdout"] for loss in header["losses"]]
    assert len(losses) == 3 and losses[-1] < losses[0]

    second = tmp_path / "second.net"
    more = [str(games), "--out", str(second), "--from", str(out), *QUICK, "--wdl", "0.2"]
    assert train_command.main(more) == 0
    _, fine = file.read(second)
    assert fine["start"] == header["sha256"]
    assert fine["losses"][0]["holdout"] == pytest.approx(losses[-1], rel=0.05)


def test_a_file_of_games_is_not_overwritten(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.bin"
    other.write_bytes(games.read_bytes())
    assert train_command.main([str(games), "--out", str(other), *QUICK]) == 2
    assert "other.bin' is no network; choose another file" in capsys.readouterr().err
    assert other.read_bytes() == games.read_bytes()


@pytest.mark.parametrize("claimed", [None, "0" * 64])
def test_the_hash_of_the_initial_network_is_computed(tmp_path: Path, claimed: str | None) -> None:
    path = tmp_path / "start.net"
    header, payload = file.FILE.read(file.SHIPPED)
    header.pop("sha256")
    file.FILE.write(path, header | ({"sha256": claimed} if claimed else {}), payload)
    _, found = train_command._begin(TrainSettings(data=(path,), out=path, start=path))
    assert found == file.sha256_of(file.load_shipped())


@pytest.mark.slow
def test_the_classical_evaluation_teaches_and_a_network_beside_it(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, again = tmp_path / "taught.net", tmp_path / "again.net"
    assert train_command.main([str(games), "--out", str(out), *BRIEF, "--pretrain"]) == 0
    _, header = file.read(out)
    assert header["losses"][-1]["holdout"] < header["losses"][0]["holdout"]
    assert "--pretrain" in header["command"]
    more = ["--out", str(again), "--from", str(out), *BRIEF, "--pretrain", str(games)]
    assert train_command.main([*more, "--distill-share", "1"]) == 0
    itself = file.read(again)[1]["losses"][0]["holdout"]
    assert train_command.main(more) == 0
    other = file.read(again)[1]["losses"][0]["holdout"]
    assert itself < other / 10  # it agrees with itself, but for endings that are not for it

    assert (
        train_command.main([str(games), "--out", str(again), *QUICK, "--distill-share", "0.5"]) == 2
    )
    assert "--from" in capsys.readouterr().err


@pytest.mark.slow
def test_the_same_command_goes_on_after_ctrl_c(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, broken = tmp_path / "whole.net", tmp_path / "broken.net"
    assert train_command.main([str(games), "--out", str(whole), *QUICK]) == 0

    original = train_command._stopping

    @contextmanager
    def stopping() -> Iterator[Callable[[], bool]]:
        asked = 0

        def count() -> bool:
            nonlocal asked
            asked += 1
            if asked == 5:
                os.kill(os.getpid(), signal.SIGINT)
            return stopped()

        with original() as stopped:
            yield count

    monkeypatch.setattr(train_command, "_stopping", stopping)
    command = [str(games), "--out", str(broken), *QUICK]
    before = signal.getsignal(signal.SIGINT)
    assert train_command.main(command) == 130
    assert signal.getsignal(signal.SIGINT) is before
    assert "repeat the command to resume" in capsys.readouterr().err
    file.read(broken)  # already a network
    assert numbers_of(broken) != numbers_of(whole)
    monkeypatch.undo()
    monkeypatch.setattr(dataset, "VALIDATION_SHARE", 0.2)

    for option, value in (("learning-rate", "0.1"), ("half-life", "7")):
        assert train_command.main([*command, f"--{option}", value]) == 2
        assert f"another value of {option}" in capsys.readouterr().err
    assert train_command.main(command) == 0
    assert "resuming after 5 of" in capsys.readouterr().out
    assert numbers_of(broken) == numbers_of(whole)
    assert sorted(tmp_path.iterdir()) == [broken, whole]


def test_bad_input_is_one_line(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "net")]
    nothing = tmp_path / "empty"
    nothing.write_bytes(b"")
    for arguments in (
        [str(nothing), *out],
        [str(games), *out, "--from", str(games)],
        [str(games), *out, "--from", str(tmp_path / "none")],
        [str(games), *out, "--learning-rate", "0"],
        [str(games), *out, "--wdl-constant"],
        [str(games), *out, "--pretrain", "--half-life", "5"],
        [str(games), *out, "--pretrain", "--wdl", "0.2"],
        [str(games), *out, "--distill-share", "0"],
        [str(games), "--out", str(tmp_path / "no" / "net")],
        [str(games)],
        out,
    ):
        assert train_command.main(arguments) == 2, arguments
        told = capsys.readouterr().err
        assert told.startswith("boomslang train: ") and told.count("\n") == 1
    assert list(tmp_path.iterdir()) == [nothing]


def test_too_few_games(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "VALIDATION_SHARE", 0.0)
    assert train_command.main([str(games), "--out", str(tmp_path / "net")]) == 2


def test_the_state_is_written_now_and_then(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train_command, "_BETWEEN", 0.0)
    written: list[int] = []
    original = train_command._keep

    def keep(*arguments: object) -> str:
        written.append(1)
        return original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(train_command, "_keep", keep)
    assert (
        train_command.main([str(games), "--out", str(tmp_path / "net"), *QUICK, "--epochs", "1"])
        == 0
    )
    assert len(written) == 2  # after each pass, and at the end
