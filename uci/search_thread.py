"""The thread on which the engine works, so that the reader of a protocol never waits for a move."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import TypeAlias

from boomslang.core.system.sanitize import quote
from boomslang.core.system.threads import start_thread
from boomslang.engine.errors import CommandError
from boomslang.uci.output import Output

Job: TypeAlias = Callable[[], None]


class SearchThread:
    """Runs jobs one after the other; exceptions of a job are reported to the user.

    `prepare` is called before the first job. If that fails, the process ends.
    """

    def __init__(self, output: Output, prepare: Callable[[], None] = lambda: None) -> None:
        self.is_used = False
        self._prepare = prepare
        self._output = output
        self._jobs: queue.SimpleQueue[tuple[Job, str]] = queue.SimpleQueue()
        start_thread(self._work, "search")

    def post(self, job: Job, closing: str = "") -> None:
        """Queue a job, and the lines that end its answer also if it fails."""
        self.is_used = True
        self._jobs.put((job, closing))

    def _work(self) -> None:
        job, closing = self._jobs.get()
        self._prepare()
        while True:
            try:
                job()
            except CommandError as problem:
                self._output.fail(str(problem), closing)
            except Exception as problem:
                said = f"{type(problem).__name__} {quote(str(problem))}"
                self._output.fail(f"internal error: {said}", closing)
            job, closing = self._jobs.get()
