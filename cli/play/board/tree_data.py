"""A search tree as data for a page: the steps of the search, from the view of the first player.

In chess that is White, as on the rest of the page. Nodes too deep to be drawn are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isinf
from typing import Any, Final, TypeAlias

from boomslang.engine.textbook.chess_game import MATE, MATE_IN_MAX
from boomslang.engine.textbook.mcts import Node
from boomslang.engine.textbook.recorded import Recorder

MAX_DRAWN: Final = 2500  # maximum number of nodes; the deepest plies are left out as a whole

Spelling: TypeAlias = Callable[[Any, Any], tuple[str, str, str]]  # move, squares, board after it
Playout: TypeAlias = tuple[list[Node[Any]], float, list[Node[Any]]]  # path, result, newly proven


def of_search(
    recorder: Recorder[Any], game: Any, first: bool, spelling: Spelling
) -> dict[str, Any]:
    """The tree of minimax or alpha-beta below a position.

    `first` is the side to move at the root. Each of the `nodes` has its `parent`, `move`, `squares`, `board`,
    `ply`, final `value`, the `window` in which it was entered (null: no limit), the number of moves
    `left_out`, and the number of nodes `below` it that are not drawn. `steps` are n for entering a node, ~n
    for leaving it.
    """
    nodes = recorder.nodes
    plies = _plies([node.parent for node in nodes])
    deepest = _deepest(plies)
    place: dict[int, int] = {}  # index of each drawn node
    drawn: list[dict[str, Any]] = []
    games: dict[int, Any] = {}  # positions of the drawn nodes
    for number, node in enumerate(nodes):
        if plies[number] > deepest:
            above = place[node.parent]  # the drawn node at which it is counted
            place[number] = above
            drawn[above]["below"] += 1
            continue
        place[number] = len(drawn)
        sign = 1 if first == (plies[number] % 2 == 0) else -1
        before = games[node.parent] if number else game
        games[number] = before.play(node.move) if number else game
        move, squares, board = spelling(before, node.move)
        window = sorted(sign * bound for bound in (node.alpha, node.beta))
        drawn.append(
            {
                "parent": place[node.parent] if number else -1,
                "move": move,
                "squares": squares,
                "board": board,
                "ply": plies[number],
                "value": None if node.value is None else _number(sign * node.value),
                "window": [_number(bound) for bound in window],
                "leftOut": node.left_out,
                "leaf": not node.searched,
                "below": 0,
            }
        )
    steps = [
        place[event] if event >= 0 else ~place[~event]
        for event in recorder.events
        if plies[max(event, ~event)] <= deepest
    ]
    return {"kind": "search", "first": first, "nodes": drawn, "steps": steps}


def of_growth(
    root: Node[Any], playouts: Sequence[Playout], first: bool, spelling: Spelling
) -> dict[str, Any]:
    """The tree of Monte Carlo tree search.

    `steps` are its playouts: the `path` of nodes from the root, the `result`, and newly `proven` values as
    pairs of node and value. Results are from the first player's view.
    """
    places: dict[int, int] = {id(root): 0}
    drawn = [_new_node_data(root, None, None, -1, 0, spelling)]
    steps = []
    for path, result, proven in playouts:
        for depth, node in enumerate(path):
            if id(node) not in places:
                above = path[depth - 1]
                move = next(move for move, child in above.children.items() if child is node)
                places[id(node)] = len(drawn)
                parent = places[id(above)]
                drawn.append(_new_node_data(node, above.game, move, parent, depth, spelling))
        sign = 1 if first == (len(path) % 2 == 1) else -1
        depths = {id(node): depth for depth, node in enumerate(path)}
        steps.append(
            {
                "path": [places[id(node)] for node in path],
                "result": _number(sign * result),
                "proven": [
                    [places[id(node)], _number(node.low if first == even else -node.low)]
                    for node in proven
                    for even in [depths[id(node)] % 2 == 0]
                ],
            }
        )
    return {"kind": "growth", "first": first, "nodes": drawn, "steps": steps}


def _new_node_data(
    node: Node[Any], before: Any, move: Any, parent: int, ply: int, spelling: Spelling
) -> dict[str, Any]:
    name, squares, board = spelling(before if before is not None else node.game, move)
    return {"parent": parent, "move": name, "squares": squares, "board": board, "ply": ply}


def _plies(parents: Sequence[int]) -> list[int]:
    """The ply of each node, counted from the root; parents come before their children."""
    plies: list[int] = []
    for parent in parents:
        plies.append(0 if parent < 0 else plies[parent] + 1)
    return plies


def _deepest(plies: Sequence[int]) -> int:
    """The last ply that is drawn, at least 1."""
    deepest = max(plies)
    while deepest > 1 and sum(ply <= deepest for ply in plies) > MAX_DRAWN:
        deepest -= 1
    return deepest


def _number(value: float) -> float | str | None:
    """A value for JSON: None for no limit, "#3" for mate in three moves, "#-3" for being mated."""
    if isinf(value):
        return None
    if abs(value) > MATE_IN_MAX:
        moves = (MATE - abs(value) + 1) // 2
        return f"#{moves:g}" if value > 0 else f"#-{moves:g}"
    return round(value, 4) + 0.0  # no -0.0
