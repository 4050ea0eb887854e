# SPDX-License-Identifier: Apache-2.0
"""Rows of the filters that depend on the pixel position."""

from harness.rows import (
    MOVES,
    POINT,
    SPATIAL,
    SPATIAL_INPUTS,
    SYMMETRIC,
    T1,
    call,
    node,
    row,
    spatial,
)
from references import command, definition, details, noise, python

#: The last one replaces a part of the first and lies at an edge.
SPOTS = ((0.3, 0.4, 0.15, 0.7, 0.6), (0.8, 0.2, 0.1, 0.5, 0.5), (0.1, 0.5, 0.2, 0.4, 0.8))

ROWS = [
    # ffmpeg measures from the corner of a pixel, in whole pixels: its center is moved to where
    # pixels have theirs, and lies on a pixel where sides are odd.
    row(
        "vignette",
        "cos4 PI/5",
        {"amount": 1, "model": "cos4", "angle": 36},
        call(command.ffmpeg, "vignette=angle=PI/5:x0=w/2-0.5:y0=h/2-0.5:dither=0"),
        T1,
        inputs=tuple(name for name in SPATIAL_INPUTS if name != "photo"),
    ),
    row(
        "vignette",
        "smooth",
        {"amount": 0.8, "model": "smooth", "radius": 0.3, "feather": 0.6},
        call(definition.smooth_vignette, 0.8, 0.3, 0.6),
        POINT,
        inputs=SPATIAL_INPUTS,
    ),
    *(
        row(
            "vignette",
            f"version 2 smooth {amount:+}",
            {},
            call(definition.smooth_vignette, 0.6 * amount, 0.3, 0.6, whitens=amount < 0),
            POINT,
            nodes=[
                node("vignette", version=2, amount=amount, model="smooth", radius=0.3, feather=0.6)
            ],
            inputs=SPATIAL_INPUTS,
        )
        for amount in (0.8, -1.0)
    ),
    row(
        "redEye",
        "two discs",
        {"pupils": [0.3, 0.4, 0.2, 0.6, 0.55, 0.35], "threshold": 0.55},
        call(definition.red_eye, ((0.3, 0.4, 0.2), (0.6, 0.55, 0.35)), 0.55),
        POINT,
        inputs=SPATIAL_INPUTS,
    ),
    *(
        spatial(
            "heal",
            f"{mode} feather={feather}",
            {"spots": [v for spot in SPOTS for v in spot], "mode": mode, "feather": feather},
            call(definition.heal, SPOTS, feather, seamless=mode == "heal"),
            SPATIAL,
            immune=SYMMETRIC | (MOVES if mode == "clone" else {}),
        )
        for mode, feather in (("heal", 0.2), ("clone", 0.0), ("heal", 1.0))
    ),
    row(
        "grain",
        "monochrome",
        {"amount": 0.2, "seed": 7, "monochrome": True},
        call(noise.grain, 0.2, 7, True),
        POINT,
        inputs=SPATIAL_INPUTS,
    ),
    row(
        "grain",
        "size=1.5",
        {"amount": 0.4, "seed": 3, "monochrome": True, "size": 1.5},
        call(noise.grain, 0.4, 3, True, size=1.5),
        SPATIAL,
        inputs=SPATIAL_INPUTS,
    ),
    row(
        "grain",
        "colour",
        {"amount": 0.1, "seed": 123456789012345, "monochrome": False},
        call(noise.grain, 0.1, 123456789012345, False),
        POINT,
        inputs=SPATIAL_INPUTS,
    ),
]
ROWS += [
    spatial(
        "tiltShift",
        f"{angle}°",
        {
            "angle": angle,
            "position": list(position),
            "width": width,
            "feather": feather,
            "maxSigma": sigma,
        },
        call(details.tilt_shift, angle, position, width, feather, sigma),
        SPATIAL,
    )
    for angle, position, width, feather, sigma in (
        (0, (0.5, 0.5), 0.2, 0.3, 4.0),
        (30, (0.4, 0.6), 0.1, 0.5, 6.0),
    )
]
ROWS += [
    spatial("pixelate", f"cell={cell}", {"cell": cell}, call(python.pixelate, cell), SPATIAL)
    for cell in (4, 5, 8)
]
