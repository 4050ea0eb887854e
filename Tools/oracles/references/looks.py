# SPDX-License-Identifier: Apache-2.0
"""The looks, from OpenColorIO's matrices and scipy's curves."""

import numpy

from harness import light
from harness.rows import reference
from references import colors, ocio
from references.python import pchip

GRAY = [0.2126, 0.7152, 0.0722] * 3


def saturation(amount):
    weights = numpy.array(GRAY).reshape(3, 3) * (1 - amount)
    return ("matrix", (weights + numpy.eye(3) * amount).ravel().tolist(), (0, 0, 0))


def gains(r, g, b):
    return ("matrix", [r, 0, 0, 0, g, 0, 0, 0, b], (0, 0, 0))


def scale(low, high):
    """Black and white of the result."""
    span = high - low
    return ("matrix", [span, 0, 0, 0, span, 0, 0, 0, span], (low, low, low))


def curve(*points):
    return ("curve", [points] * 3)


GRAYSCALE = ("matrix", GRAY, (0, 0, 0))

#: The steps of each look, in order; levels clamp their input.
LOOKS = {
    "tonal": [GRAYSCALE],
    "mono": [GRAYSCALE, ("matrix", gains(0.85, 0.85, 0.85)[1], (0.075, 0.075, 0.075))],
    "noir": [GRAYSCALE, curve((0, 0), (0.25, 0.12), (0.5, 0.5), (0.75, 0.9), (1, 1))],
    "chrome": [saturation(1.3), curve((0, 0), (0.25, 0.21), (0.75, 0.80), (1, 1))],
    "fade": [saturation(0.75), ("clip",), scale(0.06, 0.96)],
    "instant": [
        (
            "curve",
            [
                ((0, 0.04), (0.5, 0.52), (1, 0.98)),
                ((0, 0.03), (0.5, 0.5), (1, 0.97)),
                ((0, 0.10), (0.5, 0.47), (1, 0.88)),
            ],
        ),
        saturation(0.9),
    ],
    "process": [gains(0.95, 1, 1.06), curve((0, 0.02), (0.5, 0.52), (1, 1))],
    "transfer": [gains(1.06, 1, 0.92), ("clip",), scale(0.04, 0.97)],
}

#: The second versions.
SECOND = {
    "noir": [GRAYSCALE, curve((0, 0), (0.25, 0.17), (0.5, 0.5), (0.75, 0.88), (1, 1))],
    "chrome": [("vibrance", 0.4), curve((0, 0), (0.25, 0.21), (0.75, 0.80), (1, 1))],
}


@reference("opencolorio", "scipy")
def look(image, name, amount, version=1):
    """MatrixTransform and PchipInterpolator in a chain, mixed with the picture"""
    import PyOpenColorIO

    source = light.floats(image)
    values = source
    for step in (LOOKS if version == 1 else SECOND)[name]:
        if step[0] == "matrix":
            m = step[1]
            full = [*m[0:3], 0, *m[3:6], 0, *m[6:9], 0, 0, 0, 0, 1]
            values = ocio.apply(values, PyOpenColorIO.MatrixTransform(full, [*step[2], 0]))
        elif step[0] == "vibrance":
            values = colors.vibrance(image, step[1])
        elif step[0] == "clip":
            values = numpy.clip(values, 0, 1)
        else:
            planes = [pchip(values[:, :, channel], step[1][channel]) for channel in range(3)]
            values = numpy.stack(planes, axis=2)
    return source + amount * (values - source)
