"""`boomslang screening`: what it takes, keeps, goes on with and prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from boomslang.cli.lab.selfplay.screening_command import add_pair, main, screening_journal
from boomslang.core.system.files import FileError
from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspaces
from boomslang.engine.learning.selfplay.pentanomial import Games
from boomslang.engine.learning.selfplay.screening import draw
from boomslang.engine.learning.selfplay.selfplay_settings import ScreeningSettings
from boomslang.engine.search.params import BY_NAME

AS_IT_IS = BY_NAME["futility_base"].default
CHANGES = ["quiescence=0", "late_move_base=1,futility_base=20", "iir_depth=7"]
QUICK = ["--nodes", "100", "--workers", "1"]
PLAN = ScreeningSettings(changes=("quiescence=0", "iir_depth=7"), nodes=100)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def filled(path: Path, pairs: int) -> bytes:
    with screening_journal(replace(PLAN, out=path)).open() as journal:
        for pair in range(len(journal.entries), pairs):
            add_pair(journal, draw(1, pair, 2), (1, -1))
    return path.read_bytes()


@pytest.mark.jit_only
def test_workers_and_interruptions_change_nothing(
    kernels: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(name: str, games: int, workers: int) -> bytes:
        path = tmp_path / name
        words = [*CHANGES, "--games", str(games), "--nodes", "100", "--workers", str(workers)]
        assert main([*words, "--out", str(path)]) == 0
        return path.read_bytes()

    alone = play("alone.jsonl", 16, 1)
    said = capsys.readouterr().out
    assert play("together.jsonl", 16, 2) == alone
    assert capsys.readouterr().out == said

    play("parts.jsonl", 6, 2)
    with (tmp_path / "parts.jsonl").open("a") as file:
        file.write('{"number": 3, "sig')  # killed while writing
    capsys.readouterr()
    assert play("parts.jsonl", 16, 1) == alone
    assert capsys.readouterr().out == said
    assert play("parts.jsonl", 2, 1) == alone  # there is nothing left to do
    assert capsys.readouterr().out == said

    plan, *pairs = rows(tmp_path / "alone.jsonl")
    assert plan["changes"] == CHANGES and plan["nodes"] == 100 and plan["seed"] == 1
    assert [pair["number"] for pair in pairs] == list(range(8))
    assert all(pair["signs"] == list(draw(1, number, 3)) for number, pair in enumerate(pairs))


@pytest.mark.jit_only
def test_a_search_without_captures_loses(
    kernels: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["quiescence=0", "see_prune_depth=5", "--nodes", "300", "--workers", "1"]
    assert main([*words, "--games", "24"]) == 0
    shown = capsys.readouterr().out
    assert "After 24 games" in shown and "95 %" in shown
    elo = {name: float(value) for name, value in re.findall(r"(\w+)=\d+\s+│\s+([+-][\d.]+)", shown)}
    assert list(elo) == ["see_prune_depth", "quiescence"] and elo["quiescence"] < -50.0
    assert list(tmp_path.iterdir()) == []


def test_what_promises_is_to_be_tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("boomslang.cli.lab.selfplay.screening_command.load_kernels", lambda: None)
    path = tmp_path / "made-up.jsonl"
    changes = ("iir_depth=7", "late_move_base=1,futility_base=20", "see_prune_depth=5")
    plan = ScreeningSettings(changes=changes, seed=5, out=path)
    with screening_journal(plan).open() as journal:
        for pair in range(60):
            lot = draw(5, pair, 3)
            add_pair(journal, lot, (lot[1], (0, lot[0])[pair % 2 and pair % 3 == 0]))
    assert main([*changes, "--seed", "5", "--games", "120", "--out", str(path)]) == 0
    table, advice = capsys.readouterr().out.split("The largest estimates are partly luck")
    best = table.index("late_move_base=1,futility_base=20")
    assert best < table.index("iir_depth=7") and best < table.index("see_prune_depth=5")
    assert re.search(r" expect \d+ % of the values shown", " ".join(advice.split()))
    command = advice.splitlines()[-1].strip()
    assert command.startswith("boomslang trial late_move_base=1 futility_base=20 ")
    assert command.endswith(" --nodes 8000 --games 1000 --seed 6")


@pytest.mark.jit_only
def test_too_few_games(kernels: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CHANGES, "--games", "6", *QUICK]) == 0
    assert (
        capsys.readouterr().out == "6 games are too few to estimate 3 changes; play more --games.\n"
    )


@pytest.mark.jit_only
def test_each_side_gets_what_the_lot_gives_it(
    kernels: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every change is with exactly one side; Ctrl-C shows what there is."""
    sides: list[tuple[dict[str, int], dict[str, int]]] = []

    def play_each(
        self: MatchWorkspaces, pairs: Iterator[tuple[object, object, int]]
    ) -> Iterator[Games]:
        for one, other, number in pairs:
            sides.append((dict(one.parameters), dict(other.parameters)))  # type: ignore[attr-defined]
            if number == 40:
                raise KeyboardInterrupt
            yield (1, number % 2)

    monkeypatch.setattr(MatchWorkspaces, "play_each", play_each)
    assert main([*CHANGES, "--games", "400", *QUICK]) == 130
    assert "After 80 games" in capsys.readouterr().out
    for number, (one, other) in enumerate(sides):
        first, second, third = draw(1, number, 3)
        had = {1: one, -1: other}
        assert had[first]["quiescence"] == 0 and had[third]["iir_depth"] == 7
        assert had[second]["late_move_base"] == 1 and had[second]["futility_base"] == 20
        assert len(one) + len(other) == 4


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("", "arguments are required"),
        ("iir_depth=7", "at least two changes are needed; boomslang trial measures one alone"),
        ("iir_depth=7 nothing=1", "no search parameter is called 'nothing'"),
        ("iir_depth=7 futility_base=100000", "futility_base is a number from"),
        ("iir_depth=7 late_move_base=1,", "no search parameter is called ''"),
        (f"iir_depth=7 futility_base={AS_IT_IS}", "is the default"),
        ("iir_depth=7 futility_base=20,futility_base=30", "sets a parameter twice"),
        ("iir_depth=7 futility_base=20 futility_base=30", "2 changes set futility_base"),
        (
            "iir_depth=7 late_move_base=1,iir_depth=8",
            "2 changes set iir_depth; leave it to one of them",
        ),
        (
            "iir_depth=7 late_move_base=1 --nodes 8 --movetime 9",
            "--nodes and --movetime exclude each other",
        ),
    ],
)
def test_bad_usage(capsys: pytest.CaptureFixture[str], arguments: str, told: str) -> None:
    assert main(arguments.split()) == 2
    printed = capsys.readouterr()
    assert told in printed.err and printed.err.count("\n") == 1 and printed.out == ""


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"\xff\n",
        b"[1, 2]\n",
        b'{"number": 1}\n',
        b'{"number": 0, "signs": [SIGNS], "results": [1, 0]}\n',
        b'{"number": 1, "signs": [1, 2], "results": [1, 0]}\n',
        b'{"number": 1, "signs": [SIGNS], "results": [1]}\n',
        b'{"number": 1, "signs": [SIGNS], "results": [1, 2]}\n',
    ],
)
def test_a_damaged_line_is_reported(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "damaged.jsonl"
    signs = ", ".join(map(str, draw(1, 1, 2))).encode()
    damaged = filled(path, 1) + line.replace(b"SIGNS", signs)
    path.write_bytes(damaged)
    with (
        pytest.raises(FileError, match="line 3 is damaged or out of turn"),
        screening_journal(replace(PLAN, out=path)).open(),
    ):
        pass
    assert path.read_bytes() == damaged
