"""Commands of programs that users name: their words, and why a program cannot be started."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from contextlib import suppress
from typing import Final

from boomslang.core.system.files import FileError, exists, is_file, is_folder

_BACKSLASHED: Final = re.compile(r'"?([A-Za-z]:\\|\\\\|\.{1,2}\\)')  # how a path of Windows begins


def split_command(text: str) -> list[str]:
    """The words of a command line; raises ValueError for a quotation mark without its partner.

    A program whose path contains blanks or backslashes needs no quotes: if the text, or a beginning of it,
    is the path of a file, that is the program. Else words are split as by a POSIX shell, but on Windows, and
    where the text begins as a path of Windows, backslashes stand for themselves.
    """
    stripped = text.strip()
    ends = [len(stripped), *(blank.start() for blank in re.finditer(r"\s+", stripped))]
    for end in sorted(ends, reverse=True):
        if end and _is_file(stripped[:end]):
            return [stripped[:end], *_split(stripped[end:])]
    return _split(stripped)


def _is_file(path: str) -> bool:
    with suppress(FileError):
        return bool(os.path.dirname(path)) and is_file(path)  # noqa: PTH120 - as below
    return False


def _split(text: str) -> list[str]:
    words = shlex.shlex(text, posix=True)
    words.whitespace_split = True
    words.commenters = ""
    if sys.platform == "win32" or _BACKSLASHED.match(text.lstrip()):
        words.escape = ""
    return list(words)


def why_not_startable(name: str) -> str:
    """The reason why a program cannot be started; empty if none is known."""
    if "\0" in name:
        return "the name contains a null character"
    if shutil.which(name):
        return ""
    try:
        if not os.path.dirname(name):  # noqa: PTH120 - a Path forgets ./
            remark = "there is a file of that name here; write ./ before it"
            return remark if is_file(name) else "there is no program of that name"
        if is_folder(name):
            return "it is a folder"
        if exists(name):
            return "it is not an executable file"
    except FileError as problem:
        return str(problem).rpartition(": ")[2]
    return "there is no such file"
