"""Untrusted text split into games: none cut, none lost, none read from a wrong position."""

from __future__ import annotations

import os
from pathlib import Path

import chess
import pytest

from boomslang.core.system.files import FileError
from boomslang.engine.notation.pgn import InputGame, games_of_text, read_games
from boomslang.engine.notation.pgn_writer import format_pgn
from boomslang.engine.notation.scanner import MAX_GAME
from tests.support.analysed import ANNOTATED, CHESS960

FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def told(text: str) -> list[tuple[str, str]]:
    """For each game its moves, and what is wrong with it."""
    return [
        (" ".join(move.uci() for move in entry.game.mainline_moves()), "; ".join(entry.problems))
        for entry in games_of_text(text)
    ]


def moves(text: str) -> list[str]:
    """The moves of games with which nothing is wrong."""
    found = told(text)
    assert not any(problem for _, problem in found), found
    return [line for line, _ in found]


def read(path: Path, content: str | bytes) -> list[InputGame]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_games(path))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.pgn"


def test_lines_and_numbers(path: Path) -> None:
    games = read(path, "\n\n" + ANNOTATED + "\n" + ANNOTATED)
    assert [(entry.number, entry.line) for entry in games] == [(1, 3), (2, 13)]
    assert all(entry.analysable and not entry.problems for entry in games)


# What is laid out otherwise, and well understood


@pytest.mark.parametrize("empty", ["\n", "\n\n", "\n\n\n\n", "\n \n\t\n"])
def test_empty_lines_mean_nothing(empty: str) -> None:
    lines = ['[White "A"]', f'[FEN "{FEN}"]', "1. e4 Kd7", "{ two", "lines }", "2. Kf2 1-0"]
    (entry,) = games_of_text(empty.join(lines))
    assert entry.game.headers["White"] == "A" and not entry.problems
    assert [move.uci() for move in entry.game.mainline_moves()] == ["e2e4", "e8d7", "e1f2"]


@pytest.mark.parametrize("between", ["\n", "\n\n", " ", "\n\n\n"])
@pytest.mark.parametrize("result", ["1-0", "*", "1/2-1/2", "½-½", "1–0", ""])
def test_tags_behind_moves_begin_a_game(between: str, result: str) -> None:
    one, two = games_of_text(f'1. d4 d5 {result}{between}[Event "Two"]\n[FEN "{FEN}"]\n1. e4')
    assert not one.problems and not two.problems and one.game.headers["Event"] == "?"
    assert [move.uci() for move in two.game.mainline_moves()] == ["e2e4"]
    assert two.game.headers["Event"] == "Two"


# By what is read, with a / between games.
ONE, TWO = "e2e4 e7e5", "e2e4 e7e5 / d2d4 d7d5"
READ = {
    **dict.fromkeys(
        ("1. e4 {a}\n\n1... e5", "1. e4 1. e5", "1 e4 e5", "e4 e5", "1. e4 () e5"), ONE
    ),
    **dict.fromkeys(
        ("1. e4 (0:05) e5 (0:07)", "1. e4 [%clk 0:05] e5", "1. e4! +/- $1 e5?? D"), ONE
    ),
    **dict.fromkeys(("1. e4, e5", "1.e4,e5", "1, e4 , e5,", "1.e4 e5.", "1. e4+- e5!=?"), ONE),
    **dict.fromkeys(("1. e4 2. e5", "1. e4 $1e5", "1. e4\0 e5 \ufeff"), ONE),
    '1. e4 ; it } goes\n\n% on [Event "no"]\n1... e5': ONE,
    **dict.fromkeys(
        ("1. e4 e5 1-0 1. d4 d5 *", "1. e4 e5 *\n1. d4 d5 *", "e4 e5 1-0\nd4 d5 0-1"), TWO
    ),
    **dict.fromkeys(("1. e4 e5\n\n1. d4 d5", "1. e4 e5\n1. d4 d5"), TWO),
    "1.e4 e5 {no end} *\n{a word between} 1.d4 d5": TWO,
    **{
        f"1. e4 {word} 2. d4 Z0 *": "e2e4 0000 d2d4 0000"
        for word in ("--", "null", "NULL", "<>", "z0", "--!?")
    },
    **{f'{text}[Event "a"]\n\n1. e4 *\n': "e2e4" for text in ("{\na word\n}\n", "; a word\n")},
    **{f'{text}[Event "a"]\n\n1. e4 *\n': "e2e4" for text in ('% [Event "x"]\n', "\ufeff\n")},
    '[Event "b"]\n\n[White "a"]\n\n[Black "c"]\n\n1. e4 *': "e2e4",
    '[Event "1"]\n\n[Event "2"]\n\n*\n\n[Event "3"]\n{ later }\n[Site "x"]\n\n1. e4 *': " /  / e2e4",
    f'[FEN "{FEN}"]\n\n31. e4 Kd7 32. Kf2 *': "e2e4 e8d7 e1f2",
    '1. e4 { see\n[Event "x"]\n\n and so on } e5 *': ONE,
}


