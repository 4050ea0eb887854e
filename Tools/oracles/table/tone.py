# SPDX-License-Identifier: Apache-2.0
"""Rows of the tone filters."""

from harness.rows import E1, F, POINT, POINT_INPUTS, SPATIAL, T1, T1_TRUNCATED, Tolerance, call, node, row, spatial
from references import chromium, command, definition, histograms, ocio, opencv, python, tones

ROWS = [
    row(
        "exposure",
        f"ev={ev}",
        {"ev": ev},
        call(ocio.primary_linear, exposure=(0, 0, 0, ev)),
        POINT,
        light="linear",
    )
    for ev in (0.5, -2.0, 3.25)
]
ROWS += [
    row(
        "exposure",
        "ev=0.7 in 16 bits",
        {"ev": 0.7},
        call(
            command.convert,
            "-colorspace",
            "RGB",
            "-evaluate",
            "multiply",
            f"{2**0.7}",
            "-colorspace",
            "sRGB",
        ),
        T1,
        light="linear",
    ),
    row(
        "exposure",
        "black=0.03",
        {"ev": 0.4, "black": 0.03},
        call(definition.linear_formula, tones.black_level(0.4, 0.03)),
        POINT,
        light="linear",
    ),
]
ROWS += [
    row(
        "exposure",
        f"version 2 ev={ev} rolloff={rolloff}",
        {},
        call(tones.rolled_exposure, ev, rolloff),
        POINT,
        nodes=[node("exposure", version=2, ev=ev, black=0, rolloff=rolloff)],
        light="linear",
    )
    for ev, rolloff in ((1, 0.35), (0.65, 0.2), (2.5, 1))
]
ROWS += [
    row(
        "brightness",
        f"amount={amount}",
        {"amount": amount},
        call(command.convert, "-evaluate", "add", f"{amount * 65535}"),
        T1,
    )
    for amount in (0.1, -0.25)
]
ROWS += [
    row(
        "brightnessScale",
        f"amount={amount}",
        {"amount": amount},
        call(chromium.css, f"brightness({amount})"),
        T1,
    )
    for amount in (1.3, 0.45)
]
ROWS += [
    row(
        "brightnessScale",
        "amount=0.6 matrix",
        {"amount": 0.6},
        call(ocio.matrix, [0.6, 0, 0, 0, 0.6, 0, 0, 0, 0.6]),
        POINT,
    ),
]
ROWS += [
    row(
        "contrast",
        f"amount={amount}",
        {"amount": amount},
        call(chromium.css, f"contrast({amount})"),
        T1,
    )
    for amount in (1.4, 0.3)
]
ROWS += [
    row(
        "contrast",
        "linear",
        {"amount": 1.3, "pivot": 0.18, "light": "linear"},
        call(ocio.primary_linear, contrast=(1, 1, 1, 1.3), pivot=0.0),
        POINT,
        light="linear",
    ),
    row(
        "contrast",
        "pivot=0.3",
        {"amount": 1.7, "pivot": 0.3},
        call(
            ocio.matrix, [1.7, 0, 0, 0, 1.7, 0, 0, 0, 1.7], bias=(-0.21, -0.21, -0.21)
        ),
        POINT,
    ),
    row(
        "sigmoidalContrast",
        "amount=4",
        {"amount": 4, "mid": 0.5},
        call(command.convert, "-sigmoidal-contrast", "4x50%"),
        T1,
    ),
    row(
        "sigmoidalContrast",
        "amount=7.5 mid=0.3",
        {"amount": 7.5, "mid": 0.3},
        call(python.sigmoid, 7.5, 0.3),
        POINT,
    ),
    row("gamma", "power=0.7", {"power": 0.7}, call(python.gamma, 0.7), POINT),
    row("gamma", "power=2.2", {"power": 2.2}, call(python.gamma, 2.2), POINT),
    row(
        "gamma",
        "power=1.5 SVG",
        {"power": 1.5},
        call(
            chromium.svg,
            "<feComponentTransfer>"
            + "".join(f"<feFunc{c} type='gamma' exponent='1.5'/>" for c in "RGB")
            + "</feComponentTransfer>",
        ),
        T1,
    ),
    row(
        "levels",
        "in 0.1…0.85 gamma 1.4",
        {"inBlack": 0.1, "inWhite": 0.85, "gamma": 1.4},
        call(command.convert, "-level", "10%,85%,1.4"),
        T1,
    ),
    row(
        "levels",
        "out 0.06…0.9",
        {"outBlack": 0.06, "outWhite": 0.9},
        call(command.convert, "+level", "6%,90%"),
        T1,
    ),
    row(
        "levels",
        "green alone",
        {"inBlack": 0.2, "inWhite": 0.7, "channel": "g"},
        call(command.convert, "-channel", "G", "-level", "20%,70%", "+channel"),
        T1,
    ),
    row(
        "blackWhitePoint",
        "0.05…0.9",
        {"black": 0.05, "white": 0.9},
        call(command.convert, "-level", "5%,90%"),
        T1,
    ),
]

