"""Invalid input in CECP and its answers; a game can be played afterwards."""

from __future__ import annotations

import re
import threading

import pytest

from tests.support.cecp_conversation import CecpConversation

LONG = "x" * 5000
CUT = f"{'x' * 80}..."
ILLEGAL = "tellusererror Illegal position"
NO_POSITION = "setboard 8/8/8/8/8/8/8/8 w - - 0 1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def error(line: str, why: str) -> str:
    """The answer to a line that means nothing."""
    return f"Error ({why}): {line}"


# What is sent, with a line feed between lines, and all that is answered.
REFUSED: dict[str, tuple[str, list[str]]] = {
    "nine files": ("setboard 999999999/8/8/8/8/8/8/8 w - - 0 1", [ILLEGAL]),
    "two kings in check": ("setboard 4k3/8/8/8/4Q3/8/8/q3K3 w - - 0 1", [ILLEGAL]),
    "33 pieces": (
        f"setboard {START.replace('/8/8/8/8/', '/pppppppp/8/8/P7/')} w - - 0 1",
        [ILLEGAL],
    ),
    "a million pawns": (f"setboard {'p' * 1_000_000}", [ILLEGAL]),
    "no position, and then": (
        f"{NO_POSITION}\nundo\nplayother\ngo\nusermove e2e4\nanalyze\n.\nexit",
        [
            ILLEGAL,
            error("undo", "no move to take back"),
            *(error(word, "no position") for word in ("playother", "go")),
            "Illegal move: e2e4",
        ],
    ),
    "a move to where it is": ("usermove a1a1", ["Illegal move: a1a1"]),
    "Cyrillic letters": ("usermove е2е4", ["Illegal move: ?2?4"]),
    "a NUL after the move": ("usermove e2e4\0", ["Illegal move: e2e4?"]),
    "bytes for a move": ("usermove \udcff\udcfe", ["Illegal move: ??"]),
    "a bare move that is not legal": ("a7a8", ["Illegal move: a7a8"]),
    "a forged answer": ("move a1a1", [error("move a1a1", "unknown command")]),
    "too few numbers": ("level 40 5", [error("level 40 5", "three numbers expected")]),
    "three parts of a time": ("level 40 1:2:3 0", [error("level 40 1:2:3 0", "bad number")]),
    "other digits": ("level ٤٠ 5 0", [error("level ?? 5 0", "bad number")]),
    "a century": (f"level 40 {10**20} 0", [error(f"level 40 {10**20} 0", "bad number")]),
    "an endless move": (f"st {10**20}", [error(f"st {10**20}", "bad number")]),
    "an option without a value": (
        "option MultiPV",
        [error("option MultiPV", "MultiPV is a whole number from 1 to 256")],
    ),
    "a word for a number": (
        "option MultiPV=abc",
        [error("option MultiPV=abc", "MultiPV is a whole number from 1 to 256")],
    ),
    "more than yes or no": (
        "option OwnBook=2",
        [error("option OwnBook=2", "OwnBook is true or false")],
    ),
    "no such choice": (
        "option SearchAlgorithm=dice",
        [error("option SearchAlgorithm=dice", "Search Algorithm is one of alphabeta, mcts")],
    ),
    "a long option": (f"option {LONG}=1", [f"Error (unknown option): option {CUT[7:]}"]),
    "no memory": ("memory", [error("memory", "an argument is missing")]),
    "no kind of tables": ("egtpath", [error("egtpath", "an argument is missing")]),
    "no variant": ("variant", [error("variant", "an argument is missing")]),
    "a variant in capitals": (
        "variant FischeRandom",
        [error("variant FischeRandom", "unsupported variant")],
    ),
    "words of old interfaces": (
        "edit\nics x\nwhite\nblack\nhint\nbk",
        [
            error(line, "unknown command")
            for line in ("edit", "ics x", "white", "black", "hint", "bk")
        ],
    ),
    "analysis of rubbish": (
        "analyze\nusermove zzzz\nundo\nfoo\nst x\nexclude zzzz\nexclude e2e5\nsetboard x\nexit",
        [
            "Illegal move: zzzz",
            error("undo", "no move to take back"),
            error("foo", "unknown command"),
            error("st x", "bad number"),
            error("exclude zzzz", "not a move"),
            error("exclude e2e5", "not legal"),
            ILLEGAL,
        ],
    ),
    "half a rating": ("rating 2000", [error("rating 2000", "two numbers expected")]),
    "a command in capitals": ("NEW", [error("NEW", "unknown command")]),
    "a printf": ("%s%n%x", [error("%s%n%x", "unknown command")]),
    "a long line": ("x" * 100_000, [f"Error (unknown command): {CUT}"]),
}

