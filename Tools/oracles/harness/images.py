# SPDX-License-Identifier: Apache-2.0
"""Test images: rows of RGB levels as numpy arrays of shape height × width × 3."""

import struct
import zlib

import numpy


def chart(width, height):
    """Pseudorandom colors on the left, gradients and edges on the right; all extremes occur."""
    state = 2463534242 ^ (width * 8191 + height)
    image = numpy.zeros((height, width, 3), numpy.uint8)
    for y in range(height):
        for x in range(width):
            for channel in range(3):
                state ^= (state << 13) & 0xFFFFFFFF
                state ^= state >> 17
                state ^= (state << 5) & 0xFFFFFFFF
                image[y, x, channel] = state >> 24
    if width >= 12 and height >= 8:
        half = width // 2
        across = numpy.linspace(0, 255, width - half)
        down = numpy.linspace(0, 255, height)[:, None]
        image[:, half:, 0] = across
        image[:, half:, 1] = (across + down) / 2
        image[:, half:, 2] = 255 - down
        image[height // 2 :, half + 2 : half + 4] = (250, 240, 20)
        image[: height // 3, width - 2] = 128
        extremes = [(0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255), (10, 10, 10)]
        for x, color in enumerate(extremes):
            image[1, x] = color
    # No luma601 is exactly between two levels, where the last bit of a sum would decide the rounding.
    ties = image.astype(int) @ [299, 587, 114] % 1000 == 500
    image[:, :, 2] ^= ties.astype(numpy.uint8)
    return image


def gray(width, height):
    """The red channel of a chart in all channels."""
    return numpy.repeat(chart(width, height)[:, :, :1], 3, axis=2)


def pale(width, height):
    """A chart without its darkest and brightest levels."""
    return (40 + chart(width, height) * 0.6).astype(numpy.uint8)


def smooth(width, height):
    """Smooth waves with some noise, like photos, and one hard edge; no clipping."""
    y, x = numpy.mgrid[:height, :width]
    noise = chart(width + 16, height)[:, :width].astype(numpy.float64)
    waves = [
        136 + 80 * numpy.sin(x / 9 + phase) * numpy.cos(y / 11 - phase) for phase in (0, 1, 2)
    ]
    image = numpy.stack(waves, axis=2) + (noise - 128) * 0.1
    image[:, width * 2 // 3 :] -= 35
    return numpy.clip(numpy.rint(image), 0, 255).astype(numpy.uint8)


#: Generated images by their names in the table.
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


def png(image, depth=8):
    """A PNG of three or four channels; for 16 bits, the values are floats with 1 for white."""
    if depth == 16:
        image = numpy.clip(numpy.floor(image * 65535 + 0.5), 0, 65535).astype(">u2")
    height, width = image.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in image)

    def chunk(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    kind = 6 if image.shape[2] == 4 else 2
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
        image = values.reshape(height, width, channels)[::-1].astype(numpy.float64)
    else:
        channels = 3 if kind == b"P6" else 1
        top = int(scale)
        values = numpy.frombuffer(
            samples, numpy.uint8 if top < 256 else ">u2", width * height * channels
        ).reshape(height, width, channels)
        image = values if top == 255 else values.astype(numpy.float64) / top
    return numpy.repeat(image, 3, axis=2) if channels == 1 else image


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


def ppm(image):
    """An 8-bit PPM."""
    height, width = image.shape[:2]
    return b"P6\n%d %d\n255\n" % (width, height) + numpy.ascontiguousarray(image).tobytes()
