# SPDX-License-Identifier: Apache-2.0
"""Intentional defects that a comparison must detect."""

import numpy

from harness import light, images

#: Descriptions of the defects.
NAMES = {
    "light": "computation in the other transfer encoding",
    "shift": "the result is shifted by half a pixel",
    "swap": "red and blue are swapped",
    "weights": "weights are 2 % too large",
    "halo": "strips are processed without neighboring rows",
}


def applicable(row):
    """The defects that a row must detect."""
    return [
        name for name in NAMES if name not in row.immune and (name != "halo" or row.halo)
    ]


def render(name, row, image, draw):
    """The result of `draw` for an image, with a defect; `draw` takes a PNG."""
    values = light.floats(image)
    if name == "light":
        into, back = light.decode, light.encode
        if row.light == "linear":
            into, back = back, into
        return back(draw(images.png(into(values), 16)))
    if name == "swap":
        return draw(images.png(numpy.ascontiguousarray(image[:, :, ::-1])))
    if name == "weights" and row.weights == "red":
        values[:, :, 0] *= 1.02
        return draw(images.png(values, 16))
    if name == "halo":
        middle = image.shape[0] // 2
        halves = [draw(images.png(half)) for half in (image[:middle], image[middle:])]
        return numpy.concatenate(halves)
    result = draw(images.png(image))
    if name == "shift":
        following = numpy.concatenate([result[:, 1:], result[:, -1:]], axis=1)
        return (result + following) / 2
    return result * 1.02