@pytest.mark.parametrize("text", READ)
def test_games_however_they_are_written(text: str) -> None:
    assert " / ".join(moves(text)) == READ[text]


def test_several_tags_on_a_line_and_quotes_of_all_kinds() -> None:
    (entry,) = games_of_text(
        '[Event "a \\"b\\" c"] [Site "C:\\\\d"][Round "7"]\n[ White  "x" ]\n[Black "say "hi" there"]\n'
        '[Date “2020.??.??”]\n[Annotator Me]\n[Opening "two\nlines"]\n[Eco ""]\n1. e4 *'
    )
    assert not entry.problems
    headers = dict(entry.game.headers)
    assert headers.pop("Result") == "*"
    assert headers == {
        "Event": 'a "b" c',
        "Site": "C:\\d",
        "Date": "2020.??.??",
        "Round": "7",
        "White": "x",
        "Black": 'say "hi" there',
        "Annotator": "Me",
        "Opening": "two lines",
        "Eco": "",
    }
    (again,) = games_of_text(format_pgn(entry.game))
    assert dict(again.game.headers) == headers | {"Result": "*"}


def test_what_stands_in_the_tag_result_is_no_move() -> None:
    text = format_pgn(next(games_of_text('[Result "1. d4 {"]\n\n1. e4')).game)
    assert '[Result "1. d4 {"]' in text and text.endswith("1. e4 *") and moves(text) == ["e2e4"]


@pytest.mark.parametrize(
    ("tag", "behind", "result", "problems"),
    [
        ("1-0", "0-1", "1-0", ["the result is 1-0 in the tag and 0-1 behind the moves"]),
        ("1-0", "*", "1-0", []),
        ("1/2-1/2", "1/2-1/2", "1/2-1/2", []),
        ("*", "0-1", "0-1", []),
    ],
)
def test_results_that_contradict_each_other(
    tag: str, behind: str, result: str, problems: list[str]
) -> None:
    (entry,) = games_of_text(f'[Result "{tag}"]\n\n1. e4 e5 {behind}')
    assert entry.game.headers["Result"] == result and entry.problems == problems


def test_a_null_move_in_check_is_reported() -> None:
    (entry,) = games_of_text("1. e4 e5 2. Nf3 d6 3. Bb5+ -- 4. Bxe8 *")
    assert [move.uci() for move in entry.game.mainline_moves()][-1] == "f1b5"
    assert entry.problems == ["a null move in check: 3... --"]


@pytest.mark.timeout(60)  # with a pattern that tries all partitions of the blanks it takes hours
def test_a_megabyte_of_blanks_in_a_tag() -> None:
    text = f"1. e4 e5 *\n\n[Event {' ' * 1_000_000}\n\n1. d4 d5 *"
    assert [len(list(entry.game.mainline_moves())) for entry in games_of_text(text)][:1] == [2]


def test_tags_are_found_however_they_are_spelled() -> None:
    (entry,) = games_of_text(f'[fen "{FEN}"]\n[white "A"]\n\n1. e4 *')
    assert entry.game.board().fen() == FEN and entry.game.headers["White"] == "A"


def test_chess960_is_recognised(path: Path) -> None:
    bare = CHESS960.replace('[Variant "Chess960"]\n', "")
    (entry,) = read(path, bare)
    assert not entry.problems and entry.game.board().chess960
    assert entry.game.headers["Variant"] == "Chess960"
    assert len(list(entry.game.mainline_moves())) == 6


def test_comments_and_variations_stay() -> None:
    (entry,) = games_of_text(
        "{ a } 1. e4 { b } ( { c } 1. d4 { d } d5 ( 1... Nf6 ) ) 1... e5 ; e\n*"
    )
    game = entry.game
    assert (game.comment, game.variations[0].comment, game.variations[1].starting_comment) == (
        "a",
        "b",
        "c",
    )
    assert [node.move.uci() for node in game.variations[1].variations] == ["d7d5", "g8f6"]
    assert game.end().comment == "e" and not entry.problems


