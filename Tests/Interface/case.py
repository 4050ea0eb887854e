# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share."""

import os
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

INPUTS = Path(__file__).resolve().parents[2] / "TestImages" / "inputs"
EXAMPLES = Path(__file__).resolve().parents[2] / "Tools" / "examples"
PROGRAM = os.environ.get("PHOTOEDIT_PROGRAM", "photoedit")
#: How many renderings and how many calls memory is measured by.
RENDERINGS, CALLS = map(int, os.environ.get("PHOTOEDIT_TEST_COUNTS", "40 400").split())

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


def compile_c(source: Path, output: Path, *packages: str, options: Sequence[str] = ()) -> None:
    """Builds a program of one file with libphotoedit and other packages."""
    environment, options = dict(os.environ), list(options)
    if library := os.environ.get("PHOTOEDIT_SHARED_LIBRARY"):
        folder = os.path.dirname(library)
        environment["PKG_CONFIG_PATH"] = f"{folder}/pkgconfig"
        options.append(f"-Wl,-rpath,{folder}")
    words = subprocess.check_output(
        ["pkg-config", "--cflags", "--libs", *packages, "photoedit"], env=environment, text=True)
    # Headers of other packages are not free of warnings.
    flags = [f"-isystem{word[2:]}" if word.startswith("-I") else word for word in words.split()]
    subprocess.run(["cc", "-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o",
                    output, source, *flags, *options], check=True)  # fmt: skip


def has_package(name: str) -> bool:
    """Whether the headers of a package are installed."""
    if shutil.which("pkg-config") is None:
        return False
    return subprocess.run(["pkg-config", "--exists", name], check=False).returncode == 0


def resident() -> int:
    """The resident memory of this process, in KiB."""
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024