LINES = {
    "S": [[0, 0], [0.25, 0.12], [0.5, 0.5], [0.75, 0.9], [1, 1]],
    "steps": [[0, 0.1], [0.3, 0.1], [0.31, 0.8], [0.9, 0.2], [1, 0.2]],
    "three points": [[0.2, 1], [0.4, 0], [0.7, 0.6]],
    "two points": [[0.1, 0.3], [0.8, 0.9]],
}
ROWS += [
    row("curve", name, {"points": points}, call(python.curve, points), POINT)
    for name, points in LINES.items()
]
ROWS += [
    row(
        "curve",
        "blue alone",
        {"points": LINES["S"], "channel": "b"},
        call(python.curve, LINES["S"], channel=2),
        POINT,
    ),
    row(
        "curve",
        "linear",
        {"points": LINES["steps"], "interp": "linear"},
        call(python.linear_curve, LINES["steps"]),
        POINT,
    ),
]

CONTROLS = {
    "shadows": (0.4, 0.8, 1.3, 1.7),
    "highlights": (0.4, 0.8, 1.3, 1.7),
    "whites": (0.5, 1.6),
    "blacks": (0.5, 1.6),
    "midtones": (0.6, 1.5),
    "contrast": (0.6, 1.5),
}
ROWS += [
    row(
        "parametricTone",
        f"{name}={value}",
        {name: value},
        call(ocio.tone, **{"scontrast" if name == "contrast" else name: value}),
        POINT,
    )
    for name, values in CONTROLS.items()
    for value in values
]
ROWS += [
    row(
        "parametricTone",
        "all",
        dict(shadows=1.4, highlights=0.7, whites=1.2, blacks=0.8, midtones=1.1, contrast=1.2),
        call(
            ocio.tone,
            shadows=1.4,
            highlights=0.7,
            whites=1.2,
            blacks=0.8,
            midtones=1.1,
            scontrast=1.2,
        ),
        POINT,
    )
]

ROWS += [
    row(
        "liftGammaGain",
        "masters",
        {"masterLift": 0.05, "masterGamma": 1.2, "masterGain": 1.1, "saturation": 1.2},
        call(
            ocio.primary_video,
            lift=(0, 0, 0, 0.05),
            gamma=(1, 1, 1, 1.2),
            gain=(1, 1, 1, 1.1),
            saturation=1.2,
        ),
        POINT,
    ),
    row(
        "liftGammaGain",
        "channels",
        {
            "lift": [0.02, -0.01, 0.04],
            "gamma": [1.1, 0.9, 1.0],
            "gain": [0.95, 1.05, 1.2],
            "offset": [0.01, 0.0, -0.02],
            "saturation": 0.8,
        },
        call(
            ocio.primary_video,
            lift=(0.02, -0.01, 0.04, 0),
            gamma=(1.1, 0.9, 1.0, 1),
            gain=(0.95, 1.05, 1.2, 1),
            offset=(0.01, 0.0, -0.02, 0),
            saturation=0.8,
        ),
        POINT,
    ),
    row(
        "liftGammaGain",
        "pivots",
        {"masterLift": -0.03, "masterGamma": 0.8, "pivotBlack": 0.1, "pivotWhite": 0.9},
        call(
            ocio.primary_video,
            lift=(0, 0, 0, -0.03),
            gamma=(1, 1, 1, 0.8),
            pivotBlack=0.1,
            pivotWhite=0.9,
        ),
        POINT,
    ),
]

