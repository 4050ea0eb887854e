# SPDX-License-Identifier: Apache-2.0
"""The model of large runs, and a million lines through plan and collect."""

import json
import resource
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
    subprocess.run(
        [real, "plan", manifest, "--graph", tmp_path / "look.json", "--out", tmp_path / "out",
         "--run", run], check=True, stdout=subprocess.DEVNULL)
    result = subprocess.run([real, "collect", run], stdout=subprocess.DEVNULL, check=False)
    assert result.returncode == 75
    report = json.loads((run / "report.json").read_text())
    assert report["unique"] == report["missing"] == 1_000_000
    status = subprocess.run(
        [sys.executable, "-m", "photoedit_cluster", "status", run], check=False,
        capture_output=True, text=True)
    assert "1000000 missing" in status.stdout
    # The largest of all child processes so far, in KiB.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"largest process: {peak // 1024} MiB")
    assert peak < 300 * 1024
