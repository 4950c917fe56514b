"""What python-chess lacks to notice that an engine refuses the value of an option."""

from __future__ import annotations

import re
from typing import Any, Final

import chess.engine

_MAX_REFUSALS: Final = 50  # lines
_SWITCH: Final = {"true": True, "1": True, "false": False, "0": False}
# By UCI nothing says that an option's value is refused, but many engines remark it.
_REFUSAL: Final = re.compile(
    r"info string (?:error\b[: ]*|(?=no endgame tables))(.+)", re.IGNORECASE
)


class RefusalListener(chess.engine.UciProtocol):
    """UCI; `refusals` are the first errors that the engine has reported."""

    def __init__(self) -> None:
        super().__init__()
        self.refusals: list[str] = []

    def line_received(self, line: str) -> None:
        """Called for each line."""
        super().line_received(line)
        if len(self.refusals) < _MAX_REFUSALS and (found := _REFUSAL.match(line)):
            self.refusals.append(found[1])


def read_value(option: chess.engine.Option, value: Any) -> Any:
    """The value of an option as a user writes it; raises EngineError for a switch neither on nor off."""
    if option.type != "check":
        return value
    if (text := str(value).lower()) not in _SWITCH:
        raise chess.engine.EngineError(
            f"expected true or false for option {option.name!r}, got: {value!r}"
        )
    return _SWITCH[text]
