"""RULES records with their tables filled."""

from __future__ import annotations

from functools import cache
from typing import Any

from boomslang.core.board.attacks import fill_tables
from boomslang.core.board.constants import NO_SQUARE
from boomslang.core.board.position import RULES, new_record
from boomslang.core.board.zobrist import fill_keys


def new_rules() -> Any:
    """A new RULES record with attack tables and keys; no castling squares, and `psq` is zero."""
    rules = new_record(RULES)
    for name in RULES.names or ():
        rules[name] = _fill_rules()[name]
    return rules


@cache
def _fill_rules() -> Any:
    """The RULES record that is copied, because filling the tables takes time."""
    rules = new_record(RULES)
    fill_tables(rules)
    fill_keys(rules)
    rules.castling_rook[:] = NO_SQUARE
    return rules
