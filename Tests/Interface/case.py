# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

INPUTS = Path(__file__).resolve().parents[2] / "TestImages" / "inputs"
PROGRAM = os.environ.get("PHOTOEDIT_PROGRAM", "photoedit")

GRAPH = {
    "format": "org.photoedit.filter-graph", "version": "1.0",
    "nodes": [{"filter": "exposure", "id": "n1", "params": {"ev": 0.5}, "v": 1}]}


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="photoedit-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def photo(self, name: str = "photo-64.jpg", to: str | None = None) -> Path:
        """A copy of a test image in the folder."""
        return Path(shutil.copyfile(INPUTS / name, self.folder / (to or name)))


def resident() -> int:
    """The resident memory of this process, in KiB."""
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024
