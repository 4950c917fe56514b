"""The command `boomslang`. Without arguments it speaks UCI, or CECP; with them, see `cli.command_line`."""

from __future__ import annotations

import signal

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupted start shall end without a word

import os
import sys
from typing import NoReturn

if (
    not __package__
):  # started by its path: the packages are in the folder above, and not in this one
    from pathlib import Path

    folder = Path(__file__).resolve().parent
    others = [path for path in sys.path if Path(path).resolve() != folder]
    sys.path[:] = [str(folder.parent), *others]

from uci.threads import leave


def main(argv: list[str] | None = None) -> int:
    """Run the command line in `argv`, without the program's name; returns the exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if arguments == ["xboard"]:
            converse(xboard=True)
        if arguments and arguments != ["--uci"]:
            from cli.command_line import run

            status = run(arguments)
            if sys.stdout:
                sys.stdout.flush()  # here, where it may fail
            return status
        converse()
    except KeyboardInterrupt:
        leave(130)
    except BrokenPipeError:
        leave(141)  # like a program that knows nothing of pipes: the reader has had enough


def converse(xboard: bool = False) -> NoReturn:
    """Speak UCI, or CECP, on standard input and output until `quit` or the end of the input."""
    from uci import conversation
    from uci.output import Output, is_heard, room_in_pipe, write_to_pipe
    from uci.reader import lines
    from uci.report import NAME, VERSION

    output = Output(write_to_pipe, lambda: leave(0), room_in_pipe, is_heard)
    if os.isatty(0) and not xboard:
        output.line(f"{NAME} {VERSION}, a chess engine. Type help for help, quit to leave.")
    conversation.converse(lines(), output, xboard)
    leave(0)


if __name__ == "__main__":
    sys.exit(main())
