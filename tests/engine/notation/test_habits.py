"""Deviations of people and programs from the PGN standard: read or reported, and no game is cut."""

from __future__ import annotations

import pytest

from boomslang.engine.notation.pgn import games_of_text
from tests.engine.notation.test_pgn import FEN, moves, told

NUMBER = "move number {} instead of {}: moves may be missing"


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("1. e4 e5 3. Nf3 *", "e2e4 e7e5 g1f3", NUMBER.format(3, 2)),
        ("5. e4 e5 9. Nf3 *", "e2e4 e7e5 g1f3", NUMBER.format(5, 1)),
        ("1. e4 e5 2. d4 1... d5 *", "e2e4 e7e5 d2d4 d7d5", NUMBER.format(1, 2)),
        ("1. e4 e5 99999. d4 *", "e2e4 e7e5 d2d4", NUMBER.format(99999, 2)),
        (f'[FEN "{FEN}"]\n\n31. e4 Kd7 34. Kf2 *', "e2e4 e8d7 e1f2", NUMBER.format(34, 32)),
        ("1. e4 2. e5 3. Nf3 4. Nc6 *", "e2e4 e7e5 g1f3 b8c6", ""),
        ("1. e4 2. e5 9. Nf3 *", "e2e4 e7e5 g1f3", NUMBER.format(9, 3)),
        ("1. e4 e5 2. Nf3 3. Nc6 12. d4 *", "e2e4 e7e5 g1f3 b8c6 d2d4", NUMBER.format(3, 2)),
        ("1. e4 1... e5 2. Nf3 2... Nc6 *", "e2e4 e7e5 g1f3 b8c6", ""),
        ("1. $e4 e5 *", "", "what is '$e4'?"),
    ],
)
def test_a_wrong_move_number_is_reported(text: str, line: str, problem: str) -> None:
    """Behind a position they begin anywhere; single moves are counted from the beginning or not at all."""
    assert told(f"{text}\n\n1. c4 c5 *\n") == [(line, problem), ("c2c4 c7c5", "")]


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("1 - 0", "1-0"),
        ("0:1", "0-1"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("½ : ½", "1/2-1/2"),
        ("0,5-0,5", "1/2-1/2"),
        ("½-0", "1/2-0"),
        ("0-1/2", "0-1/2"),
        *((won, "1-0") for won in ("+--", "+ - -", "+:-", "+−−", "1-0F", "1:0f", "1-0 ff")),
        *((lost, "0-1") for lost in ("--+", "- - +", "-:+", "–:+", "0-1F", "0 - 1 forfeit")),
        *((both, "0-0") for both in ("---", "-:-", "0-0F", "0:0F")),
    ],
)
@pytest.mark.parametrize("moves", ["1. e4 e5", "1. e4 e5 {told}", ""])
def test_results_however_they_are_written(written: str, result: str, moves: str) -> None:
    after = '[Event "after"]\n\n1. d4 d5 2. c4 *'
    for tag in (written, result, "*"):
        text = f'[Event "x"]\n[Result "{tag}"]\n\n{moves} {written}\n\n{after}'
        entry, other = games_of_text(text)
        assert entry.game.headers["Result"] == result and not entry.messages
        assert len(list(entry.game.mainline_moves())) == 2 * bool(moves)
        assert len(list(other.game.mainline_moves())) == 3 and not other.messages


@pytest.mark.parametrize("end", ["", " *", " {Both were late.}"])
@pytest.mark.parametrize("tag", ["0-0", "0:0", "-+", "+ -", "+/-", "adjourned"])
def test_last_words_that_equal_the_tag_are_the_result(tag: str, end: str) -> None:
    line = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7"  # where White may castle
    (entry,) = games_of_text(f'[Result "{tag}"]\n\n{line} {tag}{end}')
    nodes = list(entry.game.mainline())
    assert len(nodes) == 6 and not nodes[-1].nags and not entry.messages
    (castled,) = games_of_text(f'[Result "{tag}"]\n\n{line} 4. 0-0 0-0 {tag}{end}')
    assert len(list(castled.game.mainline())) == 8 and not castled.messages


@pytest.mark.parametrize(
    ("alone", "result"),
    [
        *(("0-0", "0-0"), ("- +", "0-1"), ("+-", "1-0")),
        *(("--+", "0-1"), ("+/-", "1-0"), ("- / +", "0-1")),
    ],
)
def test_a_result_alone_is_no_move(alone: str, result: str) -> None:
    (entry,) = games_of_text(f'[White "A"]\n\n{alone}')
    assert entry.game.headers["Result"] == result and not entry.messages
    assert not entry.game.variations


