# SPDX-License-Identifier: Apache-2.0
"""Measures the difference of two images, and compares it with a tolerance."""

from dataclasses import dataclass

import numpy

from harness.light import rounded


@dataclass(frozen=True)
class Difference:
    """In 8-bit levels."""

    maximum: float
    mean: float
    signed: float
    passes: bool


def compare(tolerance, own, theirs, margin=0):
    """Compares without a margin at the edges; None if no pixels remain."""
    if own.shape != theirs.shape:
        return Difference(float("inf"), float("inf"), float("inf"), False)
    if margin:
        own = own[margin:-margin, margin:-margin]
        theirs = theirs[margin:-margin, margin:-margin]
    if own.size == 0:
        return None
    if tolerance.is_float:
        apart = (numpy.asarray(own, numpy.float64) - floats(theirs)) * 255
    else:
        apart = rounded(own).astype(numpy.float64) - rounded(theirs)
    if not numpy.isfinite(apart).all() or not numpy.isfinite(own).all():
        return Difference(float("inf"), float("inf"), float("inf"), False)
    size = numpy.abs(apart)
    maximum, mean, signed = float(size.max()), float(size.mean()), float(apart.mean())
    passes = maximum <= tolerance.maximum and mean <= tolerance.mean
    if tolerance.truncates:
        # Truncation lowers the mean by up to half a level; more for a small number of pixels.
        passes = passes and (apart.size < 256 or -0.1 < signed < 0.6)
    return Difference(maximum, mean, signed, passes)


def floats(image):
    return image / 255.0 if image.dtype == numpy.uint8 else image
