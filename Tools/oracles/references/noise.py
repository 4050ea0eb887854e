# SPDX-License-Identifier: Apache-2.0
"""numpy's Philox, the counter-based random numbers of Salmon and others, 2011."""

import math

import numpy

from harness import light
from harness.rows import reference
from references.python import gaussian_values

MASK = (1 << 64) - 1


def words(x, y, plane, seed, version=1):
    """The four 64-bit words of a place: counter (x, y, plane, 0), key (seed, version)."""
    counter = x | y << 64 | plane << 128
    # numpy counts on before it makes its first block.
    before = (counter - 1) % (1 << 256)
    split = numpy.array([(before >> (64 * i)) & MASK for i in range(4)], numpy.uint64)
    key = numpy.array([seed, version], numpy.uint64)
    return numpy.random.Philox(counter=split, key=key).random_raw(4)


@reference("numpy")
def grain(image, amount, seed, monochrome, size=0.0):
    """random.Philox(counter=(x, y, plane, 0), key=(seed, 1)): four words summed, variance one"""
    values = light.floats(image)
    height, width = values.shape[:2]
    luma = light.luma601(values)
    noise = numpy.zeros_like(values)
    for plane in range(1 if monochrome else 3):
        for y in range(height):
            for x in range(width):
                # Of each word the upper 24 bits count, at the middle of what they stand for.
                upper = (words(x, y, plane, seed) >> numpy.uint64(40)).astype(numpy.float64)
                noise[y, x, plane] = ((upper + 0.5).sum() / 2**24 - 2) * math.sqrt(3)
    if size:
        # Sums of neighbours vary less, by the squares of their weights along each axis.
        reach = numpy.arange(-math.ceil(4 * size), math.ceil(4 * size) + 1)
        weights = numpy.exp(-(reach**2) / (2 * size * size))
        weights /= weights.sum()
        noise = gaussian_values(noise, size) / (weights**2).sum()
    if monochrome:
        noise[:] = noise[:, :, :1]
    return values + amount / 4 * noise * (4 * luma * (1 - luma))[:, :, None]
