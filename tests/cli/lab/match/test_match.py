"""`boomslang match`: games are counted, kept and refereed as they happened."""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import chess.pgn
import pytest
from filelock import FileLock

from boomslang.cli.lab.match.command import main
from boomslang.engine.match.engine_spec import EngineSpec, engine_process, parse_engine
from boomslang.engine.match.match_game import TimeControl, play
from boomslang.engine.match.opening import Opening, by_chance, read
from boomslang.engine.match.play_match import play_match
from boomslang.engine.other_engines import engine_process as engine_process_module
from boomslang.engine.other_engines.engine_runner import EngineRunner
from tests.support.places import ROOT

Stub = Callable[[str], str]


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


# Moves a pawn of the edge, and resigns with the second search since it was started.
CECP_ENGINE = """\
import sys
searches = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "protover":
        print("feature ping=1 setboard=1 usermove=0 done=1")
    elif word == "new":
        moves = 0
    elif word == "ping":
        print("pong", *rest)
    elif word == "quit":
        break
    elif word == "a2a3":
        moves += 1
    elif word == "go":
        searches += 1
        print("resign" if searches == 2 else "move a7a6" if moves else "move a2a3")
    sys.stdout.flush()
"""


def test_an_engine_by_cecp_remembers_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process_module, "_OTHER_PROTOCOL_AFTER", 0.2)
    script = tmp_path / "old.py"
    script.write_text(CECP_ENGINE)
    engine = shlex.join([sys.executable, str(script)])
    start = tmp_path / "start.epd"
    start.write_text(chess.STARTING_FEN)
    found = play_match(engine, engine, depth=1, games=2, openings=start)
    games = [chess.pgn.read_game(io.StringIO(text)) for text in found["games"]]
    assert [str(game.mainline_moves()) for game in games if game] == ["1. a3 a6"] * 2
    assert [game.headers["Termination"] for game in games if game] == ["resigned"] * 2
    assert not any(any(each["failures"].values()) for each in found["engines"])


