"""The beginning of every conversation: the first word tells the protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Final, Protocol

from boomslang.engine.core.system import threads
from boomslang.engine.loading import KernelLoader
from boomslang.uci.loop import UciLoop
from boomslang.uci.output import Output

_SAID_WITHIN: Final = 0.5  # seconds for the last word of an engine that cannot go on
_IDLE_START: Final = 0.1  # seconds; if no command comes by then, the kernels are loaded meanwhile


class Front(Protocol):
    """A protocol's reader of lines."""

    def obey(self, line: bytes, whole: bool = True) -> bool:
        """Do what a line says, or see to it that it will be done; False after `quit`."""

    def finish(self) -> None:
        """The input has ended: wait for what ends by itself, and stop what does not."""

    def leave(self) -> None:
        """Stop searching; what was asked for is still answered, but nobody waits for long."""

    def compiling(self, text: str) -> None:
        """A remark for the user: the kernels take their time."""

    def fail(self, text: str) -> None:
        """The user must know: the engine cannot go on, and will end."""


def converse(lines: Iterable[tuple[bytes, bool]], output: Output, xboard: bool = False) -> None:
    """Obey every line until `quit` or the end of the input.

    The first word chooses the protocol: `xboard` asks for CECP, any other for UCI, unless the
    command line has asked for CECP already.
    """
    front: Front | None = None
    kernels = KernelLoader(lambda text: front.compiling(text) if front else None)

    def fail(text: str) -> None:
        if front:
            front.fail(text)
        else:
            output.line(f"{'tellusererror' if xboard else 'info string error:'} {text}")
        output.drain(_SAID_WITHIN)
        threads.leave(threads.FAILED)

    with threads.nothing_breaks_down_in_silence(fail):
        timer = threading.Timer(_IDLE_START, kernels.start)
        timer.daemon = True
        timer.start()
        for line, whole in lines:
            output.log.received(line)
            if front is None and (words := line.split(maxsplit=1)):
                front = _front(xboard or words[0] in (b"xboard", b"protover"), output, kernels)
            if front and not front.obey(line, whole):
                break
            output.report_log()
            timer.cancel()
            kernels.start()
        else:
            if front:
                front.finish()
        if front:
            front.leave()


def _front(xboard: bool, output: Output, kernels: KernelLoader) -> Front:
    if not xboard:
        return UciLoop(output, kernels)
    import signal

    from boomslang.uci.cecp.loop import CecpLoop

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # XBoard interrupts whoever thinks
    return CecpLoop(output, kernels)
