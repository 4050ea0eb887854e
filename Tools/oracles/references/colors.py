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
    """XYZ_to_Oklab, Oklab_to_XYZ; lightness and chroma scaled, hue turned in between"""
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


def _largest_chroma(lab_to_linear):
    """Cmax at 65 lightnesses and 361 hues, by bisection."""
    hue = numpy.radians(numpy.arange(361))
    lightness = numpy.arange(65)[:, None] / 64
    inside, outside = numpy.zeros((65, 361)), numpy.ones((65, 361))
    for _ in range(24):
        chroma = (inside + outside) / 2
        lab = numpy.stack(
            [lightness + 0 * chroma, chroma * numpy.cos(hue), chroma * numpy.sin(hue)], axis=2
        )
        linear = lab_to_linear(lab)
        fits = (linear.min(axis=2) >= 0) & (linear.max(axis=2) <= 1)
        inside, outside = numpy.where(fits, chroma, inside), numpy.where(fits, outside, chroma)
    inside[[0, -1]] = 0
    return inside


@reference("numpy")
def vibrance(image, amount):
    """C (1 + 2 a (1 − 0.6 skin)(1 − C/Cmax)²) in Oklch, increases with an exponential knee at Cmax"""
    cones = numpy.array(CONES)
    cones /= cones.sum(axis=1, keepdims=True)
    opponent = numpy.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    back = numpy.linalg.inv(opponent)

    def lab_to_linear(lab):
        return ((lab @ back.T) ** 3) @ numpy.linalg.inv(cones).T

    lab = numpy.cbrt(light.decode(light.floats(image)) @ cones.T) @ opponent.T
    chroma = numpy.hypot(lab[..., 1], lab[..., 2])
    hue = numpy.degrees(numpy.arctan2(lab[..., 2], lab[..., 1])) % 360
    table = _largest_chroma(lab_to_linear)
    row = numpy.clip(lab[..., 0], 0, 1) * 64
    top, left = numpy.minimum(row.astype(int), 63), numpy.minimum(hue.astype(int), 359)
    down, across = row - top, hue - left
    above = table[top, left] * (1 - across) + table[top, left + 1] * across
    below = table[top + 1, left] * (1 - across) + table[top + 1, left + 1] * across
    most = numpy.maximum(above * (1 - down) + below * down, 1e-6)
    share = numpy.minimum(chroma / most, 1)
    skin = (
        smoothstep(5, 18, hue)
        * (1 - smoothstep(62, 80, hue))
        * smoothstep(0.015, 0.035, chroma)
        * (1 - smoothstep(0.1, 0.14, chroma))
    )
    change = chroma * 2 * amount * (1 - 0.6 * skin) * (1 - share) ** 2
    limit = numpy.maximum(most - chroma, 1e-9)
    change = numpy.where(change > 0, limit * -numpy.expm1(-change / limit), change)
    factor = numpy.maximum(1 + change / numpy.maximum(chroma, 1e-12), 0)
    lab[..., 1:] *= factor[..., None]
    return light.encode(lab_to_linear(lab))


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
