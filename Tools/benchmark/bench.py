# SPDX-License-Identifier: Apache-2.0
"""What every section needs: the tool, its peers, the photos, and a folder in memory."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import measure
import photos

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / ".build" / "release" / "photoedit"
# A batch of 40 photos of 12 MP, their renderings and two decoded photos take 0.4 GB.
ROOM = 1 << 30


class Bench:
    """One run of the benchmark; a context whose folder goes away with it."""

    def __init__(self, peers, photo=None, is_tiny=False):
        # The launcher builds what changed; what is measured is the program behind it.
        answer = subprocess.run(
            [ROOT / "Tools" / "photoedit", "version"], stdout=subprocess.PIPE, check=True
        )
        self.version = answer.stdout.decode().splitlines()[0]
        self.tool = TOOL
        self.is_tiny = is_tiny
        self.folder = tempfile.TemporaryDirectory(prefix="photoedit-benchmark-", dir=memory())
        self.work = Path(self.folder.name)
        kept = ROOT / ".build" / "benchmark"
        kept.mkdir(parents=True, exist_ok=True)
        self.launcher = measure.Launcher(kept)
        self.peers = peers
        self.photos = photos.Photos(
            self.tool,
            self.peers["jpegtran"].path,
            ROOT / "TestImages" / "inputs",
            self.work if is_tiny else kept,
            self.work,
            photos.TINY_SIZES if is_tiny else photos.SIZES,
            photo,
        )
        self.decoded = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def pixels(self, photo):
        """The photo as PPM, for cjpeg; None without djpeg."""
        if not self.peers["djpeg"].path:
            return None
        if photo not in self.decoded:
            # One at a time, because a folder in memory is small.
            for path in self.decoded.values():
                path.unlink()
            path = self.work / f"{photo.stem}.ppm"
            subprocess.run([self.peers["djpeg"].path, "-outfile", path, photo], check=True)
            self.decoded = {photo: path}
        return self.decoded[photo]


def memory():
    """A folder that is kept in memory, so that no disk is measured; None where there is none."""
    folder = Path("/dev/shm")
    return folder if folder.is_dir() and shutil.disk_usage(folder).free > ROOM else None
