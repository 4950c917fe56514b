"""The mean of some networks: what they have learnt in common stays, what chance has added cancels out.

That only works for networks that have gone on from the same one, not too far (model soups, Wortsman and
others 2022): of two that began with different chance numbers, unit 17 means one thing here, another there.
Such are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from boomslang.eval.network.shape import HIDDEN
from boomslang.eval.training.parameters import Floats, from_network, parts_of
from boomslang.eval.training.quantise import quantise

# Correlation of the first layers: after a training 0.99 and more, by chance 0.
_RELATED: Final = 0.5


def mean_of(networks: Sequence[Any]) -> Any:
    """A new NETWORK record, each number of which is the mean of those of the given ones.

    Its scale is the first one's. Raises ValueError if there is none, or if some began differently.
    """
    if not networks:
        raise ValueError("no networks, no mean")
    scale = int(networks[0].scale)
    vectors = [from_network(network, scale) for network in networks]
    if any(_likeness(vectors[0], vector) < _RELATED for vector in vectors[1:]):
        raise ValueError("no mean of networks that began with different chance numbers")
    return quantise(np.mean(vectors, axis=0, dtype=np.float32), scale)


def _likeness(one: Floats, other: Floats) -> float:
    """Correlation of what two networks' hidden units look for."""
    first, second = (parts_of(vector).input[:, :HIDDEN].ravel() for vector in (one, other))
    return float(np.corrcoef(first, second)[0, 1])
