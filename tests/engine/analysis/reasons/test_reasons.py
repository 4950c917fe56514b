"""Reasons of moves, from the evaluations of a report to the sentence, and where none may be given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import chess
import pytest

from boomslang.engine.analysis import plan as plans
from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.reason import Motif, ReasonKind, read_reason
from boomslang.engine.analysis.reasons.candidate import SURE, ReasonCandidate
from boomslang.engine.analysis.reasons.choice import candidates
from boomslang.engine.analysis.reasons.draws import find_draws
from boomslang.engine.analysis.segment import Evaluations, Segment, segment_searcher
from boomslang.engine.analyst import Evaluation
from boomslang.engine.notation.pgn import read_games
from boomslang.engine.search_settings import AnalysisSettings
from tests.support.analysed import game_of, info_of
from tests.support.reason_check import Case, Checker

TRAPS = Path(__file__).with_name("traps.pgn")

Score = int | str  # centipawns, or "#3" and "#-3", in the view of the side to move


@dataclass
class Scripted:
    """Answers of the searches: before and after the move, and to every question."""

    before: tuple[Score, str]  # with the best line
    after: tuple[Score, str]
    proof: tuple[Score, str] = (0, "")  # at the end of a line
    others: Score = 0  # without the best move
    others_later: Score | None = None  # by the longest search
    longer: Score | None = None  # before the move, by a longer search
    without: Score = 2000  # of a position after a pass, or without two pieces

    def answer(self, task: Segment) -> Evaluations:
        boards = task.boards()
        if task.avoided:
            is_longest = task.effort > SURE and self.others_later is not None
            score = self.others_later if is_longest else self.others
            return (evaluation(boards[0], score or 0, ""),)
        if task.effort > 1 and self.longer is not None:
            return (evaluation(boards[0], self.longer, ""),)
        if len(boards) == 1 and boards[0].ply() > 1:
            return (evaluation(boards[0], *self.proof),)
        try:
            return tuple(
                evaluation(board, *answer)
                for board, answer in zip(boards, (self.before, self.after), strict=False)
            )
        except chess.IllegalMoveError:
            return (evaluation(boards[0], self.without, ""),)


def evaluation(board: chess.Board, score: Score, line: str) -> Evaluation:
    after, moves = board.copy(), []
    for name in line.split():
        moves.append(after.push_san(name).uci())
    moves = moves or [next(iter(board.legal_moves)).uci()]
    mate = int(score[1:]) if isinstance(score, str) else None
    found = info_of(None if isinstance(score, str) else score, mate, (0, 1000, 0), 9, tuple(moves))
    return Evaluation((found,), 1, moves[0])


def reported(fen: str, san: str, script: Scripted) -> MoveReport:
    board = chess.Board(fen)
    moves = f"{board.fullmove_number}{'.' if board.turn else '...'} {san} *"
    plan = AnalysisPlan(game_of(f'[FEN "{fen}"]\n\n{moves}'), AnalysisSettings(nodes=1))
    results: dict[str, Evaluations] = {}
    while tasks := plan.tasks(results):
        results |= {key: script.answer(task) for key, task in tasks.items()}
    (move,) = plan.report(results).moves
    assert move is not None
    return move


def test_candidates_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a plan is asked, since it takes long."""
    asked: list[MoveReport] = []

    def counting(move: MoveReport, history: chess.Board) -> Iterator[ReasonCandidate]:
        asked.append(move)
        return candidates(move, history)

    monkeypatch.setattr(plans, "candidates", counting)
    script = Scripted((600, "Ng4"), (200, "exf6 Ra2"), proof=(600, ""), others=600)
    reported(HANGING, "Rb2", script)  # some candidates, and some questions
    assert len(asked) == 1


HANGING = "3k4/8/5n2/4P3/8/8/7r/6K1 b - - 0 1"  # the knight on f6 is attacked