# What is told


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("1. Sf3 d5 2. Sc3 d4 *", "", "not a move: 1. Sf3"),
        ("1. e4 e5 2. Cf3 *", "e2e4 e7e5", "not a move: 2. Cf3"),
        ("1. e4 xyzf6 2. d4 *", "e2e4", "not a move: 1... xyzf6"),
        ("1. е4 е5 *", "", "not a move: 1. е4"),  # Cyrillic
        ("1. P-K4 P-K4 *", "", "not a move: 1. P-K4"),
        ("1. e4 e5 2. Ke3 Nf6 *", "e2e4 e7e5", "illegal move: 2. Ke3"),
        ("1. e4 e5 2. c6) 2. c4 dxc4 *", "e2e4 e7e5", "illegal move: 2. c6"),
        ("1. e4 } e5 *", "e2e4", "what is '}'?"),
        ("1. e4 [2. d4 d5] e5 *", "e2e4", "what is '[2. d4 d5] e5 *'?"),
        ("1. e4 e5 2... d4 *", "e2e4 e7e5", "2... where White is to move"),
        ("1... d4 d5 *", "", "1... where White is to move"),
        (
            "1. d4 d5 (1... Nf6 2. Qd8 g6) 2. c4 dxc4 *",
            "d2d4 d7d5 c2c4 d5c4",
            "illegal move: 2. Qd8",
        ),
        ("1. d4 (1. Sf3 (1. e4) d5) d5 *", "d2d4 d7d5", "not a move: 1. Sf3"),
        ("(1. e4) 1. d4 *", "d2d4", "a variation before the first move"),
        ('[Round "3]\n1. d4 *', "d2d4", "the tag Round is not closed"),
        ("1. e4 ( 1. d4 d5 1-0", "e2e4", "a variation is not closed"),
        ("1. e4 e5 { for ever 2. d4 *", "e2e4 e7e5", "a comment is not closed"),
    ],
)
def test_a_game_ends_before_what_is_no_move(text: str, line: str, problem: str) -> None:
    good = "1. c4 c5 *"
    assert told(f'{good}\n\n{text}\n\n[Event "x"]\n{good}\n') == [
        ("c2c4 c7c5", ""),
        (line, problem),
        ("c2c4 c7c5", ""),
    ]


@pytest.mark.parametrize("begin", ["1. e4 {never", "1. e4 (1. d4", "1. e4 e5 {x} (1... c5 {never"])
@pytest.mark.parametrize(
    "good",
    [
        '\n\n[Event "x"]\n\n1. c4 {x} c5 *',
        '\n[Event "x"]\n1. c4 {x} c5 *',
        '\n[Event "x"]\n\n1. c4 c5 *',
        "\n\n1. c4 {x} c5 *",
        "\n\n1. c4 c5 *",
    ],
)
@pytest.mark.parametrize("end", ["", " *", " d5 1-0", "\nd5\n1-0"])
def test_what_is_not_closed_swallows_no_game(begin: str, end: str, good: str) -> None:
    first, second = told(begin + end + good)
    assert first[0].startswith("e2e4") and "is not closed" in first[1]
    assert second == ("c2c4 c7c5", "")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (
            "1. e4 { a } Sf6 $1 2. d4 { b {c } ( 2. c4 ) *",
            "a Not read: Sf6 $1 2. d4 (b (c) ( 2. c4 ) *",
        ),
        ("1. e4 } e5 *", "Not read: ) e5 *"),
        ("1. e4 [x] e5\n*", "Not read: [x] e5 *"),
        ("1. e4 e5) 2. c4 *", "Not read: ) 2. c4 *"),
        ("1. e4 { for ever", "for ever"),
    ],
)
def test_what_is_not_read_stays_in_a_comment(text: str, rest: str) -> None:
    (entry,) = games_of_text(text)
    assert entry.game.end().comment == rest and len(entry.problems) == 1
    (again,) = games_of_text(format_pgn(entry.game))
    assert not again.problems
    assert again.game.end().comment.split() == rest.split()


