# SPDX-License-Identifier: Apache-2.0
"""Finds the other programs and libraries that do the same work, and asks for their versions."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

EDITS = Path(__file__).resolve().parent / "library_edits.py"
TURBO = "apt-get install libjpeg-turbo-progs"
# Name, the option that prints the version, how to get it.
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
# An option that lists what a program was built with, and what has to be in the list.
PARTS = {"ffmpeg": ("-encoders", "libx264")}
LIBRARIES = (
    ("Pillow", "pip install pillow"),
    ("OpenCV", "pip install opencv-contrib-python-headless"),
    ("pyvips", "pip install 'pyvips[binary]'"),
    ("skimage", "pip install scikit-image PyWavelets"),
)


@dataclass(frozen=True)
class Peer:
    """A program, or a library with the Python that has it; without a path it was not found."""

    name: str
    path: Path | None
    version: str
    hint: str

    def library(self, edit, source, target):
        """The arguments that make a library edit a photo."""
        return [self.path, EDITS, self.name, edit, source, target]


def find(pythons, path=None):
    """The peers by name: programs on a search path, libraries in the first Python that has them."""
    peers = {}
    for name, option, hint in PROGRAMS:
        program = executable(name, path)
        version = asked(program, option) if program else ""
        peers[name] = Peer(name, program, version, hint)
    found = {}
    for python in pythons:
        answer = libraries(python)
        for name, version in answer["versions"].items():
            found.setdefault(name, (Path(answer["python"]), version))
    for name, hint in LIBRARIES:
        peers[name] = Peer(name, *found.get(name, (None, "")), hint)
    return peers


def executable(name, path=None):
    """The first program of that name on the search path.

    Scripts in front of a program would be measured with it, so they are passed over; so are builds
    that lack a part which the sections need.
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
    """Whether a program was built with what the sections need of it."""
    if name not in PARTS:
        return True
    option, part = PARTS[name]
    listed = subprocess.run(
        [program, option], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return part in listed.stdout.decode(errors="replace")


def asked(program, option):
    """The line in which a program tells its version; some write it to standard error."""
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
    """The Python itself, behind links and scripts, and the versions of its libraries by name."""
    answer = subprocess.run(
        [python, EDITS, "versions"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    if answer.returncode != 0:
        return {"python": str(python), "versions": {}}
    return json.loads(answer.stdout)


def pythons(given):
    """The Pythons to ask: those of --python, then the environment, then the one on the path."""
    places = [*given]
    if environment := os.environ.get("VIRTUAL_ENV"):
        places.append(os.path.join(environment, "bin", "python"))
    places += [shutil.which("python3"), "/usr/bin/python3", sys.executable]
    return list(dict.fromkeys(place for place in places if place and os.access(place, os.X_OK)))
