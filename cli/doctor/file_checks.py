"""Checks of the launcher and of endgame tables."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Final

from boomslang.cli.doctor.machine_checks import BAD, NOTE, OK, Finding

_SLOW: Final = 3.0  # seconds
_TIMEOUT: Final = 120  # seconds
_CONVERSATION: Final = b"uci\nisready\nposition startpos\ngo nodes 1000\n"


def launcher() -> Iterator[Finding]:
    """The launcher: it exists, is executable and plays a move."""
    from boomslang.cli.terminal.arguments import shell_quote
    from boomslang.core.system.launcher import command
    from boomslang.core.system.launcher import launcher as find

    path = find()
    if path is None:
        text = f"launcher: not installed; start the engine with: {shell_quote(command())}"
        yield Finding(NOTE, text, "run make, or: pipx install .")
        return
    if not path.is_file():
        yield Finding(BAD, f"launcher: {path} does not exist", "run make, or pipx install .")
        return
    if not os.access(path, os.X_OK):
        yield Finding(BAD, f"launcher: {path} is not executable", f"chmod +x {path}")
        return
    try:
        seconds, move = _try([str(path)])
    except (OSError, subprocess.SubprocessError) as problem:
        yield Finding(
            BAD, f"launcher: {path} does not start: {problem}", "run make clean, then make"
        )
        return
    text = f"launcher: {path}, ready after {seconds:.2f} s"
    if not move:
        yield Finding(BAD, f"{text}, but plays no move", f"run {path} and type: go nodes 1000")
    elif seconds > _SLOW:
        yield Finding(NOTE, text, "run boomslang warmup, and close other programs")
    else:
        yield Finding(OK, f"{text}; paste this path into your chess GUI")


def _try(command: list[str]) -> tuple[float, str]:
    """Seconds until the engine has answered, and the move that it plays."""
    begun = time.monotonic()
    run = subprocess.run(  # noqa: S603 - our own launcher
        command, input=_CONVERSATION, stdout=PIPE, stderr=DEVNULL, timeout=_TIMEOUT
    )
    answer = re.search(rb"^bestmove (\S+)", run.stdout, re.MULTILINE)
    return time.monotonic() - begun, answer[1].decode("ascii", "replace") if answer else ""


def tables(path: Path) -> Iterator[Finding]:
    """Folders of Syzygy tables: how many of how many pieces, and all checksums compared."""
    import boomslang.engine.tablebases.checksum  # noqa: F401 - its kernel is to be loaded
    from boomslang.cli.terminal.progress import load_kernels
    from boomslang.core.system.files import quote_path
    from boomslang.engine.driver.tablebase import split
    from boomslang.engine.tablebases.table_files import DTZ, WDL, TableFiles

    load_kernels()
    files = TableFiles(split(str(path)), sys.maxsize)
    for folder in files.unreadable:
        remedy = "name the folder of the .rtbw files"
        yield Finding(BAD, f"tablebases: cannot read the folder {quote_path(folder)}", remedy)
    if not files.count:
        if not files.unreadable:
            remedy = "put .rtbw and .rtbz files there"
            yield Finding(BAD, f"tablebases: no tables in {path}", remedy)
        return
    sound: dict[str, set[str]] = {WDL: set(), DTZ: set()}
    for suffix, names in files.paths.items():
        for name in sorted(names):
            file = files.paths[suffix][name]
            if files.check(name, suffix):
                sound[suffix].add(name)
            elif file in files.problems:
                yield Finding(BAD, f"tablebases: {files.problems[file]}", "download it again")
            else:
                yield Finding(
                    BAD,
                    f"tablebases: too little memory, or too many open files, to read {quote_path(file)}",
                    "raise the limits of the process (ulimit -n)",
                )
    counts = Counter(len(name) - 1 for name in sound[WDL])
    of_pieces = ", ".join(
        f"{count} of {piece_count} pieces" for piece_count, count in sorted(counts.items())
    )
    text = f"tablebases: {of_pieces or 'no results'} in {path}, {len(sound[DTZ])} with distances"
    if lonely := sorted(sound[WDL] - sound[DTZ]):
        remedy = (
            f"add the .rtbz files, without which won endings may not be converted ({lonely[0]} ...)"
        )
        yield Finding(NOTE, f"{text}, {len(lonely)} without DTZ files", remedy)
    elif counts:
        yield Finding(OK, text)
