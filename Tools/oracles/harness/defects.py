# SPDX-License-Identifier: Apache-2.0
"""Mistakes that a comparison must notice, made on purpose."""

import numpy

from harness import light, pictures

#: What each defect imitates.
NAMES = {
    "light": "the arithmetic is done in the other light",
    "shift": "the result lies half a pixel beside its place",
    "swap": "red and blue are taken for each other",
    "weights": "weights are 2 % too large",
    "halo": "a strip does not see the rows of its neighbours",
}


def applicable(row):
    """The defects that a row must notice."""
    return [
        name for name in NAMES if name not in row.immune and (name != "halo" or row.halo)
    ]


def render(name, row, picture, draw):
    """What `draw` makes of a picture, with a defect; `draw` takes a PNG."""
    values = light.floats(picture)
    if name == "light":
        into, back = light.decode, light.encode
        if row.light == "linear":
            into, back = back, into
        return back(draw(pictures.png(into(values), 16)))
    if name == "swap":
        return draw(pictures.png(numpy.ascontiguousarray(picture[:, :, ::-1])))
    if name == "weights" and row.weights == "red":
        values[:, :, 0] *= 1.02
        return draw(pictures.png(values, 16))
    if name == "halo":
        middle = picture.shape[0] // 2
        halves = [draw(pictures.png(half)) for half in (picture[:middle], picture[middle:])]
        return numpy.concatenate(halves)
    result = draw(pictures.png(picture))
    if name == "shift":
        following = numpy.concatenate([result[:, 1:], result[:, -1:]], axis=1)
        return (result + following) / 2
    return result * 1.02
