"""CECP's time controls, rows C10 to C13: what each of them allows the next move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Limits
from boomslang.uci.cecp.clock import Clock, has_enough


def limits(*commands: str, plies: int = 0, white: bool = False) -> Limits:
    """What a side may use after these commands, which come before the first move."""
    clock = Clock()
    for line in commands:
        word, *rest = line.split()
        if word == "level":
            clock.level(rest, 0)
        else:
            getattr(clock, word)(*rest)
    return clock.limits(white, plies)


@pytest.mark.parametrize(
    ("level", "base", "increment", "moves"),
    [
        ("level 40 5 0", 300_000, 0, 40),
        ("level 0 5 12", 300_000, 12_000, None),
        ("level 0 0:30 0", 30_000, 0, None),
        ("level 0 1:30 0.5", 90_000, 500, None),
        ("level 10 0:01 .25", 1000, 250, 10),
        ("level 0 2.5 0", 150_000, 0, None),
        ("level 0 0 3", 1, 3000, None),
        ("level -1 0:00 -5", 1, 0, None),
        ("level 40.0 5.0 1e1", 300_000, 10_000, 40),
        ("level +40 +5 +0", 300_000, 0, 40),
        ("level 0 99999999:99 0", 10**10, 0, None),
    ],
)
def test_level_sets_base_time_increment_and_moves(
    level: str, base: int, increment: int, moves: int | None
) -> None:
    allowed = limits(level)
    assert allowed.black_time == base and allowed.white_time == base
    assert allowed.black_increment == increment and allowed.moves_to_go == moves


@pytest.mark.parametrize(("plies", "left"), [(1, 40), (3, 39), (79, 1), (81, 40), (159, 1)])
def test_level_counts_the_moves_left_in_the_period(plies: int, left: int) -> None:
    assert limits("level 40 5 0", plies=plies).moves_to_go == left


def test_a_level_set_in_mid_game_counts_moves_from_there() -> None:
    clock = Clock()
    clock.level(["10", "1", "0"], 31)
    assert clock.limits(False, 31).moves_to_go == 10
    assert clock.limits(False, 33).moves_to_go == 9
    assert clock.limits(False, 5).moves_to_go == 10  # moves were taken back


@pytest.mark.parametrize("words", [[], ["40", "5"], ["a", "5", "0"], ["40", "x", "0"],
                                   ["40", "5", "y"], ["40", "5", "1,5"], ["40", ":", "0"]])  # fmt: skip
def test_an_invalid_level_is_refused(words: list[str]) -> None:
    with pytest.raises(CommandError):
        Clock().level(words, 0)


@pytest.mark.parametrize(
    ("word", "time"),
    [("5", 5000), ("0.5", 500), ("0", 1), ("0.0001", 1), ("-3", 1), (".01", 10),
     ("86400", 86_400_000), ("9" * 15, 10**10), ("+2", 2000), ("1e3", 1_000_000), ("1e999", 10**10)],
)  # fmt: skip
def test_st_sets_the_time_per_move(word: str, time: int) -> None:
    assert limits(f"st {word}") == Limits(movetime=time)


@given(st.integers(1, 10**7), st.integers(0, 5000))
def test_st_is_the_maximum_time_of_a_move(time: int, overhead: int) -> None:
    clock = Clock()
    clock.st(f"{time / 1000:.3f}")
    allowed = clock.limits(True, 0, overhead).movetime
    assert allowed is not None and max(1, time // 2) <= allowed <= max(1, time)
    assert allowed == time - overhead or overhead > time / 2
    clock.nps("1000")  # nodes need no way to anybody
    assert clock.limits(True, 0, overhead) == clock.limits(True, 0)


@pytest.mark.parametrize("word", ["x", "", "e3", "1,5", "1_0", "٣", "nan", "inf", "--1", "1.2.3"])
def test_st_refuses_what_is_not_a_number(word: str) -> None:
    with pytest.raises(CommandError):
        Clock().st(word)


def test_sd_combines_with_any_clock() -> None:
    assert limits("sd 7") == Limits(depth=7)  # nobody has spoken of time
    assert limits("st 2", "sd 7") == Limits(depth=7, movetime=2000)
    assert limits("sd 7", "level 0 1 0").depth == 7
    assert limits("sd 0").depth == 1


def test_sd_ends_with_the_game() -> None:
    clock = Clock()
    clock.sd("3")
    clock.nps("5")
    clock.new_game()
    allowed = clock.limits(True, 0)
    assert allowed.depth is None and allowed.nodes is None


def test_nodes_replace_the_time_limit() -> None:
    assert limits("nps 1", "st 5000") == Limits(nodes=5000)
    assert limits("nps 10000", "st 8") == Limits(nodes=80_000)
    assert limits("nps 1", "st 0", "sd 3") == Limits(nodes=1, depth=3)
    on_clock = limits("nps 1000", "level 0 1 0").nodes
    assert on_clock and 500 < on_clock < 10_000  # a share of 60 000
    assert limits("nps 0", "st 5") == Limits(movetime=5000)


def test_time_and_otim_set_both_clocks_in_centiseconds() -> None:
    allowed = limits("level 0 5 0", "time 1234", "otim 99", white=True)
    assert allowed.white_time == 12_340 and allowed.black_time == 990
    allowed = limits("level 0 5 0", "time 0", "otim -50")
    assert allowed.black_time == 1 and allowed.white_time == 1


def test_without_time_and_otim_the_engine_keeps_its_own_clock() -> None:
    clock = Clock()
    clock.level(["2", "1", "3"], 0)
    clock.record_move(10_000, 1)
    assert clock.limits(True, 2).white_time == 60_000 - 10_000 + 3000
    clock.record_move(1000, 3)  # the second of two moves: another minute
    assert clock.limits(True, 4).white_time == 53_000 - 1000 + 3000 + 60_000


def test_a_ponder_search_continues_if_the_clock_is_as_expected() -> None:
    clock = Clock()
    clock.level(["0", "1", "0"], 0)
    promised = clock.limits(True, 2)
    clock.time("5900")
    assert has_enough(promised, clock.limits(True, 2), white=True)
    clock.time("3000")
    assert not has_enough(promised, clock.limits(True, 2), white=True)
    clock.st("1")
    assert not has_enough(promised, clock.limits(True, 2), white=True)


@pytest.mark.parametrize("word", ["7", "7.0", "7.9", "+7", "0.7e1"])
def test_numbers_are_read_as_they_were_meant(word: str) -> None:
    assert limits(f"sd {word}") == Limits(depth=7)
    assert limits("level 0 5 0", f"nps {word}") == limits("level 0 5 0", "nps 7")


@pytest.mark.parametrize("word", ["700", "700.0", "+700", "7e2"])
def test_clocks_are_read_as_they_were_meant(word: str) -> None:
    allowed = limits("level 0 5 0", f"time {word}", f"otim {word}")
    assert (allowed.white_time, allowed.black_time) == (7000, 7000)