@pytest.mark.parametrize(
    ("headers", "problem"),
    [
        ('[Variant "Atomic"]', "the variant Atomic is not supported"),
        ('[Variant "Calvinball"]', "the variant Calvinball is not supported"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', "illegal position: White has no king"),
        ('[FEN "hello"]', "not a FEN: 'hello'"),
        ('[FEN "8/8 w - -"]', "no such board: '8/8'"),
        (f'[FEN "{FEN};"]', "not a number of moves"),
        (f'[FEN "{FEN} 3"]', "a FEN has 4 to 6 fields"),
        (f'[FEN "{FEN}"]\n[FEN "{chess.STARTING_FEN}"]', "two different tags FEN"),
        ('[SetUp "1"]', "there is no FEN"),
        (f'[FEN "{FEN}', "the tag FEN is not closed"),
        ('[FEN "\x1b[2J"]', "not a FEN: '[2J'"),
    ],
)
def test_games_that_cannot_be_played(headers: str, problem: str) -> None:
    text = f"{headers}\n\n1. e4 {{ a }} Kd7 *"
    first, second, third = games_of_text(f'1. d4 *\n\n{text}\n\n[Event "x"]\n\n1. d4 *\n')
    assert problem in "; ".join(second.problems) and "\x1b" not in second.problems[0]
    assert not second.analysable and not second.game.variations
    assert second.text == text.replace("\x1b", " ")
    for good in (first, third):
        assert good.analysable and not good.problems and good.game.variations


def test_a_copy_swallows_no_other_game() -> None:
    text = '[FEN "x"]\n\n\n1. e4 { for ever\n\n\n[Event "y"]\n\n1. e4 *'
    entry, _ = games_of_text(text)
    assert entry.text == '[FEN "x"]\n\n1. e4 { for ever\n}'


def test_absurd_counters_are_cut() -> None:
    (entry,) = games_of_text('[FEN "4k3/8/8/8/8/8/8/QQQQKQQQ b - - 0 99999999999"]\n\n1... Kd8 *')
    assert entry.game.board().fullmove_number == 100_000 and entry.analysable


@pytest.mark.parametrize(
    "content", ["", "\n\n", "hello, world\n", b"\x7fELF\x00\x01\xff", "{" * 99, "1-0", "{ x }"]
)
def test_what_is_no_pgn(path: Path, content: str | bytes) -> None:
    with pytest.raises(FileError, match=r"games\.pgn"):
        read(path, content)
    assert not list(games_of_text(content if isinstance(content, str) else ""))


def test_text_between_games_is_reported() -> None:
    text = 'Games of\n2020, by me\n\n[Event "a"]\n\n1. e4 *\n\nThe end.\n'
    ((line, problem),) = told(text)
    assert line == "e2e4"
    assert problem == "line 1 is of no game: 'Games of'; line 8 is of no game: 'The end.'"


def test_parts_of_a_long_line_are_one_line(path: Path) -> None:
    long = f"{'é ' * (MAX_GAME // 3)}\n"  # of more bytes than characters
    (entry,) = read(path, f"{long}\n[Event 'A']\n\n1. e4 *\n\nprose")
    assert entry.line == 3 and [problem[:6] for problem in entry.problems] == ["line 1", "line 7"]


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="not a regular file"):
        list(read_games(Path("/dev/zero")))
    if hasattr(os, "mkfifo"):  # to which nobody may ever write
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(FileError, match="not a regular file"):
            list(read_games(tmp_path / "pipe"))


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs names of open files")
def test_a_pipe_that_is_open_already_is_read() -> None:
    end, ours = os.pipe()
    with os.fdopen(ours, "wb") as pipe:
        pipe.write(b"1. e4 e5 *\n\n1. d4 *\n")
    assert len(list(read_games(Path(f"/dev/fd/{end}")))) == 2
    with pytest.raises(FileError, match="has no game"):
        list(read_games(Path(f"/dev/fd/{end}")))
    os.close(end)
    with pytest.raises(FileError, match="cannot read"):
        list(read_games(Path(f"/dev/fd/{end}")))


@pytest.mark.parametrize("long", ["long ", "{", "( ", "\n1... e5 ", "{a}", "e4 1-0 a ", "[A "])
def test_a_game_without_end_is_left_out_alone(path: Path, long: str) -> None:
    endless = "1. e4 { " + long * (2 * MAX_GAME // len(long))
    first, *middle, last = read(
        path, f'1. c4 *\n\n[Event "y"]\n{endless}\n\n[Event "x"]\n\n1. d4 *\n'
    )
    assert not first.problems and not last.problems
    assert last.game.headers["Event"] == "x" and last.game.variations
    assert any("more than" in problem or "closed" in problem for problem in middle[0].problems)


def test_deep_variations_are_left_out() -> None:
    (entry,) = games_of_text("1. e4 " + "( 1. d4 " * 1000 + ")" * 1000 + " 1... e5 *\n")
    assert entry.problems == ["variations nested deeper than 200"]
    assert [move.uci() for move in entry.game.mainline_moves()] == ["e2e4", "e7e5"]