def test_a_piece_left_hanging() -> None:
    script = Scripted((600, "Ng4"), (200, "exf6 Ra2"), proof=(-200, ""))
    move = reported(HANGING, "Rb2", script)
    assert move.reason and move.reason.text == "Loses the undefended knight on f6: 2. exf6."
    assert (move.reason.kind, move.reason.means) == (ReasonKind.LOSES_MATERIAL, Motif.UNDEFENDED)
    assert move.reason.line == ("e5f6",) and not move.reason.instead
    assert move.reason.squares == (chess.F6,)


def test_a_line_that_was_played_is_not_searched_again() -> None:
    plan = AnalysisPlan(
        game_of(f'[FEN "{HANGING}"]\n\n1... Rb2 2. exf6 *'), AnalysisSettings(nodes=1)
    )
    ((key, task),) = plan.tasks({}).items()
    answers: list[tuple[Score, str]] = [(600, "Ng4"), (200, "exf6 Ra2"), (-200, "Ra2")]
    found = (
        evaluation(board, *answer) for board, answer in zip(task.boards(), answers, strict=True)
    )
    results = {key: tuple(found)}
    assert all(task.is_look for task in plan.tasks(results).values())
    (move, _) = plan.report(results).moves
    assert move and move.reason
    assert move.reason.text == "Loses the undefended knight on f6: 2. exf6."


def test_a_piece_moved_to_where_it_is_taken() -> None:
    script = Scripted((600, "Ke8"), (200, "exd6 Ra5"), proof=(-200, ""))
    move = reported("3k4/8/8/4P3/4n3/8/r7/6K1 b - - 0 1", "Nd6", script)
    assert move.reason and move.reason.text == "Loses the undefended knight on d6: 2. exd6."


@pytest.mark.parametrize(
    "script",
    [
        # The search at the end of the line thinks otherwise.
        Scripted((600, "Ng4"), (200, "exf6 Ra2"), proof=(600, ""), others=600),
        # The better line loses it too.
        Scripted((600, "Ke8 exf6 Ra2"), (200, "exf6 Ra2"), proof=(-200, ""), others=600),
        # Nothing is taken.
        Scripted((600, "Ng4"), (200, "Kf1 Rb1+"), proof=(-200, ""), others=600),
        # The move costs a third of the knight: the position pays for it.
        Scripted((100, "Ng4"), (0, "exf6 Ra2"), others=100),
        # The knight is a small part of what the move costs.
        Scripted((900, "Ng4"), (900, "exf6 Ra2"), proof=(-900, ""), others=900),
    ],
)
def test_no_lost_piece_is_named_without_proof(script: Scripted) -> None:
    move = reported(HANGING, "Rb2", script)
    assert move.reason is None or move.reason.kind != ReasonKind.LOSES_MATERIAL


FORK = "r3k3/8/8/3N4/8/8/7p/7K w - - 0 1"


def test_a_missed_fork() -> None:
    script = Scripted((300, "Nc7+ Kd7 Nxa8 Ke6"), (200, "Kf7"), proof=(-300, ""))
    move = reported(FORK, "Nf6+", script)
    text = "Misses the win of the rook on a8: 1. Nc7+ forks king and rook, 1... Kd7 2. Nxa8."
    assert move.reason and move.reason.text == text
    assert (move.reason.kind, move.reason.means) == (ReasonKind.MISSES_MATERIAL, Motif.FORK)
    assert move.reason.instead and move.reason.squares == (chess.A8, chess.E8)


def test_a_piece_that_the_move_takes_is_not_missed() -> None:
    """The rook is pinned and lost for the bishop, but the knight has been taken."""
    fen = "3rk3/3N4/8/8/8/1B6/6K1/8 b - - 0 1"
    best = (500, "Kxd7 Kf3 Ke7")
    script = Scripted(best, (0, "Ba4 Ke7 Bxd7 Kxd7"), proof=(-500, ""), others=500)
    move = reported(fen, "Rxd7", script)
    assert move.reason is None or move.reason.kind != ReasonKind.MISSES_MATERIAL
    move = reported(fen, "Ke7", Scripted(best, (0, "Ne5 Kf6"), proof=(-500, ""), others=500))
    assert move.reason and move.reason.text.startswith("Misses the win of the undefended knight")


