# SPDX-License-Identifier: Apache-2.0
"""Rows of the filters that move pixels."""

from harness.rows import E1, MOVES, SPATIAL, SPATIAL_INPUTS, call, row, spatial
from references import definition, python, warps

GRID = {"inputs": SPATIAL_INPUTS, "immune": MOVES}
#: Strips of a resampled image start at other positions, so combined halves prove nothing.
SAMPLED = {"halo": False}

ROWS = [
    row("orient", f"exif={exif}", {"exif": exif}, call(python.exif_transpose, exif), E1, **GRID)
    for exif in range(1, 9)
]
ROWS += [
    row("rotate90", f"turns={turns}", {"turns": turns}, call(definition.rot90, turns), E1, **GRID)
    for turns in range(1, 4)
]
ROWS += [
    row("flip", axis, {"axis": axis}, call(definition.mirrored, number), E1, **GRID)
    for axis, number in (("horizontal", 1), ("vertical", 0))
]
ROWS += [
    row(
        "crop",
        f"{x},{y},{w},{h}",
        dict(x=x, y=y, w=w, h=h),
        call(definition.crop, x, y, w, h),
        E1,
        **GRID,
    )
    for x, y, w, h in ((0.1, 0.2, 0.5, 0.7), (0.33, 0, 0.67, 0.04), (0.9, 0.9, 0.1, 0.1))
]

for kernel, name in (
    ("nearest", "NEAREST"),
    ("box", "BOX"),
    ("bilinear", "BILINEAR"),
    ("catmullRom", "BICUBIC"),
    ("lanczos3", "LANCZOS"),
):
    # Exactly between two pixels, Pillow's sum of steps may be slightly too small; these sizes have no
    # such positions.
    sizes = ((8, 4), (32, 16)) if kernel == "nearest" else ((7, 5), (25, 17), (16, 23))
    for width, height in sizes:
        # A box that is no wider than a pixel takes the nearest one.
        immune = MOVES if kernel == "nearest" or (kernel, width) == ("box", 25) else {}
        ROWS.append(
            spatial(
                "resize",
                f"{kernel} {width}×{height}",
                {"width": width, "height": height, "kernel": kernel},
                call(python.resize, width, height, name),
                SPATIAL,
                immune=immune,
                **SAMPLED,
            )
        )
ROWS += [
    spatial(
        "resize",
        f"lanczos3 {width}×{height} linear",
        {"width": width, "height": height, "kernel": "lanczos3", "light": "linear"},
        call(python.resize, width, height, "LANCZOS", linear=True),
        SPATIAL,
        light="linear",
        # Two orders of the same sums part where ringing comes near the steep foot of the curve.
        **SAMPLED,
    )
    for width, height in ((7, 5), (25, 17))
]
ROWS += [
    spatial(
        "resize",
        f"{kernel} {width}×{height}",
        {"width": width, "height": height, "kernel": kernel},
        call(definition.resample, width, height, function),
        SPATIAL,
        **SAMPLED,
    )
    for kernel, function in (("mitchell", definition.mitchell), ("lanczos2", definition.lanczos2))
    for width, height in ((7, 5), (25, 17))
]

ROWS += [
    row(
        "pad",
        "edge",
        dict(top=2, right=3, bottom=1, left=5, mode="edge"),
        call(definition.pad, 2, 3, 1, 5),
        E1,
        **GRID,
    ),
    row(
        "pad",
        "color",
        dict(top=0, right=4, bottom=3, left=1, mode="color", color="#2060a0"),
        call(definition.pad, 0, 4, 3, 1, color=(0x20, 0x60, 0xA0)),
        E1,
        inputs=SPATIAL_INPUTS,
        # The border is not part of the image changed by the defect.
        immune=MOVES,
    ),
]

for angle in (-30.0, -3.5, 7.25, 45.0):
    for fit in ("keepAspect", "maxArea", "expand"):
        ROWS.append(
            spatial(
                "straighten",
                f"{angle}° {fit} bilinear",
                dict(angle=angle, fit=fit, kernel="bilinear"),
                call(warps.straighten, angle, fit),
                SPATIAL,
                **SAMPLED,
            )
        )
ROWS += [
    spatial(
        "straighten",
        f"{angle}° keepAspect catmullRom",
        dict(angle=angle, fit="keepAspect", kernel="catmullRom"),
        call(warps.straighten_keys, angle),
        SPATIAL,
        **SAMPLED,
    )
    for angle in (-12.0, 3.0)
]

QUADS = {
    "keystone": ((0.1, 0.05), (0.93, 0.12), (1.0, 0.95), (0.02, 0.9)),
    "turned": ((0.2, 0.0), (1.0, 0.2), (0.8, 1.0), (0.0, 0.8)),
}
ROWS += [
    spatial(
        "perspective",
        f"{name} crop={str(crop).lower()} bilinear",
        dict(zip(("tl", "tr", "br", "bl"), map(list, quad)), crop=crop, kernel="bilinear"),
        call(warps.perspective, quad, crop),
        SPATIAL,
        **SAMPLED,
    )
    for name, quad in QUADS.items()
    for crop in (False, True)
]

LENSES = {
    "barrel": ((1.03, 0.0, -0.16, 0.1, 0.0), (1.001, 0.0, -0.0001), (0.999, 0.0, 0.0004)),
    "pincushion": ((0.98, 0.02, 0.05, 0.0, 0.01), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
}
ROWS += [
    spatial(
        "lens",
        f"{name} bilinear",
        dict(model=list(model), red=list(red), blue=list(blue), kernel="bilinear"),
        call(warps.lens, model, red, blue),
        SPATIAL,
        **SAMPLED,
    )
    for name, (model, red, blue) in LENSES.items()
]
ROWS += [
    spatial(
        "lens",
        f"vignetting {amount}",
        dict(falloff=[-0.4, -0.2, 0.05], vignetting=amount),
        call(warps.lens_light, (-0.4, -0.2, 0.05), amount),
        SPATIAL,
        **SAMPLED,
    )
    for amount in (1.0, 0.4)
]
