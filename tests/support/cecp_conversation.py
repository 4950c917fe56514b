"""A CECP session inside this process, with a searcher that does as it is told."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable

from boomslang.engine.limits import Limits
from boomslang.uci.cecp.loop import CecpLoop
from tests.support.uci_conversation import TIMEOUT, Conversation

_ASIDE = re.compile(r"#|\d+ -?\d+ \d+ \d+ ")


class CecpConversation(Conversation):
    """Lines in, lines out; the puppet thinks until it is stopped unless there is a depth."""

    def __init__(self, gate: threading.Event | None = None) -> None:
        """The puppet comes when the gate opens; before that plain Python plays."""
        super().__init__(gate=gate)
        self.reader = CecpLoop(self.loop.output, self.loop.kernels)
        self.loop.output.remark = "# "

    def send(self, *lines: str) -> None:
        for line in lines:
            self.send_bytes(line.encode())

    def send_bytes(self, line: bytes, whole: bool = True) -> None:
        assert self.reader.execute(line, whole)

    def ask(self, *lines: str) -> list[str]:
        """All that is answered to these lines, remarks and thinking left out."""
        self.send(*lines, "ping 4711")
        return self.before("pong 4711$")

    def before(self, pattern: str) -> list[str]:
        """What is said before such a line, remarks and thinking left out."""
        return [line for line in self.until(pattern)[:-1] if not _ASIDE.match(line)]

    def thinking(self, *lines: str) -> None:
        """Send these lines, and wait until the puppet is at work."""
        self.puppet.at_work.clear()
        self.send(*lines)
        assert self.puppet.at_work.wait(30)

    def searching(self, is_wanted: Callable[[Limits], bool]) -> None:
        """Wait until the puppet is at work on such a search; others may come before it."""
        until, puppet = time.monotonic() + TIMEOUT, self.puppet
        while not (
            puppet.asked and is_wanted(puppet.asked[-1]) and puppet.begun == len(puppet.asked)
        ):
            assert time.monotonic() < until, puppet.asked
            time.sleep(0.001)
