"""The thread on which the engine works for a protocol, whose reader never waits for a move."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from boomslang.engine.core.system.text import quote
from boomslang.engine.core.system.threads import start_thread
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Current, Info, Result
from boomslang.engine.search_task import SearchTask
from boomslang.uci.info_stream import InfoStream, InfoTicker
from boomslang.uci.output import Output

if TYPE_CHECKING:
    from boomslang.engine.engine import Engine

Job: TypeAlias = Callable[[], None]


class SearchThread:
    """Does one job after the other; what a job raises is told to the user, and the next one is done.

    `prepare` comes before the first job. Where that fails, the process cannot go on, and ends.
    """

    def __init__(self, output: Output, prepare: Callable[[], None] = lambda: None) -> None:
        self.is_used = False
        self._prepare = prepare
        self._output = output
        self._ticker: InfoTicker | None = None
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        start_thread(self._work, "search")

    def post(self, job: Job) -> None:
        """Have a job done after all others."""
        self.is_used = True
        self._jobs.put(job)

    def search(
        self,
        engine: Engine,
        task: SearchTask,
        tell: Callable[[Info | Current], None],
        on_line: Callable[[Info], None] = lambda info: None,
    ) -> Result:
        """Search the engine's position; to be called in a job.

        `tell` gets what the user is to see, not too much at once, and nothing after the end; `on_line`
        hears every line at once.
        """
        self._ticker = self._ticker or InfoTicker()
        with InfoStream(tell, task.current, self._output.flush, self._ticker) as stream:

            def listen(info: Info) -> None:
                on_line(info)
                stream.line(info)

            return engine.go(task, listen)

    def _work(self) -> None:
        job = self._jobs.get()
        self._prepare()
        while True:
            try:
                job()
            except CommandError as problem:
                self._output.say(f"error: {problem}")
            except Exception as problem:
                said = f"{type(problem).__name__} {quote(str(problem))}"
                self._output.say(f"error: internal error: {said}")
            job = self._jobs.get()
