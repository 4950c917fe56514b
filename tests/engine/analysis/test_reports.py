"""Analysis of games around the engine: reports, annotated PGN, JSON, and the data of the page."""

from __future__ import annotations

import io
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import replace

import chess
import chess.pgn
import pytest

from boomslang.engine.analysis.annotate import annotate, earlier_signs, remark
from boomslang.engine.analysis.assessment import GameReport, assess
from boomslang.engine.analysis.export import write_document
from boomslang.engine.analysis.page_data import game_page
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.reason import Reason, ReasonKind
from boomslang.engine.analysis.report_page import render
from boomslang.engine.analysis.win_percent import Judgement
from boomslang.engine.analyst import AnalysedPosition, Evaluation, finished_evaluation
from tests.support.analysed import (
    ANNOTATED,
    CHESS960,
    PGN,
    SETTINGS,
    game_of,
    games_of_suites,
    info_of,
    report_of,
)


def written(report: GameReport) -> str:
    return annotate(report).accept(chess.pgn.StringExporter(columns=80))


def words(node: chess.pgn.GameNode) -> set[str]:
    """Those of the comment, without its score."""
    return set(re.sub(r"\[%eval [^]]*\]", "", node.comment).split())


def assert_kept(before: chess.pgn.GameNode, after: chess.pgn.GameNode) -> None:
    """Everything of `before` is in `after`, which may have more."""
    if "[%eval" not in before.comment:  # else the sign may be that of an earlier analysis
        assert before.nags <= after.nags
    assert words(before) <= words(after)
    assert before.starting_comment.split() == after.starting_comment.split()
    for number, child in enumerate(before.variations):
        if number == 0:
            assert after.variations[0].move == child.move
        assert_kept(child, after.variation(child.move))


def test_nothing_of_the_author_is_lost() -> None:
    before, again = game_of(ANNOTATED), game_of(written(report_of(game_of(ANNOTATED))))
    assert not again.errors
    assert_kept(before, again)
    assert dict(before.headers).items() <= dict(again.headers).items()


@pytest.mark.parametrize(("annotator", "signs"), [("lichess.org", {4}), ("Boomslang 0.1.0", set())])
def test_a_sign_without_a_remark_is_not_of_this_program(annotator: str, signs: set[int]) -> None:
    moves = "1. e4 { [%eval 0.20] } 1... f6 $4 { [%eval 9.00] } *"
    game = game_of(f'[Annotator "{annotator}"]\n\n{moves}')
    assert earlier_signs(game) == [set(), signs]


@pytest.mark.parametrize("told", ["Mistake. e5 was best.", "(Stub '3': +0.20, Other: +0.30)"])
def test_a_sign_beside_moves_with_remarks_is_the_authors(told: str) -> None:
    """Also in a game with an annotator of its own, or by another engine."""
    moves = f"1. e4 {{ [%eval 0.20] {told} }} 1... f6 $4 {{ [%eval 9.00] }} *"
    text = written(report_of(game_of(f'[Annotator "Me"]\n\n{moves}')))
    assert "1... f6 $4" in text and told not in text
    assert earlier_signs(game_of(moves)) == [set(), set()]


def test_of_two_signs_none_is_of_an_earlier_analysis() -> None:
    moves = "1. e4 e5 $1 $6 $140 { [%eval 0.90] Inaccuracy. c5 was best. } *"
    assert "1... e5 $1 $6 $140" in written(report_of(game_of(moves)))


@pytest.mark.jit_only
@pytest.mark.parametrize("sign", [2, 4, 6])
def test_no_sign_without_words_contradicts_a_judgement(sign: int) -> None:
    """As in the analysis of another program whose comments were removed."""
    moves = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 {} 4. Qxf7#"
    bare = written(report_of(game_of(moves.format(f"${sign}"))))
    clock = written(report_of(game_of(moves.format(f"${sign} {{[%clk 0:01:00]}}"))))
    assert "Nf6 $4 {" in " ".join(bare.split()) and "Nf6 $4 {" in " ".join(clock.split())
    page = game_page(report_of(game_of(moves.format(f"${sign}"))))
    assert "glyph" not in page["moves"][5] and page["moves"][5]["judgement"] == "blunder"
    said = written(report_of(game_of(moves.format(f"${sign} {{I saw nothing.}}"))))
    assert f"Nf6 ${sign} {{" in " ".join(said.split())
    kept = written(report_of(game_of(f"1. e4 ${sign} e5 *")))
    assert f"1. e4 ${sign} {{" in kept  # where there is no judgement


