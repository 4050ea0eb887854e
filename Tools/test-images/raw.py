# SPDX-License-Identifier: Apache-2.0
"""Writes the raw inputs: DNG files whose sensor data is made from synthesized photographs."""

from fractions import Fraction

import numpy as np

import jpeg
import scene
from metadata import ASCII, BYTE, LONG, RATIONAL, SHORT, SIGNED_RATIONAL, tiff

# The linear light of sRGB from X, Y, Z; the colors of the sensor are those of sRGB.
SRGB_FROM_XYZ = [
    [3.2406, -1.5372, -0.4986],
    [-0.9689, 1.8758, 0.0415],
    [0.0557, -0.2040, 1.0570],
]
BLACK, WHITE = 512, 15871


def rational(value):
    fraction = Fraction(value).limit_denominator(10000)
    return fraction.numerator, fraction.denominator


def mosaic(pixels, balance, gain):
    """Samples of a sensor with red, green, green, blue; light is the square of the photo's levels."""
    light = (pixels.astype(np.float64) / 255.0) ** 2 * gain * np.array(balance)
    samples = np.floor(BLACK + np.clip(light, 0.0, 1.0) * (WHITE - BLACK) + 0.5).astype(np.uint16)
    plane = samples[..., 1].copy()
    plane[0::2, 0::2] = samples[0::2, 0::2, 0]
    plane[1::2, 1::2] = samples[1::2, 1::2, 2]
    return plane


def dng(pixels, order="<", balance=(0.5, 1.0, 0.625), gain=0.5, orientation=1, preview=None):
    """A DNG 1.4 with one strip of uncompressed samples and, if given, a JPEG.

    The samples and the JPEG follow the directories, whose length does not depend on the offsets.
    """
    plane = mosaic(pixels, balance, gain)
    samples = plane.astype(order + "u2").tobytes()
    height, width = plane.shape

    def directories(start):
        sensor = [
            (254, LONG, 0),
            (256, LONG, width),
            (257, LONG, height),
            (258, SHORT, 16),
            (259, SHORT, 1),
            (262, SHORT, 32803),
            (273, LONG, start),
            (277, SHORT, 1),
            (278, LONG, height),
            (279, LONG, len(samples)),
            (33421, SHORT, [2, 2]),
            (33422, BYTE, [0, 1, 1, 2]),
            (50714, SHORT, BLACK),
            (50717, SHORT, WHITE),
        ]
        matrix = [
            rational(n * value) for n, row in zip(balance, SRGB_FROM_XYZ, strict=True) for value in row
        ]
        camera = [
            (271, ASCII, "Photoedit"),
            (272, ASCII, "Scene"),
            (274, SHORT, orientation),
            (306, ASCII, "2024:05:06 07:08:09"),
            (34665, LONG, [(33434, RATIONAL, [(1, 125)]), (34855, SHORT, 200)]),
            (50706, BYTE, [1, 4, 0, 0]),
            (50708, ASCII, "Photoedit Scene"),
            (50721, SIGNED_RATIONAL, matrix),
            (50728, RATIONAL, [rational(value) for value in balance]),
            (50778, SHORT, 21),
        ]
        if preview is None:
            return [sensor + camera]
        shown = [
            (254, LONG, 1),
            (256, LONG, width),
            (257, LONG, height),
            (258, SHORT, [8, 8, 8]),
            (259, SHORT, 7),
            (262, SHORT, 6),
            (273, LONG, start + len(samples)),
            (277, SHORT, 3),
            (278, LONG, height),
            (279, LONG, len(preview)),
            (330, LONG, sensor),
        ]
        return [shown + camera]

    start = len(tiff(order, directories(0)))
    return tiff(order, directories(start)) + samples + (preview or b"")


def inputs():
    """Yields (name, bytes, purpose, size)."""
    photo = scene.bits(scene.photo(240, 160, 7), 8)
    yield (
        "raw-bayer.dng",
        dng(photo, preview=jpeg.encode(photo, quality=85)),
        "a raw file: Bayer samples with headroom, white balance, EXIF, and a preview",
        (240, 160),
    )
    portrait = scene.rotated_into_file(scene.bits(scene.photo(96, 128, 11), 8), 6)
    yield (
        "raw-portrait.dng",
        dng(portrait, order=">", orientation=6, gain=1.0),
        "a big-endian raw file: stored lying, orientation 6, clipped, no preview",
        (96, 128),
    )
