# SPDX-License-Identifier: Apache-2.0
"""Color operations composed of several parts, or from a published formula."""

import math

import numpy

from harness import light
from harness.rows import reference
from references.definition import smoothstep


#: Cone responses of linear sRGB as Ottosson published them, rounded apart from those of XYZ.
CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]


@reference("colour-science")
def oklch(image, lightness, chroma, hue, cones=False):
    """XYZ_to_Oklab, Oklab_to_XYZ; lightness and chroma scaled, hue rotated in between"""
    import colour

    space = colour.RGB_COLOURSPACES["sRGB"]
    into = numpy.asarray(space.matrix_RGB_to_XYZ)
    if cones:
        # What colour takes for XYZ then gives exactly the published responses.
        into = numpy.linalg.inv(colour.models.oklab.MATRIX_1_XYZ_TO_LMS) @ numpy.array(CONES)
    lab = colour.XYZ_to_Oklab(light.decode(light.floats(image)) @ into.T)
    a = math.radians(hue)
    rotated = numpy.stack(
        [
            lab[..., 0] * lightness,
            chroma * (math.cos(a) * lab[..., 1] - math.sin(a) * lab[..., 2]),
            chroma * (math.sin(a) * lab[..., 1] + math.cos(a) * lab[..., 2]),
        ],
        axis=2,
    )
    return light.encode(colour.Oklab_to_XYZ(rotated) @ numpy.linalg.inv(into).T)


#: The same with rows that sum to one, so that grays stay gray.
GRAY_CONES = numpy.array(CONES) / numpy.array(CONES).sum(axis=1, keepdims=True)
OPPONENT = numpy.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def to_lab(image):
    """Oklab of encoded levels."""
    return numpy.cbrt(light.decode(light.floats(image)) @ GRAY_CONES.T) @ OPPONENT.T


def _to_linear(lab):
    return ((lab @ numpy.linalg.inv(OPPONENT).T) ** 3) @ numpy.linalg.inv(GRAY_CONES).T


def _polar(lab):
    """Chroma, and hue in degrees from 0 to 360."""
    hue = numpy.degrees(numpy.arctan2(lab[..., 2], lab[..., 1])) % 360
    return numpy.hypot(lab[..., 1], lab[..., 2]), hue


def _largest_chroma(lightness, hue):
    """Cmax by bisection at 65 lightnesses and 361 hues, interpolated."""
    angles = numpy.radians(numpy.arange(361))
    levels = numpy.arange(65)[:, None] / 64
    inside, outside = numpy.zeros((65, 361)), numpy.ones((65, 361))
    for _ in range(24):
        chroma = (inside + outside) / 2
        lab = numpy.stack(
            [levels + 0 * chroma, chroma * numpy.cos(angles), chroma * numpy.sin(angles)], axis=2
        )
        linear = _to_linear(lab)
        fits = (linear.min(axis=2) >= 0) & (linear.max(axis=2) <= 1)
        inside, outside = numpy.where(fits, chroma, inside), numpy.where(fits, outside, chroma)
    inside[[0, -1]] = 0
    row = numpy.clip(lightness, 0, 1) * 64
    top, left = numpy.minimum(row.astype(int), 63), numpy.minimum(hue.astype(int), 359)
    down, across = row - top, hue - left
    above = inside[top, left] * (1 - across) + inside[top, left + 1] * across
    below = inside[top + 1, left] * (1 - across) + inside[top + 1, left + 1] * across
    return numpy.maximum(above * (1 - down) + below * down, 1e-6)


def _approaching(chroma, change, most):
    """The chroma after a change; increases end smoothly at the largest chroma."""
    limit = numpy.maximum(most - chroma, 1e-9)
    return chroma + numpy.where(change > 0, limit * -numpy.expm1(-change / limit), change)


@reference("numpy")
def vibrance(image, amount):
    """C (1 + 2 a (1 − 0.6 skin)(1 − C/Cmax)²) in Oklch, increases with an exponential knee at Cmax"""
    lab = to_lab(image)
    chroma, hue = _polar(lab)
    most = _largest_chroma(lab[..., 0], hue)
    share = numpy.minimum(chroma / most, 1)
    skin = (
        smoothstep(5, 18, hue)
        * (1 - smoothstep(62, 80, hue))
        * smoothstep(0.015, 0.035, chroma)
        * (1 - smoothstep(0.1, 0.14, chroma))
    )
    change = chroma * 2 * amount * (1 - 0.6 * skin) * (1 - share) ** 2
    moved = _approaching(chroma, change, most)
    lab[..., 1:] *= numpy.maximum(moved / numpy.maximum(chroma, 1e-12), 0)[..., None]
    return light.encode(_to_linear(lab))


#: The hues of red, orange, yellow, green, aqua, blue, purple and magenta, and red again.
HUES = numpy.array([20, 55, 105, 142, 198, 252, 300, 345, 380])


def _banded(hue, values):
    """Values of eight bands at hues; neighbors are weighted by a smoothstep and its complement."""
    rotated = (hue - 20) % 360 + 20
    band = numpy.searchsorted(HUES, rotated, side="right") - 1
    t = (rotated - HUES[band]) / (HUES[band + 1] - HUES[band])
    weight = t * t * (3 - 2 * t)
    values = numpy.array([*values, values[0]])
    return values[band] * (1 - weight) + values[band + 1] * weight


