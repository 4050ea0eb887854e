# SPDX-License-Identifier: Apache-2.0
"""The context of all sections: the tool, its competitors, the photos, and a folder in memory."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import measure
import photos
import report

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / ".build" / "release" / "photoedit"
# Batches of 40 and 200 photos of 12 MP, their renderings, videos and decoded photos take 1.7 GB.
REQUIRED_SPACE = 3 << 30


class Bench:
    """One run of the benchmark; a context manager that removes its folder on exit."""

    def __init__(self, competitors, photo=None, program=None, interactive=None, is_tiny=False):
        # The launcher builds changed sources; only the program itself is measured.
        launcher = program or ROOT / "Tools" / "photoedit"
        answer = subprocess.run([launcher, "version"], stdout=subprocess.PIPE, check=True)
        self.version = answer.stdout.decode(errors="replace").partition("\n")[0]
        if not self.version.startswith("photoedit "):
            sys.exit(f"benchmark: {launcher}: not a photoedit")
        self.tool = program or TOOL
        self.is_given = program is not None
        self.interactive_program = interactive
        self.is_tiny = is_tiny
        self.folder = tempfile.TemporaryDirectory(prefix="photoedit-benchmark-", dir=memory())
        self.work = Path(self.folder.name)
        cache = ROOT / ".build" / "benchmark"
        cache.mkdir(parents=True, exist_ok=True)
        self.disk_folder = tempfile.TemporaryDirectory(prefix="disk-", dir=cache)
        self.disk = Path(self.disk_folder.name)
        self.launcher = measure.Launcher(cache)
        self.competitors = competitors
        self.photos = photos.Photos(
            self.tool,
            self.competitors["jpegtran"].path,
            ROOT / "TestImages" / "inputs",
            self.work if is_tiny else cache,
            self.work,
            photos.TINY_SIZES if is_tiny else photos.SIZES,
            photo,
        )
        self.decoded = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()
        self.disk_folder.cleanup()

    def interactive(self):
        """The program in the folder "interactive", built unless given; the reason if there is none."""
        if self.interactive_program:
            return self.interactive_program, None
        if self.is_given or self.is_tiny:
            return None, "not built for --program and --self-test; use --interactive FILE"
        package, built = Path(__file__).resolve().parent / "interactive", ROOT / ".build" / "interactive"
        report.progress("building Tools/benchmark/interactive")
        words = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
        words += ["--package-path", package, "--scratch-path", built]
        answer = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if answer.returncode != 0:
            sys.stderr.buffer.write(answer.stdout)
            sys.exit("benchmark: Tools/benchmark/interactive does not build")
        self.interactive_program = built / "release" / "interactive"
        return self.interactive_program, None

    def pixels(self, photo):
        """The photo as PPM, for cjpeg; None if djpeg is missing."""
        if not self.competitors["djpeg"].path:
            return None
        if photo not in self.decoded:
            # One at a time, because a folder in memory is small.
            for path in self.decoded.values():
                path.unlink()
            path = self.work / f"{photo.stem}.ppm"
            subprocess.run([self.competitors["djpeg"].path, "-outfile", path, photo], check=True)
            self.decoded = {photo: path}
        return self.decoded[photo]


def memory():
    """A folder in memory, so that disk speed is not measured; None if there is not enough space."""
    folder = Path("/dev/shm")
    return folder if folder.is_dir() and shutil.disk_usage(folder).free > REQUIRED_SPACE else None
