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
def smooth_vignette(image, amount, radius, feather, whitens=False):
    """x g, g = 1 − amount smoothstep(radius, radius + feather, d / half diagonal); / (1 + max (g − 1))"""
    height, width = image.shape[:2]
    x, y = positions(image.shape)
    distance = numpy.hypot((x - 0.5) * width, (y - 0.5) * height) / math.hypot(width, height) * 2
    factor = (1 - amount * smoothstep(radius, radius + feather, distance))[:, :, None]
    values = light.floats(image)
    if whitens:
        factor = factor / (1 + values.max(axis=2, keepdims=True) * (factor - 1))
    return values * factor


@reference("definition")
def red_eye(image, discs, threshold):
    """(G + 0.1933 B) / 1.0266 for R where 0.5133 R is not below G and 0.1933 B, in discs"""
    red, green, blue = numpy.moveaxis(light.floats(image), -1, 0).copy()
    height, width = red.shape
    x, y = positions(image.shape)
    slack = 2 * (threshold - 0.4)
    for center_x, center_y, radius in discs:
        distance = numpy.hypot((x - center_x) * width, (y - center_y) * height)
        share = 1 - smoothstep(0.75, 1, distance / (radius * max(width, height)))
        is_red = (0.5133 * red >= green - slack) & (0.5133 * red >= 0.1933 * blue - slack)
        dark = numpy.clip((green + 0.1933 * blue) / 1.0266, 0, 1)
        red = numpy.where(is_red, red + share * (dark - red), red)
    return numpy.stack([red, green, blue], axis=-1)


def between(plane, x, y):
    """Values between pixels, whose centers are at halves; edge pixels are repeated outside."""
    height, width = plane.shape
    left, top = numpy.floor(x - 0.5), numpy.floor(y - 0.5)
    across, down = x - 0.5 - left, y - 0.5 - top

    def at(column, row):
        column = numpy.clip(column, 0, width - 1).astype(int)
        return plane[numpy.clip(row, 0, height - 1).astype(int), column]

    above = at(left, top) * (1 - across) + at(left + 1, top) * across
    below = at(left, top + 1) * (1 - across) + at(left + 1, top + 1) * across
    return above * (1 - down) + below * down


@reference("definition")
def heal(image, spots, feather, seamless=True):
    """x + (1 − smoothstep(1 − feather, 1, d)) (S + M − x), M of the harmonics of x − S on the rim"""
    planes = list(numpy.moveaxis(light.floats(image), -1, 0))
    height, width = planes[0].shape
    y, x = numpy.mgrid[:height, :width] + 0.5
    for center_x, center_y, radius, source_x, source_y in spots:
        shift_x = math.floor((source_x - center_x) * width + 0.5)
        shift_y = math.floor((source_y - center_y) * height + 0.5)
        middle_x, middle_y = center_x * width, center_y * height
        radius = radius * max(width, height)
        z = (x - middle_x + 1j * (y - middle_y)) / radius
        share = (numpy.abs(z) < 1) * (1 - smoothstep(1 - feather, 1, numpy.abs(z)))
        count = max(16, 2 * math.ceil(math.pi * radius))
        angle = numpy.arange(count) * 2 * math.pi / count
        rim_x, rim_y = middle_x + radius * numpy.cos(angle), middle_y + radius * numpy.sin(angle)
        for index, plane in enumerate(planes):
            target = between(plane, x + shift_x, y + shift_y)
            if seamless:
                rim = between(plane, rim_x, rim_y) - between(plane, rim_x + shift_x, rim_y + shift_y)
                series = numpy.fft.rfft(rim)[: min(count // 2, 257)] / count
                series[1:] *= 2
                inside = numpy.where(numpy.abs(z) < 1, z, 0)
                target = target + numpy.polynomial.polynomial.polyval(inside, series).real
            planes[index] = plane + share * (target - plane)
    return numpy.stack(planes, axis=-1)