def test_a_fork_of_two_rooks() -> None:
    fen = "r3r1k1/8/8/3N4/8/8/7p/7K w - - 0 1"
    script = Scripted((300, "Nc7 Kf7 Nxa8 Rxa8"), (200, "Kf7"), proof=(300, ""))
    move = reported(fen, "Nb4", script)
    text = "Misses the win of the exchange: 1. Nc7 forks two rooks, 1... Kf7 2. Nxa8 Rxa8."
    assert move.reason and move.reason.text == text


def test_a_promotion() -> None:
    fen = "6k1/8/8/8/8/8/p4PPK/1R6 w - - 0 1"
    script = Scripted((0, "Ra1"), (700, "a1=Q g3 Kf8"), proof=(-700, ""))
    move = reported(fen, "Rb7", script)
    assert move.reason and move.reason.text == "Lets a pawn promote: 1... a1=Q."
    script = Scripted((800, "a8=Q+ Kf7"), (0, "Kg7"), without=-800)
    move = reported("5k2/P7/8/4K3/8/8/8/8 w - - 0 1", "a8=N", script)
    assert move.reason and move.reason.text == "Misses a better promotion: 1. a8=Q+."
    fen = "8/4N3/8/P5pk/7p/5K2/r4PP1/8 w - - 10 55"  # where it takes a pawn and costs a rook
    line = "g4+ Ke4 h3 Nb4 hxg2 Nxa2 g1=Q"
    best = "g4+ hxg3 Kxg3 Ra3+ Kg2 Rxa5 f3 Re5"
    move = reported(fen, "Nc6", Scripted((-344, best), (1139, f"{line} Nc3"), proof=(-1139, "")))
    words = "55... g4+ 56. Ke4 h3 57. Nb4 hxg2 58. Nxa2 g1=Q"
    assert move.reason and move.reason.text == f"Lets a pawn promote: {words}."


def test_a_mate_on_the_back_rank_is_allowed() -> None:
    fen = "r5k1/5ppp/8/8/8/8/5PPP/R3Q1K1 w - - 0 1"
    move = reported(fen, "Qe7", Scripted((900, "Rxa8#"), ("#1", "Rxa1+ Qe1 Rxe1#")))
    assert move.reason is None or "mate" not in move.reason.text  # the line is longer than the mate
    move = reported(fen, "Qe7", Scripted((900, "Rxa8#"), ("#2", "Rxa1+ Qe1 Rxe1#")))
    text = "Allows mate in 2 on the back rank: 1... Rxa1+ 2. Qe1 Rxe1#."
    assert move.reason and (move.reason.text, move.reason.means) == (text, Motif.BACK_RANK)
    assert move.reason.kind == ReasonKind.ALLOWS_MATE


def test_a_mate_is_missed() -> None:
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    move = reported(fen, "h3", Scripted(("#1", "Ra8#"), (-500, "h6")))
    assert move.reason and move.reason.kind == ReasonKind.MISSES_MATE
    assert move.reason.text == "Misses mate in 1 on the back rank: 1. Ra8#."
    unfinished = reported(fen, "h3", Scripted(("#1", "Ra7"), (-500, "h6")))
    assert unfinished.reason is None or unfinished.reason.kind != ReasonKind.MISSES_MATE


def test_stalemate() -> None:
    move = reported("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Qg6", Scripted((900, "Kf7"), (0, "")))
    assert move.reason and move.reason.text == "Stalemate."
    level = reported("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Qg6", Scripted((40, "Kf7"), (0, "")))
    assert level.reason is None  # no mistake at all


PERPETUAL = "7k/6p1/8/8/q7/8/1r3PPP/4Q1K1 b - - 0 1"


