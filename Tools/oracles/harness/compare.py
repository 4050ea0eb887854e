# SPDX-License-Identifier: Apache-2.0
"""Says how far two pictures are apart, and whether that is near enough."""

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


def compare(tolerance, ours, theirs, margin=0):
    """Compares inside a margin; None where nothing lies inside."""
    if ours.shape != theirs.shape:
        return Difference(float("inf"), float("inf"), float("inf"), False)
    if margin:
        ours = ours[margin:-margin, margin:-margin]
        theirs = theirs[margin:-margin, margin:-margin]
    if ours.size == 0:
        return None
    if tolerance.is_float:
        apart = (numpy.asarray(ours, numpy.float64) - floats(theirs)) * 255
    else:
        apart = rounded(ours).astype(numpy.float64) - rounded(theirs)
    if not numpy.isfinite(apart).all() or not numpy.isfinite(ours).all():
        return Difference(float("inf"), float("inf"), float("inf"), False)
    size = numpy.abs(apart)
    maximum, mean, signed = float(size.max()), float(size.mean()), float(apart.mean())
    passes = maximum <= tolerance.maximum and mean <= tolerance.mean
    if tolerance.truncates:
        # Cutting off takes up to half a level away in the mean; on a handful of pixels even more.
        passes = passes and (apart.size < 256 or -0.1 < signed < 0.6)
    return Difference(maximum, mean, signed, passes)


def floats(picture):
    return picture / 255.0 if picture.dtype == numpy.uint8 else picture
