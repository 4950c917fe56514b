"""The search tree that a page has asked for, and the node counts of the other algorithms."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import Any, TypeAlias

from boomslang.cli.play.board import tree_search
from boomslang.cli.play.board.helper import Helper, HelperError
from boomslang.cli.play.board.latest_task import LatestTask
from boomslang.cli.play.board.outbox import Outbox

_Request: TypeAlias = tuple[int, tree_search.TreeSearch]  # a counter, and what is searched


class TreeDrawer:
    """Draws the newest of one page's trees. Created within a running event loop."""

    def __init__(self, outbox: Outbox, helper: Helper) -> None:
        """Other pages may use `helper` too."""
        self._outbox = outbox
        self._helper = helper
        self._request: _Request | None = None
        self._task = LatestTask(lambda: self._request, self._draw)

    def draw(self, wanted: tree_search.TreeSearch) -> None:
        """Draw this one instead of what is being drawn."""
        self._request = self._request[0] + 1 if self._request else 1, wanted
        self._task.look()

    async def close(self) -> None:
        """End the search."""
        await self._task.close()

    async def _draw(self, request: _Request) -> None:
        """Send a search tree, then the node counts of the other algorithms."""
        number, search = request
        self._outbox.put("lesson", lambda: {"number": number})
        try:
            tree = await self._helper.call(tree_search.draw, search)
        except (tree_search.TreeTooLargeError, HelperError) as problem:
            refusal = {"number": number, "problem": f"{problem}"}
            self._outbox.put("lesson", lambda: refusal)
            return
        about = {"number": number, "algorithm": search.algorithm, "game": search.game}
        self._outbox.put("lesson", lambda: {**about, "tree": tree})
        if search.algorithm == "mcts":
            return
        counts: dict[str, int | None] = {search.algorithm: tree["positions"]}
        with contextlib.suppress(HelperError):
            for rival in search.algorithms:
                if rival not in counts:
                    counts[rival] = await self._helper.call(tree_search.count, search, rival)
                counted = dict(counts)
                self._outbox.put("counts", partial(_counts, number, counted))


def _counts(number: int, counts: dict[str, Any]) -> dict[str, Any]:
    return {"number": number, "most": tree_search.MAX_POSITIONS, "counts": counts}
