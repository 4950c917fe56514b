"""`boomslang board` as a process, for a browser and for strangers."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from tests.support.places import ROOT
from tests.support.process import OwnedProcess


class BoardServer(OwnedProcess):
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

    def memory(self) -> int:
        """Bytes of the server's own process (Linux)."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * 4096

    def __exit__(self, *problem: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        finally:
            super().__exit__(*problem)
