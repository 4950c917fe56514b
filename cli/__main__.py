"""Entry point of the command `boomslang`: UCI or CECP without arguments, else `cli.command_line`."""

# Nothing else is imported before the path is in order, for it may not be what its name says.
import _signal  # type: ignore[import-not-found]  # built in; `signal` takes a while to import
import os
import sys

if __name__ == "__main__" and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # an interrupted start ends silently

if __name__ == "__main__":
    # This package comes first, then the standard library, whatever PYTHONPATH or the working directory hold.
    # The folder of this file or the working directory, which Python may have put in front, holds no modules.
    _OWN = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - loads faster
    if not any(map(os.path.exists, (_OWN + "/boomslang.py", _OWN + "/boomslang/__init__.py"))):
        _OWN = os.path.dirname(_OWN)  # noqa: PTH120 - installed: boomslang/cli/__main__.py
    sys.path[: not sys.flags.safe_path] = [_OWN, os.path.dirname(os.__file__)]  # noqa: PTH120

import errno
import signal
from contextlib import suppress
from typing import NoReturn

_CONVERSATIONS: tuple[list[str], ...] = ([], ["--uci"], ["xboard"])
_LOG = "--log"  # and a file: both directions of the conversation
_BROKEN = 1  # exit status
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # output that cannot be written
_CLOSED = 141  # exit status after SIGPIPE: the reader has closed the pipe


def _speaks_protocol(arguments: list[str]) -> bool:
    return (arguments[:-2] if arguments[-2:-1] == [_LOG] else arguments) in _CONVERSATIONS


def _complain(arguments: list[str], problem: BaseException) -> None:
    try:
        from boomslang.core.system.threads import reason_for

        if isinstance(problem, OSError) and problem.errno in _FULL and problem.filename is None:
            reason = f"cannot write the output: {os.strerror(problem.errno).lower()}"
        else:
            reason = reason_for(problem)
    except Exception:  # broken as well
        reason = f"{type(problem).__name__} {str(problem).partition(chr(10))[0]!r}"
    number, line = 2, f"boomslang {' '.join(arguments[:1])}".rstrip() + f": cannot go on: {reason}"
    if _speaks_protocol(arguments):
        number, line = 1, f"info string error: {reason}"
        if arguments[:1] == ["xboard"]:
            line = f"tellusererror {reason}"
    with suppress(OSError):
        os.write(number, f"{line}\n".encode("ascii", "backslashreplace"))


try:
    from boomslang.core.system import shutdown
    from boomslang.core.system.shutdown import leave
except Exception as damage:
    if __name__ != "__main__":
        raise
    _complain(sys.argv[1:], damage)
    os._exit(_BROKEN)


def process() -> NoReturn:
    """Run the whole process; never returns."""
    _open_all_streams()
    arguments = sys.argv[1:]
    try:
        try:
            if not _speaks_protocol(arguments):
                shutdown.watch()
            elif signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
                # The other signals end the process as usual, as nothing needs cleaning up.
                signal.signal(signal.SIGINT, signal.default_int_handler)
            status = main(arguments)
        except BaseException as problem:
            status = _report(arguments, problem)
        # Not by the interpreter's own exit, which waits for threads and ignores signals meanwhile.
        leave(shutdown.status(status))
    except KeyboardInterrupt:
        leave(shutdown.status(shutdown.INTERRUPTED))


def main(arguments: list[str]) -> int:
    """Run the command line, without the program's name; returns the exit status."""
    if _speaks_protocol(arguments):
        run_protocol("xboard" in arguments[:1], arguments[-1] if _LOG in arguments else "")
    from boomslang.cli.command_line import refuse, run

    if any(word.partition("=")[0] == _LOG for word in arguments[:2]):
        return refuse("--log needs a file and stands last: boomslang [xboard] --log FILE")
    status = run(arguments)
    sys.stdout.flush()  # here, where an error is handled
    return status


def _report(arguments: list[str], problem: BaseException) -> int:
    if isinstance(problem, KeyboardInterrupt):
        return shutdown.INTERRUPTED
    # Windows reports a pipe whose reader has ended as an argument that is none.
    is_einval = isinstance(problem, OSError) and problem.errno == errno.EINVAL
    if isinstance(problem, BrokenPipeError) or (
        sys.platform == "win32" and is_einval and problem.filename is None
    ):
        return _CLOSED
    try:
        from boomslang.core.system.failures import is_of_installation

        is_circumstance = isinstance(problem, OSError) or is_of_installation(problem)
    except Exception:  # broken as well
        is_circumstance = True
    if isinstance(problem, SystemExit) and not is_circumstance:  # after --help
        return problem.code if isinstance(problem.code, int) else int(problem.code is not None)
    if is_circumstance or _speaks_protocol(arguments):
        _complain(arguments, problem)
    else:
        sys.excepthook(type(problem), problem, problem.__traceback__)  # a bug
    return _BROKEN


def run_protocol(xboard: bool = False, log: str = "") -> NoReturn:
    """Run the UCI or CECP loop on standard input and output until `quit` or the end of the input.

    Both directions are logged into the file `log`, if it is given.
    """
    from boomslang.cli import dispatch
    from boomslang.core.system.identity import NAME, VERSION
    from boomslang.uci.line_reader import lines
    from boomslang.uci.output import Output, is_heard, room_in_pipe, write_to_pipe

    output = Output(write_to_pipe, lambda: leave(0), room_in_pipe, is_heard)
    output.log.begin(log)
    for_people = os.isatty(0) and not xboard
    if for_people:
        output.line(f"{NAME} {VERSION}, a chess engine. Type help for help, quit to leave.")
    dispatch.run_protocol(lines(), output, xboard, for_people)
    leave(0)


def _open_all_streams() -> None:
    """Replace closed standard streams by the null device, so that no other file takes their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    process()