def test_perpetual_check() -> None:
    line = "Qe8+ Kh7 Qh5+ Kg8 Qe8+ Kh7"
    move = reported(PERPETUAL, "Qc6", Scripted((500, "Qa8"), (0, "Qe5 Kg8")))
    assert move.reason is None or move.reason.kind != ReasonKind.PERPETUAL  # no checks
    fen = "7k/6p1/8/8/8/8/q4PPP/4Q1K1 b - - 0 1"
    move = reported(fen, "Qb2", Scripted((500, "Qa8"), (0, line)))
    assert move.reason and move.reason.kind == ReasonKind.PERPETUAL
    assert move.reason.text == "Allows perpetual check: 2. Qe8+ Kh7 3. Qh5+ Kg8 4. Qe8+ Kh7."
    longest = f"h3 Qb6 h4 Qb2 {line}"  # the checks begin after more moves than anybody reads
    late = reported(fen, "Qb2", Scripted((500, "Qa8"), (0, longest)))
    assert late.reason is None or late.reason.kind != ReasonKind.PERPETUAL
    winning = reported(fen, "Qb2", Scripted((500, "Qa8"), (150, line)))
    assert (
        winning.reason is None or winning.reason.kind != ReasonKind.PERPETUAL
    )  # no draw by the score


def test_a_position_for_the_third_time() -> None:
    """By the move itself, or by the reply that it lets the opponent play."""
    start = "6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1"
    circle = ["Qa2", "Kf8", "Qa1", "Kg8"] * 2
    for played, answer, text in (
        (8, "Kf8", "Threefold repetition."),
        (6, "Kg8", "Allows threefold repetition: 4... Kg8."),
        (2, "Kg8", ""),
    ):
        history = chess.Board(start)
        for san in circle[:played]:
            history.push_san(san)
        script = Scripted((500, "Qb1"), (0, answer))
        found = [*find_draws(reported(history.fen(), circle[played % 8], script), history)]
        assert "".join(reason.text for reason in found) == text


def test_a_draw_that_would_have_saved_the_game_is_missed() -> None:
    fen, line = "7k/6p1/8/8/8/8/q4PPP/4Q1K1 w - - 0 1", "Qe8+ Kh7 Qh5+ Kg8 Qe8+ Kh7"
    move = reported(fen, "h3", Scripted((0, line), (500, "Qb2")))
    assert move.reason and move.reason.text.startswith(
        "Misses perpetual check: 1. Qe8+ Kh7 2. Qh5+"
    )
    assert move.reason.instead and move.reason.squares == (chess.H8,)
    fen = "7k/5Q2/5K2/8/8/8/8/r7 b - - 0 1"
    move = reported(fen, "Ra2", Scripted((0, "Ra6+ Kg5 Rg6+ Qxg6"), ("#1", "Qg7#")))
    assert move.reason and move.reason.kind == ReasonKind.ALLOWS_MATE
    move = reported(fen, "Ra2", Scripted((0, "Ra6+ Kg5 Rg6+ Qxg6"), (900, "Qe7 Ra1")))
    words = "1... Ra6+ 2. Kg5 Rg6+ 3. Qxg6"
    assert move.reason and move.reason.text == f"Misses stalemate: {words}."


def test_the_only_move() -> None:
    fen = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"
    script = Scripted((0, "h3"), (500, "Kf8"), proof=(0, ""), others=-400)
    move = reported(fen, "g3", script)
    assert move.reason and move.reason.text == "Only 1. h3 kept the balance."
    assert move.reason.kind == ReasonKind.ONLY_MOVE and move.reason.instead
    script.others = -50
    move = reported(fen, "g3", script)
    assert move.reason is None or move.reason.kind != ReasonKind.ONLY_MOVE
    for others, words in ((200, "kept the win"), (450, "was clearly better"), (700, None)):
        script = Scripted((900, "h3"), (500, "Kf8"), proof=(0, ""), others=others)
        move = reported(fen, "g3", script)  # with 450 the other moves win as well
        assert (move.reason and move.reason.text) == (words and f"Only 1. h3 {words}.")
    script = Scripted((900, "h3"), (500, "Kf8"), others=450, others_later=700)
    assert reported(fen, "g3", script).reason is None


