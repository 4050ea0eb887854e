# SPDX-License-Identifier: Apache-2.0
"""Overlays and masks, by Pillow, Chromium's gradients and the formulas."""

import math

import numpy

from harness import assets, light
from harness.rows import node, reference
from references import chromium, colors, opencv, python
from references.definition import positions, smoothstep

LINEAR = ((0.1, 0.2), (0.8, 0.6))
RADIAL = ((0.4, 0.55), (0.35, 0.3), 20, 0.4)
LUMA = (0.1, 0.3, 0.6, 0.9)
COLORS = ([0.7, -0.05, -0.1, 0.5, 0.12, 0.06], 0.1, 0.15)
# A corner, a pen that tapers to nothing, an eraser across both, and a dab at the edge.
STROKES = [
    {"radius": 0.2, "hardness": 0.3, "flow": 0.8, "points": [[0.1, 0.2], [0.5, 0.7], [0.9, 0.3]]},
    {
        "radius": 0.15,
        "hardness": 0,
        "flow": 1,
        "points": [[0.2, 0.9, 0], [0.8, 0.8], [1.1, 0.2, 0.4]],
    },
    {
        "radius": 0.1,
        "hardness": 0.6,
        "flow": 0.7,
        "erase": True,
        "points": [[0.5, -0.1], [0.45, 1.1]],
    },
    {"radius": 0.25, "hardness": 0.5, "flow": 0.6, "points": [[1, 1]]},
]


def inverted_through(masks):
    """A graph that inverts the image through the mask named m."""
    first = node("brightness", id="picture", amount=0)
    return [first, *masks, node("invert", inputs=["picture"], mask="m", amount=1)]


def _linear(shape, smooth):
    height, width = shape[:2]
    x, y = positions(shape)
    (x0, y0), (x1, y1) = ((a * width, b * height) for a, b in LINEAR)
    along = (x * width - x0) * (x1 - x0) + (y * height - y0) * (y1 - y0)
    t = numpy.clip(along / ((x1 - x0) ** 2 + (y1 - y0) ** 2), 0, 1)
    return t * t * (3 - 2 * t) if smooth else t


def _radial(shape, invert):
    height, width = shape[:2]
    center, radius, angle, feather = RADIAL
    x, y = positions(shape)
    dx, dy = (x - center[0]) * width, (y - center[1]) * height
    a = math.radians(angle)
    u = (math.cos(a) * dx + math.sin(a) * dy) / (radius[0] * width)
    v = (-math.sin(a) * dx + math.cos(a) * dy) / (radius[1] * height)
    mask = 1 - smoothstep(1 - feather, 1, numpy.hypot(u, v))
    return 1 - mask if invert else mask


def _luma(image):
    lo0, lo1, hi1, hi0 = LUMA
    value = light.luma601(light.floats(image))
    return smoothstep(lo0, lo1, value) * (1 - smoothstep(hi1, hi0, value))


def _color(image):
    samples, tolerance, softness = COLORS
    lab = colors.to_lab(image)
    distances = [
        numpy.linalg.norm((lab - sample) * [0.5, 1, 1], axis=2)
        for sample in numpy.reshape(samples, (-1, 3))
    ]
    return 1 - smoothstep(tolerance, tolerance + softness, numpy.min(distances, axis=0))


def _distance(shape, stroke):
    """The distance of each pixel from the path, in radii."""
    height, width = shape[:2]
    x, y = (fraction * side for fraction, side in zip(positions(shape), (width, height)))
    radius = stroke["radius"] * max(width, height)
    path = [
        (px * width, py * height, radius * (pressure[0] if pressure else 1))
        for px, py, *pressure in stroke["points"]
    ]
    nearest = numpy.full(shape[:2], numpy.inf)
    for (ax, ay, ar), (bx, by, br) in zip(path, path[1:] or path):
        # The least over many points of the path, then over points between the nearest ones.
        low, high = numpy.zeros(shape[:2]), numpy.ones(shape[:2])
        for _ in range(3):
            shares = [low + (high - low) * k / 100 for k in range(101)]
            with numpy.errstate(divide="ignore", invalid="ignore"):
                radii = [
                    numpy.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay))
                    / (ar + t * (br - ar))
                    for t in shares
                ]
            best = numpy.argmin(numpy.nan_to_num(radii, nan=numpy.inf), axis=0)
            nearest = numpy.minimum(nearest, numpy.nanmin(radii, axis=0))
            step = (high - low) / 100
            low, high = low + (best - 1) * step, low + (best + 1) * step
            low, high = numpy.maximum(low, 0), numpy.minimum(high, 1)
    return nearest


def _brush(shape, invert):
    mask = numpy.zeros(shape[:2])
    for stroke in STROKES:
        share = stroke["flow"] * (1 - smoothstep(stroke["hardness"], 1, _distance(shape, stroke)))
        mask = mask * (1 - share) if stroke.get("erase") else 1 - (1 - mask) * (1 - share)
    return 1 - mask if invert else mask


def _through(image, mask):
    values = light.floats(image)
    return values + mask[:, :, None] * (1 - 2 * values)


def _masks(image, kinds):
    made = {"linear": _linear, "radial": _radial, "brush": _brush}
    of_image = {"luma": _luma, "color": _color}
    return [
        of_image[name](image) if name in of_image else made[name](image.shape, *options)
        for name, *options in kinds
    ]


