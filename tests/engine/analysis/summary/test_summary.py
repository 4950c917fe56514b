"""Summaries of a player's games."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from boomslang.cli.analysis.exercises import command as exercises
from boomslang.cli.analysis.summary import command
from boomslang.cli.analysis.summary.command import show_summary
from boomslang.engine.analysis.assessment import GameReport, assess
from boomslang.engine.analysis.export import write_document
from boomslang.engine.analysis.phases import Phase
from boomslang.engine.analysis.reason import read_reason
from boomslang.engine.analysis.summary.figures import figures_of
from boomslang.engine.analysis.summary.mistakes import MistakeKind, kind_of
from boomslang.engine.analysis.summary.summary_page import render
from boomslang.engine.analysis.summary.totals import summary
from boomslang.engine.analysis.win_percent import Judgement
from boomslang.engine.analyst import Evaluation
from boomslang.engine.notation.players import find_most_frequent
from tests.support.analysed import ANNOTATED, SETTINGS, game_of, info_of, report_of

pytestmark = pytest.mark.jit_only  # the model of people's moves
TIMED = """\
[White "jane  doe"]
[Black "Roe & Sons"]
[Result "1/2-1/2"]
[TimeControl "60"]

1. e4 {[%clk 0:00:05]} e5 2. Qh5 {[%clk 0:00:04]} Nc6 3. Bc4 {[%clk 0:00:03]} Nf6 4. a3 {[%clk 0:00:02]} *
"""
LOST = '[White "Solo"]\n[Result "0-1"]\n\n1. d4 d5 *'


def reports() -> list[GameReport]:
    named = ANNOTATED.replace("Doe, \x1b[31mJane <b>", "Jane Doe")
    return [report_of(game_of(pgn)) for pgn in (named, TIMED, LOST)]


def line(score: int | chess.engine.Score, *moves: str) -> Evaluation:
    if isinstance(score, int):
        return Evaluation((info_of(score, None, (0, 1000, 0), 1, moves),), 1)
    return Evaluation((info_of(None, score.mate(), (0, 1000, 0), 1, moves),), 1)


ROOK = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1"
ROOKS = "4k3/8/8/8/3r4/8/3R4/4K3 w - - 0 1"
MATE = chess.engine.Mate(3)
# The position, the move, and lines before and after it.
MISTAKES = [
    # The queen takes a protected pawn.
    ("4k3/3p4/4p3/8/8/8/4Q3/4K3 w - - 0 1", "e2e6", line(500, "e1d2"), line(300, "d7e6", "e1d2"),
     MistakeKind.LOST_MATERIAL),
    # A rook could be taken.
    (ROOKS.replace("R", "Q"), "e1f1", line(900, "d2d4", "e8e7"), line(0, "d4d2"),
     MistakeKind.LOST_MATERIAL),
    (ROOKS, "d2h2", line(500, "d2d4", "e8e7"), line(0, "e8e7"), MistakeKind.MISSED_MATERIAL),
    (ROOK, "d2h2", line(500, "d2d4", "e8e7"), line(0, "e8e7"), MistakeKind.OTHER),
    (ROOK, "d2h2", line(MATE, "d2d4"), line(0, "e8e7"), MistakeKind.MISSED_MATE),
    (ROOK, "d2h2", line(0, "d2d4"), line(MATE, "e8e7"), MistakeKind.ALLOWED_MATE),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "move", "before", "after", "kind"), MISTAKES)
def test_kinds_of_mistakes(
    fen: str, move: str, before: Evaluation, after: Evaluation, kind: MistakeKind
) -> None:
    board = chess.Board(fen)
    game = game_of(f'[FEN "{fen}"]\n\n1. {board.san(chess.Move.from_uci(move))} *')
    (report,) = assess(game, (before, after)).moves
    assert report and report.judgement and kind_of(report) == kind


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Loses the knight on c3: 6... dxc3 7. Nd5.", "lost material"),
        ("Misses the win of the rook on a8: 1. Nc7+ forks king and rook, 1... Kd7 2. Nxa8.",
         "missed material: fork"),
        ("Leaves the pawn on d5 to one defender against two: 6... Bxd5.",
         "lost material: defence given up"),
        ("Misses the trade of queens: 17... Qh6 18. Qxh6+ Nxh6.", "wrong trade"),
        ("Allows mate in 1 on the back rank: 2. Ra8#.", "allowed a mate: back rank"),
        ("Misses stalemate: 1... Ra6+ 2. Kg5 Rg6+ 3. Qxg6.", "allowed or missed a draw"),
        ("Does nothing against 15. Nxe5.", "overlooked a threat"),
        ("Terrible, as everybody knows.", "other"),
    ],
)  # fmt: skip
def test_a_sentence_is_counted_by_its_kind(sentence: str, kind: str) -> None:
    """As an annotated game has it; words that are not ours are no reason."""
    board = chess.Board(ROOK)
    (move,) = assess(
        game_of(f'[FEN "{ROOK}"]\n\n1. Rh2 *'), (line(500, "d2d4", "e8e7"), line(0, "e8e7"))
    ).moves
    assert move and board.is_legal(move.move)
    assert kind_of(replace(move, reason=read_reason(sentence))) == kind


def test_figures_and_totals() -> None:
    figures = [part for report in reports() for part in figures_of(report)]
    assert find_most_frequent([part.player for part in figures]) == ["Roe & Sons"]
    assert find_most_frequent([]) == [] and find_most_frequent(["b", "?", "a", "B", "b"]) == ["b"]
    assert find_most_frequent(["A", "C", "B"], {"A"}) == ["B", "C", "A"]
    own = [part for part in figures if part.player == "Roe & Sons"]
    data = summary("Roe & Sons", own)
    assert (
        data["total"] | {"games": 2, "wins": 0, "draws": 1, "losses": 1, "score": 25.0}
        == data["total"]
    )
    assert data["colours"]["white"]["games"] == 0 and data["colours"]["white"]["score"] is None
    assert [(row["name"], row["games"]) for row in data["openings"]] == [("King's Pawn Game", 2)]
    moves = sum(part.phases[Phase.OPENING].moves for part in own)
    assert data["phases"]["opening"]["moves"] == moves == 6
    assert data["phases"]["endgame"] == {
        "games": 0,
        "moves": 0,
        "accuracy": None,
        "judgements": {"inaccuracy": 0, "mistake": 0, "blunder": 0},
        "errors_per_100_moves": None,
        "chance_loss_per_move": None,
    }
    judged = sum(sum(counts.values()) for counts in data["kinds"].values())
    assert judged == sum(sum(part.kinds.values()) for part in own) > 0
    assert own[0].kinds[MistakeKind.ALLOWED_MATE, Judgement.BLUNDER] == 1
    assert data["time_trouble"] is None  # Black's clock is not in the game
    white = summary("jane doe", [part for part in figures if part.player == "jane doe"])
    assert white["time_trouble"]["moves"] == 3 and white["time_trouble"]["games"] == 1


@pytest.mark.parametrize(
    ("result", "points"),
    [("1-0", (1, 0)), ("0-1", (0, 1)), ("0-0", (0, 0)), ("1/2-0", (0.5, 0)), ("*", (None, None))],
)
def test_points_of_a_result(result: str, points: tuple[float | None, float | None]) -> None:
    report = report_of(game_of(f'[Result "{result}"]\n\n1. e4 e5 *'))
    figures = figures_of(report)
    assert tuple(part.points for part in figures) == points
    unfinished = "1 game without a result: not in the score." in render(
        summary("?", figures[:1]), Path()
    )
    assert unfinished == (points == (None, None))


def test_different_rules_of_winning_chances_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    report = reports()[0]
    same = [figures_of(report)[0]] * 2
    mixed = summary("Jane", [*same, figures_of(replace(report, by_wdl=True))[0]])
    show_summary(mixed)
    told = "as the engine says them in 1 of the games and the curve of Lichess in 2 of the games."
    assert told in " ".join(capsys.readouterr().out.split()) and told in render(mixed, Path())
    assert "chances follow the curve of Lichess." in render(summary("Jane", same), Path())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    Path("games.json").write_text("".join(write_document(reports(), SETTINGS)), encoding="utf-8")
    return tmp_path


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["games.json", "--player", "JANE doe", "-o", "jane"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Jane Doe, 2 games") and shown.splitlines()[-2:] == [
        "jane.json",
        "jane.html",
    ]
    assert shown.count("Errors: inaccuracies, mistakes and blunders.") == 1
    assert "King's Pawn Game" in " ".join(shown.replace("│", " ").split()) and "…" not in shown
    data = json.loads(Path("jane.json").read_text("utf-8"))
    assert data["player"] == "Jane Doe" and data["total"]["games"] == 2
    page = Path("jane.html").read_text("utf-8")
    assert page == render(data, Path()) and "<script" not in page and "Time trouble" in page


def test_games_are_linked(folder: Path) -> None:
    """To the report beside the analysis, which may be anywhere; without one to the game's own address."""
    sites = ("https://lichess.org/abcd1234", "javascript:alert(1)", 'https://x.org/"><b>', "Paris")
    games = [game_of(f'[White "Solo"]\n[Site "{site}"]\n\n1. d4 d5 *') for site in sites[:2]]
    games += [game_of(LOST) for _ in sites[2:]]
    for game, site in zip(games, sites, strict=True):
        game.headers["Site"] = site
    text = "".join(write_document(map(report_of, games), SETTINGS))
    Path("a club").mkdir()
    Path("a club/all#1.json").write_text(text, encoding="utf-8")

    def links() -> list[str]:
        assert command.main(["a club/all#1.json", "--player", "solo", "-o", "solo.html"]) == 0
        rows = Path("solo.html").read_text("utf-8").partition("<h2>Games</h2>")[2].split("<tr>")[2:]
        assert len(rows) == len(sites)
        found = [re.search(r'<a href="([^"]*)">', row) for row in rows]
        return [html.unescape(match[1]) if match else "" for match in found]

    assert links() == [sites[0], "", sites[2], ""]
    Path("a club/all#1.html").touch()
    assert links() == [f"a%20club/all%231.html#{number}" for number in range(1, 5)]