def test_an_only_move_near_another_state_is_searched_longer() -> None:
    fen = "8/1p2k3/3p3p/3Pp1pP/pP1pP3/3K1P2/1P4P1/8 b - - 4 32"
    script = Scripted((432, "g4"), (-177, "Kc4"), proof=(0, ""), others=99, longer=406)
    move = reported(fen, "Kd7", script)
    assert move.reason and move.reason.text == "Only 32... g4 kept the win."
    script.longer = 350  # it was no win, nor as good as it looked
    assert reported(fen, "Kd7", script).reason is None
    script.before, script.longer = (500, "g4"), 0  # not asked for: no other state is near
    move = reported(fen, "Kd7", script)
    assert move.reason and move.reason.text == "Only 32... g4 kept the win."


@pytest.mark.slow
def test_the_check_of_an_only_move_keeps_no_scores_of_that_move() -> None:
    """In this blocked ending the break may be played later too, so its scores reach the other moves."""
    fen = "8/1p2k3/3p3p/3Pp1pP/pP1pP3/3K1P2/1P4P1/8 b - - 4 32"
    move = reported(fen, "Kd7", Scripted((432, "g4"), (-177, "Kc4"), others=99, longer=406))
    assert Checker(400_000).why_false(Case(move.board, move)) == ""


ROOKS = "8/5k2/8/1p6/r7/8/R5K1/8 w - - 0 1"
QUEENS = "r2q2k1/5ppp/5n2/8/8/5N2/3Q1PPP/R5K1 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "san", "script", "text"),
    [
        (
            "4r1k1/8/8/4B3/8/5N2/8/6K1 w - - 0 1",
            "Nh4",
            Scripted((300, "Kf2"), (250, "Rxe5 Kf2"), proof=(-250, "")),
            "Leaves the bishop on e5 without a defender: 1... Rxe5.",
        ),
        (
            "r5k1/8/8/8/8/B7/8/R5K1 w - - 0 1",
            "Bb4",
            Scripted((300, "Kf2"), (250, "Rxa1+ Kf2"), proof=(-250, "")),
            "Opens the line of the rook to the rook on a1: 1... Rxa1+.",
        ),
        (
            ROOKS,
            "Rxa4",
            Scripted((0, "Rb2"), (600, "bxa4 Kf3"), proof=(-600, "")),
            "Trades rooks into a lost pawn ending: 1. Rxa4 bxa4.",
        ),
        (ROOKS, "Rxa4", Scripted((0, "Rb2"), (600, "bxa4 Kf3"), proof=(-300, "")), None),
        (
            ROOKS,
            "Rb2",
            Scripted((600, "Rxa4 bxa4"), (0, "Rc4"), proof=(600, ""), others=600),
            "Misses the trade of rooks into a won pawn ending: 1. Rxa4 bxa4.",
        ),
        (
            QUEENS,
            "Qe2",
            Scripted((0, "Qxd8+ Rxd8"), (400, "Qd6"), others=0, without=300),
            "Allows 1... Qd6.",
        ),
        (
            "rn2kb1r/ppp1pppp/5n2/8/1q6/2N1BQ2/PPP3PP/2KR1BNR b kq - 2 7",
            "h6",
            Scripted((0, "Nc6"), (400, "Nb5"), others=0),
            "Allows 8. Nb5, which threatens mate by 9. Nxc7#.",
        ),
        (
            "r1b1k2r/ppp2ppp/2n5/3q4/8/2N2N2/PP3PPP/R1BQK2R b KQkq - 0 9",
            "h6",
            Scripted((0, "Qd8"), (400, "Bf4"), others=0),
            "Allows 10. Bf4.",
        ),
        (
            "2r2rk1/3b2p1/p3p2p/1p4q1/3PpN1b/P3P3/1P1B2PQ/2R2RK1 w - - 2 24",
            "Nh3",  # the trade of rooks threatens mate, until White retakes
            Scripted((-70, "Qh3"), (140, "Rxc1 Rxc1"), others=70, without=600),
            "Allows 24... Rxc1.",
        ),
        (
            "rn2kb1r/ppp1pppp/5n2/8/1q6/2N1BQ2/PPP3PP/2KR1BNR w kq - 2 8",
            "a3",
            Scripted((400, "Nb5"), (0, "Nc6"), others=0, without=600),
            "Misses 8. Nb5, which threatens mate by 9. Nxc7#.",
        ),
        (
            "r1bqkb1r/pppp1pp1/2n5/1B2p2p/4P1n1/5N1P/PPPP1PP1/RNBQ1RK1 w kq - 0 6",
            "hxg4",
            Scripted((100, "d3"), (250, "hxg4 Ne1"), others=-250, without=0),
            "Opens the h-file to the own king: to pass would have been better.",
        ),
    ],
)
def test_what_a_move_does_to_a_piece_and_trades(
    fen: str, san: str, script: Scripted, text: str | None
) -> None:
    move = reported(fen, san, script)
    assert (move.reason and move.reason.text) == text
    if move.reason:
        assert read_reason(move.reason.text) == replace(move.reason, line=(), squares=())


