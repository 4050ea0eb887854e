# SPDX-License-Identifier: Apache-2.0
"""Renders graphs with photoedit to floats."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import images
from harness.environment import ROOT


class Refusal(Exception):
    """An error message of photoedit."""


class Photoedit:
    """The photoedit program, and a folder for its files."""

    def __init__(self):
        self.program = os.environ.get("PHOTOEDIT") or self._built()
        self.folder = tempfile.TemporaryDirectory(prefix="oracles-")

    def _built(self):
        """Builds changed sources once; the launcher would check again before every image."""
        launcher = str(ROOT / "Tools" / "photoedit")
        done = subprocess.run([launcher, "version"], stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(done.returncode)
        return str(ROOT / ".build" / "release" / "photoedit")

    def filters(self):
        """The filter schemas by name."""
        listing = json.loads(self._run(["filters", "--json"]))
        return {entry["name"]: entry for entry in listing["filters"]}

    def render(self, row, png):
        """The result of a row's graph for a PNG: RGB, 1 for white, not clamped."""
        folder = Path(self.folder.name)
        (folder / "in.png").write_bytes(png)
        (folder / "edit.json").write_text(json.dumps(document(row)))
        raster = folder / "out.pfm"
        raster.unlink(missing_ok=True)
        self._run(
            ["render", str(folder / "in.png"), "--graph", str(folder / "edit.json")]
            + ["--raster", str(raster)]
        )
        return images.netpbm(raster.read_bytes())

    def _run(self, arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True)
        if done.returncode != 0:
            raise Refusal(done.stderr.decode(errors="replace").strip())
        return done.stdout


def document(row):
    """The graph of a row in stored form."""
    made = {
        "format": "org.photoedit.filter-graph",
        "version": "1.0",
        "nodes": row.nodes,
        "output": {"background": row.background},
    }
    if row.assets:
        made["assets"] = {name: asset.json for name, asset in row.assets.items()}
    return made
