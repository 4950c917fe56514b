"""Drives an engine process as XBoard does."""

from __future__ import annotations

import re

from tests.support.uci_process import STARTUP, UciProcess

THINKING = re.compile(r"(\d+) (-?\d+) (\d+) (\d+) (\d+) (\d+) (\d+)\t(.*)")


class CecpProcess(UciProcess):
    """A `boomslang` that was asked for `xboard`; `features` are its words for what it can do."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        super().__init__(*arguments, **environment)
        self._pings = 0
        self.send("xboard", "protover 2")
        lines = self.until("feature done=1$")
        self.features = [line.removeprefix("feature ") for line in lines if line.strip()]

    def warm(self) -> None:
        """Wait for the kernels, which may take longer than any command does."""
        self.send("sd 30", "st 100", "post", "analyze")
        self.until("([89]|1[0-9]) ", STARTUP)  # plain Python does not get so deep
        self.send("exit", "nopost", "new")
        self.settled()

    def ask(self, *lines: str) -> list[str]:
        """All that is answered to these lines, remarks left out."""
        self._pings += 1
        self.send(*lines, f"ping {self._pings}")
        return [line for line in self.settled_by(self._pings) if not line.startswith("#")]

    def settled(self) -> None:
        """Wait until everything is done."""
        self.ask()

    def settled_by(self, number: int) -> list[str]:
        """The lines before that pong."""
        return self.until(f"pong {number}$")[:-1]

    def move(self, *lines: str) -> str:
        """The move that is answered to these lines."""
        self.send(*lines)
        return self.until("move ")[-1].split()[1]