QUIET = "r4rk1/pppq1ppp/2n2n2/4p3/1P2P3/P2P1NP1/1B3PBP/RN1QK2R b KQ - 0 14"


@pytest.mark.parametrize(
    ("without_reply", "passed", "answer", "text"),
    [
        # Without 15. b5 the move would cost little.
        (0, -300, "b5", "Allows 15. b5, which attacks the knight on c6."),
        # To pass is as good, or better; a threat is a capture or a check.
        (150, -150, "b5", "Achieves nothing: to pass would have been as good."),
        (150, -100, "b5", "Does harm: to pass would have been better."),
        (150, -300, "b5", None),
    ],
)
def test_quiet_reasons_are_what_ablation_leaves(
    without_reply: int, passed: int, answer: str, text: str | None
) -> None:
    """The score after the move is -150 in its player's view, and 0 after the best one."""
    assert quiet_reason(without_reply, -passed, answer) == text


@pytest.mark.parametrize(("again", "text"), [(70, "Achieves nothing: to pass"), (55, None)])
def test_the_loss_of_an_inaccuracy_is_searched_again(again: int, text: str | None) -> None:
    reason = quiet_reason(70, 70, "b5", loss=70, again=again)
    assert reason and text and reason.startswith(text) if text else reason is None


def quiet_reason(
    without_reply: int, passed: int, answer: str, *, loss: int = 150, again: int | None = None
) -> str | None:
    """The words for 14... Nh5; scores in the opponent's view, `again` is that of the second search."""

    def find(task: Segment) -> Evaluations:
        start = task.boards()[0]
        if task.is_look:
            return (evaluation(start, 0, "Rfd8"),) * 2
        if task.avoided:
            return (evaluation(start, without_reply, ""),)
        if start.turn == chess.BLACK:
            found = loss if task.effort == 1 or again is None else again
            return evaluation(start, 0, "Rfd8"), evaluation(task.boards()[1], found, "b5")
        return (evaluation(start, passed, answer),)

    plan = AnalysisPlan(game_of(f'[FEN "{QUIET}"]\n\n14... Nh5 *'), AnalysisSettings(nodes=1))
    results: dict[str, Evaluations] = {}
    while tasks := plan.tasks(results):
        results |= {key: find(task) for key, task in tasks.items()}
    (move,) = plan.report(results).moves
    assert move
    return move.reason.text if move.reason else None


@pytest.mark.slow
def test_the_pieces_of_textbook_traps_are_named() -> None:
    """In each game, after the move with the sign, the reason names what its comment says."""
    unnamed = {}
    for entry in read_games(TRAPS):
        settings = AnalysisSettings(nodes=int(entry.game.headers.get("Nodes", 60_000)))
        search = segment_searcher(settings)
        plan = AnalysisPlan(entry.game, settings)
        results: dict[str, Evaluations] = {}
        while tasks := plan.tasks(results):
            results |= {key: search(task) for key, task in tasks.items()}
        told = {move.ply: move.reason for move in plan.report(results).moves if move}
        node = next(node for node in entry.game.mainline() if node.comment)
        reason = told[node.ply() - 1]
        assert reason
        if not re.search(node.comment, reason.text):
            unnamed[entry.game.headers["Event"]] = reason.text
    assert not unnamed
