# SPDX-License-Identifier: Apache-2.0
"""Pictures to compare on: rows of RGB levels as numpy arrays of shape height × width × 3."""

import struct
import zlib

import numpy


def chart(width, height):
    """Colours without order on the left, slopes and edges on the right; every extreme occurs."""
    state = 2463534242 ^ (width * 8191 + height)
    picture = numpy.zeros((height, width, 3), numpy.uint8)
    for y in range(height):
        for x in range(width):
            for channel in range(3):
                state ^= (state << 13) & 0xFFFFFFFF
                state ^= state >> 17
                state ^= (state << 5) & 0xFFFFFFFF
                picture[y, x, channel] = state >> 24
    if width >= 12 and height >= 8:
        half = width // 2
        across = numpy.linspace(0, 255, width - half)
        down = numpy.linspace(0, 255, height)[:, None]
        picture[:, half:, 0] = across
        picture[:, half:, 1] = (across + down) / 2
        picture[:, half:, 2] = 255 - down
        picture[height // 2 :, half + 2 : half + 4] = (250, 240, 20)
        picture[: height // 3, width - 2] = 128
        extremes = [(0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255), (10, 10, 10)]
        for x, colour in enumerate(extremes):
            picture[1, x] = colour
    # No luma601 lies just between two levels, where the last bit of a sum would decide which is meant.
    ties = picture.astype(int) @ [299, 587, 114] % 1000 == 500
    picture[:, :, 2] ^= ties.astype(numpy.uint8)
    return picture


def gray(width, height):
    """The red of a chart in all channels."""
    return numpy.repeat(chart(width, height)[:, :, :1], 3, axis=2)


def pale(width, height):
    """A chart without its darkest and brightest levels."""
    return (40 + chart(width, height) * 0.6).astype(numpy.uint8)


def smooth(width, height):
    """Soft waves with a little noise, as photos have it, and one hard edge; nothing is cut off."""
    y, x = numpy.mgrid[:height, :width]
    noise = chart(width + 16, height)[:, :width].astype(numpy.float64)
    waves = [
        136 + 80 * numpy.sin(x / 9 + phase) * numpy.cos(y / 11 - phase) for phase in (0, 1, 2)
    ]
    picture = numpy.stack(waves, axis=2) + (noise - 128) * 0.1
    picture[:, width * 2 // 3 :] -= 35
    return numpy.clip(numpy.rint(picture), 0, 255).astype(numpy.uint8)


#: What the names in the table stand for, where no file is meant.
CHARTS = {
    "1x1": lambda: chart(1, 1),
    "1x19": lambda: chart(1, 19),
    "23x1": lambda: chart(23, 1),
    "17x31": lambda: chart(17, 31),
    "7x1": lambda: chart(7, 1),
    "chart-19x13": lambda: chart(19, 13),
    "chart-61x47": lambda: chart(61, 47),
    "gray-19x13": lambda: gray(19, 13),
    "gray-61x47": lambda: gray(61, 47),
    "gray-35x33": lambda: gray(35, 33),
    "pale-19x13": lambda: pale(19, 13),
    "smooth-17x31": lambda: smooth(17, 31),
    "smooth-40x26": lambda: smooth(40, 26),
    "smooth-96x64": lambda: smooth(96, 64),
}


def png(picture, depth=8):
    """A PNG of three or four channels; one of 16 bits is given as numbers with 1 for white."""
    if depth == 16:
        picture = numpy.clip(numpy.floor(picture * 65535 + 0.5), 0, 65535).astype(">u2")
    height, width = picture.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in picture)

    def chunk(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    kind = 6 if picture.shape[2] == 4 else 2
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def netpbm(data):
    """The samples of a PPM or PGM of up to 16 bits, or of a PFM, as an array of three channels."""
    kind, width, height, scale, samples = _header(data)
    if kind in (b"PF", b"Pf"):
        channels = 3 if kind == b"PF" else 1
        order = "<" if float(scale) < 0 else ">"
        values = numpy.frombuffer(samples, order + "f4", width * height * channels)
        # PFM runs from the last row to the first.
        picture = values.reshape(height, width, channels)[::-1].astype(numpy.float64)
    else:
        channels = 3 if kind == b"P6" else 1
        top = int(scale)
        values = numpy.frombuffer(
            samples, numpy.uint8 if top < 256 else ">u2", width * height * channels
        ).reshape(height, width, channels)
        picture = values if top == 255 else values.astype(numpy.float64) / top
    return numpy.repeat(picture, 3, axis=2) if channels == 1 else picture


def _header(data):
    fields = []
    at = 0
    while len(fields) < 4:
        end = at
        while data[end : end + 1] not in (b" ", b"\n", b"\t", b"\r"):
            end += 1
        word = data[at:end]
        if word.startswith(b"#"):
            at = data.index(b"\n", at) + 1
        else:
            if word:
                fields.append(word)
            at = end + 1
    return fields[0], int(fields[1]), int(fields[2]), fields[3], data[at:]


def ppm(picture):
    """An 8-bit PPM."""
    height, width = picture.shape[:2]
    return b"P6\n%d %d\n255\n" % (width, height) + numpy.ascontiguousarray(picture).tobytes()