@pytest.mark.jit_only
@pytest.mark.skipif(not PGN.is_dir(), reason="the collection of games is not there")
@pytest.mark.parametrize(
    "games", [1, pytest.param(None, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])]
)
def test_games_from_everywhere_keep_their_moves(games: int | None) -> None:
    for before in itertools.islice(games_of_suites(), games):
        text = written(report_of(before.accept(chess.pgn.GameBuilder())))
        again = game_of(text)
        assert not again.errors
        assert list(again.mainline_moves()) == list(before.mainline_moves())
        assert_kept(before, again)
        assert written(report_of(game_of(text))) == text  # a second time changes nothing


def test_scores_and_verdicts_are_written() -> None:
    report = report_of(game_of(ANNOTATED))
    nodes = list(game_of(written(report)).mainline())
    for node, move in zip(nodes, report.moves, strict=True):
        assert move is not None
        score = node.eval()
        if node.board().is_checkmate():
            assert score is None  # as on Lichess; there is nothing to say after a mate
        else:
            assert score is not None and score.pov(move.board.turn) == move.score_after
    blunder = nodes[5]
    assert report.moves[5] and report.moves[5].judgement == Judgement.BLUNDER
    assert blunder.nags == {chess.pgn.NAG_BLUNDER}
    assert "Blunder. Allows mate in 1: 4. Qxf7#." in blunder.comment and "oh no" in blunder.comment
    assert nodes[2].nags == {chess.pgn.NAG_DUBIOUS_MOVE}  # the author's sign stands


def test_a_missed_mate() -> None:
    pgn = '[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]\n\n1. h3 h6 2. Ra8+ Kh7 *'
    report = report_of(game_of(pgn))
    move = report.moves[0]
    assert move and move.missed_mate == 1 and move.judgement == Judgement.BLUNDER
    assert report.white.missed_mates == 1 and report.black.missed_mates == 0
    assert report.critical == (0,)
    text = written(report)
    assert "Blunder. Misses mate in 1 on the back rank: 1. Ra8#. }" in text
    assert "( 1. Ra8# { [%eval #1] } )" in " ".join(text.split())


def test_the_best_line_goes_along_with_a_variation_that_is_there() -> None:
    pgn = (
        '[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]\n\n1. h3 ( 1. Ra8# { seen later } ) 1... h6 *'
    )
    assert written(report_of(game_of(pgn))).count("Ra8#") == 2  # the variation and the remark


def test_players() -> None:
    report = report_of(game_of(ANNOTATED))
    assert (report.white.moves, report.black.moves) == (4, 3)
    assert report.white.accuracy is not None and report.black.accuracy is not None
    assert report.black.judgements[Judgement.BLUNDER] == 1
    assert report.white.accuracy > report.black.accuracy
    alone = report_of(game_of("1. e4 *"))
    assert alone.black.accuracy is None and alone.black.moves == 0


def test_the_choice_of_the_engine_is_no_mistake() -> None:
    board = chess.Board()
    lines = [info_of(300, None, (0, 1000, 0), 1, ("e2e4",))]
    plan = AnalysisPlan(game_of("1. e4 *"), SETTINGS)
    evaluation = Evaluation((lines[0],), 1)
    results = {key: (evaluation,) * len(task) for key, task in plan.tasks({}).items()}
    report = plan.report(results)
    move = report.moves[0]
    assert move and move.board == board and move.is_best and move.judgement is None
    assert move.score_before.score() == 300 and move.score_after.score() == -300
    assert report.white.loss == move.loss == 600 and move.accuracy < 10  # as others compute it
    assert remark(move) == "The engine's choice." and remark(move) in written(report)
    level = Evaluation((info_of(0, None, (0, 1000, 0), 1, ()),), 1)
    assert remark(move) not in written(assess(report.game, (level, level)))  # it is no author's


