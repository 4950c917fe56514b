"""The mean of several networks: their common part stays, random differences cancel out.

That only works for networks trained further from the same one, and not too far (model soups, Wortsman and
others 2022). With different random initial values, the same unit has a different meaning in each network.
Such networks are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from boomslang.eval.network.shape import HIDDEN
from boomslang.eval.training.parameters import Floats, from_network, parts_of
from boomslang.eval.training.quantise import quantise

# Correlation of the first layers: 0.99 and more after further training, 0 for unrelated networks.
_RELATED: Final = 0.5


def mean_of(networks: Sequence[Any]) -> Any:
    """A new NETWORK record with the mean of each parameter of the given ones.

    Its scale is the first one's. Raises ValueError if there are none, or if they are unrelated.
    """
    if not networks:
        raise ValueError("no networks, no mean")
    scale = int(networks[0].scale)
    vectors = [from_network(network, scale) for network in networks]
    if any(_likeness(vectors[0], vector) < _RELATED for vector in vectors[1:]):
        raise ValueError("no mean of networks that began with different chance numbers")
    return quantise(np.mean(vectors, axis=0, dtype=np.float32), scale)


def _likeness(one: Floats, other: Floats) -> float:
    """Correlation of the first-layer weights of two networks."""
    first, second = (parts_of(vector).input[:, :HIDDEN].ravel() for vector in (one, other))
    return float(np.corrcoef(first, second)[0, 1])
