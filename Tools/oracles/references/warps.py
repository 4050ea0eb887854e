# SPDX-License-Identifier: Apache-2.0
"""Rotated and warped images: bilinear warp of scikit-image, and a bicubic one in numpy."""

import math

import numpy

from harness import light
from harness.rows import reference
from references.definition import keys
from references.python import warped


def whole(length):
    """At least one pixel, halves up."""
    return max(1, math.floor(length + 0.5))


def rotate(shape, angle, fit):
    """The result's size, and the matrix from its pixels to the source's."""
    height, width = shape[:2]
    a = math.radians(abs(angle))
    sine, cosine = math.sin(a), math.cos(a)
    if fit == "keepAspect":
        scale = 1 / (cosine + sine * max(width / height, height / width))
        size = (width * scale, height * scale)
    elif fit == "expand":
        size = (width * cosine + height * sine, width * sine + height * cosine)
    else:
        long, short = max(width, height), min(width, height)
        if short <= 2 * sine * cosine * long:
            half = short / 2
            size = (half / sine, half / cosine)
            # Seen from the other side, where the longer side stands.
            size = size if width > height else size[::-1]
        else:
            double = cosine * cosine - sine * sine
            size = (
                (width * cosine - height * sine) / double,
                (height * cosine - width * sine) / double,
            )
    # A rectangle inside keeps whole pixels, one around takes all it touches; a side that only
    # rounding takes across a pixel's edge does not count.
    rounding, nudge = (math.ceil, -1e-9) if fit == "expand" else (math.floor, 1e-9)
    result = tuple(max(1, rounding(side + nudge)) for side in size)
    a = math.radians(angle)
    sine, cosine = math.sin(a), math.cos(a)
    to_center = numpy.array([[1, 0, -result[0] / 2], [0, 1, -result[1] / 2], [0, 0, 1]])
    back = numpy.array([[cosine, sine, width / 2], [-sine, cosine, height / 2], [0, 0, 1]])
    return result, back @ to_center


@reference("scikit-image")
def straighten(image, angle, fit):
    """transform.warp(order=1, mode='edge'; white for expand) by the rotation about the centre"""
    (width, height), matrix = rotate(image.shape, angle, fit)
    surround = 1 if fit == "expand" else None
    return warped(light.floats(image), matrix, (height, width), surround)


@reference("definition")
def straighten_keys(image, angle):
    """bicubic (Keys, a = −1/2) by the rotation about the centre, edges go on"""
    (width, height), matrix = rotate(image.shape, angle, "keepAspect")
    values = light.floats(image)
    y, x = numpy.mgrid[:height, :width]
    at = matrix @ numpy.stack([x.ravel() + 0.5, y.ravel() + 0.5, numpy.ones(x.size)])
    result = numpy.zeros((height * width, 3))
    total = numpy.zeros(height * width)
    u, v = at[0] - 0.5, at[1] - 0.5
    left, top = numpy.floor(u).astype(int), numpy.floor(v).astype(int)
    weight = numpy.vectorize(keys)
    for dy in range(-1, 3):
        for dx in range(-1, 3):
            w = weight(u - left - dx) * weight(v - top - dy)
            rows = numpy.clip(top + dy, 0, image.shape[0] - 1)
            columns = numpy.clip(left + dx, 0, image.shape[1] - 1)
            result += values[rows, columns] * w[:, None]
            total += w
    return (result / total[:, None]).reshape(height, width, 3)


def homography(source, target):
    """The projective map that takes four points to four others: Hartley and Zisserman, DLT."""
    equations, right = [], []
    for (x, y), (u, v) in zip(source, target):
        equations += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    solution = numpy.linalg.solve(numpy.array(equations), numpy.array(right))
    return numpy.append(solution, 1).reshape(3, 3)


@reference("scikit-image")
def perspective(image, quad, crop):
    """transform.warp(ProjectiveTransform, order=1, mode='edge')"""
    height, width = image.shape[:2]
    corners = [(x * width, y * height) for x, y in quad]
    if crop:
        (tl, tr, br, bl) = corners
        size = (
            whole(max(math.dist(tl, tr), math.dist(bl, br))),
            whole(max(math.dist(tl, bl), math.dist(tr, br))),
        )
    else:
        size = (width, height)
    target = [(0, 0), (size[0], 0), size, (0, size[1])]
    matrix = homography(target, corners)
    return warped(light.floats(image), matrix, (size[1], size[0]))


def lens_factor(distance, model, fringe):
    """The factor of a distance from the center, in halves of the diagonal."""
    factor = numpy.polynomial.polynomial.polyval(distance, model)
    return factor * numpy.polynomial.polynomial.polyval(distance * factor, fringe)


def lens_scale(width, height, model, fringes):
    """The largest scale at which no pixel of the border comes from outside, by trying."""
    half = numpy.array([width, height]) / 2
    along = numpy.linspace(-1, 1, 2001)
    ones = numpy.ones_like(along)
    border = numpy.concatenate([numpy.stack([along, ones]), numpy.stack([ones, along])], 1).T * half
    diagonal = math.hypot(*half)

    def fits(scale):
        reach = scale * numpy.hypot(*border.T)
        return all(
            numpy.all(
                numpy.abs(border * (scale * lens_factor(reach / diagonal, model, fringe))[:, None])
                <= half
            )
            for fringe in fringes
        )

    low, high = 0.5, 2.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


@reference("scikit-image")
def lens(image, model, red, blue):
    """transform.warp(order=1, mode='edge') of each channel along rays from the center"""
    from skimage import transform

    values = light.floats(image)
    height, width = values.shape[:2]
    center = numpy.array([width, height]) / 2
    fringes = (red, (1, 0, 0), blue)
    scale = lens_scale(width, height, model, fringes)

    def moved(fringe):
        def source(points):
            away = (points + 0.5 - center) * scale
            distance = numpy.hypot(*away.T) / math.hypot(*center)
            return center + away * lens_factor(distance, model, fringe)[:, None] - 0.5

        return source

    return numpy.stack(
        [
            transform.warp(values[..., channel], moved(fringe), order=1, mode="edge", clip=False)
            for channel, fringe in enumerate(fringes)
        ],
        axis=-1,
    )


@reference("definition")
def lens_light(image, falloff, amount):
    """Linear light x (1 + amount (1 / (1 + k1 r^2 + k2 r^4 + k3 r^6) - 1))"""
    values = light.floats(image)
    height, width = values.shape[:2]
    y, x = numpy.mgrid[:height, :width] + 0.5
    square = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / ((width**2 + height**2) / 4)
    factor = 1 / numpy.polynomial.polynomial.polyval(square, (1, *falloff))
    return light.encode(light.decode(values) * (1 + amount * (factor - 1))[..., None])
