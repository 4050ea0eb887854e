# SPDX-License-Identifier: Apache-2.0
"""Rows of blending, overlays and masks.

A mask is tested by inverting the image through it: x becomes x + m (1 − 2 x).
"""

import numpy

from harness import assets, images
from harness.rows import POINT, SPATIAL, SPATIAL_INPUTS, T1, Tolerance, call, node, row
from references import blends, chromium, composites

MODES = {
    "normal": "source-over",
    "multiply": "multiply",
    "screen": "screen",
    "overlay": "overlay",
    "darken": "darken",
    "lighten": "lighten",
    "colorDodge": "color-dodge",
    "colorBurn": "color-burn",
    "hardLight": "hard-light",
    "softLight": "soft-light",
    "difference": "difference",
    "exclusion": "exclusion",
    "hue": "hue",
    "saturation": "saturation",
    "color": "color",
    "luminosity": "luminosity",
}


def mirrored(image):
    """The image flipped horizontally and inverted, to blend with the original."""
    return numpy.ascontiguousarray(255 - image[:, ::-1])


def blended(mode, opacity):
    """A graph that blends the image with its flipped and inverted copy."""
    return [
        node("flip", id="turned", axis="horizontal"),
        node("invert", id="above", amount=1),
        node("invert", id="upright", inputs=["above"], amount=1),
        node("flip", id="below", axis="horizontal"),
        node("blend", inputs=["below", "above"], opacity=opacity, mode=mode),
    ]


#: Strips of a flipped image have other contents, so the halo defect is not applicable.
BLENDED = {"inputs": SPATIAL_INPUTS}

#: The canvas rounds more than once: it is itself up to 0.85 levels off the formula in the mean.
CANVAS = Tolerance("T2", 2, 1)

ROWS = [
    row(
        "blend",
        f"{mode} {opacity} formula",
        {},
        call(blends.blend, mirrored, mode, opacity),
        POINT,
        nodes=blended(mode, opacity),
        **BLENDED,
    )
    for mode in MODES
    for opacity in (1, 0.35)
]
ROWS += [
    row(
        "blend",
        mode if opacity == 1 else f"{mode} {opacity}",
        {},
        call(chromium.composite, mirrored, word, opacity),
        CANVAS,
        nodes=blended(mode, opacity),
        **BLENDED,
    )
    for mode, word in MODES.items()
    for opacity in (1, 0.6)
]
ROWS += [
    row(
        "opacity",
        f"amount={amount} on white",
        {"amount": amount},
        call(chromium.css_on_white, f"opacity({amount})"),
        T1,
    )
    for amount in (0.5, 0.2)
]

#: FreeType has 64ths of a pixel and 256 levels of coverage: up to two levels at each edge.
OUTLINE = Tolerance("T2", 4, 1)

LOGO = images.chart(12, 8)
#: Coverage from nothing to everything, across.
CLEAR = numpy.dstack([LOGO, numpy.tile(numpy.linspace(0, 255, 12).astype(numpy.uint8), (8, 1))])
ROWS += [
    row(
        "overlay",
        f"{anchor} {name}",
        {"asset": "logo", "anchor": anchor, "scale": scale, "margin": margin},
        call(composites.overlay, logo, anchor, scale, margin),
        SPATIAL,
        inputs=("chart-19x13", "chart-61x47", "photo"),
        assets={"logo": assets.image(logo)},
    )
    for name, logo in (("opaque", LOGO), ("translucent", CLEAR))
    for anchor, scale, margin in (
        ("bottomRight", 0.3, 0.02),
        ("topLeft", 0.5, 0.0),
        ("center", 0.2, 0.1),
    )
]




ROWS += [
    row(
        "overlay",
        "custom",
        {"asset": "logo", "anchor": "custom", "position": [0.25, 0.4], "scale": 0.4},
        call(composites.overlay, LOGO, (0.25, 0.4), 0.4, 0),
        SPATIAL,
        inputs=("chart-19x13", "chart-61x47"),
        assets={"logo": assets.image(LOGO)},
    )
]
ROWS += [
    row(
        "text",
        name,
        {
            "text": "\n".join(lines),
            "asset": "boxes",
            "size": size,
            "anchor": "custom",
            "position": [left, top],
            "alignment": "left",
            "outline": 0,
            "margin": 0,
            "color": f"#{red:02x}{green:02x}{blue:02x}",
        },
        call(composites.text, lines, size, left, top, (red, green, blue)),
        OUTLINE,
        inputs=("chart-19x13", "chart-61x47", "photo"),
        assets={"boxes": assets.boxes()},
    )
    for name, lines, size, left, top, (red, green, blue) in (
        ("one line", ("AB",), 0.31, 0.11, 0.13, (200, 30, 90)),
        ("two lines", ("BA", "A"), 0.17, 0.37, 0.21, (255, 255, 255)),
    )
]


