"""Code of LLVM in a form in which equal code is equal text."""

from __future__ import annotations

import re

# Numba numbers what it compiles; the numbers are parts of names, and of messages that contain names.
_NAME = re.compile(r'_ZN[\w$.]+|@"[^"]+"|@[\w$.-]+')
_MESSAGE = re.compile(r'\[\d+ x i8\] c"missing Environment.*')
_COMMENT = re.compile(r"^(;|source_filename).*\n", re.MULTILINE)


def without_running_names(code: str) -> str:
    """The text of a module, its names replaced by numbers in their order."""
    numbers: dict[str, int] = {}
    code = _MESSAGE.sub("message", _COMMENT.sub("", code))
    return _NAME.sub(lambda name: f"@{numbers.setdefault(name[0], len(numbers))}", code)
