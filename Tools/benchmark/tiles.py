# SPDX-License-Identifier: Apache-2.0
"""Tiles an image: reads a PFM written by photoedit, and writes a PNG for it."""

import array
import struct
import zlib


def read_rows(path):
    """The rows of a PFM from the top, as red, green and blue bytes."""
    _, size, _, body = path.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    floats = array.array("f", body)
    levels = bytes(min(255, max(0, int(value * 255 + 0.5))) for value in floats)
    return [levels[y * width * 3 : (y + 1) * width * 3] for y in range(height - 1, -1, -1)]


def write_png(path, width, height, rows):
    """Repeats rows to the right and downward; stored without compression, because it is read once."""
    wide = [b"\0" + (row * (width * 3 // len(row) + 1))[: width * 3] for row in rows]
    deflate = zlib.compressobj(0)
    with open(path, "wb") as file:

        def chunk(kind, data):
            check = zlib.crc32(kind + data)
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check))

        file.write(b"\x89PNG\r\n\x1a\n")
        chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        for y in range(height):
            chunk(b"IDAT", deflate.compress(wide[y % len(wide)]))
        chunk(b"IDAT", deflate.flush())
        chunk(b"IEND", b"")