def shown(filter, case, masks, theirs, tolerance=POINT, **options):
    """A row that shows the mask named m."""
    options.setdefault("inputs", SPATIAL_INPUTS)
    return row(
        filter, case, {}, theirs, tolerance, nodes=composites.inverted_through(masks), **options
    )


LINEAR = {"from": [0.1, 0.2], "to": [0.8, 0.6]}
RADIAL = {"center": [0.4, 0.55], "radius": [0.35, 0.3], "angle": 20, "feather": 0.4}
LUMA = {"lo0": 0.1, "lo1": 0.3, "hi1": 0.6, "hi0": 0.9}
COVERAGE = images.chart(9, 7)[:, :, :1].repeat(3, axis=2)


def linear(id="m", **options):
    return node("mask.linear", id=id, inputs=[], **{**LINEAR, "smooth": True, **options})


def radial(id="m", **options):
    return node("mask.radial", id=id, inputs=[], **{**RADIAL, "invert": False, **options})


def luma(id="m"):
    return node("mask.luma", id=id, **LUMA)


def color():
    samples, tolerance, softness = composites.COLORS
    return node("mask.color", id="m", samples=samples, tolerance=tolerance, softness=softness)


def brush(invert, edge=0):
    return node(
        "mask.brush", id="m", inputs=[], strokes=composites.STROKES, invert=invert, edge=edge
    )


ROWS += [
    shown("mask.linear", "smooth", [linear()], call(composites.masked, [("linear", True)])),
    shown(
        "mask.linear",
        "straight",
        [linear(smooth=False)],
        call(composites.masked, [("linear", False)]),
    ),
    shown(
        "mask.linear",
        "canvas",
        [linear(smooth=False)],
        call(composites.canvas_linear, LINEAR["from"], LINEAR["to"]),
        T1,
    ),
    shown("mask.radial", "feather", [radial()], call(composites.masked, [("radial", False)])),
    shown(
        "mask.radial",
        "inverted",
        [radial(invert=True)],
        call(composites.masked, [("radial", True)]),
    ),
    shown("mask.luma", "band", [luma()], call(composites.masked, [("luma",)])),
    shown("mask.color", "two samples", [color()], call(composites.masked, [("color",)])),
    shown("mask.brush", "strokes", [brush(False)], call(composites.masked, [("brush", False)])),
    shown("mask.brush", "inverted", [brush(True)], call(composites.masked, [("brush", True)])),
    *[
        shown(
            "mask.brush",
            f"edge={edge}",
            [brush(False, edge)],
            call(composites.masked_along_edges, edge),
            SPATIAL,
            halo=True,
        )
        for edge in (1, 0.4)
    ],
    shown(
        "mask.image",
        "stretched",
        [node("mask.image", id="m", inputs=[], asset="coverage", fit="stretch")],
        call(composites.masked_by_image, COVERAGE),
        SPATIAL,
        assets={"coverage": assets.image(COVERAGE)},
    ),
]
ROWS += [
    shown(
        "mask.combine",
        mode,
        [linear("a"), radial("b"), node("mask.combine", id="m", inputs=["a", "b"], mode=mode)],
        call(composites.masked, [("linear", True), ("radial", False)], mode),
    )
    for mode in ("add", "multiply", "subtract")
]
GROUPS = {
    "every operation": [
        {"op": "add", "opacity": 0.8},
        {"op": "intersect", "opacity": 0.6, "invert": True},
        {"op": "add", "name": "Middle tones"},
        {"op": "subtract", "opacity": 0.7},
    ],
    "from the whole image": [
        {"op": "subtract"},
        {"op": "subtract", "opacity": 0.5, "invert": True},
        {"op": "add", "opacity": 0.3},
        {"op": "intersect"},
    ],
}
ROWS += [
    shown(
        "mask.group",
        case,
        [
            linear("a"),
            radial("b"),
            luma("c"),
            radial("d", invert=True),
            node("mask.group", id="m", inputs=["a", "b", "c", "d"], members=members),
        ],
        call(
            composites.grouped,
            [("linear", True), ("radial", False), ("luma",), ("radial", True)],
            members,
        ),
    )
    for case, members in GROUPS.items()
]
ROWS += [
    shown(
        "mask.invert",
        "of a gradient",
        [linear("a"), node("mask.invert", id="m", inputs=["a"])],
        call(composites.masked, [("linear", True)], "invert"),
    )
]