def test_positions_that_cannot_be_searched_are_left_out() -> None:
    nulls = report_of(game_of("1. e4 e5 2. Bb5 a6 3. Bxd7+ -- 4. Bxe8 Qxe8 *"))
    assert [move is not None for move in nulls.moves] == [True] * 5 + [False] * 3
    assert nulls.white.moves == 3
    assert game_of(written(nulls)).end().ply() == 8
    unread = report_of(game_of(ANNOTATED), analysable=False)
    assert set(unread.moves) == {None} and not unread.positions
    assert "%eval -" not in written(unread) and "Annotator" not in written(unread)
    assert "".join(render([game_page(unread)], 1, SETTINGS))
    json.loads("".join(write_document([unread], SETTINGS)))


def test_reports_are_made_one_at_a_time_when_they_are_written() -> None:
    plans = [report_of(game_of(ANNOTATED)) for _ in range(3)]
    asked: list[int] = []

    def reports() -> Iterator[GameReport]:
        for number, report in enumerate(plans):
            asked.append(number)
            yield report

    pieces = write_document(reports(), SETTINGS)
    next(pieces)
    assert asked == []
    for number in range(3):
        assert '"Doe' in next(pieces) and asked[-1] == number
    assert list(pieces) == ["\n ]\n}"]
    asked.clear()
    parts = render(map(game_page, reports()), 3, SETTINGS)
    assert "and 2 more" in next(parts) and asked == [0]
    assert '"moves"' in next(parts) and asked == [0, 1]


def test_json() -> None:
    data = json.loads("".join(write_document([report_of(game_of(ANNOTATED))], SETTINGS)))
    game = data["games"][0]
    limits = {"nodes": 1, "multipv": 1, "threads": 1, "hash_mb": 16}
    assert data["settings"] == {**limits, "by_wdl": False, "thresholds": [5.0, 10.0, 15.0]}
    assert [move["san"] for move in game["moves"]][-2:] == ["Nf6", "Qxf7#"]
    assert len(game["positions"]) == len(game["moves"]) + 1
    assert game["moves"][5]["judgement"] == "blunder" and game["moves"][5]["mate"] == 1
    assert game["black"]["blunders"] == 1
    reason = game["moves"][5]["reason"]
    assert (reason["kind"], reason["uci"], reason["squares"]) == ("allows mate", ["h5f7"], ["e8"])
    assert not reason["instead"] and reason["means"] is None
    assert reason["text"] in game["moves"][5]["remark"] and game["moves"][0]["reason"] is None
    board = chess.Board()
    for position, move in zip(game["positions"], game["moves"], strict=False):
        assert position["fen"] == board.fen()
        assert position["lines"][0]["san"] == [
            board.san(board.parse_uci(position["lines"][0]["uci"][0]))
        ]
        board.push_san(move["san"])


