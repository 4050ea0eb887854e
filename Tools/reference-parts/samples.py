# SPDX-License-Identifier: Apache-2.0
"""Generates the lookup tables and images used by examples."""

import struct
import zlib


def png(width, height, pixels):
    """Encodes RGBA without compression, so that every zlib version writes the same bytes."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data)
        )

    rows = b"".join(
        b"\0" + b"".join(bytes(pixels(x, y)) for x in range(width)) for y in range(height)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def cube(keyword, size, rows):
    lines = [f"{keyword} {size}"] + [" ".join(f"{value:.6f}" for value in row) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def graded(red, green, blue):
    """The look of the tables: warm highlights, cool shadows."""
    luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    shift = 0.25 * (luma - 0.5)
    return [min(1, max(0, value)) for value in (red + shift, green, blue - shift)]


def grid(size):
    """The colors of a cube, red varying fastest."""
    steps = [i / (size - 1) for i in range(size)]
    return [(red, green, blue) for blue in steps for green in steps for red in steps]


def mark(x, y):
    """A white ring on a transparent background, fading from left to right."""
    distance = ((x - 7.5) ** 2 + (y - 7.5) ** 2) ** 0.5
    return (255, 255, 255, 255 - 8 * x) if 3.5 < distance < 7.5 else (0, 0, 0, 0)


def hald():
    """A Hald CLUT of level 2: 64 colors in 8 rows of 8."""
    colors = [[round(255 * value) for value in graded(*color)] for color in grid(4)]
    return png(8, 8, lambda x, y: (*colors[8 * y + x], 255))


QUARTERS = (0, 0.25, 0.5, 0.75, 1)
ASSETS = {
    "lookupTable": lambda: (
        "text/x-cube", cube("LUT_1D_SIZE", 5, [(x**0.6, x**0.8, x) for x in QUARTERS])
    ),
    "lookupCube": lambda: (
        "text/x-cube", cube("LUT_3D_SIZE", 4, [graded(*color) for color in grid(4)])
    ),
    "haldPicture": lambda: ("image/png", hald()),
    "picture": lambda: ("image/png", png(16, 16, mark)),
}

SUFFIXES = {"text/x-cube": ".cube", "image/png": ".png"}
