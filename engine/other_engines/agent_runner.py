"""UCI for an agent: a folder whose file `agent.py` defines `get_move(fen, milliseconds)`.

    INTERPRETER agent_runner.py FOLDER

The agent's own interpreter runs this, so it needs nothing but the standard library of Python 3.8. A position
is a FEN without moves behind it. What breaks the rules ends the process, and the reason is the last line of
standard error. Of the standard streams the agent has that alone: the others belong to the protocol.
"""

from __future__ import annotations

import importlib.util
import io
import os
import queue
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, BinaryIO, Callable, NoReturn  # noqa: UP035 - Python 3.8

_LIBRARIES = f"{os.sep}site-packages{os.sep}"
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_MAX_SOURCE = 60  # characters of a line of code in a message
_MAX_FRAMES = 15
_MAX_ANSWER = 40  # characters
_NO_MOVE = "0000"

GetMove = Callable[[str, int], Any]


class _NoOutput(io.TextIOWrapper):
    """Standard output, to which an agent must not print."""

    def write(self, text: str) -> int:
        if text:
            _fail("the agent has printed to standard output")
        return 0


def main() -> None:
    """Obey UCI until `quit` or the end of the input."""
    folder = Path(sys.argv[1]).absolute()
    own = str(Path(__file__).parent)
    sys.path[:] = [str(folder), *(path for path in sys.path if path != own)]
    sys.argv[:] = [agent := str(folder / "agent.py")]
    os.chdir(folder)
    received, sent = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # for other programs and compiled code
    sys.stdout = _NoOutput(open(1, "wb", closefd=False))  # noqa: SIM115
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(received, lines), daemon=True).start()
    get_move: GetMove | None = None
    fen = _START
    while True:
        word, *words = lines.get().decode("utf-8", "replace").split() or [""]
        answer = ""
        if word == "uci":
            name = "".join(each if each.isprintable() else "?" for each in folder.name)
            answer = f"id name {name}\noption name UCI_Chess960 type check default false\nuciok"
        elif word == "isready":
            get_move = get_move or _load(agent)
            answer = "readyok"
        elif word == "position":
            if "moves" in words:
                _fail("an agent is given positions, no moves")
            fen = " ".join(words[1:]) if words[:1] == ["fen"] else _START
        elif word == "go":
            get_move = get_move or _load(agent)
            answer = f"bestmove {_ask(get_move, fen, _milliseconds(words, fen), str(folder))}"
        if answer:
            sent.write(f"{answer}\n")
            sent.flush()


def _read(received: BinaryIO, lines: queue.Queue[bytes]) -> None:
    """Read what is sent; without whoever sends it there is nothing to be done, even within a move."""
    for line in received:
        if line.strip() == b"quit":
            break
        lines.put(line)
    os._exit(0)


def _load(path: str) -> GetMove:
    spec = importlib.util.spec_from_file_location("agent", path)
    if not (spec and spec.loader):
        _fail("agent.py cannot be imported")
    sys.modules["agent"] = module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as problem:
        _fail_by(problem, "agent.py", str(Path(path).parent))
    get_move: GetMove | None = getattr(module, "get_move", None)
    if not callable(get_move):
        _fail("agent.py has no function get_move")
    return get_move


def _milliseconds(words: list[str], fen: str) -> int:
    """The time for the move, or else what is left on the clock."""
    clock = "btime" if fen.split()[1:2] == ["b"] else "wtime"
    for name in ("movetime", clock):
        if name in words:
            return int(words[words.index(name) + 1])
    _fail("an agent needs a clock or a time for its move")


def _ask(get_move: GetMove, fen: str, milliseconds: int, folder: str) -> str:
    """The move; what cannot be one is made a word that is none either."""
    try:
        move = get_move(fen, milliseconds)
        if not isinstance(move, str) and callable(getattr(move, "uci", None)):
            move = move.uci()  # a chess.Move
    except BaseException as problem:
        _fail_by(problem, "get_move", folder)
    if not isinstance(move, str):
        _fail(f"get_move has returned {type(move).__name__} instead of a string like e2e4")
    move = move[:_MAX_ANSWER] if move.strip() else _NO_MOVE
    return move if move.isascii() and move.isalnum() else ascii(move).replace(" ", "_")


def _fail_by(problem: BaseException, what: str, folder: str) -> NoReturn:
    """The traceback, and behind it in one line what has been raised, and where."""
    kind = type(problem)
    traceback.print_exception(kind, problem, problem.__traceback__, limit=-_MAX_FRAMES)
    said = problem.msg if isinstance(problem, SyntaxError) else _text(problem)
    what += f" has raised {kind.__name__}{_place(problem, folder)}"
    _fail(f"{what}: {' '.join(said.split())}" if said else what)


def _text(problem: BaseException) -> str:
    try:
        return str(problem)
    except Exception:  # it is of a class of the agent
        return ""


def _place(problem: BaseException, folder: str) -> str:
    """The last line of the agent's own code that an exception came by; else the last of all."""
    frames = [
        (frame.filename, frame.lineno, frame.line)
        for frame in traceback.extract_tb(problem.__traceback__)
        if frame.filename != __file__ and not frame.filename.startswith("<")
    ]
    if isinstance(problem, SyntaxError) and problem.filename and Path(problem.filename).is_file():
        frames.append((problem.filename, problem.lineno, problem.text))
    own = [frame for frame in frames if frame[0].startswith(folder) and _LIBRARIES not in frame[0]]
    for file, line, source in (own or frames)[-1:]:
        name = os.path.relpath(file, folder) if file.startswith(folder) else file
        code = f" ({source.strip()[:_MAX_SOURCE]})" if source and source.strip() else ""
        return f" in {name}, line {line}{code}"
    return ""


def _fail(reason: str) -> NoReturn:
    os.write(2, f"{reason}\n".encode("utf-8", "backslashreplace"))
    os._exit(1)


if __name__ == "__main__":
    main()