# Odd, but there is a sense in it, or nothing to be said against it.
TAKEN: dict[str, str] = {
    "castling without rooks": "setboard 2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1",
    "clocks beyond all games": f"setboard {START} w KQkq - -5 {10**20}",
    "a NUL after the position": "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\0",
    "a very long game": f"level {10**20} 5 0",
    "a depth below ground": "sd -1",
    "clocks that have run out": "time -5\notim -5",
    "more lines than moves": f"option MultiPV={10**20}",
    "a value for a button": "option ClearHash=7",
    "a book that is not there": "option BookFile=/no/such/book\noption OwnBook=1",
    "a book without end": "option BookFile=/dev/zero",
    "bytes for a book": "option BookFile=\udcff\udcfe\0",
    "all memory there is": f"memory {10**20}",
    "tables of another kind": "egtpath nalimov /tmp",
    "tables without a path": "egtpath syzygy",
    "a full stop": ".",
    "a result without a game": "result\nresult * {}\nresult \udcff",
    "analysis that ends with a game": "analyze\nnew",
    "a rating beyond all players": f"rating {10**20} -5",
    "a name of codes": "name \x1b[2J\udcff",
    "answers to no feature": "accepted\nrejected\naccepted x\nrejected usermove",
    "blanks": " \t \n\t force \t",
    "hurry without thought": "?\n?",
    "nobody to draw with": "draw",
}


@pytest.fixture(scope="module")
def patient() -> CecpConversation:
    """One session that has to bear everything."""
    return CecpConversation()


def say(gui: CecpConversation, text: str) -> list[str]:
    """All that is answered to these lines, which may hold any bytes."""
    for line in text.split("\n"):
        gui.send_bytes(line.encode("utf-8", "surrogateescape"))
    return gui.ask()


def limitless(line: str) -> str:
    """The line without its large numbers, which are another computer's."""
    return re.sub("[0-9]{4,}", "N", line)


def plays_on(gui: CecpConversation) -> None:
    """A new game goes well."""
    gui.ask("exit", "force", "nps 0", "level 0 5 0", "option MultiPV=1", "option OwnBook=0")
    (answer,) = gui.ask("new", "sd 1", "usermove e2e4")
    assert re.fullmatch("move [a-h][1-8][a-h][1-8]", answer)


@pytest.mark.parametrize("case", REFUSED)
def test_invalid_input_is_reported_in_the_form_of_the_protocol(
    patient: CecpConversation, case: str
) -> None:
    sent, answers = REFUSED[case]
    patient.ask("new")
    said = say(patient, sent)
    assert list(map(limitless, said)) == list(map(limitless, answers))
    plays_on(patient)


@pytest.mark.parametrize("case", TAKEN)
def test_what_is_odd_is_borne(patient: CecpConversation, case: str) -> None:
    patient.ask("new", "force")
    said = say(patient, TAKEN[case])
    assert all(line.startswith(("move ", "Hint: ")) for line in said), said
    plays_on(patient)


@pytest.mark.parametrize("number", ["-1", str(10**20), "\0", "2 2 2", "two"])
def test_any_number_of_the_protocol_will_do(number: str) -> None:
    gui = CecpConversation()
    said = say(gui, f"xboard\nprotover {number}")
    assert "feature done=0" in said and said[-1] == "feature done=1"
    assert all(line.startswith("feature ") for line in said if line)
    plays_on(gui)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("usermove d7d5", "Illegal move: d7d5"),
        ("usermove \0", "Illegal move: ?"),
        ("d2d4", "Illegal move: d2d4"),
        ("level x y z", "Error (bad number): level x y z"),
        ("st", "Error (an argument is missing): st"),
        ("time \udcff", "Error (bad number): time ?"),
        ("foo", "Error (unknown command): foo"),
    ],
)
def test_invalid_input_does_not_end_a_search(line: str, answer: str) -> None:
    gui = CecpConversation()
    gui.thinking("st 100", "usermove e2e4")
    gui.send_bytes(line.encode("utf-8", "surrogateescape"))
    assert gui.before(re.escape(answer)) == []
    gui.send("?")
    (move,) = gui.ask()
    assert move.startswith("move ") and gui.puppet.calls.count("search") == 1
    plays_on(gui)


@pytest.mark.parametrize(
    "lines",
    [
        ["memory x", "cores x", "option MultiPV=x", "option x=1", "egtpath", "exclude x"],
        ["ping", "ping \0"],
    ],
)
def test_invalid_input_during_a_search_is_reported_after_the_move(lines: list[str]) -> None:
    gui = CecpConversation()
    gui.thinking("st 100", "usermove e2e4")
    gui.send(*lines, "?")
    said = gui.ask()
    assert said[0].startswith("move ") and len(said) == 1 + len(lines)
    assert all(line.startswith(("Error (", "pong")) for line in said[1:])
    plays_on(gui)


def test_a_result_in_mid_search_ends_the_game() -> None:
    gui = CecpConversation()
    gui.thinking("st 100", "usermove e2e4")
    assert say(gui, "result 5-5 {\udcff") == []
    assert gui.ask("usermove e7e5", "usermove g1f3") == []  # nobody thinks any more
    plays_on(gui)


@pytest.mark.parametrize(
    "busy",
    ["", "protover 2", "analyze", "st 100\nusermove e2e4", "hard\nsd 1\nusermove e2e4",
     f"{NO_POSITION}\nanalyze", "st 100\nusermove e2e4\nmemory 8\nping 1", "usermove e2"],
)  # fmt: skip
def test_the_end_of_the_input_ends_everything(busy: str) -> None:
    gui = CecpConversation()
    gui.send(*busy.split("\n"))
    ended = threading.Thread(target=gui.reader.leave)
    ended.start()
    ended.join(30)
    assert not ended.is_alive()
    said = gui.rest()
    assert not any("failed" in line for line in said), said
    assert "st 100" not in busy or any(line.startswith("move ") for line in said)
