"""Work on several processes of this computer.

`ProcessPoolExecutor` is no alternative: when one of its processes dies it ends the others, and all their
work is lost. Here each process has its own pipe, and only its current item goes to another process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from typing import Any, Final

from boomslang.core.system.shutdown import delay_interrupts, run_at_end
from boomslang.core.system.worker import begin_child, starting_processes
from boomslang.engine.errors import MAX_LOSSES, JobsError

# Seconds in which a worker ends what it has started, at once unless the machine is busy: nobody else can.
_LEAVE_TIMEOUT: Final = 1.0
# Windows waits for 63 handles at once.
_MAX_PROCESSES: Final = 60 if sys.platform == "win32" else 1024
_CONTEXT: Final = multiprocessing.get_context("spawn")  # a fork would inherit threads' locks

Make = Callable[[], Callable[[Any], Any]]


class _Task:
    def __init__(self, number: int, item: Any) -> None:
        self.number = number
        self.item = item
        self.losses = 0


class _Worker:
    def __init__(self) -> None:
        self._pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_work, args=(theirs,), daemon=True)
        with starting_processes():
            self._process.start()
        theirs.close()
        self.task: _Task

    @property
    def pipe(self) -> Connection:
        """Readable when there is an answer or the process has died."""
        return self._pipe

    def learn(self, make: bytes) -> None:
        """Send the pickled `make`. This may block until the process reads, so it is not part of `start`."""
        with contextlib.suppress(OSError):  # it has died, which is noticed when its answer is due
            self._pipe.send_bytes(make)

    def give(self, task: _Task) -> None:
        """Send the next item."""
        self.task = task
        with contextlib.suppress(OSError):  # it has died, which is noticed when its answer is due
            self._pipe.send(task.item)

    def take(self) -> tuple[Any, Exception | None]:
        """The answer or the exception; raises EOFError or ConnectionError if it has died."""
        reply: tuple[Any, Exception | None] = self._pipe.recv()
        return reply

    def end(self, until: float = 0.0) -> None:
        """Kill it, after waiting until `time.monotonic()` is `until` for it to end by itself."""
        self._process.join(max(0.0, until - time.monotonic()))
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def ask_to_end(self) -> None:
        """Ask it to end, which it does at once; it also ends the processes that it has started."""
        self._process.terminate()


class _ProcessPool:
    def __init__(self, make: Make, items: Iterable[Any], jobs: int, ahead: int | None) -> None:
        self._make = make
        self._jobs = min(jobs, _MAX_PROCESSES)
        self._ahead = None if ahead is None else ahead * jobs
        self._tasks = (_Task(number, item) for number, item in enumerate(items))
        self._begun = 0
        self._lost: deque[_Task] = deque()
        self._idle: list[_Worker] = []
        self._busy: dict[Any, _Worker] = {}  # by pipe
        self._all: list[_Worker] = []

    def employ(self) -> bool:
        """Give an item to every idle worker; False if no answer is outstanding."""
        while len(self._busy) < self._jobs:
            task = self._lost.popleft() if self._lost else self._next()
            if task is None:
                break
            worker = self._idle.pop() if self._idle else self._hire()
            self._busy[worker.pipe] = worker
            worker.give(task)
        return bool(self._busy)

    def _hire(self) -> _Worker:
        make = bytes(ForkingPickler.dumps(self._make))
        with delay_interrupts():  # an interrupt here would leak the process
            worker = _Worker()
            self._all.append(worker)
        worker.learn(make)
        return worker

    def _next(self) -> _Task | None:
        """The next task; None if there is none, or if it has to wait for an older one."""
        if self._ahead is not None and self._busy:
            oldest = min(worker.task.number for worker in self._busy.values())
            if self._begun > oldest + self._ahead:
                return None
        task = next(self._tasks, None)
        self._begun += task is not None
        return task

    def answers(self) -> list[tuple[int, Any]]:
        """Wait for at least one answer, or for the death of a worker."""
        answers = []
        for pipe in wait(list(self._busy)):
            worker = self._busy.pop(pipe)
            try:
                answer, problem = worker.take()
            except (EOFError, ConnectionError):
                self._forget(worker)
                self._lose(worker.task)
                continue
            except Exception as broken:  # its answer cannot be unpickled
                self._forget(worker)
                raise JobsError(f"an answer cannot be read: {broken}") from broken
            self._idle.append(worker)
            if problem is not None:
                raise problem
            answers.append((worker.task.number, answer))
        return answers

    def dismiss(self) -> None:
        """End all workers."""
        workers, self._all = self._all, []
        for worker in workers:
            worker.ask_to_end()
        until = time.monotonic() + _LEAVE_TIMEOUT
        for worker in workers:
            worker.end(until)

    def _forget(self, worker: _Worker) -> None:
        self._all.remove(worker)
        worker.end()

    def _lose(self, task: _Task) -> None:
        task.losses += 1
        if task.losses == MAX_LOSSES:
            raise JobsError(f"{MAX_LOSSES} processes died over item {task.number + 1}")
        self._lost.append(task)


def may_start_processes() -> bool:
    """False in a daemonic process, which `multiprocessing` forbids it."""
    return not multiprocessing.current_process().daemon


def run_in_processes(
    make: Make, items: Iterable[Any], jobs: int, ahead: int | None = None
) -> Generator[tuple[int, Any], None, None]:
    """`engine.jobs.run.run` on `jobs` processes, which start when there is work for them."""
    pool = _ProcessPool(make, items, jobs, ahead)
    with run_at_end(pool.dismiss):
        try:
            while pool.employ():
                answers = pool.answers()
                pool.employ()  # keep the workers busy while the caller handles the answers
                yield from answers
        finally:
            pool.dismiss()


def _work(pipe: Any) -> None:
    """What a worker does until nobody is at the other end of the pipe."""
    begin_child()
    function: Callable[[Any], Any] | None = None
    with contextlib.suppress(EOFError, ConnectionError):
        make = pipe.recv_bytes()
        while True:
            data = pipe.recv_bytes()
            try:
                item = pickle.loads(data)  # noqa: S301 - of our own process
                function = function or pickle.loads(make)()  # noqa: S301
                answer = function(item)
                reply = _pack(answer)
            except Exception as problem:
                reply = _pack_problem(problem)
            pipe.send_bytes(reply)


def _pack(answer: Any) -> bytes:
    """A pickled answer; raises JobsError if it cannot be pickled."""
    try:
        return bytes(ForkingPickler.dumps((answer, None)))
    except Exception as problem:  # its class may raise anything
        raise JobsError(f"an answer cannot be sent: {problem}") from problem


def _pack_problem(problem: Exception) -> bytes:
    """A pickled exception, with the traceback of this process, to be raised again by the receiver."""
    story = traceback.format_exc()
    problem.add_note(story)
    try:
        data = bytes(ForkingPickler.dumps((None, problem)))
        pickle.loads(data)  # noqa: S301 - many are made in a way that pickle does not know of
    except Exception:
        data = bytes(ForkingPickler.dumps((None, RuntimeError(story))))
    return data