@reference("definition")
def masked(image, kinds, combination=None):
    """the picture inverted through t, smoothstep(t), an ellipse, a band of luma601, colors near
    two in Oklab, strokes along polylines, or their sum"""
    masks = _masks(image, kinds)
    mask = masks[0]
    if combination == "add":
        mask = 1 - (1 - masks[0]) * (1 - masks[1])
    elif combination == "multiply":
        mask = masks[0] * masks[1]
    elif combination == "subtract":
        mask = masks[0] * (1 - masks[1])
    elif combination == "invert":
        mask = 1 - mask
    return _through(image, mask)


@reference("definition")
def grouped(image, kinds, members):
    """the picture inverted through masks folded by m + opacity (op(m, a) − m)"""
    mask = 0 if members[0]["op"] == "add" else 1
    for value, member in zip(_masks(image, kinds), members):
        if member.get("invert"):
            value = 1 - value
        changed = {
            "add": 1 - (1 - mask) * (1 - value),
            "subtract": mask * (1 - value),
            "intersect": mask * value,
        }[member["op"]]
        mask = mask + member.get("opacity", 1) * (changed - mask)
    return _through(image, mask)


@reference("opencv")
def masked_along_edges(image, edge):
    """the picture inverted through strokes along polylines, mixed with those of
    ximgproc.guidedFilter by luma601"""
    mask = _brush(image.shape, False)
    radius = max(1, math.floor(0.01 * max(image.shape[:2]) + 0.5))
    filtered = opencv.guided_by(light.luma601(light.floats(image)), mask, radius, 0.0004)
    return _through(image, numpy.clip(mask + edge * (filtered - mask), 0, 1))


@reference("pillow")
def masked_by_image(image, coverage):
    """the picture inverted through Image.fromarray(float32, mode='F').resize(BILINEAR)"""
    height, width = image.shape[:2]
    return _through(image, python.resize(coverage, width, height, "BILINEAR")[:, :, 0])


@reference("chromium")
def canvas_linear(image, start, end):
    """canvas 2d: drawImage, then 'exclusion' with createLinearGradient from black to white"""
    script = (
        "context.drawImage(images[0],0,0);"
        f"const g=context.createLinearGradient({start[0]}*width,{start[1]}*height,"
        f"{end[0]}*width,{end[1]}*height);"
        "g.addColorStop(0,'#000');g.addColorStop(1,'#fff');"
        "context.fillStyle=g;context.globalCompositeOperation='exclusion';"
        "context.fillRect(0,0,width,height);"
    )
    return chromium.Job([image], script)


@reference("pillow")
def overlay(image, logo, anchor, scale, margin):
    """Image.fromarray(float32, mode='F').resize(LANCZOS), premultiplied, source-over"""
    values = light.floats(image)
    height, width = values.shape[:2]
    edge = max(width, height)
    factor = scale * edge / max(logo.shape[:2])
    w, h = (max(1, math.floor(side * factor + 0.5)) for side in (logo.shape[1], logo.shape[0]))
    gap = math.floor(margin * edge + 0.5)
    if isinstance(anchor, tuple):
        x, y = (math.floor(at * side + 0.5) for at, side in zip(anchor, (width, height)))
    else:
        across = {"Left": gap, "Right": width - w - gap}
        down = {"top": gap, "bottom": height - h - gap}
        x = across.get(_side(anchor, *across), (width - w + 1) // 2)
        y = down.get(_side(anchor, *down), (height - h + 1) // 2)
    coverage = numpy.ones((*logo.shape[:2], 1))
    if logo.shape[2] == 4:
        coverage = light.floats(logo[:, :, 3:])
    premultiplied = light.floats(logo[:, :, :3]) * coverage
    above = python.resized(premultiplied, w, h, "LANCZOS")
    share = python.resized(coverage.repeat(3, axis=2), w, h, "LANCZOS")
    # Coverage that overshoots the range is clamped.
    color = numpy.divide(above, share, out=numpy.zeros_like(above), where=share > 0)
    share = numpy.clip(share, 0, 1)
    part = values[y : y + h, x : x + w]
    values[y : y + h, x : x + w] = color * share + part * (1 - share)
    return values


@reference("numpy")
def text(image, lines, size, left, top, color):
    """the exact area of each pixel that the boxes of the letters cover, source-over"""
    values = light.floats(image)
    height, width = values.shape[:2]
    em = size * max(width, height)
    x0, y0 = left * width, top * height
    for number, line in enumerate(lines):
        baseline = y0 + (number + 1) * assets.ASCENT / 1000 * em + number * assets.DESCENT / 1000 * em
        for index, letter in enumerate(line):
            start = x0 + index * assets.ADVANCE / 1000 * em
            box = [value / 1000 * em for value in assets.BOXES[letter]]
            across = _covered(start + box[0], start + box[2], width)
            down = _covered(baseline - box[3], baseline - box[1], height)
            share = (down[:, None] * across[None, :])[:, :, None]
            values = numpy.array(color) / 255 * share + values * (1 - share)
    return values


def _covered(start, end, count):
    """The part of each of a number of pixels that a range covers."""
    edges = numpy.arange(count)
    return numpy.clip(numpy.minimum(end, edges + 1) - numpy.maximum(start, edges), 0, 1)


def _side(anchor, *names):
    return next((name for name in names if name.lower() in anchor.lower()), None)
