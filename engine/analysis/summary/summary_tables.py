"""The tables of a summary, the same for the terminal and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from boomslang.engine.analysis.win_percent import Judgement

_ERRORS: Final = "Errors: inaccuracies, mistakes and blunders."
_RULES: Final = {
    "wdl": "win, draw and loss as the engine says them",
    "curve": "the curve of Lichess",
}
_NONE: Final = "–"
_PLURALS: Final = {
    Judgement.INACCURACY: "Inaccuracies",
    Judgement.MISTAKE: "Mistakes",
    Judgement.BLUNDER: "Blunders",
}


@dataclass(frozen=True, slots=True)
class SummaryTable:
    """A table whose first columns are words and whose other columns are figures."""

    title: str
    columns: Sequence[str]
    words: int  # number of columns with words
    rows: Sequence[Sequence[str]]
    links: Sequence[str] = ()  # for the first cell of each row; some may be empty


def tables_of(data: Mapping[str, Any], longest: int | None = None) -> list[SummaryTable]:
    """All tables of a summary; at most `longest` openings."""
    openings = data["openings"][:longest]
    hidden = len(data["openings"]) - len(openings)
    tables = [
        SummaryTable(
            "Results",
            ["", "Games", "Won", "Drawn", "Lost", "Score", "Accuracy", "Loss, cp", "Errors/game"],
            1,
            [
                [name, *_results(row)]
                for name, row in (
                    ("White", data["colours"]["white"]),
                    ("Black", data["colours"]["black"]),
                    ("Both", data["total"]),
                )
            ],
        ),
        SummaryTable(
            "Openings"
            + (f" (the first {len(openings)} of {len(data['openings'])})" * bool(hidden)),
            ["Opening", "As", "Games", "Score", "Accuracy", "In opening", "Errors/game"],
            2,
            [_opening(row) for row in openings],
        ),
        SummaryTable(
            "Phases",
            ["Phase", "Moves", "Accuracy", *_PLURALS.values(), "Errors/100", "Chances lost"],
            1,
            [_phase(name, row) for name, row in data["phases"].items()],
        ),
    ]
    if kinds := data["kinds"]:
        columns = ["Kind", *_PLURALS.values(), "Share"]
        tables.append(SummaryTable("Kinds of errors", columns, 1, _kinds(kinds)))
    if trouble := data["time_trouble"]:
        tables.append(_time_trouble(trouble))
    if departures := data["repertoire"][:longest]:
        columns = ["Left the repertoire with (instead of)", "By", "Games", "Score"]
        tables.append(SummaryTable("Repertoire", columns, 2, [*map(_departure, departures)]))
    return tables


def remarks_on(data: Mapping[str, Any]) -> str:
    """What the tables of a summary mean, and by which rules its games were judged."""
    games = {words: data["win_chances"][name] for name, words in _RULES.items()}
    used = [words for words, count in games.items() if count]
    if len(used) > 1:
        used = [f"{words} in {games[words]} of the games" for words in used]
    rule_names = " and ".join(used)
    words = [_ERRORS]
    total = data["total"]
    unfinished = total["games"] - sum(total[name] for name in ("wins", "draws", "losses"))
    if unfinished > 0:
        words.append(f"{_games(unfinished)} without a result: not in the score.")
    if rule_names:
        words.append(f"Accuracy, errors and chances follow {rule_names}.")
    if like := data["played_like"]:
        words.append(
            f"By what the reports say of {_games(like['games'])}, the player played like {like['rating']} "
            f"({like['low']} to {like['high']} in 80 % of such cases)."
        )
    return " ".join(words)


def _games(number: int) -> str:
    return f"{number} game{'s' * (number != 1)}"


def games_table(data: Mapping[str, Any], links: Sequence[str]) -> SummaryTable:
    """All games, with these links."""
    return SummaryTable(
        "Games",
        ["Game", "As", "Opening", "Result", "Accuracy", "Errors"],
        3,
        [
            [
                " ".join(filter(None, [f"{row['date'].strip('?.')}", row["opponent"]])),
                row["colour"].capitalize(),
                row["opening"] or _NONE,
                row["result"],
                _percent(row["accuracy"]),
                str(row["errors"]),
            ]
            for row in data["games"]
        ],
        links,
    )


def _results(row: Mapping[str, Any]) -> list[str]:
    counts = [str(row[name]) for name in ("games", "wins", "draws", "losses")]
    return [
        *counts,
        _percent(row["score"]),
        _percent(row["accuracy"]),
        _number(row["average_centipawn_loss"]),
        _number(row["errors_per_game"]),
    ]


def _opening(row: Mapping[str, Any]) -> list[str]:
    codes = row["codes"]
    span = codes[0] if len(codes) == 1 else f"{codes[0]}–{codes[-1]}" if codes else ""
    return [
        f"{span} {row['name']}".strip(),
        row["colour"].capitalize(),
        str(row["games"]),
        _percent(row["score"]),
        _percent(row["accuracy"]),
        _percent(row["opening_accuracy"]),
        _number(row["errors_per_game"]),
    ]


def _phase(name: str, row: Mapping[str, Any]) -> list[str]:
    return [
        name.capitalize(),
        str(row["moves"]),
        _percent(row["accuracy"]),
        *(str(row["judgements"][kind]) for kind in _PLURALS),
        _number(row["errors_per_100_moves"]),
        _percent(row["chance_loss_per_move"]),
    ]


def _kinds(kinds: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    total = sum(sum(counts.values()) for counts in kinds.values())
    return [
        [
            name.capitalize(),
            *(str(counts[kind]) for kind in _PLURALS),
            _percent(round(100 * sum(counts.values()) / total, 1)),
        ]
        for name, counts in kinds.items()
    ]


def _time_trouble(trouble: Mapping[str, Any]) -> SummaryTable:
    return SummaryTable(
        "Time trouble",
        ["", "Number"],
        1,
        [
            ["Games with clocks", str(trouble["games_with_clocks"])],
            ["Games with time trouble", str(trouble["games"])],
            ["Moves in time trouble", str(trouble["moves"])],
            ["Errors in time trouble", str(trouble["errors"])],
            ["Errors with time left", str(trouble["errors_with_time"])],
        ],
    )


def _departure(row: Mapping[str, Any]) -> list[str]:
    return [row["left"], row["by"] or _NONE, str(row["games"]), _percent(row["score"])]


def _percent(value: float | None) -> str:
    return _NONE if value is None else f"{value} %"


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value}"