def test_signs_and_castling_stay_what_they_are() -> None:
    text = '[Result "1-0"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 -+ 4. 0-0 0-0 +-'
    (entry,) = games_of_text(text)
    nodes = list(entry.game.mainline())
    assert len(nodes) == 8 and nodes[5].nags == {19} and nodes[-1].nags == {18}
    (castled,) = games_of_text('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. 0-0')
    assert len(list(castled.game.mainline())) == 1
    (null,) = games_of_text("1. e4 -- 2. d4 --")
    assert len(list(null.game.mainline())) == 4


@pytest.mark.parametrize(
    "sign", ["$1000", "$256", "$-1", "$+3", "$12345", "$abc", "$", "⇄", "~", "△"]
)
def test_an_unknown_sign_is_reported_and_changes_no_move(sign: str) -> None:
    (entry,) = games_of_text(f"1. e4 {sign} e5 2. Nf3 *")
    assert [move.uci() for move in entry.game.mainline_moves()] == ["e2e4", "e7e5", "g1f3"]
    assert not entry.problems and len(entry.remarks) == 1 and sign in entry.remarks[0]


@pytest.mark.parametrize("empty", ["\n", "\n\n"])
@pytest.mark.parametrize("name", ["White", "Site", "Annotator"])
def test_of_two_tags_the_first_counts_and_the_game_stays(name: str, empty: str) -> None:
    tags = ['[Event "e"]', f'[{name} "one"]', f'[{name} "two"]', '[Black "b"]']
    (entry,) = games_of_text(empty.join([*tags, "1. e4 *"]))
    assert entry.game.headers[name] == "one" and entry.game.variations and not entry.problems
    assert entry.remarks == [f"two tags {name}, 'one' and 'two'; the first counts"]
    (entry,) = games_of_text('[Event "e"]\n[White "one"]\n[White "one"]\n\n1. e4 *')
    assert not entry.messages


@pytest.mark.parametrize("place", [1, 2, 4])
@pytest.mark.parametrize(
    ("wrong", "odd"),
    [
        *((text, text) for text in ('[White.Title "GM"]', '[White/Title "GM"]', '[Weiß "a]b"]')),
        *((text, text) for text in ('[Bl ackElo "1-0"]', '["x"]', '[Siüe"x"]')),
        *((f'[Site "x"]{odd}', odd) for odd in (*"]-.(x", "$ 3", "1.", "and so on")),
    ],
)
def test_a_misnamed_tag_and_words_behind_one_split_no_game(
    wrong: str, odd: str, place: int
) -> None:
    tags = ['[Event "E"]', '[White "Ann"]', '[Black "Bob"]', '[Result "1-0"]']
    tags.insert(place, wrong)
    (entry,) = games_of_text("\n".join([*tags, "", "1. e4 e5 1-0"]))
    headers = entry.game.headers
    assert (headers["Event"], headers["White"], headers["Black"]) == ("E", "Ann", "Bob")
    assert [move.uci() for move in entry.game.mainline_moves()] == ["e2e4", "e7e5"]
    assert not entry.problems and entry.remarks == [f"not a tag: '{odd}'"]


@pytest.mark.parametrize(
    "text",
    [
        '[FEN.x "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[Black "Bob"]\n\n1. e4 *',
        "\n[1. e4 e5\n2. Nf3 Nc6 *",
        "[1. e4 e5]\n2. Nf3 Nc6 *",
        "\n[%clk 0:01:00 1. e4 e5\n2. Nf3 Nc6 *",
        '[White.T "GM]\n\n1. e4 *',
        '[F E.N "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[Black "Bob"]\n\n1. e4 *',
        '[Start pos "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *',
    ],
)
def test_no_move_is_guessed_behind_other_brackets(text: str) -> None:
    first = next(iter(games_of_text(f'[Event "E"]\n{text}')))
    assert not list(first.game.mainline_moves()) and first.problems


def test_a_misnamed_tag_is_no_part_of_another_game() -> None:
    first, second = games_of_text(
        '[Event "E"]\n[White "A"]\n\n[White.Title "GM"]\n[Event "E"]\n[White "B"]\n\n1. e4 *'
    )
    assert first.game.headers["White"] == "A" and second.game.headers["White"] == "B"
    assert len(list(second.game.mainline())) == 1


