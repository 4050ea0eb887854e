# SPDX-License-Identifier: Apache-2.0
"""The programs that are compared with, and which of them are here."""

import functools
import importlib
import importlib.metadata
import shutil
import subprocess

#: Names of the table, with the Python package that is imported and the one that is installed.
PACKAGES = {
    "colour-science": ("colour", "colour-science"),
    "numpy": ("numpy", "numpy"),
    "opencolorio": ("PyOpenColorIO", "opencolorio"),
    "opencv": ("cv2", "opencv-contrib-python-headless"),
    "pillow": ("PIL", "pillow"),
    "scikit-image": ("skimage", "scikit-image"),
    "scipy": ("scipy", "scipy"),
}

#: Names of the table, with the programs that may be it and how they tell their version.
PROGRAMS = {
    # Other programs of the name "convert" are about, so the full name comes first.
    "imagemagick": (("convert-im6.q16", "/usr/bin/convert"), "-version"),
    "vips": (("vips",), "--version"),
    "ffmpeg": (("ffmpeg",), "-version"),
    "chromium": (("chromium", "chromium-browser", "google-chrome"), "--version"),
}

#: A formula of the published definition, written down once more in numpy.
DEFINITION = "definition"


@functools.cache
def program(name):
    """Where a program is; None when it is not here."""
    return next(filter(None, map(shutil.which, PROGRAMS[name][0])), None)


@functools.cache
def version(name):
    """The version of a peer, or None when it is not here."""
    if name == DEFINITION:
        return "numpy " + (version("numpy") or "")
    if name in PACKAGES:
        module, distribution = PACKAGES[name]
        try:
            importlib.import_module(module)
            return importlib.metadata.version(distribution)
        except (ImportError, importlib.metadata.PackageNotFoundError):
            return None
    path = program(name)
    if path is None:
        return None
    done = subprocess.run([path, PROGRAMS[name][1]], capture_output=True)
    if done.returncode != 0:
        return None
    words = done.stdout.decode(errors="replace").split("\n")[0].split()
    return next((word for word in words if word.split("vips-")[-1][:1].isdigit()), words[0])


def missing(names):
    """Those of some peers that are not here."""
    return [name for name in names if version(name) is None]
