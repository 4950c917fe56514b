"""The start of the protocol loop: the first word selects UCI or CECP."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from boomslang.core.system import shutdown, threads
from boomslang.engine.driver.loading import KernelLoader
from boomslang.uci.loop import UciLoop, build_for_protocol
from boomslang.uci.output import Output

if TYPE_CHECKING:
    from boomslang.uci.cecp.loop import CecpLoop

_MESSAGE_TIMEOUT: Final = 0.5  # seconds to write the message of a fatal error
_LOG_TIMEOUT: Final = 0.1  # seconds to write the log, before its last problem is reported
_IDLE_START: Final = 0.1  # seconds without a command after which the kernels are loaded


def run_protocol(
    lines: Iterable[tuple[bytes, bool]],
    output: Output,
    xboard: bool = False,
    for_people: bool = False,
) -> None:
    """Handle every line until `quit` or the end of the input.

    The first word selects the protocol: CECP for `xboard`, else UCI, unless the command line has selected
    CECP. `for_people`: whoever has started the engine is told what it does before there is a line.
    """
    front: UciLoop | CecpLoop | None = None

    def say(text: str) -> None:
        if front:
            front.compiling(text)
        elif for_people:
            output.say(text)

    kernels = KernelLoader(say, build_for_protocol)

    def fail(text: str) -> None:
        if front:
            front.fail(text)
        else:
            output.line(f"{'tellusererror' if xboard else 'info string error:'} {text}")
        output.drain(_MESSAGE_TIMEOUT)
        shutdown.leave(threads.FAILED)

    with threads.reporting_failures(fail):
        timer = threading.Timer(_IDLE_START, kernels.start)
        timer.daemon = True
        timer.start()
        for line, whole in lines:
            output.log.record_received(line)
            if front is None and (words := line.split(maxsplit=1)):
                front = _new_loop(xboard or words[0] in (b"xboard", b"protover"), output, kernels)
            if front and not front.execute(line, whole):
                break
            output.report_log()
            timer.cancel()
            kernels.start()
        else:
            if front:
                front.finish()
            output.log.drain(_LOG_TIMEOUT)
            output.report_log()
        if front:
            front.leave()


def _new_loop(xboard: bool, output: Output, kernels: KernelLoader) -> UciLoop | CecpLoop:
    if not xboard:
        return UciLoop(output, kernels)
    import signal

    from boomslang.uci.cecp.loop import CecpLoop

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # XBoard sends SIGINT to an engine in a search
    return CecpLoop(output, kernels)
