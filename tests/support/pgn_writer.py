"""Games written as people and programs write them, ordinary and odd, and damaged."""

from __future__ import annotations

import random

import chess

_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_ODD_RESULTS = ("½-½", "1/2", "0-0", "1 - 0", "1-0F", "0-1 ff", "+--", "1:0", "")
_EXTRAS = ("[%eval +0.5]", "[%emt 0:00:01]", "[%csl Ra1]", "é", "")
_ODD_CLOCKS = (
    "[%eval .5]",
    "[%eval #0]",
    "[%clk 1:2]",
    "[%clk  0:00:01]",
    "[%clk 0:00:01 ]",
    "[%CLK 0:0:1]",
)
_ODD_WORDS = (
    *(
        "{a {b} c}",
        "{two\nlines}",
        "{three\n\nlines}",
        '{[Event "q"]\n}',
        "; rest\n",
        "\n% escape\n",
    ),
    *(
        ",",
        "(",
        ")",
        "}",
        "<",
        "e.p.",
        "♘f3",
        "{not closed",
        "$256",
        "$ 3",
        "Nf3",
        "e4",
        "O-O",
        "Qxh7#",
    ),
)
_BYTES = b'[]{}()"\\;$%*.-/ \n\n\t\r1230eOoxNQ=+#!?,:\x00\xc3\xa9\xe2\x80\x8b\xff'
_SNIPPETS = (
    *(b'[Event "z"]\n\n', b"1. e4\n", b"\n1. e4", b"{", b"}", b"(", b")", b"\n\n", b"1-0", b"*"),
    *(b"[%clk 0:01:02]", b"\xef\xbb\xbf"),
)


def written_game(source: random.Random, odd: float = 0.0) -> str:
    """A random game; `odd` is how likely a word is to be written in an odd way."""
    is_odd = lambda: source.random() < odd  # noqa: E731
    board, setup = chess.Board(), {}
    kind = source.random()
    if kind < 0.1:
        board = chess.Board.from_chess960_pos(source.randrange(960))
        setup = {"Variant": "Chess960" if not is_odd() else "fischerandom"}
    elif kind < 0.2:
        for _ in range(source.randrange(40)):
            board.push(source.choice(list(board.legal_moves) or [chess.Move.null()]))
        board = chess.Board(board.fen())
    if kind < 0.2:
        setup |= {"SetUp": "1", "FEN": board.shredder_fen() if is_odd() else board.fen()}
    result = source.choice(_RESULTS)
    tags = {
        "Event": source.choice(["Open", 'a \\"b\\"', "Été", "?"]),
        "Date": source.choice(["2020.01.02", "????.??.??", "2020.02.31"]),
        "White": "W",
        "Result": "*" if is_odd() else result,
        "WhiteElo": source.choice(["2400", "?", "1500?"]),
        "BlackElo": "2300",
        "TimeControl": source.choice(["600+5", "-", "300", "1/86400"]),
        "WhiteTitle": "GM",
        **setup,
    }
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    lines += ['[white "W2"]'] * is_odd() + [""] * (not is_odd())
    words = _words(source, board, odd)
    words.append(source.choice(_ODD_RESULTS) if is_odd() else result)
    line = ""
    for word in words:
        if len(line) + len(word) > 80:
            lines.append(line)
            line = ""
        line += f" {word}" if line else word
    prose = ["some prose", ""] if is_odd() else []
    return "\n".join([*lines, line, "", *prose]) + "\n"


def _words(source: random.Random, board: chess.Board, odd: float) -> list[str]:
    words = []
    has_clocks, has_variations = source.random() < 0.5, source.random() < 0.3
    for _ in range(source.choice([0, 1, 5, 20, 60, 150])):
        legal = list(board.legal_moves)
        if not legal:
            break
        lively = [
            move
            for move in legal
            if move.promotion or board.is_castling(move) or board.is_en_passant(move)
        ]
        move = source.choice(lively if lively and source.random() < 0.5 else legal)
        san, other = board.san(move), board.san(legal[0])
        word = san
        if source.random() < odd:
            word = _respell(source, board, move, san)
        number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
        if board.turn or source.random() < 0.2:
            words.append(f"{number}{source.choice([' ', ''])}{word}")
        else:
            words.append(word)
        board.push(chess.Move.null() if word == "--" else move)
        if source.random() < 0.05:
            words.append(source.choice(["$1", "$14 $14", "$0", "$255"]))
        if has_clocks:
            seconds = source.randrange(200_000) / source.choice([1, 1, 10])
            clock = f"[%clk {int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{seconds % 60:g}]"
            if source.random() < odd:
                clock = source.choice(_ODD_CLOCKS)
            score = source.choice(
                [
                    f"[%eval {source.gauss(0, 3):.2f}]",
                    f"[%eval #{source.choice([-9, 1])},12]",
                    *_EXTRAS,
                ]
            )
            words.append(f"{{ {score} {clock} }}")
        if has_variations and source.random() < 0.1:
            words.append(f"({number} {other} {{c}} $2 ({number} {san}))")
        if source.random() < odd / 3:
            words.append(source.choice(_ODD_WORDS))
    return words


def _respell(source: random.Random, board: chess.Board, move: chess.Move, san: str) -> str:
    piece = board.piece_at(move.from_square)
    assert piece
    full = f"{piece.symbol().upper()}{chess.square_name(move.from_square)}"
    takes = "x" if board.is_capture(move) else ""
    return source.choice(
        [
            san.rstrip("+#"),
            san.replace("=", ""),
            san.replace("O", "0"),
            san.replace("x", ""),
            san + source.choice(["!", "?", "!!", "??", "!?", "?!", "!!!", "+/-"]),
            f"{full}{takes}{chess.square_name(move.to_square)}"
            if piece.piece_type in (2, 5)
            else san,
            move.uci() if piece.piece_type != chess.KING else san,
            san if board.is_check() else "--",
        ]
    )


def damaged(source: random.Random, data: bytes) -> bytes:
    """The bytes of a file, with some changed, lost or repeated."""
    changed = bytearray(data)
    for _ in range(source.choice([1, 1, 2, 3, 6])):
        place = source.randrange(len(changed) + 1)
        match source.randrange(5):
            case 0:
                changed[place : place + 1] = bytes([source.choice(_BYTES)])
            case 1:
                changed[place:place] = bytes([source.choice(_BYTES)])
            case 2:
                del changed[place : place + source.choice([1, 2, 5, 40])]
            case 3:
                begin = source.randrange(len(changed) + 1)
                changed[place:place] = changed[begin : begin + source.randint(1, 60)]
            case 4:
                changed[place:place] = source.choice(_SNIPPETS)
    return bytes(changed)
