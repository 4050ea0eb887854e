# SPDX-License-Identifier: Apache-2.0
"""Renders graphs with photoedit, to floats before encoding."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import pictures
from harness.environment import ROOT


class Refusal(Exception):
    """What photoedit said instead of rendering."""


class Photoedit:
    """The program, and a folder for its files."""

    def __init__(self):
        self.program = os.environ.get("PHOTOEDIT") or self._built()
        self.folder = tempfile.TemporaryDirectory(prefix="oracles-")

    def _built(self):
        """Builds what changed, once; the launcher would look again before every picture."""
        launcher = str(ROOT / "Tools" / "photoedit")
        done = subprocess.run([launcher, "version"], stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(done.returncode)
        return str(ROOT / ".build" / "release" / "photoedit")

    def filters(self):
        """The declarations of the catalogue, by name."""
        listing = json.loads(self._run(["filters", "--json"]))
        return {entry["name"]: entry for entry in listing["filters"]}

    def render(self, row, png):
        """The raster of a row's graph on a PNG: RGB, 1 for white, not cut to the range."""
        place = Path(self.folder.name)
        (place / "in.png").write_bytes(png)
        (place / "edit.json").write_text(json.dumps(document(row)))
        raster = place / "out.pfm"
        raster.unlink(missing_ok=True)
        self._run(
            ["render", str(place / "in.png"), "--edit", str(place / "edit.json")]
            + ["--raster", str(raster)]
        )
        return pictures.netpbm(raster.read_bytes())

    def _run(self, arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True)
        if done.returncode != 0:
            raise Refusal(done.stderr.decode(errors="replace").strip())
        return done.stdout


def document(row):
    """The graph of a row as it is stored."""
    made = {
        "format": "org.photoedit.filter-graph",
        "version": "1.0",
        "nodes": row.nodes,
        "output": {"background": row.background},
    }
    if row.assets:
        made["assets"] = {name: asset.json for name, asset in row.assets.items()}
    return made
