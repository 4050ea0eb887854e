# SPDX-License-Identifier: Apache-2.0
"""Tone operations composed of parts of several programs."""

import math

import numpy

from harness import light
from harness.rows import reference
from references import ocio, opencv
from references.definition import smoothstep


def black_level(ev, black):
    """(x − black) / (2^−ev − black)."""

    def formula(x):
        return (x - black) / (2**-ev - black)

    formula.__name__ = f"(x − {black}) / (2^−{ev} − {black})"
    return formula


@reference("numpy")
def rolled_exposure(image, ev, rolloff):
    """Reinhard's operator with a white above the knee, 0.7 by the maximum and 0.3 by channel"""
    return light.encode(_rolled(light.decode(light.floats(image)) * 2**ev, 1 - rolloff, 2**ev))


def _rolled(x, knee, white):
    def rolled(v):
        u, most = (v - knee) / (1 - knee), (white - knee) / (1 - knee)
        bent = knee + (1 - knee) * u * (1 + u / most**2) / (1 + numpy.maximum(u, 0))
        return numpy.where(v > knee, bent, v)

    largest = x.max(axis=2, keepdims=True)
    ratio = numpy.where(largest > knee, rolled(largest) / numpy.maximum(largest, 1e-12), 1)
    return 0.7 * x * ratio + 0.3 * rolled(x)


def _white(temperature, tint):
    """CIE xy of a temperature, and of a tint that is green light for positive numbers.

    An image in green light becomes magenta. The DNG SDK counts along isotherms that lead away from
    green, hence its −3000; colour counts towards green.
    """
    import colour

    uv = colour.temperature.CCT_to_uv_Robertson1968(numpy.array([temperature, tint / 3000]))
    return colour.UCS_uv_to_xy(uv)


@reference("colour-science")
def white_balance(image, temperature, tint, target=6500, target_tint=0):
    """CCT_to_uv_Robertson1968, matrix_chromatic_adaptation_VonKries('Bradford'), linear sRGB"""
    matrix = _adaptation(temperature, tint, target, target_tint)
    return light.encode(light.decode(light.floats(image)) @ matrix.T)


@reference("colour-science", "numpy")
def white_balance_of_whites(image, temperature, tint, target=6500, target_tint=0):
    """the same, then Reinhard's operator above 0.75, and gray by min(x) from 0.7 to 0.93"""
    matrix = _adaptation(temperature, tint, target, target_tint)
    x = light.decode(light.floats(image))
    adapted = _rolled(x @ matrix.T, 0.75, numpy.maximum(matrix, 0).sum(axis=1).max())
    share = smoothstep(0.7, 0.93, x.min(axis=2, keepdims=True))
    gray = numpy.maximum(x, adapted).max(axis=2, keepdims=True)
    return light.encode(adapted * (1 - share) + gray * share)


def _adaptation(temperature, tint, target, target_tint):
    import colour

    here, there = (
        colour.xy_to_XYZ(_white(*white))
        for white in ((temperature, tint), (target, target_tint))
    )
    adaptation = colour.adaptation.matrix_chromatic_adaptation_VonKries(
        here, there, transform="Bradford"
    )
    space = colour.RGB_COLOURSPACES["sRGB"]
    # That of the primaries; the one in the standard is rounded to four digits.
    into = numpy.asarray(colour.normalised_primary_matrix(space.primaries, space.whitepoint))
    return numpy.linalg.inv(into) @ adaptation @ into


@reference("definition")
def linked_levels(image, low, high):
    """one histogram of all channels, floor(N clip) cut from each end, a straight line between"""
    histogram = numpy.bincount(image.ravel(), minlength=256)
    total = histogram.sum()

    def end(counts, share):
        clipped = math.floor(total * share / 100)
        return int(numpy.argmax(numpy.cumsum(counts) > clipped))

    first, last = end(histogram, low), 255 - end(histogram[::-1], high)
    if last <= first:
        return light.floats(image)
    return numpy.clip((image / 1.0 - first) / (last - first), 0, 1)


@reference("opencv", "opencolorio")
def shadows_highlights(image, shadows, highlights, radius, epsilon=0.01):
    """GradingToneTransform(GRADING_VIDEO) of ximgproc.guidedFilter(Y', Y'), detail added back"""
    values = light.floats(image)
    luma = light.luma601(values)
    pixels = max(1, math.floor(radius * max(luma.shape) + 0.5))
    base = opencv.guided(luma, pixels, epsilon)
    tone = ocio.tone_transform(shadows=1 + 0.99 * shadows, highlights=1 + 0.99 * highlights)
    lifted = ocio.apply(numpy.repeat(base[:, :, None], 3, axis=2), tone)[:, :, 0]
    return _with_luma(values, luma, lifted + luma - base)


def _with_luma(values, luma, expected, most=numpy.inf):
    # Chroma is scaled with luma, but not by the large ratios that noise in black has.
    scale = numpy.minimum(expected / numpy.maximum(luma, 1 / 255), most)
    return expected[:, :, None] + (values - luma[:, :, None]) * scale[:, :, None]


@reference("opencv", "opencolorio", "numpy")
def recovered(image, shadows, highlights, radius, epsilon=0.01, newest=True):
    """the same after B − 0.14 |highlights| (0.55 to 0.92)(1 − 0.4 (0.78 to 1)), or in version 2
    B − 0.17 |highlights| (0.4 to 0.85)(1 − 0.45 (0.92 to 1)); ratios up to 2"""
    values = light.floats(image)
    luma = light.luma601(values)
    pixels = max(1, math.floor(radius * max(luma.shape) + 0.5))
    base = opencv.guided(luma, pixels, epsilon)
    lifted = numpy.clip(base, 0, 1)
    if highlights < 0:
        most, start, end, share, white = (0.14, 0.55, 0.92, 0.4, 0.78) if newest else (0.17, 0.4, 0.85, 0.45, 0.92)
        lifted = lifted + most * highlights * smoothstep(start, end, lifted) * (
            1 - share * smoothstep(white, 1, lifted)
        )
    darkened = lifted
    tone = ocio.tone_transform(shadows=1 + 0.99 * shadows, highlights=1 + 0.99 * max(0, highlights))
    lifted = ocio.apply(numpy.repeat(lifted[:, :, None], 3, axis=2), tone)[:, :, 0]
    if newest:
        lifted = darkened + (lifted - darkened) * smoothstep(0, 0.08, darkened)
    return _with_luma(values, luma, lifted + luma - base, most=2)
