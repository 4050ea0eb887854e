# SPDX-License-Identifier: Apache-2.0
"""The programs used for comparison, and their versions."""

import functools
import importlib
import importlib.metadata
import shutil
import subprocess

#: Names in the table, with the imported module and the installed package.
PACKAGES = {
    "colour-science": ("colour", "colour-science"),
    "numpy": ("numpy", "numpy"),
    "opencolorio": ("PyOpenColorIO", "opencolorio"),
    "opencv": ("cv2", "opencv-contrib-python-headless"),
    "pillow": ("PIL", "pillow"),
    "scikit-image": ("skimage", "scikit-image"),
    "scipy": ("scipy", "scipy"),
}

#: Names in the table, with the possible executables and their version options.
PROGRAMS = {
    # Other programs are also named "convert", so the full name comes first.
    "imagemagick": (("convert-im6.q16", "/usr/bin/convert"), "-version"),
    "vips": (("vips",), "--version"),
    "ffmpeg": (("ffmpeg",), "-version"),
    "chromium": (("chromium", "chromium-browser", "google-chrome"), "--version"),
}

#: The published formula, implemented independently in numpy.
DEFINITION = "definition"


@functools.cache
def program(name):
    """The path of a program; None if it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS[name][0])), None)


@functools.cache
def version(name):
    """The version of a reference; None if it is not installed."""
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
    """The references that are not installed."""
    return [name for name in names if version(name) is None]
