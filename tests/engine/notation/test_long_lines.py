"""Lines of some hundred thousand characters, which strangers may send: read in a second, not in hours."""

from __future__ import annotations

import json
from typing import Final

from tests.support.process import run_python

_SIZE: Final = 60_000  # characters of each half
_TIMEOUT: Final = 150  # seconds for all of them, on a busy machine
_LINES: Final = [  # what is repeated in the first half, and in the second
    ("{", '{[A "x"]{}'),
    ("[A 'x]", "[White 'x] e4 "),
    ('[A "', "x"),
    ("(x) ", "(()) "),
    ("{ ", " "),
    ("[%", "{[%"),
]
_READ: Final = """
import json, sys
import boomslang
from boomslang.engine.analysis.annotate import author_text
from boomslang.engine.analysis.notes import COMMANDS
from boomslang.engine.analysis.clock_times import move_times
from boomslang.engine.notation.pgn import games_of_text
for text in json.load(sys.stdin):
    print(text[:30], text[-12:], flush=True)
    for entry in games_of_text(text):
        move_times(entry.game)
        for node in entry.game.mainline():
            author_text(node), COMMANDS.sub("", node.comment)
"""


def test_the_time_grows_with_the_length_only() -> None:
    texts = [
        begin + (first * (_SIZE // len(first)) + second * (_SIZE // len(second)) + end)
        for begin, end in (("1. e4 ", ""), ('[A "x"] 1. e4 {', "x} e5 *"))
        for first, second in _LINES
    ]
    texts += ['[A "' + "x" * _SIZE + '"]' + '[A "y"]' * (_SIZE // 7)]
    texts += [f"1. e4 {{[%clk {'1' * 5000}:00:00] [%eval #{'1' * 5000}]}} ${'1' * 5000} *"]
    done = run_python("-c", _READ, given=json.dumps(texts))
    assert done.returncode == 0, done.stdout + done.stderr  # the last line names the text
