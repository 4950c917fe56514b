"""Work spread over processes and over a Dask cluster: complete, the same, whoever dies meanwhile."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from boomslang.core.system.worker import starting_processes
from boomslang.engine.driver.bench import POSITIONS
from boomslang.engine.errors import MAX_LOSSES, JobsError
from boomslang.engine.jobs.run import run, run_in_order
from tests.support import job_work
from tests.support.places import ROOT


def attempts(folder: Path) -> Counter[str]:
    return Counter(path.name.rpartition(".")[0] for path in folder.iterdir())


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_item_is_done_once(jobs: int) -> None:
    answers = list(run(job_work.squares, range(10, 30), jobs=jobs))
    assert sorted(answers) == [(number, (10 + number) ** 2) for number in range(20)]
    assert list(run(job_work.squares, [], jobs=jobs)) == []


def test_several_processes_work() -> None:
    workers = {answer for _, answer in run(job_work.processes, range(40), jobs=3)}
    assert len(workers) == 3 and os.getpid() not in workers


def test_a_daemonic_process_works_by_itself() -> None:
    with multiprocessing.get_context("spawn").Pool(
        1
    ) as pool:  # of those, which may start no others
        assert pool.apply(job_work.within, (3,)) == [0, 1, 4]


def test_threads_that_start_processes_at_once_leave_the_program_in_its_place() -> None:
    program, is_left = sys.modules["__main__"], threading.Event()

    def start() -> None:
        with starting_processes():
            is_left.wait()

    thread = threading.Thread(target=start)
    with starting_processes():
        thread.start()
        thread.join(0.1)
    is_left.set()
    thread.join()
    assert sys.modules["__main__"] is program


@pytest.mark.parametrize("jobs", [1, 2])
def test_items_may_go_on_for_ever(jobs: int) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    with contextlib.closing(run(job_work.squares, items(), jobs=jobs)) as answers:
        assert len(list(islice(answers, 5))) == 5
    assert len(taken) < 10


def test_processes_do_not_run_far_ahead_of_a_slow_item(tmp_path: Path) -> None:
    answers = list(run(partial(job_work.first_waits, tmp_path, 6), range(40), jobs=2, ahead=3))
    assert [number for number, _ in answers[:7]] == [1, 2, 3, 4, 5, 6, 0]
    assert dict(answers)[0] == 6 and len(answers) == 40


@pytest.mark.parametrize("jobs", [1, 3])
def test_in_order(jobs: int) -> None:
    answers = list(run_in_order(job_work.squares, range(100), jobs=jobs))
    assert answers == [number**2 for number in range(100)]


def test_the_item_of_a_dead_worker_is_done_again(tmp_path: Path) -> None:
    make = partial(job_work.mortal, tmp_path, deadly=4, deaths=2)
    answers = list(run(make, range(12), jobs=2))
    assert sorted(answers) == [(number, number) for number in range(12)]
    assert attempts(tmp_path) == Counter({str(n): 3 if n == 4 else 1 for n in range(12)})


def test_an_item_that_kills_everybody_is_given_up(tmp_path: Path) -> None:
    make = partial(job_work.mortal, tmp_path, deadly=1, deaths=100)
    with pytest.raises(JobsError, match="died over item 2"):
        list(run(make, range(4), jobs=2))
    assert attempts(tmp_path)["1"] == MAX_LOSSES


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("make", "raised", "words"),
    [
        (partial(job_work.failing, ValueError), ValueError, "three is too many"),
        (partial(job_work.failing, EOFError), EOFError, "three is too many"),
        (job_work.never_made, OSError, "nothing works here"),
    ],
)
def test_exceptions_arrive(
    make: Callable[[], Callable[[Any], Any]], raised: type[Exception], words: str, jobs: int
) -> None:
    with pytest.raises(raised, match=words):
        list(run(make, range(10), jobs=jobs))


@pytest.fixture
def nobody_stays() -> Iterator[None]:
    """Workers of other tests, in this process, may still be alive."""
    before = set(multiprocessing.active_children())
    yield
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.usefixtures("nobody_stays")
@pytest.mark.parametrize("kind", [job_work.UnpicklableError, job_work.UnreadableError])
def test_an_unpicklable_exception_is_reported(kind: type[Exception]) -> None:
    with pytest.raises(RuntimeError, match="three is too many"):
        list(run(partial(job_work.failing, kind), range(10), jobs=2))


@pytest.mark.parametrize(
    ("sendable", "words"), [(False, "answer cannot be sent"), (True, "answer cannot be read")]
)
@pytest.mark.usefixtures("nobody_stays")
def test_an_unpicklable_answer_is_reported_at_once(
    sendable: bool, words: str, tmp_path: Path
) -> None:
    make = partial(job_work.answering_nonsense, tmp_path, sendable)
    with pytest.raises(JobsError, match=words):
        list(run(make, range(10), jobs=2))
    assert attempts(tmp_path) == Counter({"3": 1})


@pytest.mark.usefixtures("nobody_stays")
def test_an_unreadable_item_is_reported() -> None:
    items: list[Any] = [1, 2, job_work.Riddle()]
    with pytest.raises(ValueError, match="invalid literal for int"):
        list(run(job_work.squares, items, jobs=2))


@contextlib.contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and so many workers as processes: its address, and the workers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    dask = [sys.executable, "-m", "dask"]
    scheduler = [*dask, "scheduler", "--port", address.rpartition(":")[2], "--no-dashboard"]
    worker = [*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for arguments in [scheduler, *[worker] * workers]:
            started.append(
                subprocess.Popen(
                    arguments,
                    cwd=folder,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
        yield address, started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


@pytest.mark.slow
@pytest.mark.jit_only
def test_a_cluster_that_loses_a_worker(kernels: None, tmp_path: Path) -> None:
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    alone.mkdir()
    spread.mkdir()
    fens = POSITIONS[:24]
    expected = sorted(run(partial(job_work.searching, alone, 0.0), fens))
    with cluster(tmp_path, 2) as (address, workers):
        make = partial(job_work.searching, spread, 0.1)
        answers = []
        for answer in run(make, fens, cluster=address):
            answers.append(answer)
            at_work = {path.read_text() for path in spread.iterdir()}
            if workers[0].poll() is None and len(answers) >= 6 and str(workers[0].pid) in at_work:
                os.kill(workers[0].pid, signal.SIGKILL)
                workers[0].wait()
    assert sorted(answers) == expected
    assert workers[0].returncode == -signal.SIGKILL
    again = attempts(spread) - attempts(alone)
    assert sum(again.values()) <= 2  # what it was at, and what it had just done


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boomslang.engine.jobs.cluster._CONNECT_SECONDS", 0.5)
    with pytest.raises(JobsError, match="no Dask scheduler answers at tcp"):
        list(run(job_work.squares, range(3), cluster="tcp://127.0.0.1:9"))
