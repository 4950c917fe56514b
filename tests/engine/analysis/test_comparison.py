"""What a report says of players like those of a game: who finds a move, and like whom a side played."""

from __future__ import annotations

import chess
import pytest

import boomslang
from boomslang.engine.analysis.peers import BRILLIANT, GREAT, Peers, share_words
from boomslang.engine.analysis.performance import MIN_MOVES, Reading, performance, reading_of
from boomslang.engine.errors import CommandError


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (1.0, "nearly all players rated 1300 find it"),
        (0.6, "six in ten players rated 1300 find it"),
        (1 / 6, "one in six players rated 1300 finds it"),
        (1 / 40, "one in 40 players rated 1300 finds it"),
        (0.0, "hardly one in a hundred players rated 1300 finds it"),
    ],
)
def test_a_share_is_said_in_words(share: float, words: str) -> None:
    assert share_words(share, 1300, "find") == words


def test_only_what_few_find_has_a_name() -> None:
    assert Peers(1500, 0.2, 0.2, 0.05).merit == ""
    assert Peers(1500, 0.05, 0.05, 0.2).merit == GREAT
    assert Peers(1500, 0.05, 0.05, 0.08).merit == BRILLIANT


def test_a_rating_follows_moves_and_losses_and_gets_surer_with_games() -> None:
    """Likelihoods that rise with the rating are those of a strong player's moves."""
    rising, falling = [float(number) for number in range(11)], [-float(n) for n in range(11)]
    strong, weak = reading_of(rising, [1.0] * 30), reading_of(falling, [8.0] * 30)
    assert strong and weak and reading_of(rising, []) is None
    one, many, low = performance([strong]), performance([strong] * 50), performance([weak])
    assert one and many and low
    assert low.rating < low.high < one.low < one.rating <= many.rating
    assert 4 * (many.high - many.low) < 3 * (one.high - one.low)
    assert performance([Reading(MIN_MOVES - 1, strong.signs), None]) is None


def test_nobody_plays_like_a_rating_that_people_do_not_have() -> None:
    found = performance([Reading(40, (600.0, 5.477, 1.0))] * 20)  # all moves blunder
    assert found
    assert found.low == found.rating == 400 <= found.high


@pytest.mark.usefixtures("kernels")
def test_people_take_back_and_give_mate() -> None:
    board = chess.Board()
    for name in ("e2e4", "d7d5", "e4d5"):
        board.push_uci(name)
    chances = boomslang.people(board, 1500, search=False)
    assert next(iter(chances)) == chess.Move.from_uci("d8d5")
    assert sum(chances.values()) == pytest.approx(1) and len(chances) == board.legal_moves.count()
    scholar = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
    assert boomslang.people(scholar, 1500)[chess.Move.from_uci("h5f7")] > 0.5
    assert boomslang.people("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1500) == {}


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        (("x", 1500), {}, CommandError),
        ((chess.STARTING_FEN, float("nan")), {}, CommandError),
        ((chess.STARTING_FEN, "1500"), {}, TypeError),
        ((None, 1500), {}, TypeError),
        ((chess.STARTING_FEN, 1500), {"speed": "slow"}, CommandError),
        ((chess.STARTING_FEN, 1500), {"time_left": -1}, CommandError),
    ],
)
def test_what_people_refuses(
    arguments: tuple[object, ...], options: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        boomslang.people(*arguments, **options)  # type: ignore[arg-type]
