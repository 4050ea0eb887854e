# SPDX-License-Identifier: Apache-2.0
"""Tables derived from histograms as in OpenCV, interpolated between levels."""

import math

import numpy

from harness import light
from harness.rows import reference


def _levels(luma):
    return light.rounded(luma)


def equalizing(levels):
    """OpenCV's equalizeHist as a table."""
    counts = numpy.bincount(levels.ravel(), minlength=256)
    first = int(numpy.argmax(counts > 0))
    rest = counts.sum() - counts[first]
    if rest == 0:
        return numpy.arange(256.0)
    above = numpy.cumsum(counts) - counts[first]
    scale = numpy.float32(255) / numpy.float32(rest)
    table = numpy.rint(above.astype(numpy.float32) * scale)
    table[: first + 1] = 0
    return table


@reference("definition")
def equalize(image):
    """equalizeHist's table of the 8-bit luma601, straight between levels; chroma kept"""
    values = light.floats(image)
    luma = light.luma601(values)
    table = equalizing(_levels(luma))
    expected = numpy.interp(luma * 255, numpy.arange(256), table) / 255
    return values + (expected - luma)[:, :, None]


def _clipped(levels, clip):
    """The table of a tile: Zuiderveld 1994, with OpenCV's redistribution of clipped pixels."""
    area = levels.size
    limit = max(int(clip * area / 256), 1)
    counts = numpy.bincount(levels.ravel(), minlength=256)
    excess = int(numpy.maximum(counts - limit, 0).sum())
    counts = numpy.minimum(counts, limit) + excess // 256
    residual = excess % 256
    if residual:
        step = max(256 // residual, 1)
        counts[numpy.arange(0, 256, step)[:residual]] += 1
    scale = numpy.float32(255) / numpy.float32(area)
    sums = numpy.cumsum(counts).astype(numpy.float32)
    return numpy.minimum(numpy.rint(sums * scale), 255).astype(numpy.float64)


@reference("definition")
def clahe(image, clip, tiles):
    """createCLAHE's tables of the 8-bit luma601, straight between levels and tiles; chroma kept"""
    values = light.floats(image)
    luma = light.luma601(values)
    return values + (_equalized(luma, clip, tiles) - luma)[:, :, None]


@reference("definition")
def clahe_gain(image, amount, clip, tiles):
    """a share of the same change, less near white, as a factor of the channels"""
    values = light.floats(image)
    luma = light.luma601(values)
    change = amount * (_equalized(luma, clip, tiles) - luma)
    share = numpy.clip((1 - values.max(axis=2)) / 0.35, 0, 1)
    change = numpy.where(change > 0, change * share, change)
    scale = (luma + change) / numpy.maximum(luma, 1 / 255)
    return (luma + change)[:, :, None] + (values - luma[:, :, None]) * scale[:, :, None]


def _equalized(luma, clip, tiles):
    """The luma that the tables of the tiles give."""
    across, down = tiles
    height, width = luma.shape
    levels = _levels(luma)
    if height % down or width % across:
        more = ((0, down - height % down), (0, across - width % across))
        levels = numpy.pad(levels, more, mode="reflect")
    th, tw = levels.shape[0] // down, levels.shape[1] // across
    tables = [
        [_clipped(levels[j * th : (j + 1) * th, i * tw : (i + 1) * tw], clip) for i in range(across)]
        for j in range(down)
    ]
    return _between(tables, luma, th, tw)


def _between(tables, luma, th, tw):
    down, across = len(tables), len(tables[0])
    expected = numpy.zeros_like(luma)
    for y in range(luma.shape[0]):
        top = math.floor(y / th - 0.5)
        v = y / th - 0.5 - top
        rows = (min(max(top, 0), down - 1), min(top + 1, down - 1))
        for x in range(luma.shape[1]):
            left = math.floor(x / tw - 0.5)
            u = x / tw - 0.5 - left
            columns = (min(max(left, 0), across - 1), min(left + 1, across - 1))
            level = luma[y, x] * 255
            low = min(int(level), 254)

            def read(row, column):
                table = tables[rows[row]][columns[column]]
                return table[low] + (table[low + 1] - table[low]) * (level - low)

            upper = read(0, 0) * (1 - u) + read(0, 1) * u
            lower = read(1, 0) * (1 - u) + read(1, 1) * u
            expected[y, x] = (upper * (1 - v) + lower * v) / 255
    return expected
