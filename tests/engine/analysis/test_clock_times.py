"""Clocks of games: remaining and elapsed times, and time trouble."""

from __future__ import annotations

import pytest

from boomslang.engine.analysis.clock_times import (
    ClockPeriod,
    MoveTime,
    clock_text,
    move_times,
    time_control,
)
from boomslang.engine.analysis.page_data import game_page
from boomslang.engine.notation.pgn import read_games
from tests.support.analysed import PGN, game_of, report_of

CHESSCOM = PGN / "chesscom_clocks_a.pgn"


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("180+2", ClockPeriod(180, 2)),
        ("600", ClockPeriod(600)),
        ("0.5+1", ClockPeriod(0.5, 1)),
        ("40/5400+30:1800+30", ClockPeriod(5400, 30, 40)),
        ("1/86400", None),
        ("-", None),
        ("?", None),
        ("", None),
        ("180+2 or so", None),
    ],
)
def test_time_controls(text: str, control: ClockPeriod | None) -> None:
    assert time_control(text) == control


def test_remaining_times() -> None:
    game = game_of(
        '[TimeControl "60+1"]\n\n1. e4 {[%clk 0:00:58]} e5 {[%clk 0:00:50.5]} '
        "2. Nf3 {[%clk 0:00:05.9]} Nc6 3. Bc4 {[%clk 0:00:02]} d6 {[%clk 0:00:49]} *"
    )
    assert move_times(game) == [
        MoveTime(58, 3, False),
        MoveTime(50.5, 10.5, False),
        MoveTime(5.9, 53.1, False),  # 58 seconds were there when it was begun
        None,
        MoveTime(2, 4.9, True),  # less than a tenth of 60 seconds
        MoveTime(49, None, False),  # the clock before it is unknown
    ]


def test_elapsed_times() -> None:
    moves = "1. e4 {[%emt 0:00:10]} e5 {[%emt 0:00:56]} 2. Nf3 Nc6 {[%emt 0:00:01]} *"
    bare = move_times(game_of(moves))
    assert bare == [
        MoveTime(None, 10, False),
        MoveTime(None, 56, False),
        None,
        MoveTime(None, 1, False),
    ]
    timed = move_times(game_of(f'[TimeControl "60"]\n\n{moves}'))
    assert timed == [MoveTime(50, 10, False), MoveTime(4, 56, False), None, MoveTime(3, 1, True)]


def test_no_time_trouble_with_a_minute_or_more() -> None:
    moves = "1. e4 {[%clk 0:01:01]} e5 2. d4 {[%clk 0:00:59]} d5 3. c4 {[%clk 0:00:58]} *"
    times = move_times(game_of(f'[TimeControl "5400+30"]\n\n{moves}'))
    assert [time.trouble for time in times if time] == [False, False, True]


def test_the_end_of_a_period_adds_time() -> None:
    moves = "1. e4 {[%clk 0:00:30]} e5 2. d4 {[%clk 0:30:10]} d5 3. c4 {[%clk 0:30:00]} *"
    times = move_times(game_of(f'[TimeControl "2/60:1800"]\n\n{moves}'))
    assert [time.spent for time in times if time] == [30, None, 10]


def test_games_without_clocks() -> None:
    assert move_times(game_of('[TimeControl "60"]\n\n1. e4 e5 *')) == []
    page = game_page(report_of(game_of("1. e4 e5 *")))
    assert all("clock" not in move and "spent" not in move for move in page["moves"])


def test_texts() -> None:
    assert [clock_text(s) for s in (3909, 247, 59.9, 9.96, 8.44, 0)] == [
        "1:05:09",
        "4:07",
        "0:59",
        "0:09",
        "0:08.4",
        "0:00.0",
    ]


@pytest.mark.skipif(not CHESSCOM.exists(), reason="the games of Chess.com are not there")
def test_games_of_chesscom() -> None:
    (game, *_) = [entry.game for entry in read_games(CHESSCOM)]
    times = move_times(game)
    assert all(time and time.left is not None and time.spent is not None for time in times)
    assert times[0] == MoveTime(178.9, 2.1, False)
    # 19... Nxe5 leaves 24.5 of 180 seconds, 20... c6 13.8; the next move is made in time trouble.
    assert [ply for ply, time in enumerate(times) if time and time.trouble] == [41]
