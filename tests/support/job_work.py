"""Things to do for the workers of `tests/engine/jobs`, which import this in processes of their own."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from boomslang.engine.jobs.run import run


class UnpicklableError(Exception):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.function = lambda: None


class UnreadableError(Exception):
    """Pickles, but cannot be made again."""

    def __init__(self, text: str, *, number: int = 0) -> None:
        super().__init__(text, number)


class Riddle:
    """Pickles, but cannot be made again."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return int, ("none",)


def answering_nonsense(folder: Path, sendable: bool) -> Callable[[int], object]:
    """The answer to the item 3 cannot travel; a file tells that it was tried."""

    def work(number: int) -> object:
        if number != 3:
            return number
        (folder / f"{number}.{os.getpid()}").touch()
        return Riddle() if sendable else (lambda: None)

    return work


def squares() -> Callable[[int], int]:
    return lambda number: number * number


def within(count: int) -> list[int]:
    """Squares by two jobs."""
    return [answer for _, answer in run(squares, range(count), jobs=2)]


def processes() -> Callable[[int], int]:
    """Each item says in which process it was done."""

    def work(number: int) -> int:
        time.sleep(0.02)
        return os.getpid()

    return work


def mortal(folder: Path, deadly: int, deaths: int) -> Callable[[int], int]:
    """Every item leaves a file at each attempt; one of them kills its first workers."""

    def work(number: int) -> int:
        attempts = len(list(folder.glob(f"{number}.*")))
        (folder / f"{number}.{attempts}").touch()
        time.sleep(0.02)
        if number == deadly and attempts < deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    return work


def first_waits(folder: Path, others: int) -> Callable[[int], int]:
    """The item 0 ends when so many others have begun and had time for more; it says how many have."""

    def work(number: int) -> int:
        (folder / str(number)).touch()
        if number:
            return number
        while len(list(folder.iterdir())) <= others:
            time.sleep(0.01)
        time.sleep(0.3)
        return len(list(folder.iterdir())) - 1

    return work


def failing(problem: type[Exception]) -> Callable[[int], int]:
    def work(number: int) -> int:
        if number == 3:
            raise problem("three is too many")
        return number

    return work


def never_made() -> Callable[[int], int]:
    raise OSError("nothing works here")


def searching(folder: Path, seconds: float) -> Callable[[str], tuple[str, str, int]]:
    """Best move, score and nodes of a position; a file tells which process began with it."""
    import chess

    from boomslang.engine.driver.searcher import Searcher, load
    from boomslang.engine.limits import Limits

    load()
    player = Searcher(hash_mb=1)

    def work(fen: str) -> tuple[str, str, int]:
        board = chess.Board(fen)
        name = board.board_fen().replace("/", "_")
        attempts = len(list(folder.glob(f"{name}.*")))
        (folder / f"{name}.{attempts}").write_text(str(os.getpid()))
        time.sleep(seconds)
        player.new_game()
        player.clear_stop()
        result = player.search(board, Limits(nodes=3000), lambda info: None)
        assert result.best and result.info
        return result.best.uci(), str(result.info.score), result.info.nodes

    return work
