"""`make page`: how soon the page of `boomslang board` is there, and a line of the engine on it.

    python -m tests.stress.board_latency --pages 10 --lines 200

Needs Chromium and aiohttp. A page counts from when the browser is told to go there until the game that the
server has told is drawn: the first one since the server began, then others. A line counts from when it comes
out of the engine's pipe until the browser has drawn it: through the server, the connection and the page's own
code. One that a newer line overtakes counts until that one is drawn. Exit status 1: a page took a second or
more, or a line more than 200 milliseconds. What else the machine does counts too: its load is reported.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any, Final

from tests.stress.latency import load, percentiles
from tests.support.board_page import WIDE, BoardPage
from tests.support.board_server import BoardServer
from tests.support.browser import find_browser

MAX_PAGE_TIME: Final = 1000.0  # milliseconds
MAX_LINE_TIME: Final = 200.0
_POSITIONS: Final = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k2r/7p/pq6/8/1pQ1P3/5PP1/PB1r1R1P/R5K1 w - - 0 1",
    "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)
_LOOK: Final = 2.0  # seconds at each position; most lines come in the first of them
_MAX_SILENCE: Final = 300.0  # seconds until the first line of a position
_SERVE: Final = "serve"  # the first argument of the server's process
_SPY: Final = """(() => {
  const now = () => performance.timeOrigin + performance.now();
  // A task that was asked for in a frame's callback comes when the frame is made.
  const drawn = (then) => requestAnimationFrame(() => setTimeout(then));
  let waiting = [];
  Object.assign(window, { thereSince: 0, delays: [] });
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...where) {
      super(...where);
      this.addEventListener("message", ({ data }) => waiting.push(...(JSON.parse(data).told ?? [])));
    }
  };
  addEventListener("DOMContentLoaded", () => {
    const connected = new MutationObserver(() => {
      connected.disconnect();
      drawn(() => { thereSince = now(); });
    });
    connected.observe(document.getElementById("status"), { childList: true });
    new MutationObserver(() => {
      const shown = waiting;
      waiting = [];
      drawn(() => delays.push(...shown.map((told) => now() - told)));
    }).observe(document.getElementById("lines"), { childList: true });
  });
})()"""


class StampedServer(BoardServer):
    """`boomslang board`, which tells with the lines when they came."""

    words = ("-m", "tests.stress.board_latency", _SERVE)


def serve(arguments: list[str]) -> int:
    """Be that server."""
    from boomslang.cli.play.board import command as board
    from boomslang.cli.play.board.info_data import InfoData
    from boomslang.engine.other_engines.engine_lines import InfoReader

    read, record, message = InfoReader.read_uci, InfoData.record, InfoData.message
    came: dict[int, float] = {}  # milliseconds of the lines that are on their way, by id
    told: list[float] = []  # those of the lines that no page has been sent

    def stamped(self: InfoReader, line: str) -> Any:
        info = read(self, line)
        came[id(info)] = time.time() * 1000
        return info

    def noted(self: InfoData, info: Any) -> None:
        record(self, info)
        told.append(came.pop(id(info)))

    def sent(self: InfoData) -> dict[str, Any]:
        stamps = told.copy()
        told.clear()
        return {**message(self), "told": stamps}

    InfoReader.read_uci = stamped  # type: ignore[method-assign]
    InfoData.record, InfoData.message = noted, sent  # type: ignore[method-assign]
    return board.main(arguments)


def begin(browser: BoardPage, server: BoardServer) -> float:
    """Milliseconds until a new page is there."""
    browser.run("location.protocol === 'http:' && sessionStorage.clear()")
    browser.call("Page.navigate", url="about:blank")
    browser.wait_for("location.href === 'about:blank' && document.readyState === 'complete'")
    begun = time.time() * 1000
    browser.call("Page.navigate", url=server.address)
    there: float = browser.wait_for("globalThis.thereSince")
    return there - begun


def pages(browser: BoardPage, server: BoardServer, count: int) -> list[float]:
    """Milliseconds until each of so many pages is there."""
    return [begin(browser, server) for _ in range(count)]


def lines(browser: BoardPage, server: BoardServer, count: int) -> list[float]:
    """Milliseconds from the engine to the screen, for at least so many lines of several positions."""
    begin(browser, server)
    browser.press_button("tab-think")
    found = 0
    number = 0
    while found < count:
        browser.set_up(_POSITIONS[number % len(_POSITIONS)])
        browser.wait_for(f"delays.length > {found}", _MAX_SILENCE)
        time.sleep(_LOOK)
        number += 1
        found = browser.run("delays.length")
    times: list[float] = browser.run("delays")
    return times


def measure(command: str, page_count: int, line_count: int) -> list[str]:
    """Print the times in the browser of that command; returns what took too long."""
    begun = time.time()
    with StampedServer() as server, BoardPage(command) as browser:
        print(f"the server's start, to its address: {(time.time() - begun) * 1000:.0f} ms")
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=_SPY)
        browser.visit("about:blank", *WIDE)
        first = begin(browser, server)
        print(f"the first page: {first:.0f} ms")
        there = pages(browser, server, page_count)
        print(f"{len(there)} pages more:   {percentiles(there)}")
        shown = lines(browser, server, line_count)
        print(f"{len(shown)} lines:  {percentiles(shown)}")
    wrong = [f"a page after {time_:.0f} ms" for time_ in (first, *there) if time_ >= MAX_PAGE_TIME]
    return wrong + [f"a line after {time_:.0f} ms" for time_ in shown if time_ > MAX_LINE_TIME]


def main(words: list[str]) -> int:
    """Run the command line; returns the exit status."""
    if words[:1] == [_SERVE]:
        return serve(words[1:])
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=10, metavar="N", help="(10)")
    parser.add_argument("--lines", type=int, default=200, metavar="N", help="at least (200)")
    parser.add_argument("--load", type=int, default=0, metavar="N", help="busy processes (0)")
    arguments = parser.parse_args(words)
    command = find_browser()
    if command is None:
        sys.exit("there is no Chromium")
    with load(arguments.load):
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        wrong = measure(command, arguments.pages, arguments.lines)
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{len(wrong)} were not right", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
