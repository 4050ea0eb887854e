# SPDX-License-Identifier: Apache-2.0
"""Generates large photos from TestImages/inputs reproducibly, and caches them."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import report
import tiles

SIZES = {
    "0.3 MP": (640, 480),
    "1 MP": (1250, 800),
    "4 MP": (2500, 1600),
    "12 MP": (4000, 3000),
    "24 MP": (6000, 4000),
    "48 MP": (8000, 6000),
    "100 MP": (12500, 8000),
}
# For the self-test: the same names, with sides divided by 50.
TINY_SIZES = {name: (width // 50, height // 50) for name, (width, height) in SIZES.items()}


@dataclass(frozen=True)
class Photo:
    """A JPEG; the restart interval is in MCUs, 0 without restart markers."""

    name: str
    path: Path
    width: int
    height: int
    bytes: int
    restart_interval: int
    sha256: str

    @property
    def megapixels(self):
        return self.width * self.height / 1e6


class Photos:
    """Photos by name: 4:2:0, quality 90, about 2.2 bits per pixel, like camera photos.

    A photo repeats the test photo as tiles: an enlarged photo would contain less entropy-coded data
    than a real one. It is baseline JPEG without restart markers, or with one per MCU row; both are
    written by jpegtran if available, otherwise by photoedit.
    """

    def __init__(self, tool, jpegtran, inputs, folder, temporary, sizes, given=None):
        self.tool = tool
        self.jpegtran = jpegtran
        self.source = inputs / "photo-1024.jpg"
        self.small_source = inputs / "photo-64.jpg"
        self.folder = folder
        self.temporary = temporary
        self.sizes = sizes
        self.given = given
        self.used = {}
        self.source_rows = []
        # Changed sources or tools result in new photos.
        parts = [
            self.source,
            Path(__file__),
            Path(tiles.__file__),
            *([jpegtran] if jpegtran else []),
        ]
        content = b"".join(part.read_bytes() for part in parts)
        self.key = hashlib.sha256(content).hexdigest()[:12]

    def photo(self, name, has_restarts=False):
        """The photo of a size, or "given" for the one of --photo."""
        label = name + (", restart markers" if has_restarts else "")
        if label not in self.used:
            self.used[label] = self.inspected(label, self.path(name, has_restarts))
        return self.used[label]

    def main_name(self):
        return "given" if self.given else "24 MP"

    def small(self):
        return self.inspected("64×64", self.small_source)

    def path(self, name, has_restarts):
        if name != "given":
            width, height = self.sizes[name]
            start = f"{width}x{height}-{'restarts' if has_restarts else 'baseline'}"
            path = self.folder / f"{start}-{self.key}.jpg"
            if not path.exists():
                report.progress(f"generating {path.name}")
                self.publish(path, lambda part: self.make(part, width, height, has_restarts))
                for old in set(self.folder.glob(f"{start}-*.jpg")) - {path}:
                    old.unlink(missing_ok=True)
            return path
        if not has_restarts:
            return self.given
        path = self.temporary / "given-restarts.jpg"
        self.transcode(self.given, path, has_restarts)
        return path

    @staticmethod
    def publish(path, write):
        """Writes a photo atomically, so that an interruption leaves no partial file."""
        part = path.with_name(f"{os.getpid()}-{path.name}")
        try:
            write(part)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def make(self, path, width, height, has_restarts):
        self.tile(path, width, height)
        if self.jpegtran:
            self.transcode(path, path, has_restarts)

    def transcode(self, source, target, has_restarts):
        """Keeps the coefficients, and writes no restart markers or one per MCU row."""
        options = ["-restart", "1"] if has_restarts else []
        target.write_bytes(
            subprocess.run(
                [self.jpegtran, "-copy", "all", *options, source],
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
        )

    def tile(self, path, width, height):
        """Renders twice: a PNG is encoded as 4:2:0 only below quality 90; a JPEG keeps it at 90."""
        png, first = path.with_suffix(".png"), path.with_suffix(".89.jpg")
        try:
            tiles.write_png(png, width, height, self.rows())
            self.render(png, "--quality", "89", "-o", first)
            self.render(first, "--quality", "90", "-o", path)
        finally:
            png.unlink(missing_ok=True)
            first.unlink(missing_ok=True)

    def rows(self):
        """The rows of the test photo, cached because reading them is slow."""
        if not self.source_rows:
            with tempfile.TemporaryDirectory() as folder:
                floats = Path(folder) / "photo.pfm"
                self.render(self.source, "--raster", floats)
                self.source_rows = tiles.read_rows(floats)
        return self.source_rows

    def render(self, *arguments):
        subprocess.run([self.tool, "render", "-q", "-f", *arguments], check=True)

    def inspected(self, name, path):
        text = subprocess.run(
            [self.tool, "inspect", "--json", path], stdout=subprocess.PIPE, check=True
        ).stdout
        facts = json.loads(text)
        if not facts.get("jpeg"):
            sys.exit(f"benchmark: {path}: not a JPEG; the baseline is measured with djpeg and cjpeg")
        data = path.read_bytes()
        return Photo(
            name=name,
            path=path,
            width=facts["width"],
            height=facts["height"],
            bytes=len(data),
            restart_interval=facts["jpeg"]["restartInterval"],
            sha256=hashlib.sha256(data).hexdigest(),
        )
