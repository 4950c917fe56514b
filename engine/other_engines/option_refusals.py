"""What python-chess lacks to notice that an engine refuses the value of an option."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, Final

import chess.engine

_MAX_REFUSAL: Final = 300  # characters
_TEXTS: Final = ("string", "file", "path")  # kinds of options
_SWITCH: Final = {"true": True, "1": True, "false": False, "0": False}
# By UCI nothing says that a value is refused, but many engines remark it. That a folder of tables is
# missing is no error to Boomslang, as GUIs name one by default; to a program that names one it is.
_REFUSAL: Final = re.compile(r"info string (?=error: |no endgame tables: )", re.IGNORECASE)


class RefusalListener(chess.engine.UciProtocol):
    """UCI; `refusal` is the first error that the engine has reported since it was cleared."""

    refusal = ""

    def line_received(self, line: str) -> None:
        """Called for each line."""
        super().line_received(line)
        self.note_refusal(line)

    def note_refusal(self, line: str) -> None:
        """Keep the error that a line reports, if it is the first."""
        if match := _REFUSAL.match(line):
            self.refusal = self.refusal or line[match.end() :][:_MAX_REFUSAL]

    def check_texts(self, given: Iterable[str]) -> None:
        """Raise EngineError if an error was reported and a text is among the options `given`.

        Other values are checked by python-chess, so without a text it is an error of another kind.
        """
        if self.refusal and any(self.options[name].type == "string" for name in given):
            raise chess.engine.EngineError(self.refusal)


def read_value(option: chess.engine.Option, value: Any) -> Any:
    """The value of an option as a user writes it; raises EngineError for one of another kind.

    The bounds are left to python-chess, which would take any number for an integer and any object for a text.
    """
    wanted = ""
    if option.type == "check":
        value = _SWITCH.get(str(value).lower(), value)
        wanted = "" if isinstance(value, bool) else "true or false"
    elif option.type == "spin":
        is_integer = hasattr(value, "__index__") and not isinstance(value, bool)
        wanted = "" if is_integer or isinstance(value, str) else "integer"
    elif option.type in _TEXTS:
        wanted = "" if isinstance(value, str | os.PathLike) else "a text or a path"
    if wanted:
        raise chess.engine.EngineError(
            f"expected {wanted} for option {option.name!r}, got: {value!r}"
        )
    return value