def test_the_tables_fit_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    data = summary("Jane Doe", [figures_of(reports()[0])[0]])
    most = {"games": 1000, "wins": 1000, "draws": 1000, "losses": 1000, "errors_per_game": 10.0}
    most |= dict.fromkeys(
        ("score", "accuracy", "average_centipawn_loss", "opening_accuracy"), 100.0
    )
    for row in (*data["colours"].values(), data["total"], *data["openings"]):
        row.update(most)
    show_summary(data)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in ("White", "Black", "Both", "Opening", "C20 King's Pawn", "Middlegame"):
        assert any(line.startswith(f"│ {name} ") for line in lines), name


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("kasparov", "Garry Kasparov"),
        ("Garry Kasparow", "Garry Kasparov"),
        ("Kasparov, Garry", "Garry Kasparov"),
        ("déép blu", "Déép Blue (Computer)"),
        ("Nobody", None),
    ],
)
def test_a_player_that_may_have_been_meant(
    wanted: str, meant: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.json"
    game = '[White "Garry Kasparov"]\n[Black "Déép Blue (Computer)"]\n\n1. e4 e5 *'
    path.write_text("".join(write_document([report_of(game_of(game))], SETTINGS)), encoding="utf-8")
    own = ["add", "--file", str(tmp_path / "own.json")]
    for main, before in ((command.main, []), (exercises.main, own)):
        assert main([*before, str(path), "--player", wanted]) == 2
        told = f"did you mean {meant}?" if meant else "most games are of 'Garry Kasparov'"
        assert capsys.readouterr().err.endswith(f"{told}\n")


@pytest.mark.parametrize(
    ("tags", "chosen"),
    [
        ({"White": "Deep Blue (Computer)", "Black": "Garry Kasparov"}, "Garry Kasparov"),
        ({"White": "A", "Black": "B", "WhiteType": "program"}, "B"),
        ({"White": "A", "Black": "B", "WhiteTitle": "BOT"}, "B"),
        ({"White": "Boomslang", "Black": "you"}, "you"),
        ({"White": "lichess AI level 3", "Black": "you"}, "you"),
        ({"White": "Abbott", "Black": "Aida"}, "Abbott"),
    ],
)
def test_in_a_tie_a_person_is_meant(
    tags: dict[str, str], chosen: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.json"
    game = game_of(
        "\n".join(f'[{name} "{value}"]' for name, value in tags.items()) + "\n\n1. e4 e5 *"
    )
    path.write_text("".join(write_document([report_of(game)], SETTINGS)), encoding="utf-8")
    assert command.main([str(path)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"{chosen}, 1 game") and "--player chooses" in err


def test_a_folder_stands_for_its_results(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = Path("games.json")
    text = games.read_text("utf-8")
    Path("club").mkdir()
    games.rename("club/games-analysed.json")
    for name in ("games.pgn", "games-analysed.pgn"):  # what it is made of, and its copy
        Path("club", name).write_text("1. e4 {[%eval 0.2]} e5 {[%eval 0.1]} *\n")
    Path("club/other.PGN").write_text('[White "Jane Doe"]\n\n1. e4 {[%eval 0.2]} *\n')
    Path("club/club-analysed.json").write_text(text, "utf-8")  # of the whole folder
    Path("club/exercises.json").write_text('{"format": 1, "exercises": []}')
    assert command.main(["club", "--player", "Jane Doe", "-o", "club/jane"]) == 0
    assert capsys.readouterr().out.startswith("Jane Doe, 3 games")
    assert command.main(["club", "--player", "Jane Doe"]) == 0  # its own results are no games
    assert capsys.readouterr().out.startswith("Jane Doe, 3 games")
    assert command.main(["club", "-o", "club/games-analysed.json"]) == 2
    assert Path("club/games-analysed.json").read_text("utf-8") == text
    Path("empty").mkdir()
    assert command.main(["empty"]) == 2
    assert "'empty' has no results of boomslang analyse" in capsys.readouterr().err


def test_names_are_no_markup() -> None:
    report = report_of(game_of('[White "<b>\x1b[31m & co"]\n\n1. e4 *'))
    page = render(summary("<b>\x1b[31m & co", [figures_of(report)[0]]), Path())
    assert "&lt;b&gt;?[31m &amp; co" in page and "<b>" not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["games.json", "--player", "Nobody"],
            "no game of a player 'Nobody'; most games are of 'Roe",
        ),
        (["plain.pgn"], "no analysed game in 'plain.pgn'; first: boomslang analyse FILE"),
        (["games.json", "-o", "games.json"], "games.json"),
        (["games.json", "-o", "games.pdf"], "games.pdf"),
        (["games.json", "-o", "."], "'.' names a folder: add the name of the files"),
    ],
)
def test_bad_usage(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("plain.pgn").write_text("1. e4 e5 *\n")
    assert command.main(arguments) == 2
    (text,) = capsys.readouterr().err.splitlines()
    assert text.startswith("boomslang summary: ") and message in text
