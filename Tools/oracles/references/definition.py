# SPDX-License-Identifier: Apache-2.0
"""Published formulas, implemented in numpy for operations that no program has."""

import math

import numpy

from harness import light
from harness.rows import reference
from references.python import each


@reference("numpy")
def rot90(image, turns):
    """numpy.rot90(k=−turns)"""
    return numpy.rot90(image, -turns)


@reference("numpy")
def mirrored(image, axis):
    """numpy.flip"""
    return numpy.flip(image, axis)


@reference("numpy")
def crop(image, x, y, w, h):
    """a slice from round(x W) to round((x + w) W), at least one pixel; y alike"""

    def span(start, length, side):
        first = min(math.floor(start * side + 0.5), side - 1)
        return slice(first, max(first + 1, min(math.floor((start + length) * side + 0.5), side)))

    height, width = image.shape[:2]
    return image[span(y, h, height), span(x, w, width)]


@reference("numpy")
def pad(image, top, right, bottom, left, color=None):
    """numpy.pad(mode='edge' or 'constant')"""
    sides = ((top, bottom), (left, right))
    if color is None:
        return numpy.pad(image, (*sides, (0, 0)), mode="edge")
    planes = [
        numpy.pad(image[:, :, channel], sides, constant_values=color[channel])
        for channel in range(3)
    ]
    return numpy.stack(planes, axis=2)


@reference("numpy")
def extremum(image, function):
    """numpy.max or numpy.min over the channels"""
    return numpy.repeat(function(image, axis=2, keepdims=True), 3, axis=2)


@reference("definition")
def formula(image, function):
    """a formula per value, encoded"""
    return function(light.floats(image))


@reference("definition")
def linear_formula(image, function):
    """a formula per value, in linear light"""
    return light.encode(function(light.decode(light.floats(image))))


@reference("numpy")
def polynomial(image, coefficients):
    """numpy.polynomial.polynomial.polyval, per channel"""
    values = light.floats(image)
    planes = [
        numpy.polynomial.polynomial.polyval(values[:, :, channel], coefficients[channel])
        for channel in range(3)
    ]
    return numpy.stack(planes, axis=2)


@reference("numpy")
def cross_polynomial(image, coefficients):
    """numpy.stack([R G B R² G² B² RG GB BR 1]) @ coefficients"""
    r, g, b = numpy.moveaxis(light.floats(image), 2, 0)
    terms = numpy.stack([r, g, b, r * r, g * g, b * b, r * g, g * b, b * r, r * 0 + 1], axis=2)
    return terms @ numpy.array(coefficients, numpy.float64).T


def mitchell(x):
    x = abs(x)
    if x < 1:
        return (7 * x**3 - 12 * x**2 + 16 / 3) / 6
    return (-7 / 3 * x**3 + 12 * x**2 - 20 * x + 32 / 3) / 6 if x < 2 else 0.0


def lanczos2(x):
    return float(numpy.sinc(x) * numpy.sinc(x / 2)) if abs(x) < 2 else 0.0


def keys(x):
    x = abs(x)
    if x < 1:
        return 1.5 * x**3 - 2.5 * x**2 + 1
    return -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2 if x < 2 else 0.0


@reference("definition")
def resample(image, width, height, kernel, support=2):
    """weights sampled at centres (i + 1/2) m / n, cut at the edges and normalised"""

    def weights(source, target):
        if source == target:
            # An unchanged side is not resampled, as in Pillow.
            return numpy.eye(source)
        ratio = source / target
        stretch = max(1, ratio)
        matrix = numpy.zeros((target, source))
        for i in range(target):
            center = (i + 0.5) * ratio
            for j in range(source):
                distance = (j + 0.5 - center) / stretch
                if abs(distance) < support:
                    matrix[i, j] = kernel(distance)
            matrix[i] /= matrix[i].sum()
        return matrix

    down = weights(image.shape[0], height)
    across = weights(image.shape[1], width)
    return each(light.floats(image), lambda plane: down @ plane @ across.T)


def smoothstep(low, high, value):
    t = numpy.clip((value - low) / (high - low), 0, 1) if high > low else (value >= low) * 1.0
    return t * t * (3 - 2 * t)


def positions(shape):
    """Columns and rows of pixel centers, 0 to 1."""
    height, width = shape[:2]
    y, x = numpy.mgrid[:height, :width]
    return (x + 0.5) / width, (y + 0.5) / height


@reference("definition")
def smooth_vignette(image, amount, radius, feather):
    """x (1 − amount smoothstep(radius, radius + feather, d / half diagonal))"""
    height, width = image.shape[:2]
    x, y = positions(image.shape)
    distance = numpy.hypot((x - 0.5) * width, (y - 0.5) * height) / math.hypot(width, height) * 2
    factor = 1 - amount * smoothstep(radius, radius + feather, distance)
    return light.floats(image) * factor[:, :, None]