ROWS += [
    row(
        "whiteBalance",
        f"{temperature} K {tint:+}",
        {"temperature": temperature, "tint": tint},
        call(tones.white_balance, temperature, tint),
        F(0.05),
        light="linear",
    )
    for temperature, tint in ((5000, 0), (9000, 20), (3200, -35), (6500, 10))
]
ROWS += [
    row(
        "whiteBalance",
        "4000 K to 7500 K",
        {"temperature": 4000, "tint": 5, "targetTemperature": 7500, "targetTint": -8},
        call(tones.white_balance, 4000, 5, 7500, -8),
        F(0.05),
        light="linear",
    )
]

ROWS += [
    row(
        "whiteBalance",
        f"version 3 {temperature} K {tint:+} to {target} K {target_tint:+}",
        {},
        call(tones.white_balance_of_whites, temperature, tint, target, target_tint),
        F(0.05),
        light="linear",
        nodes=[
            node(
                "whiteBalance",
                version=3,
                temperature=temperature,
                tint=tint,
                targetTemperature=target,
                targetTint=target_tint,
            )
        ],
    )
    for temperature, tint, target, target_tint in (
        (3200, -35, 6500, 0),
        (9000, 20, 6500, 0),
        (4000, 5, 7500, -8),
    )
]

ROWS += [
    row(
        "autoLevels",
        f"{low} % and {high} %",
        {"clipLow": low, "clipHigh": high},
        call(python.pillow_ops, "autocontrast", cutoff=(low, high)),
        T1_TRUNCATED,
        inputs=("pale-19x13", *POINT_INPUTS),
    )
    for low, high in ((0.5, 0.5), (1, 3), (0, 0))
]
GRAY = ("gray-19x13", "gray-61x47", "gray-35x33")
ROWS += [
    row(
        "autoLevels",
        "linked",
        {"clipLow": 1, "clipHigh": 2, "linked": True},
        call(tones.linked_levels, 1, 2),
        T1,
        inputs=("pale-19x13", *POINT_INPUTS),
    ),
    row(
        "equalize",
        "gray",
        {},
        call(opencv.equalize),
        E1,
        inputs=GRAY,
        immune={"swap": "the image is gray", "light": "ranks do not depend on light"},
    ),
    row("equalize", "colour", {}, call(histograms.equalize), POINT),
]
#: Equal but for halves.
CLOSE = Tolerance("T1", 1, 0.15)
ROWS += [
    row(
        "clahe",
        f"gray {tiles[0]}×{tiles[1]}",
        {"clipLimit": clip, "tilesX": tiles[0], "tilesY": tiles[1]},
        call(histograms.clahe, clip, tiles),
        POINT,
        inputs=("gray-35x33", "gray-19x13"),
        halo=True,
        immune={"swap": "the image is gray"},
    )
    for clip, tiles in ((2.0, (5, 3)), (4.0, (8, 8)))
]
ROWS += [
    row(
        "clahe",
        f"clipLimit={clip} {tiles[0]}×{tiles[1]}",
        {"clipLimit": clip, "tilesX": tiles[0], "tilesY": tiles[1]},
        call(opencv.clahe, clip, tiles),
        tolerance,
        inputs=inputs,
        halo=True,
        immune={"swap": "the image is gray"},
    )
    for clip, tiles, tolerance, inputs in (
        # Between tiles many values lie just between two levels: OpenCV then rounds to the even one.
        (2.0, (5, 3), CLOSE, ("gray-35x33",)),
        (4.0, (7, 11), CLOSE, ("gray-35x33",)),
        (3.0, (8, 8), CLOSE, ("gray-61x47", "gray-19x13")),
    )
]
ROWS += [
    row(
        "clahe",
        f"colour {tiles[0]}×{tiles[1]}",
        {"clipLimit": 2.5, "tilesX": tiles[0], "tilesY": tiles[1]},
        call(histograms.clahe, 2.5, tiles),
        POINT,
        inputs=("chart-19x13", "chart-61x47", "photo", "17x31"),
        halo=True,
    )
    for tiles in ((4, 4), (3, 5))
]
ROWS += [
    row(
        "clahe",
        f"version 2 amount={amount} {tiles[0]}×{tiles[1]}",
        {},
        call(histograms.clahe_gain, amount, clip, tiles),
        POINT,
        nodes=[
            node(
                "clahe", version=2, amount=amount, clipLimit=clip, tilesX=tiles[0], tilesY=tiles[1]
            )
        ],
        inputs=("chart-19x13", "chart-61x47", "photo", "17x31"),
        halo=True,
    )
    for amount, clip, tiles in ((0.5, 1.5, (8, 8)), (1, 3.0, (3, 5)))
]
ROWS += [
    row(
        "solarize",
        f"threshold={threshold}",
        {"threshold": threshold},
        call(python.pillow_ops, "solarize", round(threshold * 255 + 0.5)),
        E1,
    )
    for threshold in (0.5, 0.3)
]
ROWS += [
    spatial(
        "shadowsHighlights",
        f"{shadows:+} {highlights:+}",
        {"shadows": shadows, "highlights": highlights, "radius": radius},
        call(tones.shadows_highlights, shadows, highlights, radius),
        SPATIAL,
    )
    for shadows, highlights, radius in ((0.5, -0.4, 0.05), (-0.3, 0.6, 0.1))
]
ROWS += [
    spatial(
        "shadowsHighlights",
        f"version {version} {shadows:+} {highlights:+}",
        {},
        call(tones.recovered, shadows, highlights, radius, newest=version == 3),
        SPATIAL,
        nodes=[
            node(
                "shadowsHighlights",
                version=version,
                shadows=shadows,
                highlights=highlights,
                radius=radius,
                epsilon=0.01,
            )
        ],
    )
    for version in (2, 3)
    for shadows, highlights, radius in (
        (0.5, -0.6, 0.05),
        (0.8, 0, 0.03),
        (-0.3, 0.6, 0.1),
        (0, -1, 0.02),
    )
]
HAZY = ("chart-19x13", "chart-61x47", "photo", "17x31")
ROWS += [
    spatial(
        "dehaze",
        f"amount={amount} patch={patch} of #b3c0d2",
        {
            "amount": amount,
            "patch": patch,
            "minimumTransmission": least,
            "airlight": "#b3c0d2",
        },
        call(opencv.dehaze, amount, patch, least, airlight=(0xB3 / 255, 0xC0 / 255, 0xD2 / 255)),
        SPATIAL,
        inputs=HAZY,
    )
    for amount, patch, least in ((0.9, 1, 0.25), (0.4, 3, 0.5))
]
ROWS += [
    spatial(
        "dehaze",
        f"amount={amount}, measured",
        {"amount": amount, "patch": 1, "minimumTransmission": 0.25, "airlight": "#000000"},
        call(opencv.dehaze, amount, 1, 0.25),
        SPATIAL,
        inputs=HAZY,
    )
    for amount in (0.6, -0.5)
]
