"""The board in Firefox: moves, files, thinking, a review and endings."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Self

import aiohttp
import pytest

from tests.support.board_page import WIDE, BoardSteps
from tests.support.board_server import BoardServer

NAMES: Final = ("firefox", "firefox-esr")
_TIMEOUT: Final = 120.0  # seconds
_LISTENING: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_KEYS: Final = {
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
    "Home": "\ue011",
}


def find_firefox() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """One page, with what tests of Chromium's `Browser` use too; `complaints` is what the console says."""

    def __init__(self, command: str) -> None:
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        said = Path(self._home.name) / "said"
        flags = ["--headless", "--no-remote", "--profile", self._home.name]
        with said.open("wb") as file:
            self._process = subprocess.Popen(
                [command, *flags, "--remote-debugging-port", "0"], stdout=file, stderr=file
            )
        self.complaints: list[str] = []
        self._number = 0
        self._loop = asyncio.new_event_loop()
        self._client: aiohttp.ClientSession | None = None
        try:
            self._loop.run_until_complete(self._connect(said))
            self.call("session.new", capabilities={})
            self.call("session.subscribe", events=["log.entryAdded"])
            self._context = self.call("browsingContext.getTree")["contexts"][0]["context"]
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self._process.kill()
        self._process.wait()
        if self._client:
            self._loop.run_until_complete(self._client.close())
        self._loop.close()
        self._home.cleanup()

    async def _connect(self, said: Path) -> None:
        end = time.monotonic() + _TIMEOUT
        while not (found := _LISTENING.search(said.read_text("utf-8", "replace"))):
            assert time.monotonic() < end and self._process.poll() is None, said.read_text()
            await asyncio.sleep(0.1)
        self._client = aiohttp.ClientSession()
        self._socket = await self._client.ws_connect(f"{found[1]}/session", max_msg_size=0)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters}
        return self._loop.run_until_complete(asyncio.wait_for(self._ask(command), _TIMEOUT))

    async def _ask(self, command: dict[str, Any]) -> dict[str, Any]:
        await self._socket.send_json(command)
        while True:
            heard = await self._socket.receive_json()
            if heard.get("method") == "log.entryAdded":
                self.complaints.append(json.dumps(heard["params"]))
            if heard.get("id") == command["id"]:
                assert heard["type"] == "success", heard
                result: dict[str, Any] = heard["result"]
                return result

    def visit(self, address: str, width: int, height: int) -> None:
        """Load a page in a window of that size."""
        size = {"width": width, "height": height}
        self.call("browsingContext.setViewport", context=self._context, viewport=size)
        self.call("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def run(self, script: str) -> Any:
        """The value of an expression in the page, or of what it promises."""
        return self._run_in(self._context, script)

    def _run_in(self, context: str, script: str) -> Any:
        answer = self.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({script})))()",
            target={"context": context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def wait_for(self, script: str, seconds: float = _TIMEOUT) -> Any:
        """The value of an expression in the page as soon as it is true; raises AssertionError."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, (script, self.complaints)
            time.sleep(0.02)
        return value

    def press(self, *keys: str) -> None:
        """Press keys one after the other, special ones by name."""
        actions = [
            {"type": kind, "value": _KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self._perform({"type": "key", "id": "keys", "actions": actions})

    def hold(self, key: str, times: int, pause: float) -> None:
        """The presses of a key that is held down, and so many seconds between them."""
        value = _KEYS.get(key, key)
        down: list[dict[str, Any]] = [
            {"type": "keyDown", "value": value},
            {"type": "pause", "duration": round(1000 * pause)},
        ]
        actions = [*down * times, {"type": "keyUp", "value": value}]
        self._perform({"type": "key", "id": "keys", "actions": actions})

    def click(self, x: float, y: float) -> None:
        actions = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._perform({"type": "pointer", "id": "mouse", "actions": actions})

    def _perform(self, source: dict[str, Any]) -> None:
        self.call("input.performActions", context=self._context, actions=[source])


pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.skipif(find_firefox() is None, reason="there is no Firefox"),
]

GAME = (
    '[White "Ann"]\n\n1. e4 { [%cal Ge4e5] } e5 2. Qh5 Nc6 3. Bc4 Nf6 ( 3... g6 ) 4. Qxf7# 1-0\n\n'
)


class FirefoxPage(BoardSteps, Firefox):  # type: ignore[misc]
    """The page in Firefox."""


@pytest.fixture(scope="module")
def firefox() -> Iterator[FirefoxPage]:
    command = find_firefox()
    assert command
    with FirefoxPage(command) as started:
        yield started


@pytest.fixture
def page(firefox: FirefoxPage, server: BoardServer) -> Iterator[FirefoxPage]:
    firefox.complaints.clear()
    firefox.visit(server.address, *WIDE)
    firefox.run("sessionStorage.clear()")
    firefox.visit(server.address, *WIDE)
    firefox.wait_for("document.getElementById('status').textContent === 'Your move.'")
    yield firefox
    assert firefox.complaints == []


def test_a_game_by_clicks_and_keys(page: Any) -> None:
    page.sit_on_both_sides()
    for number, squares in enumerate(["e2e4", "e7e5", "g1f3"], 1):
        page.move(squares)
        page.wait_for_moves(*["e4", "e5", "Nf3"][:number])
    page.press("/", *"Nc6", "Enter")
    page.wait_for_moves("e4", "e5", "Nf3", "Nc6")
    page.press("Escape", "ArrowLeft")
    page.wait_for("document.querySelector('#moves [aria-current]')?.textContent === 'Nf3'")
    page.press("2")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")
    page.wait_for("document.querySelectorAll('#parts tbody tr').length >= 2")
    page.press("5")
    page.wait_for("document.getElementById('ending-task').textContent.includes('to move')")


def test_a_held_key_ends_where_it_should(page: Any) -> None:
    page.hold_arrow_keys()


def test_a_game_of_a_file_is_reviewed(page: Any) -> None:
    page.drop_file("two.pgn", GAME * 2)
    page.wait_for("document.getElementById('chooser').open")
    page.press(*"ann", "Enter")
    page.wait_for_moves("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "g6", "Qxf7#")
    page.press("ArrowLeft")
    page.press_button("review")
    page.wait_for("!document.getElementById('report').hidden", 300)
    assert page.text("accuracy").startswith("Accuracy: White")
