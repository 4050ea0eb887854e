# SPDX-License-Identifier: Apache-2.0
"""Lookup tables and images used as attachments of graphs."""

import base64
import hashlib
import math
from dataclasses import dataclass

import numpy

from harness import images


@dataclass(frozen=True)
class Asset:
    """An attachment of a graph."""

    type: str
    data: bytes

    @property
    def json(self):
        return {
            "type": self.type,
            "digest": "sha256:" + hashlib.sha256(self.data).hexdigest(),
            "bytes": len(self.data),
            "data": base64.b64encode(self.data).decode(),
        }

    def __repr__(self):
        return f"{len(self.data)} bytes of {self.type}"


def _look(r, g, b):
    """A strong look with values outside the range, so that clamping would be detected."""
    return (
        1.15 * r + 0.08 * math.sin(6 * g) - 0.02,
        g**1.3 + 0.1 * r * b,
        0.9 * b + 0.12 * (1 - r) * (1 - g) - 0.04,
    )


def line(size):
    """A 1D .cube table."""
    rows = []
    for i in range(size):
        x = i / (size - 1)
        values = (x**0.7, x + 0.1 * math.sin(7 * x), 1.1 * x - 0.05)
        rows.append(" ".join(f"{v:.6f}" for v in values))
    text = f"LUT_1D_SIZE {size}\n" + "\n".join(rows) + "\n"
    return Asset("application/x-cube", text.encode())


def cube(size):
    """A 3D .cube table, red varying fastest."""
    steps = [i / (size - 1) for i in range(size)]
    rows = [
        " ".join(f"{v:.6f}" for v in _look(r, g, b)) for b in steps for g in steps for r in steps
    ]
    text = f"LUT_3D_SIZE {size}\n" + "\n".join(rows) + "\n"
    return Asset("application/x-cube", text.encode())


def hald(level):
    """A Hald CLUT: level² points per axis in an image of level³ pixels per side, red fastest."""
    return Asset("image/png", images.png(hald_levels(level)))


def hald_levels(level):
    """The levels of the Hald CLUT."""
    size = level * level
    steps = numpy.arange(size) / (size - 1)
    colors = [_look(r, g, b) for b in steps for g in steps for r in steps]
    levels = numpy.clip(numpy.floor(numpy.array(colors) * 255 + 0.5), 0, 255)
    return levels.astype(numpy.uint8).reshape(level**3, level**3, 3)


def image(levels):
    """A PNG."""
    return Asset("image/png", images.png(levels))
