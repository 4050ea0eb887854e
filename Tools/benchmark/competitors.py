# SPDX-License-Identifier: Apache-2.0
"""Finds other programs and libraries for comparison, and their versions."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
EDITS = HERE / "library_edits.py"
# Created by Tools/setup --peers.
VENV = HERE.parents[1] / ".build" / "benchmark-venv"
TURBO = "apt-get install libjpeg-turbo-progs"
# Name, version option, installation command.
PROGRAMS = (
    ("djpeg", "-version", TURBO),
    ("cjpeg", "-version", TURBO),
    ("jpegtran", "-version", TURBO),
    ("vips", "--version", "apt-get install libvips-tools"),
    ("vipsthumbnail", "--vips-version", "apt-get install libvips-tools"),
    ("gm", "version", "apt-get install graphicsmagick"),
    ("convert", "--version", "apt-get install imagemagick"),
    ("ffmpeg", "-version", "apt-get install ffmpeg"),
    ("sha256sum", "--version", "apt-get install coreutils"),
)
# An option that lists the parts of a program, and the required part.
PARTS = {"ffmpeg": ("-encoders", "libx264")}
LIBRARIES = (
    ("Pillow", "pip install pillow"),
    ("OpenCV", "pip install opencv-contrib-python-headless"),
    ("pyvips", "pip install 'pyvips[binary]'"),
    ("skimage", "pip install scikit-image PyWavelets"),
)


@dataclass(frozen=True)
class Competitor:
    """A program, or a library with its Python interpreter; the path is None if it was not found."""

    name: str
    path: Path | None
    version: str
    hint: str

    def library(self, edit, source, target):
        """The command line that edits a photo with a library."""
        return [self.path, EDITS, self.name, edit, source, target]


def find(pythons, path=None):
    """The competitors by name: programs on the search path, libraries in the first suitable Python."""
    competitors = {}
    for name, option, hint in PROGRAMS:
        program = executable(name, path)
        version = version_of(program, option) if program else ""
        competitors[name] = Competitor(name, program, version, hint)
    found = {}
    for python in pythons:
        answer = libraries(python)
        for name, version in answer["versions"].items():
            found.setdefault(name, (Path(answer["python"]), version))
    for name, hint in LIBRARIES:
        competitors[name] = Competitor(name, *found.get(name, (None, "")), hint)
    return competitors


def executable(name, path=None):
    """The first program with a name on the search path.

    Wrapper scripts would be included in the measurement, so they are skipped, as are builds without
    a required part.
    """
    for folder in (os.environ.get("PATH", "") if path is None else path).split(os.pathsep):
        program = Path(folder or ".") / name
        if not os.access(program, os.X_OK) or program.is_dir():
            continue
        with open(program, "rb") as file:
            if file.read(4) == b"\x7fELF" and has_parts(name, program):
                return program.absolute()
    return None


def has_parts(name, program):
    """Whether a program was built with its required part."""
    if name not in PARTS:
        return True
    option, part = PARTS[name]
    listed = subprocess.run(
        [program, option], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return part in listed.stdout.decode(errors="replace")


def version_of(program, option):
    """The line that contains a program's version; some write it to standard error."""
    answer = subprocess.run(
        [program, option],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ).stdout.decode(errors="replace")
    first = (answer.strip() or "no version").splitlines()[0]
    for name in ("version ", "Version: "):
        first = first.replace(name, "")
    return " ".join(word for word in first.split() if "://" not in word).split(" Copyright")[0]


def libraries(python):
    """The Python executable, with links and scripts resolved, and its library versions by name."""
    answer = subprocess.run(
        [python, EDITS, "versions"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    if answer.returncode != 0:
        return {"python": str(python), "versions": {}}
    return json.loads(answer.stdout)


def pythons(selected):
    """Python interpreters to search: those of --python, of Tools/setup, the environment, the path."""
    candidates = [*selected, str(VENV / "bin" / "python")]
    if environment := os.environ.get("VIRTUAL_ENV"):
        candidates.append(os.path.join(environment, "bin", "python"))
    candidates += [shutil.which("python3"), "/usr/bin/python3", sys.executable]
    return list(dict.fromkeys(candidate for candidate in candidates if candidate and os.access(candidate, os.X_OK)))
