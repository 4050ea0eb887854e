# SPDX-License-Identifier: Apache-2.0
"""Neighborhood operations composed of several parts."""

import math

import numpy

from harness import light
from harness.rows import reference
from references.definition import smoothstep
from references.python import gaussian_values


@reference("opencv")
def emboss(image, angle, strength):
    """filter2D(float64, BORDER_REPLICATE) of the identity plus strength times a tilted slope"""
    import cv2

    # At 0 the kernel is [-2 -1 0; -1 1 1; 0 1 2].
    a = math.radians(angle + 45)
    offsets = numpy.array([-1, 0, 1])
    slope = math.sqrt(2) * (
        math.cos(a) * offsets[None, :] * numpy.ones((3, 1))
        + math.sin(a) * offsets[:, None] * numpy.ones((1, 3))
    )
    kernel = strength * slope
    kernel[1, 1] += 1
    return cv2.filter2D(light.floats(image), -1, kernel, borderType=cv2.BORDER_REPLICATE)


@reference("scipy")
def tilt_shift(image, angle, position, width, feather, sigma):
    """ndimage.gaussian_filter at 0, 1/4, 1/2 and 1 of the largest sigma, mixed between two"""
    values = light.floats(image)
    rungs = [0, 0.25, 0.5, 1]
    ladder = [gaussian_values(values, sigma * rung) if rung else values for rung in rungs]
    rows, columns = values.shape[:2]
    y, x = numpy.mgrid[:rows, :columns]
    x = x + 0.5 - position[0] * columns
    y = y + 0.5 - position[1] * rows
    a = math.radians(angle)
    across = numpy.abs(-math.sin(a) * x + math.cos(a) * y) / rows
    share = smoothstep(width / 2, width / 2 + feather, across)
    result = numpy.zeros_like(values)
    for low, high, first, second in zip(rungs, rungs[1:], ladder, ladder[1:]):
        inside = (share >= low) & (share <= high)
        t = ((share - low) / (high - low))[:, :, None]
        result = numpy.where(inside[:, :, None], first * (1 - t) + second * t, result)
    return result
