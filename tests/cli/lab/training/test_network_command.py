"""`boomslang network`: the description of a network file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from boomslang.cli.lab.training import network_command as command
from boomslang.eval.network import file
from boomslang.eval.network.shape import BUCKETS, HIDDEN, ONE_MATERIAL, ONE_THREAT
from boomslang.eval.network.threat_counts import NAMES
from tests.support.networks import random_network


def test_origin_and_piece_values_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = random_network(3)
    network.scale = 400
    columns = slice(HIDDEN, HIDDEN + BUCKETS)
    network.input[4 * 64 : 5 * 64, columns] = ONE_MATERIAL // 2  # the own queen
    network.input[10 * 64 : 11 * 64, columns] = -ONE_MATERIAL // 2
    network.threat[:, :, NAMES.index("hanging rook")] = ONE_THREAT // 8, -ONE_THREAT // 16
    path = tmp_path / "a.net"
    file.write(path, network, {"seed": 7, "command": "boomslang train " + "x" * 200})
    assert command.main([str(path)]) == 0
    out = capsys.readouterr().out
    assert f"{HIDDEN} hidden units" in out and "4,608 for threatened pieces" in out
    assert "seed         7\n" in out
    assert max(map(len, out.splitlines())) < 100
    (queen,) = [line for line in out.splitlines() if line.startswith("queen  ")]
    assert queen.split()[1:] == ["4.00"] * BUCKETS
    hanging = [line for line in out.splitlines() if line.startswith("hanging rook")]
    assert [line.split()[2:] for line in hanging] == [["50"] * BUCKETS, ["-25"] * BUCKETS]


def test_the_mean_of_networks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, mean = (tmp_path / name for name in ("one.net", "two.net", "mean.net"))
    networks = random_network(1), random_network(1)
    networks[1].input[:] += random_network(2).input // 3  # the second has learnt something
    for path, network in zip((one, two), networks, strict=True):
        file.write(path, network, {})
    assert command.main([str(one), "--mean", str(two), "--out", str(mean)]) == 0
    assert "boomslang network one.net --mean two.net --out mean.net" in capsys.readouterr().out
    network, header = file.read(mean)
    assert [part["sha256"] for part in header["mean"]] == [
        file.read(path)[1]["sha256"] for path in (one, two)
    ]
    for name in ("input", "bias", "output", "output_bias", "threat", "threatened"):
        wanted = (networks[0][name].astype(float) + networks[1][name]) / 2
        assert np.abs(network[name] - wanted).max() <= 1, name

    # The built-in network is no part of it.
    assert command.main(["--mean", str(one), str(two), "--out", str(mean)]) == 0
    assert len(file.read(mean)[1]["mean"]) == 2
    assert command.main(["--mean", str(one), "--out", str(mean)]) == 2
    assert "two networks or more" in capsys.readouterr().err

    assert command.main([str(mean), "--mean", str(one), str(one), "--out", str(two)]) == 0
    third = file.read(two)[0]["input"].astype(float)  # five sixths are of `one`
    wanted = (networks[0]["input"].astype(float) * 5 + networks[1]["input"]) / 6
    assert np.abs(third - wanted).max() <= 1
    assert "mean" not in file.read(two)[1]["mean"][0]

    assert command.main([str(one), "--mean", str(two)]) == 2
    assert command.main([str(one), "--mean", str(two), "--out", str(file.SHIPPED)]) == 2
    assert command.main([str(one), "--out", str(mean)]) == 2
    assert command.main([str(one), "--mean", str(mean), "--out", str(one)]) == 2
    assert "is one of the files to read" in capsys.readouterr().err
    stranger = tmp_path / "stranger.net"
    file.write(stranger, random_network(2), {})
    assert command.main([str(one), "--mean", str(stranger), "--out", str(tmp_path / "x.net")]) == 2
    assert "began with different" in capsys.readouterr().err
    (tmp_path / "no.net").write_bytes(b"nothing")
    bad = [str(one), "--mean", str(tmp_path / "no.net"), "--out", str(tmp_path / "not.net")]
    assert command.main(bad) == 2
    assert not (tmp_path / "not.net").exists()


def test_the_shipped_network_shows_its_origin(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0
    out = capsys.readouterr().out
    header = file.read(file.SHIPPED)[1]
    told = " ".join(out.split())
    assert f"sha256       {file.sha256_of(file.load_shipped())}\n" in out
    assert header["command"] in told
    sources = header["mean"] if "mean" in header else header["data"]
    assert sources
    for source in sources:
        assert all(str(value) in told for value in source.values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such.net"], "no-such.net"),
    ],
)
def test_what_it_refuses(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert command.main(words) == 2
    assert said in capsys.readouterr().err