def test_a_record_of_another_match_is_refused(
    stub: Stub, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    words = [stub("plain"), stub("plain"), "--openings", str(few), "--out", str(out)]
    assert main([*words, "--nodes", "1", "--games", "2"]) == 0
    before = out.read_bytes()
    for others in (["--nodes", "2"], ["--nodes", "1", "--seed", "2"], ["--movetime", "1"]):
        capsys.readouterr()
        assert main([*words, *others, "--games", "2"]) == 2
        assert "belongs to another run, which differs in" in capsys.readouterr().err
    assert out.read_bytes() == before
    program = Path(shlex.split(words[0])[1])
    program.write_text((text := program.read_text()) + "\n# another version\n")
    assert main([*words, "--nodes", "1", "--games", "2"]) == 2  # a script that an interpreter reads
    program.write_text(text)
    whole = out.read_bytes()
    out.write_bytes(whole[:-30])  # a kill has left half a line
    assert main([*words, "--nodes", "1", "--games", "2"]) == 0
    assert out.read_bytes().splitlines()[0] == whole.splitlines()[0] and len(lines(out)) == 2
    out.write_bytes(before.replace(b'"reason"', b'"raeson"'))
    assert main([*words, "--nodes", "1", "--games", "4"]) == 2
    assert "line 2 is damaged" in capsys.readouterr().err
    assert out.read_bytes() == before.replace(b'"reason"', b'"raeson"')
    with FileLock(tmp_path / "out.jsonl.lock"):
        assert main([*words, "--nodes", "1"]) == 2
    assert "another command is writing" in capsys.readouterr().err
    out.write_text("a diary\n")
    assert main([*words, "--nodes", "1"]) == 2
    assert out.read_text() == "a diary\n"


@pytest.mark.parametrize(
    ("manner", "told"),
    [
        ("crashing", "2 crash"),
        ("slow", "2 time"),
        ("cheating", "2 illegal move"),
        ("passing", "2 no move"),
    ],
)
def test_an_engine_that_fails_loses(
    stub: Stub, few: Path, capsys: pytest.CaptureFixture[str], manner: str, told: str
) -> None:
    words = [stub("plain"), stub(manner), "--clock", "0.3+0", "--games", "2", "--seed", "3"]
    assert main([*words, "--openings", str(few)]) == (manner != "slow")
    out = capsys.readouterr().out
    assert told in out and "+2 =0 -0" in out


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_full_disk_is_named_below_the_table(
    stub: Stub, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import resource

    out, before = tmp_path / "out.jsonl", resource.getrlimit(resource.RLIMIT_FSIZE)
    words = [
        stub("plain"),
        stub("crashing"),
        "--nodes",
        "1",
        "--openings",
        str(few),
        "--out",
        str(out),
    ]
    assert main([*words, "--games", "2"]) == 1
    capsys.readouterr()
    resource.setrlimit(resource.RLIMIT_FSIZE, (out.stat().st_size + 90, before[1]))
    try:
        assert main([*words, "--games", "4"]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    said = capsys.readouterr()
    assert f"cannot write '{out}': " in said.err and "+2 =0 -0" in said.out
    assert main([*words, "--games", "4"]) == 1


def test_a_name_is_shown_in_its_own_letters(
    stub: Stub, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "Дракон ♞ Größe"
    first, second = stub("plain"), stub("crashing")
    program = tmp_path / "plain.py"
    utf8 = "import sys; sys.stdout.reconfigure(encoding='utf-8')\n"
    program.write_text(utf8 + program.read_text().replace("Stub", f"{name} \x1b[1m"), "utf-8")
    pgn, table = tmp_path / "games.pgn", tmp_path / "table.json"
    words = ["--nodes", "1", "--games", "2", "--pgn", str(pgn), "--json", str(table)]
    assert main([first, second, "--openings", str(few), *words]) == 1
    assert f"{name} ?[1m" in capsys.readouterr().out
    assert f'[White "{name} ?[1m' in pgn.read_text("utf-8")
    assert json.loads(table.read_text())["engines"][0]["name"].startswith(f"{name} ?[1m")


def test_a_silent_engine_stalls(
    stub: Stub, few: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boomslang.engine.match.match_game._TIMEOUT", 1.5)
    # Whose time is up does not depend on a second reading of the clock.
    monkeypatch.setattr(
        "boomslang.engine.match.match_game.time", SimpleNamespace(monotonic=lambda: 0.0)
    )
    words = [stub("plain"), stub("silent"), "--clock", "0.2+0", "--games", "2"]
    assert main([*words, "--openings", str(few)]) == 1
    out = capsys.readouterr().out
    assert "2 stall" in out and "+2 =0 -0" in out


def test_an_engine_that_does_not_restart_loses(
    stub: Stub, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [stub("plain"), stub("crashing"), "--nodes", "1", "--games", "4"]
    program = tmp_path / "crashing.py"
    source = program.read_text()
    flag = tmp_path / "flag"
    program.write_text(
        f"import os, sys\nif os.path.exists({str(flag)!r}):\n    sys.exit(1)\n"
        + source.replace("sys.exit(1)", f"open({str(flag)!r}, 'w').close(); sys.exit(1)")
    )
    assert main([*words, "--openings", str(few)]) == 1
    out = capsys.readouterr().out
    assert "4 crash" in out and "+4 =0 -0" in out


@pytest.mark.parametrize(("sprt", "games"), [(["0", "50"], range(4, 60)), (None, [6])])
def test_a_clear_match_ends_early(
    stub: Stub, tmp_path: Path, sprt: list[str] | None, games: list[int] | range
) -> None:
    openings = tmp_path / "short.epd"
    # White mates next move, Black crashes when it is its turn; then it crashes as White.
    openings.write_text("7k/Q7/6K1/8/8/8/8/8 b - - 0 1\n")
    out = tmp_path / "out.jsonl"
    words = [stub("plain"), stub("losing"), "--nodes", "1", "--openings", str(openings)]
    openings.write_text("6k1/R7/6K1/8/8/8/8/8 w - - 0 1\n6K1/r7/6k1/8/8/8/8/8 b - - 0 1\n")
    limits = ["--sprt", *sprt] if sprt else []
    most = "60" if sprt else "6"
    assert main([*words, "--games", most, "--out", str(out), *limits]) == 1
    assert 2 * len(lines(out)[1:]) in games
    for low, high in (("5", "0"), ("0", "inf"), ("-inf", "0"), ("nan", "5")):
        assert main([*words, "--sprt", low, high]) == 2


def test_the_same_engine_twice_has_two_names(
    stub: Stub, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, pgn = stub("plain"), tmp_path / "games.pgn"
    words = [plain, plain, "--nodes", "1", "--games", "2", "--openings", str(few)]
    assert main([*words, "--pgn", str(pgn)]) == 0
    out = capsys.readouterr().out
    assert "(plain, first)" in out and "(plain, second)" in out
    assert "+/- ?: too few pairs" in out
    with pgn.open() as file:
        headers = chess.pgn.read_headers(file)
    assert headers and headers["White"] != headers["Black"]


def test_games_as_pgn(stub: Stub, few: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    words = [stub("plain"), stub("plain"), "--nodes", "1", "--openings", str(few)]
    assert main([*words, "--other", "Score=7", "--games", "4", "--pgn", str(path)]) == 0
    with path.open() as file:
        games = [game for _ in range(4) if (game := chess.pgn.read_game(file))]
    assert [game.headers["White"] == games[0].headers["White"] for game in games] == [
        True, False, True, False,
    ]  # fmt: skip
    assert "Score=7" in games[0].headers["Black"]
    assert all(not game.errors and game.headers["Result"] != "*" for game in games)
    assert {"SetUp" in game.headers for game in games} == {True, False}


@pytest.mark.parametrize(
    ("limit", "first", "second"),
    [
        (["--nodes", "10"], range(10, 11), range(4, 5)),
        (["--clock", "1000+1"], range(900_000, 1_200_001), range(360_000, 480_001)),
    ],
)
def test_odds(
    limit: list[str], first: range, second: range, stub: Stub, few: Path, tmp_path: Path
) -> None:
    """The stub tells as its nodes what it was given: how many, or the clock in milliseconds."""
    out, games = tmp_path / "out.jsonl", tmp_path / "games.pgn"
    words = [stub("plain"), stub("plain"), *limit, "--odds", "2.5", "--openings", str(few)]
    assert main([*words, "--games", "2", "--out", str(out), "--pgn", str(games)]) == 0
    assert "odds 2.5)" in games.read_text()
    (pair,) = lines(out)[1:]
    played: Any = pair["games"]
    for game, given in zip(played, ((first, second), (second, first)), strict=True):
        for effort, allowed in zip(game["efforts"], given, strict=True):
            assert round(effort["nodes"] / effort["moves"]) in allowed
    assert main([*words[:-3], "2", *words[-2:], "--out", str(out)]) == 2  # another match


def test_chess960_is_played_as_such(stub: Stub, tmp_path: Path) -> None:
    openings, games = tmp_path / "960.epd", tmp_path / "games.pgn"
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    openings.write_text(f"{fen}\n")
    (opening,) = read(openings, print)
    assert opening.chess960 and opening.board().shredder_fen() == fen
    words = [stub("plain"), stub("plain"), "--nodes", "1", "--games", "2"]
    assert main([*words, "--openings", str(openings), "--pgn", str(games)]) == 1
    with games.open() as file:
        game = chess.pgn.read_game(file)
    assert game and game.board().chess960 and not game.errors


def test_an_engine_is_known_by_what_it_is_made_of(tmp_path: Path) -> None:
    ours = parse_engine(".", {})
    assert ours.digest == parse_engine(".", {"Hash": "1"}).digest
    network = tmp_path / "tried.net"
    network.write_bytes(b"one")
    first = parse_engine("@HEAD", {"EvalFile": str(network)}).digest
    network.write_bytes(b"other")
    assert first != parse_engine("@HEAD", {"EvalFile": str(network)}).digest
    assert str(ROOT / "cli" / "__main__.py") in ours.command
    script = tmp_path / "mine.py"
    script.write_text("one")
    mine = parse_engine(shlex.join([sys.executable, str(script)]), {}).digest
    script.write_text("other")
    assert mine != parse_engine(shlex.join([sys.executable, str(script)]), {}).digest


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([sys.executable, "-u", "BOT"], "mybot"),
        ([sys.executable, "-m", "package.bot", "BOT"], "package.bot"),
        ([sys.executable, "--version"], Path(sys.executable).stem),
        (["cat", "BOT"], "cat"),
    ],
)
def test_an_engine_is_called_after_its_script(words: list[str], name: str, tmp_path: Path) -> None:
    bot = tmp_path / "mybot.py"
    bot.write_text("pass")
    command = " ".join(str(bot) if word == "BOT" else word for word in words)
    assert parse_engine(command, {}).name == name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([".", ".", "--pgn", "/no/such/g.pgn"], "g.pgn"),
        ([".", "@no-such-revision"], "@no-such-revision: git: "),
        ([".", "/no/such/engine"], "engine: "),
        ([".", " "], "' ' is not the command of an engine"),
        ([".", ".", "--clock", "8"], "is not BASE+INCREMENT"),
        ([".", ".", "--one", "Hash"], "is not NAME=VALUE"),
        ([".", ".", "--odds", "0"], "'0' is not X or N:X, X a number from 0.001 to 1000"),
        ([".", ".", "--odds", "2:"], "'2:' is not X or N:X, X a number from 0.001"),
        ([".", ".", "--odds", "3:2"], "--odds: there is no engine 3"),
        (["."], "a match needs two engines or more"),
        ([".", ".", "--games", "3"], "'3' is not an even number from 2"),
    ],
)
def test_what_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--nodes", "1"] if "--clock" not in words else words) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_every_engine_may_have_its_own_odds(stub: Stub, few: Path, tmp_path: Path) -> None:
    out, games = tmp_path / "out.jsonl", tmp_path / "games.pgn"
    words = [stub("plain")] * 3 + ["--gauntlet", "--nodes", "12", "--openings", str(few)]
    odds = ["--odds", "1:6", "--odds", "9", "--odds", "3", "--odds", "3:0.5"]
    assert main([*words, *odds, "--games", "4", "--out", str(out), "--pgn", str(games)]) == 0
    header, *pairs = lines(out)
    assert header["odds"] == [6.0, 3.0, 0.5] and "odds 6)" in games.read_text()
    for pair in pairs:
        players: Any = pair["players"]
        played: Any = pair["games"]
        for game, seats in zip(played, (players, players[::-1]), strict=True):
            for effort, seat in zip(game["efforts"], seats, strict=True):
                assert effort["nodes"] == effort["moves"] * (2, 4, 24)[seat]


def test_games_end_by_the_rules(stub: Stub) -> None:
    spec = EngineSpec("stub", tuple(shlex.split(stub("plain"))))
    engines = engine_process(spec), engine_process(spec)
    runner = EngineRunner(*(engine.close for engine in engines))
    for fen, moves, result, reason in (
        ("7k/5K2/6Q1/8/8/8/8/8 w - - 0 1", ("g6g7",), 1, "checkmate"),
        ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", ("g5g6",), 0, "stalemate"),
        ("8/8/4k3/8/8/4K3/8/4n3 w - - 0 1", ("e3e4",), 0, "insufficient material"),
        ("8/8/4k3/8/8/4K3/4R3/8 w - - 99 80", ("e2d2",), 0, "fifty moves"),
        (chess.STARTING_FEN, ("g1f3", "g8f6", "f3g1", "f6g8") * 2, 0, "repetition"),
    ):
        game = runner.run(play(engines, Opening(fen, moves), (TimeControl(nodes=1),) * 2))
        assert (game.result, game.reason, game.moves) == (result, reason, list(moves))


@pytest.mark.jit_only
def test_openings_of_chance_are_fair_and_the_same_again(kernels: None) -> None:
    find = by_chance(5)
    opening = find(3)
    assert opening == by_chance(5)(3) != find(4)
    board = opening.board()
    assert board.ply() in (8, 9) and not board.is_game_over()


@pytest.mark.slow
@pytest.mark.jit_only
@pytest.mark.timeout(900)
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a repository")
def test_this_version_against_its_last_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOOMSLANG_CACHE_DIR", str(tmp_path / "cache"))
    forgotten, recent = (tmp_path / "cache" / "commits" / name for name in ("forgotten", "recent"))
    for folder, days in ((forgotten, 31), (recent, 29)):
        folder.mkdir(parents=True)
        os.utime(folder, (then := time.time() - days * 86400, then))
    contestant = parse_engine("@HEAD", {})
    assert len(contestant.commit) == 40
    assert main([".", "@HEAD", "--nodes", "300", "--games", "4", "--jobs", "2"]) == 0
    out = capsys.readouterr().out
    assert "(this version)" in out and "(@HEAD)" in out
    assert (tmp_path / "cache" / "commits" / contestant.commit / "engine").is_dir()
    assert recent.exists() and not forgotten.exists()
    used = tmp_path / "cache" / "commits" / contestant.commit
    os.utime(used, (then, then - 30 * 86400))
    engine_process(contestant)
    assert time.time() - used.stat().st_mtime < 3600
