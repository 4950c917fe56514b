"""The mean of some networks: what they have learnt in common stays, what chance has added cancels out.

That only works for networks that have gone on from the same one, not too far (model soups, Wortsman and
others 2022): of two that began with different chance numbers, unit 17 means one thing here, another there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eval.training.parameters import from_network
from eval.training.quantise import quantise


def mean_of(networks: Sequence[Any]) -> Any:
    """A new NETWORK record, each number of which is the mean of those of the given ones.

    Its scale is the first one's. Raises ValueError if there is none.
    """
    if not networks:
        raise ValueError("no networks, no mean")
    scale = int(networks[0].scale)
    vectors = [from_network(network, scale) for network in networks]
    return quantise(np.mean(vectors, axis=0, dtype=np.float32), scale)
