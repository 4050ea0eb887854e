# SPDX-License-Identifier: Apache-2.0
"""Lookup tables and images used as attachments of graphs."""

import base64
import hashlib
import math
import struct
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


#: The boxes of the letters A and B in units of 1000 for the size: left, bottom, right, top.
BOXES = {"A": (50, 0, 450, 700), "B": (100, -150, 350, 500)}
#: The advance of both, and the heights above and below the baseline.
ADVANCE, ASCENT, DESCENT = 500, 800, 200


def boxes():
    """A TrueType font whose letters are boxes."""

    def outline(left, bottom, right, top):
        header = struct.pack(">7h", 1, left, bottom, right, top, 3, 0)
        steps = (left, right - left, 0, left - right, bottom, 0, top - bottom, 0)
        return header + bytes([1, 1, 1, 1]) + struct.pack(">8h", *steps)

    # The first glyph is that of missing characters.
    glyphs = [b"", *(outline(*box) for box in BOXES.values())]
    ends = numpy.cumsum([0] + [len(glyph) for glyph in glyphs])
    groups = b"".join(struct.pack(">3I", ord(name), ord(name), i + 1) for i, name in enumerate(BOXES))
    cmap = struct.pack(">4HI", 0, 1, 3, 10, 12)
    cmap += struct.pack(">2H3I", 12, 0, 16 + len(groups), 0, len(BOXES)) + groups
    head = struct.pack(">4I2H16x4h5h", 0x10000, 0, 0, 0x5F0F3CF5, 0, 1000, 0, -200, 1000, 800, 0, 8, 2, 1, 0)
    tables = {
        "cmap": cmap,
        "glyf": b"".join(glyphs),
        "head": head,
        "hhea": struct.pack(">I4h22xH", 0x10000, ASCENT, -DESCENT, 0, 1000, len(glyphs)),
        "hmtx": b"".join(
            struct.pack(">Hh", ADVANCE, box[0]) for box in [(0, 0, 0, 0), *BOXES.values()]
        ),
        "loca": struct.pack(f">{len(ends)}I", *ends),
        "maxp": struct.pack(">IH26x", 0x10000, len(glyphs)),
    }
    directory = struct.pack(">I4H", 0x10000, len(tables), 64, 2, 48)
    offset, data = len(directory) + 16 * len(tables), b""
    for name, table in tables.items():
        directory += struct.pack(">4s3I", name.encode(), 0, offset + len(data), len(table))
        data += table + bytes(-len(table) % 4)
    return Asset("font/sfnt", directory + data)
