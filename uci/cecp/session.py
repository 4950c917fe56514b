"""The session: obeys one command after the other, and never waits for a move.

Searches run beside it. What a command does to one that is going on is a matter of its manner.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

from boomslang.engine.core.system.text import quote
from boomslang.engine.engine import Engine
from boomslang.engine.errors import CommandError
from boomslang.engine.loading import KernelLoader
from boomslang.uci.cecp.commands import CecpCommands, Timing
from boomslang.uci.cecp.game import looks_like_a_move
from boomslang.uci.cecp.messages import Command, EndOfInput, Message
from boomslang.uci.cecp.play import Play
from boomslang.uci.cecp.searches import CecpSearch
from boomslang.uci.output import Output


class CecpSession:
    """Reads the mailbox for ever, on one thread."""

    def __init__(
        self,
        output: Output,
        kernels: KernelLoader,
        mailbox: queue.SimpleQueue[Message],
        leaving: threading.Event,
    ) -> None:
        self._output = output
        self._mailbox = mailbox
        engine = Engine(output.say, kernels)
        self._play = Play(output, engine, self._post)
        self._commands = CecpCommands(output, kernels, engine, self._play, leaving)
        self._entries = self._commands.table()
        self._waiting: list[Command] = []  # for the move that we think about
        self._ends: list[EndOfInput] = []

    def run(self, first: Message) -> None:
        """Open letters, the first one first."""
        mail: Message | None = first
        while True:
            if isinstance(mail, EndOfInput):
                self._ends.append(mail)
                if mail.at_once:
                    self._play.move_now()
            elif mail:
                self._guard(mail)
            if self._mailbox.empty():
                self._guard(self._report_end if self._ends else self._play.go_on)
            mail = self._next()

    def _post(self, search: CecpSearch) -> None:
        """A search has ended; called by its thread."""
        self._mailbox.put(lambda: self._take(search))

    def _next(self) -> Message | None:
        """The next letter; None if something is due before."""
        due = self._commands.state_due
        if due is None:
            return self._mailbox.get()
        try:
            return self._mailbox.get(timeout=max(0.0, due - time.monotonic()))
        except queue.Empty:
            self._commands.state_due = None
            self._guard(self._play.analysis.tell_state)
            return None

    def _report_end(self) -> None:
        """Everything has been said, unless a move or a hint is still to come."""
        if not self._play.owes_answer:
            self._play.searches.halt()
            while self._ends:
                self._ends.pop().done.set()

    def _guard(self, work: Command | Callable[[], None]) -> None:
        """Nothing that strangers send may end the session."""
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
            self._obey_waiting()

    # Which command

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
        if entry.manner is Timing.AFTER and self._play.is_thinking:
            self._waiting.append(command)
            return
        if entry.manner is Timing.INSTEAD:
            self._play.interrupt()
            self._obey_waiting()
        entry.obey(command)

    def _obey_waiting(self) -> None:
        """What had to wait for the move."""
        while self._waiting and not self._play.is_thinking:
            command = self._waiting.pop(0)
            self._guard(command)