def replayed(squares: str, change: str) -> str:
    """What the page does with a change."""
    board = list(squares)
    for start in range(0, len(change), 3):
        square = chess.parse_square(change[start : start + 2])
        board[8 * (7 - square // 8) + square % 8] = change[start + 2]
    return "".join(board)


def shown(board: chess.Board) -> str:
    return str(board).replace(" ", "").replace("\n", "")


PROMOTIONS = (
    '[FEN "1n5k/P5P1/8/2pP4/8/8/8/R3K3 w Q c6 0 1"]\n\n1. dxc6 Kxg7 2. axb8=Q Kg6 3. O-O-O *'
)


@pytest.mark.parametrize("pgn", [ANNOTATED, CHESS960, PROMOTIONS, "1. e4 -- 2. d4 *"])
def test_the_page_shows_every_position(pgn: str) -> None:
    game = game_of(pgn)
    page = game_page(report_of(game))
    board = game.board()
    squares = shown(board)
    assert page["placement"] == board.board_fen()
    for move, data in zip(game.mainline_moves(), page["moves"], strict=True):
        assert data["san"] == board.san(move)
        if move and not board.is_castling(move):
            assert data["change"][0:2] == chess.square_name(move.from_square)
            assert data["change"][3:5] == chess.square_name(move.to_square)
        board.push(move)
        squares = replayed(squares, data["change"])
        assert squares == shown(board)


def test_the_page_has_the_variations_of_the_author() -> None:
    page = game_page(report_of(game_of(ANNOTATED)))
    assert page["comment"] == "Before the first move."
    assert page["moves"][0]["comment"] == "King's pawn"  # without the clock
    first, second = page["moves"][2]["variations"]
    assert [move["move"].split()[0] for move in first["moves"]] == ["Nf3", "Nc6", "Bb5"]
    assert first["comment"] == "First" and len(second["moves"]) == 1
    (inner,) = first["moves"][1]["variations"]
    assert [move["move"].split()[0] for move in inner["moves"]] == ["d6", "d4"]
    assert inner["moves"][1]["comment"] == "Philidor"


def test_the_page_stands_alone_and_cannot_be_broken_out_of() -> None:
    text = "".join(render([game_page(report_of(game_of(ANNOTATED)))] * 2, 2, SETTINGS))
    assert text.count("</script>") == 2
    assert "Jane <b>" not in text and "\x1b" not in text
    assert "Jane &lt;b&gt;" in text and "and 1 more" in text
    addresses = text.replace("http://www.w3.org/2000/svg", "").replace(
        "http://www.w3.org/1999/xlink", ""
    )
    assert "http" not in addresses.replace("http-equiv", "")
    assert "src=" not in text and "@import" not in text and "url(" not in text


@pytest.mark.parametrize("name", ["<games>", "--- games ---", "$data"])
def test_no_name_takes_the_place_of_the_games(name: str) -> None:
    game = game_of(ANNOTATED)
    game.headers["White"] = name
    text = "".join(render([game_page(report_of(game))], 1, SETTINGS))
    assert text.count('"games":[') == 1 and "<games>" not in text
    assert text.index('"games":[') > text.index("</title>")


def test_the_end_of_a_game() -> None:
    mated = chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    stalemate = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    for board, mate in ((mated, 0), (stalemate, None)):
        over = finished_evaluation(board)
        assert over and over.best.score.mate == mate and not over.best.pv
    board = chess.Board()
    assert finished_evaluation(board) is None
    for _ in range(2):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(move)
    assert finished_evaluation(board) is None  # nobody has to claim
    assert finished_evaluation(board, final=True) is not None


def test_a_position_knows_its_repetitions_and_nothing_older() -> None:
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f3g1", "c6b8"):
        board.push_uci(move)
    position = AnalysedPosition.of(board)
    assert position.moves == ("g1f3", "b8c6", "f3g1", "c6b8")
    assert position.board() == board and position.board().is_repetition(2)
    other = chess.Board()
    for move in ("e2e3", "e7e5", "e3e4", "g8f6", "g1f3", "f6g8", "f3g1"):
        other.push_uci(move)
    assert AnalysedPosition.of(other) != position
    castled = game_of(CHESS960).end().board()
    assert AnalysedPosition.of(castled).board() == castled and AnalysedPosition.of(castled).chess960


def test_text_that_only_looks_like_a_verdict_stays() -> None:
    own = "1. e4 { Mistake. d4 was best. } e5 *"
    assert "Mistake. d4 was best." in written(report_of(game_of(own)))
    assert game_page(report_of(game_of(own)))["moves"][0]["comment"] == "Mistake. d4 was best."


@pytest.mark.parametrize(
    "remark",
    [
        "(0.2 → 0.3) Inaccuracy. d4 was best.",
        "(0.15 -> 0.98) Inaccuracy. Bc5 was best.",
        "(0.15 → 0.98) Blunder.",
        "(-2.10 → Mate in 3) Checkmate is now unavoidable. Kg8 was best.",
        "Lost forced checkmate sequence. Qxh7+ was best.",
        "Mistake. Loses the knight on c3: 6... dxc3 7. Nd5. a3 was best.",
    ],
)
def test_a_verdict_of_an_earlier_analysis_is_replaced_everywhere(remark: str) -> None:
    machine = f"1. e4 {{ [%eval 0.3] {remark} Fine. }} e5 *"
    comment = next(iter(game_of(written(report_of(game_of(machine)))).mainline())).comment
    assert comment == "[%eval 0.00] Fine."
    assert game_page(report_of(game_of(machine)))["moves"][0]["comment"] == "Fine."


def test_signs_of_an_earlier_analysis_are_replaced() -> None:
    """2. Ke2 cost 11 % by its scores, a mistake; 2... a6 cost nothing, so its sign is the author's.

    1. e3 cost 6 %: an inaccuracy, but if others have remarks and it has none, the sign is the author's.
    """
    mistake, dubious = chess.pgn.NAG_MISTAKE, chess.pgn.NAG_DUBIOUS_MOVE
    for comment, first, kept in (
        ("", "", False),
        ("Mistake. Nf3 was best.", "?!", False),
        ("Why?", "", True),
    ):
        pgn = (
            "1. e3 $6 { [%eval -0.5] } e5 { [%eval -0.5] } "
            f"2. Ke2 $2 {{ [%eval -1.7] {comment} }} a6 $2 {{ [%eval -1.7] }} *"
        )
        page = game_page(report_of(game_of(pgn)))
        signs = [first, "", "?" if kept else "", "?"]
        assert [move.get("glyph", "") for move in page["moves"]] == signs
        nodes = list(game_of(written(report_of(game_of(pgn)))).mainline())
        assert [mistake in node.nags for node in nodes] == [sign == "?" for sign in signs]
        assert [dubious in node.nags for node in nodes] == [sign == "?!" for sign in signs]


def test_the_page_names_an_opening_once() -> None:
    tags = '[Event "Club"]\n[ECO "C20"]\n[Opening "{}"]\n\n1. e4 e5 2. Qh5 *'
    page = game_page(report_of(game_of(tags.format("King's Pawn Game: Wayward Queen Attack"))))
    assert page["opening"].startswith("C20 King's Pawn Game: Wayward Queen Attack, ")
    assert page["details"] == "Club · *"
    assert game_page(report_of(game_of(tags.format("Other"))))["details"] == "Club · Other · *"


@pytest.mark.parametrize(
    "reason",
    [
        "Loses the knight on c3: 6... dxc3 7. Nd5 forks king and rook, 7... Kd8 8. Nxa8.",
        "Misses mate in 2: 6... Qh2+ 7. Kf1 Qh1#.",
        "Allows perpetual check: 6... Qe8+ 7. Kh2 Qh5+.",
        "Only 6. Kf1 kept the balance.",
        "Leaves the pawn on d5 to one defender against two: 6... Bxd5.",
        "Opens the line of the bishop to the rook on a1: 6... Bxa1.",
        "Allows 6... Kf8.",
        "Does nothing against 6... Bxf2+.",
        "Does harm: to pass would have been better.",
        "Achieves nothing: to pass would have been as good.",
        "Trades rooks into a lost pawn ending: 30... Rxe7 31. Rxe7+.",
        "Lets a pawn promote: 6... a1=Q.",
        "Threefold repetition.",
        "Stalemate.",
    ],
)
def test_reasons_of_an_earlier_analysis_are_replaced(reason: str) -> None:
    machine = f"1. e4 {{ [%eval 0.3] Blunder. {reason} d4 was best. Fine. }} e5 *"
    comment = next(iter(game_of(written(report_of(game_of(machine)))).mainline())).comment
    assert comment == "[%eval 0.00] Fine."


def test_the_best_move_is_named_once_and_known_as_such() -> None:
    report = report_of(game_of(ANNOTATED))
    for move, data in zip(report.moves, game_page(report)["moves"], strict=True):
        assert move and data.get("best", False) == move.is_best
    judged = next(move for move in report.moves if move and move.judgement)
    best = judged.before.best.pv[0].uci()
    name = judged.board.san(chess.Move.from_uci(best))
    said = f"Only 1. {name} kept the balance."
    for line, told in (((best,), False), (("a2a3",), True)):
        reason = Reason(ReasonKind.ONLY_MOVE, said, line, True)
        assert (f"{name} was best." in remark(replace(judged, reason=reason))) == told


def test_wrapping_does_not_cut_comments() -> None:
    text = written(report_of(game_of(ANNOTATED)))
    assert max(map(len, text.splitlines())) <= 110
    assert chess.pgn.read_game(io.StringIO(text)) is not None


@pytest.mark.parametrize(
    ("comment", "shown"),
    [
        ("[%clk 0:01:02] Good [%csl Ra1] move", "Good move"),
        ("+0.19/13 0.184s", ""),
        ("-M5/20 1.2s, Black mates", "Black mates"),
        ("#1/3 0.004s", ""),
        ("book", ""),
        ("bookish", "bookish"),
        ("1/2 is what I offered", "1/2 is what I offered"),
    ],
)
def test_comments_for_people(comment: str, shown: str) -> None:
    page = game_page(report_of(game_of(f"1. e4 {{ {comment} }} *")))
    assert page["moves"][0].get("comment", "") == shown
