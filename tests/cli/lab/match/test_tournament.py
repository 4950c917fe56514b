"""`boomslang match` with more than two engines: who plays whom, the tables, and what is kept."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

import boomslang
from boomslang.cli.lab.match.command import main
from boomslang.engine.match.engine_spec import EngineSpec
from boomslang.engine.match.match_game import TimeControl
from boomslang.engine.match.naming import find_anchors
from boomslang.engine.match.pairs import MatchPlan
from tests.support.real_engines import real_engine

Stub = Callable[[str], str]


def pairings(count: int, gauntlet: bool = False) -> list[tuple[int, int]]:
    specs = tuple(EngineSpec(str(number), ("x",)) for number in range(count))
    return MatchPlan(specs, TimeControl(nodes=1), 1, gauntlet=gauntlet).pairings()


@pytest.mark.parametrize("count", range(2, 10))
def test_everybody_plays_everybody_and_nobody_waits_long(count: int) -> None:
    found = pairings(count)
    assert len(found) == len(set(found)) == count * (count - 1) // 2
    assert all(one < other for one, other in found)
    played: Counter[int] = Counter()
    for pairing in found:
        played.update(pairing)
        assert max(played.values()) - min(played[number] for number in range(count)) <= 2
    assert pairings(count, gauntlet=True) == [(0, other) for other in range(1, count)]


def tournament(few: Path, engines: list[str], *words: str) -> int:
    return main([*engines, "--openings", str(few), *words])


def test_tables_and_files(
    stub: Stub, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = [stub("plain"), stub("losing"), stub("cheating")]
    table, pgn = tmp_path / "table.json", tmp_path / "games.pgn"
    words = ["--nodes", "10", "--games", "12", "--json", str(table), "--pgn", str(pgn)]
    anchor = ["--anchor", f"{engines[1]}=1500"]
    options = ["--option", "1:Score=7"]
    assert tournament(few, engines, *words, *anchor, *options) == 1
    out = capsys.readouterr().out
    assert "6 illegal move" in out and "1500" in out and "fixed" in out
    found: dict[str, Any] = json.loads(table.read_text())
    first, second, third = found["engines"]
    assert (first["won"], first["lost"], third["lost"]) == (6, 0, 6)
    assert third["failures"]["illegal move"] == 6 and second["failures"]["crash"] == 4
    assert second["elo"] == 1500 and second["error"] is None
    assert first["elo"] > 1500 and first["elo"] > third["elo"]
    assert found["points"][0][2] == 4 and found["points"][2][0] == 0
    assert found["superiority"][0][2] > 0.9
    with pgn.open() as file:
        games = [game for _ in range(12) if (game := chess.pgn.read_game(file))]
    assert len(games) == 12 and all(not game.errors for game in games)
    rounds = [game.headers.get("FEN", "") for game in games]
    assert len(set(rounds[:6])) == 1  # one opening for all pairings
    node = next(node for game in games if (node := game.next()))
    assert (score := node.eval()) and node.eval_depth() == 4
    assert score.white().score() in (7, 0)


def test_a_clock_is_written_into_the_games(stub: Stub, few: Path, tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    words = ["--clock", "60+0", "--games", "2", "--pgn", str(pgn), "--no-adjudication"]
    assert tournament(few, [stub("plain"), stub("plain")], *words) == 0
    with pgn.open() as file:
        game = chess.pgn.read_game(file)
    assert game and len(list(game.mainline())) >= 8
    clocks = [node.clock() for node in game.mainline()]
    assert all(clock is not None and 0 < clock <= 60 for clock in clocks)
    whites = clocks[::2]
    assert whites == sorted(whites, key=lambda clock: -(clock or 0.0))


@pytest.mark.jit_only
def test_in_parts_it_is_the_same_tournament(
    stub: Stub, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = [stub("plain"), stub("losing"), stub("crashing")]

    def play_on(games: int, out: Path) -> tuple[str, str]:
        words = ["--nodes", "1", "--games", str(games), "--out", str(out)]
        table = tmp_path / f"{out.stem}.json"
        assert tournament(few, engines, *words, "--json", str(table)) == 1
        return table.read_text(), capsys.readouterr().out.partition("\n\n")[2]

    whole = play_on(6, tmp_path / "whole.jsonl")
    parts = tmp_path / "parts.jsonl"
    for games in (2, 4):
        play_on(games, parts)
        with parts.open("a") as file:
            file.write('{"number": 4, "play')  # killed while writing
    assert play_on(6, parts) == whole
    before = parts.read_bytes()
    for others in (["--gauntlet"], ["--no-adjudication"], ["--odds", "2"]):
        words = ["--nodes", "4", "--games", "2", "--out", str(parts)]
        assert tournament(few, engines, *words, *others) == 2
    assert parts.read_bytes() == before


ENGINES = ["pawn", "/usr/games/pawn --uci", "/opt/Knight-15.1"]
NAMES = ["Pawn 3", "Pawn 2 beta (pawn)", "Horse 1"]
PROGRAMS = [
    EngineSpec(name, tuple(given.split()))
    for name, given in zip(("pawn", "pawn", "Knight-15"), ENGINES, strict=True)
]


def anchored(*names: str) -> dict[int, float]:
    return find_anchors(dict.fromkeys(names, 2000.0), ENGINES, PROGRAMS, NAMES)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *(("pawn", 0), ("/usr/games/pawn --uci", 1), ("PAWN 2", 1)),
        *((name, 2) for name in ("Horse", "knight-15", "knight-15.1", "/OPT/Knight-15.1")),
    ],
)
def test_an_anchor_is_an_engine_as_given_or_as_it_calls_itself(name: str, number: int) -> None:
    assert anchored(name) == {number: 2000.0}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Pawn"], "more than one engine"),
        (["--uci"], "no engine"),
        (["pawn", "Pawn 3"], "Pawn 3 has two ratings"),
    ],
)
def test_an_anchor_is_one_engine(names: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        anchored(*names)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sprt", "0", "5"], "--sprt needs two engines"),
        (["--anchor", "nobody=5"], "no engine is called 'nobody'"),
        (["--anchor", "stub=5"], "more than one engine is called 'stub'"),
        (["--anchor", "5"], "'5' is not NAME=ELO"),
        (["--depth", "2", "--odds", "3:2"], "a depth is not divided"),
        (["--option", "9:Score=1"], "there is no engine 9"),
        (["--option", "Score=1"], "'Score=1' is not N:NAME=VALUE"),
        (["--json", "table.txt"], "--json"),
    ],
)
def test_what_is_refused(
    words: list[str], said: str, stub: Stub, few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = [stub("plain"), stub("losing"), stub("cheating")]
    limit = [] if "--depth" in words else ["--nodes", "1"]
    assert tournament(few, engines, *limit, "--games", "2", *words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_engines_of_both_protocols(
    stub: Stub,
    few: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [" ".join(real_engine(name)) for name in ("stockfish", "fairymax")]
    table = tmp_path / "table.json"
    words = ["--movetime", "30", "--games", "2", "--json", str(table)]
    assert tournament(few, names, *words) == 0
    out = capsys.readouterr().out
    assert "Stockfish" in out and "Fairy-Max" in out
    engines = json.loads(table.read_text())["engines"]
    assert sum(sum(engine["failures"].values()) for engine in engines) == 0
    assert tournament(few, names, "--nodes", "5", "--games", "2") == 2
    assert "fairymax: it knows no limit of nodes" in capsys.readouterr().err
    deaf = [stub("plain"), stub("silent")]
    monkeypatch.setattr("boomslang.engine.match.naming._PROBE_TIMEOUT", 3.0)
    assert tournament(few, deaf, "--depth", "5", "--games", "2") == 2
    assert "knows no limit of depth" in capsys.readouterr().err


def test_a_match_in_a_program(stub: Stub, few: Path, tmp_path: Path) -> None:
    engines = stub("plain"), stub("losing")
    given: dict[str, Any] = {"games": 4, "openings": few, "out": tmp_path / "match.jsonl"}
    options = ({"Score": 7},)

    async def within_a_loop() -> dict[str, Any]:
        return boomslang.play_match(*engines, nodes=5, options=options, **given)

    found = asyncio.run(within_a_loop())
    assert [engine["won"] for engine in found["engines"]] == [2, 0]
    assert "Score=7" in found["engines"][0]["name"] and len(found["games"]) == 4
    assert boomslang.play_match(*engines, nodes=5, options=options, **given) == found
    with pytest.raises(ValueError, match="has no option 'Elo'"):
        boomslang.play_match(*engines, nodes=5, options=({"Elo": 1},))


@pytest.mark.parametrize(
    ("wrong", "problem", "told"),
    [
        (
            {"nodes": 4, "odds": 5},
            boomslang.CommandError,
            "odds: an engine would get less than one",
        ),
        ({"nodes": 5, "odds": [2, 8]}, boomslang.CommandError, "odds: an engine would get less"),
        ({"nodes": 5, "odds": [2]}, boomslang.CommandError, "odds has one number for each engine"),
        (
            {"nodes": 5, "odds": [2, "3"]},
            TypeError,
            "odds is a number from 0.001 to 1000, or a seq",
        ),
        ({"nodes": 5, "depth": 3}, boomslang.CommandError, "nodes and depth exclude each other"),
        (
            {"depth": 5, "odds": 2},
            boomslang.CommandError,
            "odds: a depth is not divided; use nodes",
        ),
        ({"nodes": 5, "options": [{}, {}, {}]}, boomslang.CommandError, "more mappings than"),
        ({"nodes": 5, "python": "python"}, boomslang.CommandError, "python needs an agent"),
    ],
)
def test_programs_are_told_of_wrong_arguments(
    wrong: dict[str, Any], problem: type[Exception], told: str
) -> None:
    with pytest.raises(problem, match=told):
        boomslang.play_match(sys.executable, sys.executable, **wrong)


def test_programs_are_told_of_engines_that_are_none() -> None:
    with pytest.raises(boomslang.CommandError, match="nosuch: it cannot be started"):
        boomslang.play_match(sys.executable, "nosuch", nodes=5)
    with pytest.raises(TypeError, match="engines is a sequence, each the command of an engine"):
        boomslang.play_match(sys.executable, 5, nodes=5)  # type: ignore[arg-type]
    with pytest.raises(boomslang.CommandError, match="two engines or more"):
        boomslang.play_match(sys.executable)


def unsealed(journal: Path) -> str:
    """Its text without checksums, as another program may write it."""
    return re.sub(r', "crc32": "\w+"', "", journal.read_text())


@pytest.mark.parametrize("damage", ['"players": [0, 7]', '"players": [1, 0]'])
def test_a_pair_of_other_players_is_damaged(
    stub: Stub, few: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = few.with_name("match.jsonl")
    words = ["--nodes", "1", "--games", "2", "--out", str(out)]
    assert tournament(few, [stub("plain"), stub("losing")], *words) == 1
    out.write_text(unsealed(out).replace('"players": [0, 1]', damage))
    assert tournament(few, [stub("plain"), stub("losing")], *words) == 2
    assert "line 2 is damaged" in capsys.readouterr().err


def test_a_journal_with_an_illegal_move_makes_no_pgn(
    stub: Stub, few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, pgn = few.with_name("match.jsonl"), few.with_name("match.pgn")
    words = ["--nodes", "1", "--games", "2", "--out", str(out)]
    engines = [stub("plain"), stub("losing")]
    assert tournament(few, engines, *words) == 1
    out.write_text(
        re.sub(r'"games": \[\{"moves": \["\w+"', '"games": [{"moves": ["h1h8"', unsealed(out))
    )
    assert tournament(few, engines, *words, "--pgn", str(pgn)) == 2
    assert "pair 1 of the journal is damaged" in capsys.readouterr().err
    assert not pgn.exists()
