"""Drives a headless Chromium through the pipe of its DevTools protocol; needs nothing but the browser."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --remote-debugging-pipe"
)
# The browser reads commands from file 3 and writes to file 4.
_BECOME = (
    "import fcntl, os, sys; "
    "high = [fcntl.fcntl(int(file), fcntl.F_DUPFD, 10) for file in sys.argv[1:3]]; "
    "[os.dup2(file, place) for file, place in zip(high, (3, 4))]; "
    "os.execvp(sys.argv[3], sys.argv[3:])"
)


def find_browser() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class NavigatedError(Exception):
    """The page went to another one before it could answer."""


class Browser:
    """One page; `complaints` has what was said on its console and every address it asked for.

    Addresses of files, and those that begin as one of `own`, are left out.
    """

    def __init__(self, command: str) -> None:
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs, ours = os.pipe()
        mine, yours = os.pipe()
        flags = [*_FLAGS.split(), f"--user-data-dir={self._home.name}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BECOME, str(theirs), str(yours), command, *flags],
            pass_fds=(theirs, yours),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(yours)
        fcntl.fcntl(ours, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
        self._out = os.fdopen(ours, "wb", buffering=0)
        self._in = os.fdopen(mine, "rb")
        self._session: str | None = None
        self._number = 0
        self._events: list[str] = []
        self.complaints: list[str] = []
        self.own: tuple[str, ...] = ()  # where addresses begin that a page may ask for
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self._process.kill()
        self._process.wait()
        self._out.close()
        self._in.close()
        self._home.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        answer = self._until(lambda heard: heard.get("id") == self._number)
        if "navigated" in answer.get("error", {}).get("message", ""):
            raise NavigatedError
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, path: Path, width: int, height: int, dark: bool = False) -> None:
        """Load a file in a window of that size."""
        self.visit(path.resolve().as_uri(), width, height, dark)

    def visit(self, address: str, width: int, height: int, dark: bool = False) -> None:
        """Load a page in a window of that size."""
        self.resize(width, height)
        self.prefer("dark" if dark else "light")
        self._events.clear()
        self.call("Page.navigate", url=address)
        if "Page.loadEventFired" not in self._events:
            self._until(lambda heard: heard.get("method") == "Page.loadEventFired")

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, scheme: str) -> None:
        """Be the browser of a person who likes pages "light" or "dark"."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def heard(self, name: str) -> tuple[str, dict[str, Any]]:
        """What a screen reader finds under that name, or in that role: its words, and its properties."""
        nodes = {node["nodeId"]: node for node in self.call("Accessibility.getFullAXTree")["nodes"]}
        found = [
            node
            for node in nodes.values()
            if not node["ignored"]
            and name in (node["role"].get("value"), node.get("name", {}).get("value"))
        ]
        assert len(found) == 1, (name, len(found))
        words: list[str] = []
        waiting = [found[0]]
        while waiting:
            node = waiting.pop()
            if node.get("role", {}).get("value") == "StaticText":
                words.append(node["name"]["value"])
            waiting.extend(nodes[child] for child in reversed(node["childIds"]) if child in nodes)
        properties = {each["name"]: each["value"]["value"] for each in found[0]["properties"]}
        return " ".join(words), properties

    def run(self, script: str) -> Any:
        """The value of an expression in the page, or of what it promises."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, script: str, seconds: float = 240.0) -> Any:
        """The value of an expression in the page as soon as it is true; raises AssertionError."""
        end = time.monotonic() + seconds
        while True:
            with suppress(NavigatedError):  # so it is the next page that is asked
                if value := self.run(script):
                    return value
            assert time.monotonic() < end, (script, self.complaints)
            time.sleep(0.02)

    def screenshot(self, path: Path) -> None:
        """Save what the window shows."""
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(picture))

    def press(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def hold(self, key: str, times: int, pause: float) -> None:
        """The presses of a key that is held down, and so many seconds between them."""
        for number in range(times):
            repeated = number > 0
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, autoRepeat=repeated)
            time.sleep(pause)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            heard = self._read()
            self._record(heard.get("method", ""), heard.get("params", {}))
            if wanted(heard):
                return heard

    def _read(self) -> dict[str, Any]:
        data = bytearray()
        while (byte := self._in.read(1)) != b"\0":
            assert byte, "the browser has left"
            data += byte
        message: dict[str, Any] = json.loads(data)
        return message

    def _record(self, method: str, parameters: dict[str, Any]) -> None:
        self._events.append(method)
        if method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.complaints.append(json.dumps(parameters))
        if method == "Network.requestWillBeSent":
            address = parameters["request"]["url"]
            if not address.startswith(("file:", "data:", *self.own)):
                self.complaints.append(address)
        if method == "Network.webSocketCreated" and not parameters["url"].startswith(self.own):
            self.complaints.append(parameters["url"])
