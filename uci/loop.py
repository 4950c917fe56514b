"""The UCI loop.

The reading thread answers at once what must not wait. Commands that need the board go to a second thread,
which executes them one after the other.

Only light modules of the standard library are imported before `uciok` is sent.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from boomslang.core.system.identity import AUTHOR, NAME, VERSION
from boomslang.core.system.sanitize import quote, suggest
from boomslang.core.system.threads import start_thread
from boomslang.engine import options
from boomslang.engine.driver.loading import Build, KernelLoader, build_searcher
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Limits
from boomslang.uci import about, formatting, parse
from boomslang.uci.output import Output

if TYPE_CHECKING:
    from boomslang.uci.commands import UciCommands

Words: TypeAlias = Sequence[str]
Job: TypeAlias = "Callable[[UciCommands], None]"

LEAVE_TIMEOUT: Final = 0.2  # seconds to finish earlier commands after `quit`
ANSWER_TIMEOUT: Final = 5.0  # seconds to answer pending commands of a GUI; a start may be slow
FLUSH_TIMEOUT: Final = 0.2  # seconds to write the answers
_ALONE: Final = frozenset(
    {"uci", "isready", "ucinewgame", "stop", "ponderhit", "quit", "d"}
)  # no arguments

# Compiling for `go perft` may take no time of a game either.
build_for_protocol: Final[Build] = partial(build_searcher, modules=("boomslang.perft.count",))


class UciLoop:
    """Handles input lines; `execute` returns False after `quit`."""

    def __init__(self, output: Output, kernels: KernelLoader | None = None) -> None:
        self.output = output
        self.kernels = kernels or KernelLoader(self.compiling, build_for_protocol)
        self._greeted = False  # after `uci`: remarks may be sent
        self._search: SearchTask | None = None  # the last `go`
        self._unfinished: list[SearchTask] = []  # that one, and those for people which it waits for
        self._search_is_last = False  # no later command has to be executed before `readyok`
        self._closing = ""  # how the answer to the last command ends also if it fails
        self._shown = _nothing_due()  # set when the commands for people are answered
        self._answered = _nothing_due()  # set when the commands of GUIs are answered
        self._thread = SearchThread(output, self._prepare)
        self._on_thread: UciCommands  # set by the first job
        self._commands: dict[str, Callable[[Words], bool | None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "ucinewgame": self._ucinewgame,
            "setoption": self._nothing,  # see `execute`: its value is the raw rest of the line
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "quit": self._quit,
            "debug": self._debug,
            "register": self._nothing,
            "d": lambda words: self._show(lambda commands: commands.show()),
            "eval": self._eval,
            "bench": self._bench,
            "perft": lambda words: self._go(["perft", *words]),
            "flip": lambda words: self._do(lambda commands: commands.flip()),
            "compiler": lambda words: self._show(lambda commands: commands.show_versions()),
            "help": lambda words: self.output.line(about.HELP),
            "license": lambda words: self.output.line(about.LICENSE),
        }

    def finish(self) -> None:
        """At the end of the input: wait for finite work, and stop infinite searches."""
        if self._search and not self._search.has_end:
            self._search.stop()
        self.output.wait(self._shown)
        self.output.wait(self._answered)

    def leave(self) -> None:
        """Stop searching; pending commands are still answered, within a bounded time."""
        self.kernels.stop_waiting()
        self._end_search()
        self.output.wait(self._shown)
        self.output.wait(self._answered, ANSWER_TIMEOUT)
        self.wait_idle(LEAVE_TIMEOUT)
        self.output.drain(FLUSH_TIMEOUT)

    def compiling(self, text: str) -> None:
        """Tell the user about the progress of compiling."""
        if self._greeted or self._thread.is_used:  # no GUI asks for anything before `uci`
            self.output.say(text)

    def fail(self, text: str) -> None:
        """Report a fatal error, before the process ends."""
        self.output.say(f"error: {text}")

    @property
    def commands(self) -> Collection[str]:
        """The first words of all commands."""
        return self._commands.keys()

    def wait_idle(self, seconds: float | None = None) -> bool:
        """Wait until every command is done, for at most `seconds`; True if so."""
        if not self._thread.is_used:
            return True
        done = threading.Event()
        self._do(lambda commands: done.set())
        return done.wait(seconds)

    def wait_answer(self) -> None:
        """Wait until every command is done, unless a search may need `stop` or `ponderhit` to end."""
        if not self._search or self._search.has_end:
            self.wait_idle()

    def execute(self, line: bytes, whole: bool = True) -> bool:
        """Execute a line or queue it; False after `quit`."""
        words = parse.words_of(line)
        if not words or words[0].startswith("#"):
            return True
        at = next((i for i, word in enumerate(words) if word in self._commands), None)
        if at is None:
            meant = suggest(words[0], self._commands)
            self.output.say(f"error: unknown command {quote(' '.join(words[:20]))}{meant}")
            return True
        command = words[at]
        self._closing = formatting.CLOSINGS.get(command, "")
        try:
            if not whole and command not in _ALONE:
                self._refuse_long(command)
            if command == "setoption":
                self._setoption(line)
                return True
            return self._commands[command](words[at + 1 :]) is not False
        except CommandError as problem:
            if self._closing:  # in turn
                self._show(partial(_fail, problem))
            else:
                self.output.fail(str(problem))
            return True

    # Answered at once

    def _uci(self, words: Words) -> None:
        lines = [f"id name {NAME} {VERSION}", f"id author {AUTHOR}", ""]
        lines += [formatting.option_line(option) for option in options.options_of(options.UCI)]
        self.output.line("\n".join([*lines, "uciok"]))
        if not self._greeted:
            self._greeted = True
            self.output.drain(LEAVE_TIMEOUT)  # before the import of the kernels takes the processor

    def _isready(self, words: Words) -> None:
        if self._search and not self._search.finished.is_set() and self._search_is_last:
            self.output.line("readyok")
        else:
            self._answered = self._due(lambda commands: commands.ready())

    def _stop(self, words: Words = ()) -> None:
        for search in self._unfinished:
            search.stop()

    def _ponderhit(self, words: Words) -> None:
        if self._search:
            self._search.ponderhit()

    def _quit(self, words: Words) -> bool:
        return False

    def _debug(self, words: Words) -> None:
        """`debug on` reports the time that each search was allotted; `debug off` ends that."""
        if words in (["on"], ["off"]):
            self._do(lambda commands: commands.debug(words == ["on"]))

    def _nothing(self, words: Words) -> None:
        pass

    # Queued; they end a running search, except options, which wait for it

    def _ucinewgame(self, words: Words) -> None:
        self._end_search()
        self._do(lambda commands: commands.new_game())

    def _setoption(self, line: bytes) -> None:
        command = parse.option(line)
        self._do(lambda commands: commands.set_option(command))

    def _position(self, words: Words) -> None:
        self._end_search()
        try:
            command = parse.position(words)
        except CommandError:
            self._do(lambda commands: commands.refuse_position())
            raise
        self._do(lambda commands: commands.set_position(command))

    def _go(self, words: Words) -> None:
        limits = parse.go(words, say=self.output.say)
        for_people = limits.perft is not None
        self._begin_search(limits, lambda commands, task: commands.search(task), for_people)

    def _eval(self, words: Words) -> None:
        classical = parse.evaluation(words)
        self._show(lambda commands: commands.evaluate(classical))

    def _bench(self, words: Words) -> None:
        bench = parse.bench(words)
        self._begin_search(Limits(), lambda commands, task: commands.bench(bench, task), True)

    # How

    def _begin_search(
        self,
        limits: Limits,
        job: Callable[[UciCommands, SearchTask], None],
        for_people: bool = False,
    ) -> None:
        started = time.monotonic()
        self._end_search()
        task = SearchTask(limits, started, for_people)
        self._search = task
        self._unfinished = [old for old in self._unfinished if not old.finished.is_set()] + [task]
        done = self._due(lambda commands: job(commands, task))
        self._search_is_last = True
        if for_people:
            self._shown = done
        else:
            self._answered = done

    def _end_search(self) -> None:
        if self._search and not self._search.for_people:
            self._search.stop()
        self._search_is_last = False

    def _refuse_long(self, command: str) -> None:
        if command in ("position", "go"):
            self._end_search()
        if command == "position":
            self._do(lambda commands: commands.refuse_position())
        raise CommandError(f"{command}: the line is too long")

    def _show(self, job: Job) -> None:
        self._shown = self._due(job)

    def _due(self, job: Job) -> threading.Event:
        """Queue a job; returns an event that is set when it is done."""
        done = threading.Event()
        self._do(job)
        self._do(lambda commands: done.set())
        return done

    def _do(self, job: Job) -> None:
        if self._search and self._search.for_people:  # what follows is answered before `readyok`
            self._search_is_last = False
        self._thread.post(lambda: job(self._on_thread), self._closing)

    def _prepare(self) -> None:
        """Create the `UciCommands`; this imports python-chess, which takes a while."""
        from boomslang.uci.commands import UciCommands

        self._on_thread = UciCommands(self.output, self.kernels)


class SearchThread:
    """The thread on which the engine works, so that the reader of a protocol never waits for a move.

    It runs jobs one after the other; exceptions of a job are reported to the user.
    `prepare` is called before the first job. If that fails, the process ends.
    """

    def __init__(self, output: Output, prepare: Callable[[], None] = lambda: None) -> None:
        self.is_used = False
        self._prepare = prepare
        self._output = output
        self._jobs: queue.SimpleQueue[tuple[Callable[[], None], str]] = queue.SimpleQueue()
        start_thread(self._work, "search")

    @property
    def is_idle(self) -> bool:
        """True if no job waits behind the present one."""
        return self._jobs.empty()

    def post(self, job: Callable[[], None], closing: str = "") -> None:
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


def _fail(problem: CommandError, commands: UciCommands) -> None:
    raise problem


def _nothing_due() -> threading.Event:
    done = threading.Event()
    done.set()
    return done
