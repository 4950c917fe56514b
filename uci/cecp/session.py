"""The session: executes one command after the other, and never waits for a move.

Searches run on another thread. The `Timing` of a command determines its effect on a running search.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

from boomslang.engine.errors import CommandError
from boomslang.engine.searcher.loading import KernelLoader
from boomslang.engine.system.sanitize import quote
from boomslang.uci.cecp.commands import CecpCommands, Timing
from boomslang.uci.cecp.game import looks_like_a_move
from boomslang.uci.cecp.messages import Command, EndOfInput, Message
from boomslang.uci.cecp.play import Play
from boomslang.uci.cecp.searches import CecpSearch
from boomslang.uci.output import Output
from boomslang.uci.protocol_engine import ProtocolEngine


class CecpSession:
    """Handles the messages of a queue, on one thread."""

    def __init__(
        self,
        output: Output,
        kernels: KernelLoader,
        messages: queue.SimpleQueue[Message],
        leaving: threading.Event,
    ) -> None:
        self._output = output
        self._queue = messages
        engine = ProtocolEngine(output.say, kernels)
        self._play = Play(output, engine, self._post)
        self._commands = CecpCommands(output, kernels, engine, self._play, leaving)
        self._entries = self._commands.table()
        self._deferred: list[Command] = []  # until the engine's move is made
        self._ends: list[EndOfInput] = []

    def run(self, first: Message) -> None:
        """Handle all messages, beginning with `first`; never returns."""
        message: Message | None = first
        while True:
            if isinstance(message, EndOfInput):
                self._ends.append(message)
                if message.at_once:
                    self._play.move_now()
            elif message:
                self._guard(message)
            if self._queue.empty():
                self._guard(self._report_end if self._ends else self._play.go_on)
            message = self._next()

    def _post(self, search: CecpSearch) -> None:
        """Queue the end of a search; called by its thread."""
        self._queue.put(lambda: self._take(search))

    def _next(self) -> Message | None:
        """The next message; None if an answer to `.` is due before."""
        due = self._commands.state_due
        if due is None:
            return self._queue.get()
        try:
            return self._queue.get(timeout=max(0.0, due - time.monotonic()))
        except queue.Empty:
            self._commands.state_due = None
            self._guard(self._play.analysis.report_state)
            return None

    def _report_end(self) -> None:
        """Set the events of the end of the input, unless a move or a hint is pending."""
        if not self._play.owes_answer:
            self._play.searches.halt()
            while self._ends:
                self._ends.pop().done.set()

    def _guard(self, work: Command | Callable[[], None]) -> None:
        """Do the work and report its exceptions: no input may end the session."""
        try:
            if isinstance(work, Command):
                self._receive(work)
            else:
                work()
        except CommandError as problem:
            shown = work.shown if isinstance(work, Command) else ""
            self._output.line(f"Error ({problem}): {shown}".rstrip())
        except Exception as problem:
            said = f"{type(problem).__name__} {quote(str(problem))}"
            self._output.say(f"error: internal error: {said}")

    def _take(self, search: CecpSearch) -> None:
        try:
            self._play.take(search)
        finally:
            self._run_deferred()

    # Commands

    def _receive(self, command: Command) -> None:
        if self._commands.editor:
            self._commands.edit_further(self._commands.editor, command)
            return
        entry = self._entries.get(command.word)
        if entry is None:
            if not looks_like_a_move(command.word):
                raise CommandError("unknown command")
            self._commands.usermove(command, command.word)
            return
        if not command.whole:
            if command.word == "setboard":
                self._commands.set_up(command)
            raise CommandError("line too long")
        if entry.timing is Timing.AFTER and self._play.is_thinking:
            self._deferred.append(command)
            return
        if entry.timing is Timing.INSTEAD:
            self._play.interrupt()
            self._run_deferred()
        entry.obey(command)

    def _run_deferred(self) -> None:
        """Execute the commands that were deferred until the move."""
        while self._deferred and not self._play.is_thinking:
            command = self._deferred.pop(0)
            self._guard(command)
