"""What the tests of the board in the browser do to its page."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from tests.support.board_server import BoardServer
from tests.support.browser import Browser
from tests.support.exercises import en_passant, mate_in_one

WIDE, NARROW = (1280, 860), (400, 860)


@contextlib.contextmanager
def server_with_exercises(data: Path) -> Iterator[BoardServer]:
    """A board whose user has two exercises, in an empty folder; what is answered stays there."""
    ExerciseFile(data / "boomslang" / "exercises.json").add([mate_in_one(), en_passant()])
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_DATA_HOME", str(data))
        server = BoardServer()
    with server as started:
        yield started


_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def engines(server: BoardServer) -> list[int]:
    """The processes of the engines, without those that judge."""
    found = []
    for child in server.children():
        with contextlib.suppress(OSError):  # one of an earlier page has just left
            if b"multiprocessing" not in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def signal_all(processes: list[int], number: int) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


@contextlib.contextmanager
def resting_engines(server: BoardServer) -> Iterator[None]:
    """They do not answer meanwhile, however slow the machine is."""
    stopped = engines(server)
    try:
        signal_all(stopped, signal.SIGSTOP)
        yield
    finally:
        signal_all(stopped, signal.SIGCONT)


if TYPE_CHECKING:
    _AnyBrowser = Browser
else:
    _AnyBrowser = object


class BoardSteps(_AnyBrowser):
    """What a user does on the page of the board, in either browser."""

    def leave_page(self) -> None:
        """Forget its game; an analysis would go on in it, or it would look for a server that has ended."""
        self.run("location.protocol === 'http:' && sessionStorage.clear()")
        self.visit("about:blank", *WIDE)

    def open_page(self, server: BoardServer, size: tuple[int, int] = WIDE) -> None:
        self.leave_page()
        self.complaints.clear()
        self.own = (server.address, server.address.replace("http:", "ws:"))
        self.visit(server.address, *size)
        self.wait_for("document.querySelectorAll('#board piece').length > 0")

    def wait_for_server(self) -> None:
        """The board shows pieces before the server is there, and what is said then is refused."""
        self.wait_for("document.getElementById('status').textContent !== 'Connecting …'")

    def text(self, name: str) -> str:
        found: str = self.run(f"document.getElementById('{name}').textContent")
        return found

    def press_button(self, name: str) -> None:
        self.run(f"document.getElementById('{name}').click()")

    def choose(self, name: str, value: str) -> None:
        self.run(
            f"""(() => {{
              const field = document.getElementById('{name}');
              field.value = '{value}';
              field.dispatchEvent(new Event('input', {{ bubbles: true }}));
              field.dispatchEvent(new Event('change', {{ bubbles: true }}));
            }})()"""
        )

    def place(self, square: str) -> tuple[float, float]:
        """Where the middle of a square is on the screen."""
        x, y, size, black = self.run(
            f"""(async () => {{
              const frame = document.getElementById("frame");
              frame.scrollIntoView({{ block: "nearest" }});
              if (scrollY !== window.placedAt) await {_FRAMES}; // the board hears of it late
              window.placedAt = scrollY;
              const box = frame.getBoundingClientRect();
              const black = document.querySelector("#board").classList.contains("orientation-black");
              return [box.x, box.y, box.width, black];
            }})()"""
        )
        column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
        if black:
            column, row = 7 - column, 7 - row
        return x + (column + 0.5) * size / 8, y + (row + 0.5) * size / 8

    def move(self, squares: str) -> None:
        """Click the two squares."""
        self.click(*self.place(squares[:2]))
        self.click(*self.place(squares[2:]))

    def type_move(self, text: str) -> None:
        """Write a move into the field and send it; the field keeps the focus."""
        self.run("document.getElementById('said').focus()")
        self.call("Input.insertText", text=text)
        self.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
        self.call("Input.dispatchKeyEvent", type="keyUp", key="Enter")

    def drop_file(self, name: str, content: str) -> None:
        """Drag a file onto the page and drop it."""
        self.run(
            f"""(() => {{
              const dataTransfer = new DataTransfer();
              dataTransfer.items.add(new File([{json.dumps(content)}], {json.dumps(name)}));
              const about = {{ dataTransfer, bubbles: true, cancelable: true }};
              document.body.dispatchEvent(new DragEvent("drop", about));
            }})()"""
        )

    def drag(self, start: str, end: str, button: str = "left") -> None:
        """Press a button of the mouse on a square, and release it on another."""
        points = self.place(start), self.place(end), self.place(end)
        for kind, (x, y) in zip(
            ("mousePressed", "mouseMoved", "mouseReleased"), points, strict=True
        ):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind, x=x, y=y, button=button, buttons=1 if button == "left" else 2, clickCount=1,
            )  # fmt: skip
            self.run(_FRAMES)  # in the next one the board sees that the piece has left

    def moves(self) -> list[str]:
        found: list[str] = self.run(
            "[...document.querySelectorAll('#moves button')].map((button) => button.textContent)"
        )
        return found

    def wait_for_moves(self, *wanted: str) -> None:
        count = "document.querySelectorAll('#moves button').length"
        self.wait_for(f"{count} === {len(wanted)}")
        assert self.moves() == list(wanted)

    def sit_on_both_sides(self) -> None:
        """Play both colours of a new game; what is clicked before the server has agreed is lost."""
        self.choose("seat", "both")
        self.wait_for("document.getElementById('status').textContent === 'White to move.'")

    def enter_fen(self, fen: str, before: str = "") -> None:
        """Ask for a position; at once, for each answer writes its own into the fields."""
        self.run(
            f"""{before}; document.getElementById('fen').value = '{fen}';
            document.getElementById('set-fen').requestSubmit()"""
        )

    def set_up(self, fen: str, seat: str = "both") -> None:
        """Begin a game from a position, which closes the dialog."""
        dialog = "document.getElementById('load')"
        seated = f"document.getElementById('seat').value = '{seat}'"
        self.enter_fen(fen, f"{seated}; {dialog}.showModal()")
        self.wait_for(f"!{dialog}.open")

    def wait_for_answers(self) -> None:
        """All that was said before is done and shown, for the server keeps the order."""
        self.run(
            "document.getElementById('pgn').value = ''; document.getElementById('show-pgn').click()"
        )
        self.wait_for("document.getElementById('pgn').value")

    def wait_for_piece(self, square: str, piece: str) -> None:
        """Wait until a piece like "white king" stands there; the board may still be moving it."""
        self.wait_for(
            f"""[...document.querySelectorAll('#board piece:not(.fading)')].some(
              (piece) => piece.cgKey === '{square}' && piece.matches('.{piece.replace(" ", ".")}'))"""
        )

    def toast(self) -> str:
        found: str = self.wait_for("document.getElementById('toasts').lastChild?.textContent")
        return found

    def hold_arrow_keys(self) -> None:
        """300 presses at 33 ms in a game of 160 plies: to its end, then back and forth."""
        plies = " ".join(["Nf3 Nf6 Ng1 Ng8", "Nc3 Nc6 Nb1 Nb8"][number % 2] for number in range(40))
        self.drop_file("long.pgn", f"{plies} *")
        self.wait_for("document.querySelectorAll('#moves button').length === 160")
        self.run("document.activeElement.blur()")
        self.press("Home")
        where = "[...document.querySelectorAll('#moves button')].findIndex((it) => it.ariaCurrent)"
        self.wait_for(f"{where} === -1")
        for key, times, end in (
            ("ArrowRight", 170, 159),
            ("ArrowLeft", 100, 59),
            ("ArrowRight", 30, 89),
        ):
            self.hold(key, times, 0.033)
            self.wait_for(f"{where} === {end}")
        # Nor does it go on from there when answers come late.
        self.run("new Promise((done) => setTimeout(done, 500))")
        assert self.run(where) == 89


class BoardPage(BoardSteps, Browser):
    """The page in Chromium."""
