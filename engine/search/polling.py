"""Stopping in time: the limits that a search looks at from inside."""

from __future__ import annotations

from boomslang.core.board.constants import I
from boomslang.core.jit.instructions import clock_ns
from boomslang.core.jit.jit import jit
from boomslang.engine.search.state import POLL_INTERVAL, SearchState


@jit
def count_node(search: SearchState) -> None:
    """Count a node, in place; now and then look at the clock and the node limit.

    A counter decides when to look: a mask on the node count could be stepped over.
    """
    search.nodes += I(1)
    if search.nodes >= search.next_poll:
        search.next_poll = min(search.nodes + POLL_INTERVAL, search.node_limit)
        if search.nodes >= search.node_limit or clock_ns(search.thread_clock) >= search.deadline:
            search.stop = I(1)


@jit
def is_stopped(search: SearchState) -> bool:
    """True if the search must unwind at once."""
    return bool(search.stop and search.nodes >= search.stoppable_from)
