# SPDX-License-Identifier: Apache-2.0
"""The blend modes of W3C Compositing and Blending Level 1."""

import numpy

from harness import light
from harness.rows import reference
from references.colors import soft_light


def _dodge(b, s):
    quotient = numpy.divide(b, 1 - s, out=numpy.ones_like(b), where=s < 1)
    return numpy.where(b == 0, 0, numpy.minimum(1, quotient))


def _burn(b, s):
    quotient = numpy.divide(1 - b, s, out=numpy.ones_like(b), where=s > 0)
    return numpy.where(b == 1, 1, 1 - numpy.minimum(1, quotient))


def _hard(b, s):
    return numpy.where(s <= 0.5, 2 * b * s, b + (2 * s - 1) - b * (2 * s - 1))


SEPARABLE = {
    "normal": lambda b, s: s,
    "multiply": lambda b, s: b * s,
    "screen": lambda b, s: b + s - b * s,
    "overlay": lambda b, s: _hard(s, b),
    "darken": numpy.minimum,
    "lighten": numpy.maximum,
    "colorDodge": _dodge,
    "colorBurn": _burn,
    "hardLight": _hard,
    "softLight": soft_light,
    "difference": lambda b, s: numpy.abs(b - s),
    "exclusion": lambda b, s: b + s - 2 * b * s,
}


def _lum(c):
    return (c @ numpy.array([0.3, 0.59, 0.11]))[..., None]


def _sat(c):
    return numpy.max(c, axis=-1, keepdims=True) - numpy.min(c, axis=-1, keepdims=True)


def _set_lum(c, lum):
    c = c + lum - _lum(c)
    mean = _lum(c)
    low = numpy.min(c, axis=-1, keepdims=True)
    high = numpy.max(c, axis=-1, keepdims=True)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        c = numpy.where(low < 0, mean + (c - mean) * mean / (mean - low), c)
        return numpy.where(high > 1, mean + (c - mean) * (1 - mean) / (high - mean), c)


def _set_sat(c, sat):
    low = numpy.min(c, axis=-1, keepdims=True)
    span = _sat(c)
    return numpy.divide((c - low) * sat, span, out=numpy.zeros_like(c), where=span > 0)


TOGETHER = {
    "hue": lambda b, s: _set_lum(_set_sat(s, _sat(b)), _lum(b)),
    "saturation": lambda b, s: _set_lum(_set_sat(b, _sat(s)), _lum(b)),
    "color": lambda b, s: _set_lum(s, _lum(b)),
    "luminosity": lambda b, s: _set_lum(b, _lum(s)),
}


@reference("definition")
def blend(image, above, mode, opacity=1):
    """W3C Compositing and Blending Level 1 on opaque pictures: mix(b, B(b, s), opacity)"""
    b, s = light.floats(image), light.floats(above(image))
    return b + opacity * ((SEPARABLE | TOGETHER)[mode](b, s) - b)
