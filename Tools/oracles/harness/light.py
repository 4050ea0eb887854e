# SPDX-License-Identifier: Apache-2.0
"""The transfer curve of sRGB, IEC 61966-2-1, mirrored below zero."""

import numpy


def decode(value):
    """Converts gamma-encoded values to linear."""
    a = numpy.abs(numpy.asarray(value, numpy.float64))
    linear = numpy.where(a <= 0.04045, a / 12.92, ((a + 0.055) / 1.055) ** 2.4)
    return numpy.copysign(linear, value)


def encode(value):
    """Converts linear values to gamma-encoded."""
    a = numpy.abs(numpy.asarray(value, numpy.float64))
    encoded = numpy.where(a <= 0.0031308, a * 12.92, 1.055 * a ** (1 / 2.4) - 0.055)
    return numpy.copysign(encoded, value)


def floats(image):
    """Converts 8-bit levels to floats with 1 for white."""
    return numpy.asarray(image, numpy.float64) / 255


def rounded(value):
    """Converts floats with 1 for white to 8-bit levels: floor(255 v + 1/2), clamped."""
    if value.dtype == numpy.uint8:
        return value
    return numpy.clip(numpy.floor(numpy.asarray(value, numpy.float64) * 255 + 0.5), 0, 255).astype(
        numpy.uint8
    )


def luma601(rgb):
    """0.299 R + 0.587 G + 0.114 B."""
    return numpy.asarray(rgb, numpy.float64) @ numpy.array([0.299, 0.587, 0.114])
