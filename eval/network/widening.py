"""Networks of earlier versions, which had fewer hidden units, brought to today's number, and back."""

from __future__ import annotations

from typing import Final

from boomslang.engine.board.position import new_record
from boomslang.eval.network.shape import HIDDEN, NETWORK, REST, Network, network_dtype

EARLIER_HIDDEN: Final = 256


def widen(narrow: Network) -> Network:
    """A NETWORK record with the same evaluation as one with EARLIER_HIDDEN units; all added weights are 0."""
    network = new_record(NETWORK)
    _copy(narrow, network)
    return network


def narrow(network: Network) -> Network:
    """The record with EARLIER_HIDDEN units from which `widen` makes this one, if there is one."""
    narrow = new_record(network_dtype(EARLIER_HIDDEN))
    _copy(network, narrow)
    return narrow


def is_widened(network: Network) -> bool:
    """Whether a NETWORK record makes no use of more than EARLIER_HIDDEN units."""
    added = slice(EARLIER_HIDDEN, HIDDEN)
    layers = network.input[:, added], network.threatened[:, added], network.bias[added]
    return not (network.output[:, :, added].any() or any(layer.any() for layer in layers))


def _copy(source: Network, target: Network) -> None:
    """Copy the weights of the units that two networks share, and all that belongs to none."""
    for name in ("threat", "output_bias", "scale"):
        target[name] = source[name]
    units = slice(EARLIER_HIDDEN)
    target.threatened[:, units] = source.threatened[:, units]
    target.output[:, :, units] = source.output[:, :, units]
    for copy, original in ((target.input, source.input), (target.bias, source.bias)):
        copy[..., units] = original[..., units]
        copy[..., -REST:] = original[..., -REST:]
