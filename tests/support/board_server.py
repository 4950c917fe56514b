"""`boomslang board` as a process, for a browser and for strangers."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from urllib.parse import urlsplit

from tests.support.places import ROOT


class BoardServer:
    """A context; `address` is the page's, with its token, and `errors` gets what is printed as an error."""

    words: tuple[str, ...] = ("-P", "-m", "cli", "board")

    def __init__(self, *arguments: str, errors: IO[bytes] | None = None) -> None:
        command = [sys.executable, *self.words, "--no-open", *arguments]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        self.address = found[0]
        parts = urlsplit(self.address)
        self.host = parts.netloc
        self.token = parts.path.strip("/")
        self.origin = f"http://{self.host}"

    def children(self) -> list[int]:
        """The living processes below this one (Linux)."""
        parents = {}
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue  # it has just left
            if fields[0] != "Z":
                parents[int(status.parent.name)] = int(fields[1])
        found, fresh = set[int](), {self.process.pid}
        while fresh:
            fresh = {child for child, parent in parents.items() if parent in fresh} - found
            found |= fresh
        return sorted(found)

    def memory(self) -> int:
        """Bytes of the server's own process (Linux)."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * 4096

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout
            self.process.stdout.close()
