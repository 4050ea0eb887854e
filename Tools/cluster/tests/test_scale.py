# SPDX-License-Identifier: Apache-2.0
"""The model of large runs, and a million lines through plan and collect."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
import simulation  # noqa: E402

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "Sources/PhotoEdit/PhotoEdit.docc/AMillionPhotos.md"


@pytest.mark.parametrize("nodes", [1, 10, 100, 1000])
def test_nodes_are_used_well(nodes: int) -> None:
    def efficiency(photos: int, cost: float) -> float:
        return simulation.simulate(photos * nodes, nodes, cost).efficiency
    assert efficiency(100_000, simulation.BLUR) >= 0.98
    # The overhead of a shard is a larger part of quick edits.
    assert efficiency(100_000, simulation.POINT_FILTERS) >= 0.95
    assert efficiency(20_000, simulation.BLUR) >= 0.95
    assert round(efficiency(20_000, simulation.POINT_FILTERS), 2) >= 0.90


def test_the_guide_has_the_simulated_table() -> None:
    assert "\n".join(simulation.rows()) in PAGE.read_text()


def test_a_million_lines_are_planned_and_collected(real: str, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.jsonl"
    with manifest.open("w") as text:
        for number in range(1_000_000):
            text.write(f'{{"id":"{number:07}","src":"{number:07}.jpg"}}\n')
    from case import LOOK
    (tmp_path / "look.json").write_text(json.dumps(LOOK))
    run = tmp_path / "run"
    assert peak_of(real, "plan", manifest, "--graph", tmp_path / "look.json", "--output",
                   tmp_path / "out", "--run", run, code=0) < 300
    assert peak_of(real, "collect", run, code=75) < 300
    report = json.loads((run / "report.json").read_text())
    assert report["unique"] == report["missing"] == 1_000_000
    assert peak_of(sys.executable, "-m", "photoedit_cluster", "status", run, code=75) < 300


def peak_of(*command: object, code: int) -> int:
    """The memory of a process in MiB."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == code
    return usage.ru_maxrss // 1024