@pytest.mark.parametrize(
    ("written", "read"),
    [
        *((text, text) for text in ("0.35", "-1.2,20", "#3", "#-3,18", "?", "--3", "1.2.3")),
        *((text, "0.35") for text in ("+0.35", " 0.35 ", "0.354", "\n0.35")),
        *((text, "0.35,20") for text in ("0.35, 20", "0.35/20", "+0.35 d20", "0.35;20")),
        *((text, "#-3") for text in ("-M3", "M-3", "-#3", "#-3", "-m3")),
        ("+M12", "#12"),
        ("123456789012", "123456789012"),
    ],
)
def test_scores_in_the_forms_of_all_programs(written: str, read: str) -> None:
    (entry,) = games_of_text(f"1. e4 {{[%clk 0:01:00] [%eval {written}] Best.}} e5 *")
    assert entry.game.variations[0].comment == f"[%clk 0:01:00] [%eval {read}] Best."


QUOTED = '[Event "x"]\n[White "A"]\n\n1. d4 d5 2. c4 1-0'


@pytest.mark.parametrize(
    "behind", ["a word\nbefore }", 'Nf3 2. "comment }', '{bad} "A"]\n\n1. 1-0\n} *', "}"]
)
def test_an_open_comment_swallows_no_game_before_other_words(behind: str) -> None:
    text = f'1. d4 {{ open\n\n[Event "good"]\n\n1. e4 e5 2. Nf3 *\n\n{behind}\n'
    good = [entry for entry in games_of_text(text) if entry.game.headers.get("Event") == "good"]
    assert [len(list(entry.game.mainline_moves())) for entry in good] == [3]


@pytest.mark.parametrize(
    "comment",
    [
        QUOTED,
        f"see\n{QUOTED}\n",
        QUOTED.replace("\n\n", "\n"),
        QUOTED.replace("\n", " "),
        QUOTED.replace("d5", "d5 {good}"),
        QUOTED.replace("d5", "d5 {good}").replace("\n", " "),
        f"{QUOTED}\n\n{QUOTED}",
        "\n\n1. d4 d5 *\n\n1. c4 c5 *\n",
    ],
)
@pytest.mark.parametrize("place", ["{ {} }\n1. e4 e5 *", "1. e4 { {} } e5 *", "1. e4 e5 { {} } *"])
def test_a_comment_may_quote_games(comment: str, place: str) -> None:
    good = '[Event "after"]\n\n1. c4 {x} c5 *'
    text = f'[Event "before"]\n\n{place.replace("{}", comment)}\n\n{good}'
    assert moves(text) == ["e2e4 e7e5", "c2c4 c7c5"]
    first = next(games_of_text(text)).game
    words = " ".join(" ".join(node.comment for node in (first, *first.mainline())).split())
    assert "d4 d5" in words.replace("( good )", "").replace("(good) ", "") and "{" not in words


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        *((name, name) for name in ("Standard", "chess", "NORMAL", "From Position", "Chess 960")),
        *((name, "Standard") for name in ("from_position", "Regular", "Standard chess", "?", "-")),
        *(
            (name, "Chess960")
            for name in ("960", "Chess-960", "Fischer-Random Chess", "FRC", "freestyle")
        ),
    ],
)
def test_chess_is_chess_however_it_is_called(written: str, kept: str) -> None:
    (entry,) = games_of_text(f'[Variant "{written}"]\n\n1. e4 *')
    assert entry.analysable and not entry.messages and entry.game.headers["Variant"] == kept
    assert entry.game.board().chess960 == ("960" in kept)


@pytest.mark.parametrize(
    "comment",
    [
        "{[%emt\n0:00:05] [%clk 0:01:05]}",
        "{[%emt \n 0:00:05] [%clk\n\n0:01:05]}",
        "{[%emt 0:00:\n05] [%clk 0:0\n1:05]}",
        "{[%emt 0:00:05\n]}{\n[%clk 0:01:05 ]}",
        "[%emt\n0:00:05] [%clk 0:01:05\n]",
    ],
)
def test_a_command_broken_by_a_line_end(comment: str) -> None:
    (entry,) = games_of_text(f'[Event "x"]\n\n1. e4 {comment} e5 *')
    node = entry.game.next()
    assert node
    assert (node.emt(), node.clock(), entry.messages) == (5.0, 65.0, [])
