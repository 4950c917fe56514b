"""Tables of the outcomes of suites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import digits

from rich.table import Table

from boomslang.cli.lab.suites.outcome import Outcome
from boomslang.cli.terminal.console import Console

_BEFORE_NUMBER = " .#:_-"  # as in "STS(v1.0) Undermine.001"


def theme(outcome: Outcome) -> str:
    """The part of the id before its number; the name of the suite if it is empty."""
    rest = outcome.id.rstrip(digits)
    return (rest.rstrip(_BEFORE_NUMBER) if rest != outcome.id else "") or outcome.suite


def summary(title: str, outcomes: Sequence[Outcome], by_theme: bool = False) -> Table:
    """A line for each suite or theme, and one for all."""
    has_points = any(outcome.most_points for outcome in outcomes)
    headings = ["All", "Solved", "%"]
    headings += ["Points", "%"] if has_points else []
    headings += ["Seconds", "Nodes"]  # to the solution, on average
    table = Table(title=title, title_justify="left")
    table.add_column("Theme" if by_theme else "Suite", overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(theme(outcome) if by_theme else outcome.suite, []).append(outcome)
    rows = [*groups.items(), ("all", list(outcomes))] if len(groups) != 1 else groups.items()
    for name, members in rows:
        if name == "all":
            table.add_section()
        table.add_row(name, *_cells(members, has_points))
    return table


def _cells(outcomes: Sequence[Outcome], has_points: bool) -> list[str]:
    solved = [outcome for outcome in outcomes if outcome.solved]
    cells = [str(len(outcomes)), str(len(solved)), _percent(len(solved), len(outcomes))]
    if has_points:
        points = sum(outcome.points for outcome in outcomes)
        most = sum(outcome.most_points for outcome in outcomes)
        cells += [f"{points}/{most}", _percent(points, most)]
    time = _mean(outcome.solution_milliseconds for outcome in solved)
    nodes = _mean(outcome.solution_nodes for outcome in solved)
    cells.append("-" if time is None else f"{time / 1000:.3f}")
    cells.append("-" if nodes is None else f"{nodes:,.0f}")
    return cells


def show_failures(console: Console, outcomes: Iterable[Outcome]) -> None:
    """Print each unsolved position: its place, FEN, task and answer."""
    unsolved = [outcome for outcome in outcomes if not outcome.solved]
    if unsolved:
        console.print(f"Not solved: {len(unsolved)}")
    for outcome in unsolved:
        name = outcome.id if outcome.id == outcome.place else f"{outcome.id} ({outcome.place})"
        points = f", {outcome.points} of {outcome.most_points} points"
        said = f"wanted {outcome.wanted}; {answer(outcome)}{points if outcome.most_points else ''}"
        for line in (name, f"  {outcome.fen}", f"  {said}"):
            console.print(line, soft_wrap=True)


def answer(outcome: Outcome) -> str:
    """The answer of the engine in words."""
    if outcome.failure:
        return f"no answer: {outcome.failure}"
    score = outcome.score or "no score"
    return f"played {outcome.played} ({score}, depth {outcome.depth})"


def compare(
    console: Console, ours: Sequence[Outcome], theirs: Sequence[Outcome], name: str
) -> None:
    """Print a table of two runs, and each position on which they differ."""
    outcomes = {outcome.key: outcome for outcome in theirs}
    pairs = [(mine, outcomes[mine.key]) for mine in ours if mine.key in outcomes]
    if len(pairs) < len(ours):
        console.print(f"{len(ours) - len(pairs)} of the positions are missing in {name}.")
    if not pairs:
        return
    has_points = any(mine.most_points for mine, _ in pairs)
    table = Table(title=f"Against {name}", title_justify="left")
    table.add_column("Suite", overflow="fold")
    for heading in ("All", "Solved", "They", "Only we", "Only they"):
        table.add_column(heading, justify="right")
    for heading in ("Points", "Theirs") if has_points else ():
        table.add_column(heading, justify="right")
    suites = list(dict.fromkeys(mine.suite for mine, _ in pairs))
    for suite in suites if len(suites) == 1 else [*suites, None]:
        members = [pair for pair in pairs if suite in (None, pair[0].suite)]
        if suite is None:
            table.add_section()
        table.add_row(suite or "all", *_comparison_cells(members, has_points))
    console.print(table)
    for mine, other in pairs:
        if mine.solved != other.solved:
            word = "Gained" if mine.solved else "Lost"
            moves = f"{mine.played or 'nothing'} instead of {other.played or 'nothing'}"
            line = f"{word}: {mine.id}  {mine.fen}  wanted {mine.wanted}, {moves}"
            console.print(line, soft_wrap=True)


def _comparison_cells(pairs: Sequence[tuple[Outcome, Outcome]], has_points: bool) -> list[str]:
    counts = [
        len(pairs),
        sum(mine.solved for mine, _ in pairs),
        sum(other.solved for _, other in pairs),
        sum(mine.solved and not other.solved for mine, other in pairs),
        sum(other.solved and not mine.solved for mine, other in pairs),
    ]
    if has_points:
        counts += [sum(mine.points for mine, _ in pairs), sum(other.points for _, other in pairs)]
    return [str(number) for number in counts]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def _mean(values: Iterable[int | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return sum(numbers) / len(numbers) if numbers else None