def _surroundings(lab):
    """Chroma and hue after a guided filter of (a, b) with both as its guide, mirrored at the edges."""
    from scipy import ndimage

    radius = max(1, math.floor(0.005 * max(lab.shape) + 0.5))

    def mean(plane):
        return ndimage.uniform_filter(plane, 2 * radius + 1, mode="reflect")

    axes = [lab[..., 1], lab[..., 2]]
    means = [mean(axis) for axis in axes]
    variance = sum(mean(axis * axis) - m * m for axis, m in zip(axes, means))
    slope = numpy.maximum(variance, 0) / (numpy.maximum(variance, 0) + 0.0003)
    smoothed = [mean(slope) * axis + mean((1 - slope) * m) for axis, m in zip(axes, means)]
    return _polar(numpy.stack([lab[..., 0], *smoothed], axis=2))


@reference("numpy")
def color_mixer(image, hues, saturations, lightnesses, shift=0):
    """hue, chroma and lightness of Oklch by eight bands, with a gate of chroma and a knee at Cmax"""
    lab = to_lab(image)
    return _mixed(lab, _polar(lab), hues, saturations, lightnesses, shift)


@reference("numpy", "scipy")
def color_mixer_of_areas(image, hues, saturations, lightnesses, shift=0):
    """the same, by chroma and hue after a guided filter of (a, b): ndimage.uniform_filter(reflect)"""
    lab = to_lab(image)
    return _mixed(lab, _surroundings(lab), hues, saturations, lightnesses, shift)


def _mixed(lab, around, hues, saturations, lightnesses, shift):
    chroma, hue = _polar(lab)
    (wide, guide), lab = around, lab.copy()
    gaps = numpy.diff(HUES)
    turns = [
        value * 2 / 3 * (gaps[band] if value > 0 else gaps[band - 1])
        for band, value in enumerate(hues)
    ]
    gate = smoothstep(0.01, 0.05, wide)
    rotated = (hue + gate * _banded(guide - shift, turns)) % 360
    rise = _banded(guide - shift, lightnesses) * 0.35 * wide / (wide + 0.06)
    lab[..., 0] += gate * rise
    saturation = _banded(guide - shift, saturations)
    most = _largest_chroma(lab[..., 0], rotated)
    share = numpy.minimum(chroma / most, 1)
    boost = chroma * saturation * numpy.where(saturation > 0, 1 - share**2, 1)
    moved = _approaching(chroma, boost, most)
    angle = numpy.radians(rotated)
    lab[..., 1], lab[..., 2] = moved * numpy.cos(angle), moved * numpy.sin(angle)
    return light.encode(_to_linear(lab))


@reference("numpy")
def mixed_gray(image, mix, tint_hue=0, tint_amount=0):
    """L of Oklch by eight bands, with the chroma 0.08 · 4 L (1 − L) of a tint"""
    lab = to_lab(image)
    chroma, hue = _polar(lab)
    return _tinted(lab, _banded(hue, mix) * 0.5 * chroma / (chroma + 0.1), tint_hue, tint_amount)


@reference("numpy", "scipy")
def mixed_gray_of_areas(image, mix, tint_hue=0, tint_amount=0):
    """the same, by chroma and hue after a guided filter of (a, b), and a gate of chroma"""
    lab = to_lab(image)
    chroma, hue = _surroundings(lab)
    rise = _banded(hue, mix) * 0.5 * chroma / (chroma + 0.1) * smoothstep(0.005, 0.04, chroma)
    return _tinted(lab, rise, tint_hue, tint_amount)


def _tinted(lab, rise, tint_hue, tint_amount):
    gray = numpy.clip(lab[..., 0] + rise, 0, 1)
    tint = 0.08 * tint_amount * 4 * gray * (1 - gray)
    angle = math.radians(tint_hue)
    tinted = numpy.stack([gray, tint * math.cos(angle), tint * math.sin(angle)], axis=2)
    return light.encode(_to_linear(tinted))


@reference("colour-science")
def hald_tetrahedral(image, data):
    """algebra.table_interpolation_tetrahedral"""
    import io

    from colour.algebra import table_interpolation_tetrahedral
    from PIL import Image

    levels = numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB"), numpy.float64) / 255
    size = round(len(levels) ** (2 / 3))
    # colour keeps red first, a Hald CLUT runs red fastest.
    table = levels.reshape(size, size, size, 3).transpose(2, 1, 0, 3)
    values = light.floats(image)
    return table_interpolation_tetrahedral(values.reshape(-1, 3), table).reshape(values.shape)


@reference("numpy")
def gradient(image, stops):
    """numpy.interp of luma601 through the stops, per channel"""
    luma = light.luma601(light.floats(image))
    at = [position for position, _ in stops]
    planes = [
        numpy.interp(luma, at, [colour[channel] / 255 for _, colour in stops])
        for channel in range(3)
    ]
    return numpy.stack(planes, axis=2)


def soft_light(below, above):
    """B(cb, cs) of W3C Compositing and Blending."""
    d = numpy.where(below <= 0.25, ((16 * below - 12) * below + 4) * below, numpy.sqrt(below))
    return numpy.where(
        above <= 0.5,
        below - (1 - 2 * above) * below * (1 - below),
        below + (2 * above - 1) * (d - below),
    )


def tint(hue, saturation):
    """The color of a hue at half lightness (HSL)."""
    import colorsys

    return numpy.array(colorsys.hls_to_rgb(hue / 360, 0.5, saturation))


@reference("definition")
def split_tone(image, shadow, highlight, shadow_saturation, highlight_saturation, balance):
    """soft light of HSL tints at half lightness, weighted by a smoothstep of luma601"""
    values = light.floats(image)
    luma = light.luma601(values)
    weight = smoothstep(0, 1, numpy.clip(luma + balance / 2, 0, 1))[:, :, None]
    dark = soft_light(values, tint(shadow, shadow_saturation))
    bright = soft_light(values, tint(highlight, highlight_saturation))
    return dark * (1 - weight) + bright * weight
