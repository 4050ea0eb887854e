# SPDX-License-Identifier: Apache-2.0
"""Rows of the color filters."""

import math

import numpy

from harness.assets import cube, hald, line
from harness.rows import E1, F, POINT, SPATIAL, SYMMETRIC, T1, T2, call, node, row, spatial
from references import chromium, colors, command, definition, ocio, opencv, python

GRAY_RESULT = {"immune": SYMMETRIC}

ROWS = [
    row(
        "saturate",
        f"amount={amount}",
        {"amount": amount},
        call(chromium.css, f"saturate({amount})"),
        T1,
    )
    for amount in (1.6, 0.35)
]
ROWS += [
    row(
        "saturate",
        "rec709",
        {"amount": 1.4},
        call(ocio.cdl, [1, 1, 1], [0, 0, 0], [1, 1, 1], 1.4, style="CDL_NO_CLAMP"),
        POINT,
    ),
    row(
        "saturate",
        "rec601",
        {"amount": 0.6, "weights": "rec601"},
        call(python.color_enhance, 0.6),
        T1,
    ),
]
ROWS += [
    row(
        "vibrance",
        f"amount={amount}",
        {"amount": amount},
        call(
            command.ffmpeg,
            f"vibrance=intensity={amount}:alternate=1:rlum=.2126:glum=.7152:blum=.0722",
        ),
        T1,
    )
    for amount in (0.6, -0.6, 1)
]
ROWS += [
    row(
        "vibrance",
        f"version 2 amount={amount}",
        {},
        call(colors.vibrance, amount),
        F(0.1),
        nodes=[node("vibrance", version=2, amount=amount)],
        light="linear",
    )
    for amount in (0.25, 0.8, -0.6)
]
COLORS = ("red", "orange", "yellow", "green", "aqua", "blue", "purple", "magenta")
ROWS += [
    row(
        "colorMixer",
        name,
        {
            **{f"{color}Hue": value for color, value in zip(COLORS, hues)},
            **{f"{color}Saturation": value for color, value in zip(COLORS, saturations)},
            **{f"{color}Lightness": value for color, value in zip(COLORS, lightnesses)},
            "range": shift,
        },
        call(colors.color_mixer, hues, saturations, lightnesses, shift=shift),
        F(0.1),
        light="linear",
    )
    for name, hues, saturations, lightnesses, shift in (
        ("hue", (0.7, -1, 0.4, 1, -0.3, 0.8, 0, -0.6), [0] * 8, [0] * 8, 0),
        ("saturation", [0] * 8, (1, -0.5, 0.6, -1, 0.9, 0.3, -0.2, 0.8), [0] * 8, -9),
        ("lightness", [0] * 8, [0] * 8, (0.6, -0.3, -1, 0.5, 0, -0.8, 0.4, 1), 5),
        ("all", (0.5,) * 8, (0.4,) * 8, (-0.3,) * 8, 0),
    )
]
ROWS += [
    spatial(
        "colorMixer",
        f"version 2 {name}",
        {},
        call(colors.color_mixer_of_areas, hues, saturations, lightnesses, shift=shift),
        F(0.1),
        light="linear",
        nodes=[
            node(
                "colorMixer",
                version=2,
                **{f"{color}Hue": value for color, value in zip(COLORS, hues)},
                **{f"{color}Saturation": value for color, value in zip(COLORS, saturations)},
                **{f"{color}Lightness": value for color, value in zip(COLORS, lightnesses)},
                range=shift,
            )
        ],
    )
    for name, hues, saturations, lightnesses, shift in (
        ("hue", (0.7, -1, 0.4, 1, -0.3, 0.8, 0, -0.6), [0] * 8, [0] * 8, 0),
        ("all", (0.5, -0.2) * 4, (0.4, -0.6) * 4, (-0.3, 0.5) * 4, 5),
    )
]
ROWS += [
    row(
        "hueRotate",
        f"{angle}° css",
        {"angle": angle},
        call(chromium.css, f"hue-rotate({angle}deg)"),
        T1,
    )
    for angle in (40, -150)
]
ROWS += [
    row(
        filter,
        f"{name} by {'cones' if cones else 'XYZ'}",
        params,
        call(colors.oklch, *values, cones=cones),
        # The two published roundings of the matrix are 1.1e-4 of Lab apart.
        POINT if cones else T2,
        light="linear",
    )
    for filter, name, params, values in (
        ("hueRotate", "75° oklch", {"angle": 75, "method": "oklch"}, (1, 1, 75)),
        ("oklch", "1.1 0.8 −30°", {"lightness": 1.1, "chroma": 0.8, "hue": -30}, (1.1, 0.8, -30)),
        ("oklch", "0.7 1.5 0°", {"lightness": 0.7, "chroma": 1.5, "hue": 0}, (0.7, 1.5, 0)),
    )
    for cones in (True, False)
]

MIXER = [0.8, 0.3, -0.1, 0.1, 0.7, 0.15, -0.2, 0.4, 0.9]
ROWS += [
    row(
        "colorMatrix",
        "SVG",
        {"matrix": MIXER, "bias": [0.05, -0.02, 0.1]},
        call(
            chromium.svg,
            "<feColorMatrix type='matrix' values='.8 .3 -.1 0 .05 .1 .7 .15 0 -.02 "
            "-.2 .4 .9 0 .1 0 0 0 1 0'/>",
        ),
        T1,
    ),
    row(
        "colorMatrix",
        "float",
        {"matrix": MIXER, "bias": [0.05, -0.02, 0.1]},
        call(ocio.matrix, MIXER, bias=(0.05, -0.02, 0.1)),
        POINT,
    ),
    row(
        "colorMatrix",
        "monochrome",
        {"matrix": MIXER, "bias": [0.05, 0, 0], "monochrome": True},
        call(ocio.matrix, MIXER[:3] * 3, bias=(0.05, 0.05, 0.05)),
        POINT,
    ),
]

CUBIC = [[0.02, 0.8, 0.3, -0.1], [0, 1.2, -0.4, 0.2], [0.1, 0.5, 0, 0.4]]
CROSS = [
    [0.9, 0.1, 0, 0.1, -0.1, 0, 0.2, 0, -0.1, 0.01],
    [0, 1, 0, 0, 0.1, 0, -0.2, 0.1, 0, 0],
    [0.2, 0, 0.7, 0, 0, 0.2, 0, -0.1, 0.1, 0.02],
]
CHANNELS = ("red", "green", "blue")
ROWS += [
    row(
        "colorPolynomial",
        "cubic",
        dict(zip(CHANNELS, CUBIC)),
        call(definition.polynomial, CUBIC),
        POINT,
    ),
    row(
        "colorCrossPolynomial",
        "ten terms",
        dict(zip(CHANNELS, CROSS)),
        call(definition.cross_polynomial, CROSS),
        POINT,
    ),
]

GRAY_MATRIX = " ".join(["0.2126 0.7152 0.0722"] * 3)
ROWS += [
    row("grayscale", "luma601", {"mode": "luma601", "amount": 1}, call(python.to_luma), T1),
    row(
        "grayscale",
        "luma601 float",
        {"mode": "luma601", "amount": 1},
        call(opencv.grayscale),
        POINT,
    ),
    row(
        "grayscale",
        "luma709",
        {"mode": "luma709", "amount": 1},
        call(chromium.css, "grayscale(1)"),
        T1,
    ),
    row(
        "grayscale",
        "luma709 0.6",
        {"mode": "luma709", "amount": 0.6},
        call(chromium.css, "grayscale(0.6)"),
        T1,
    ),
    row(
        "grayscale",
        "luma709 in 16 bits",
        {"mode": "luma709", "amount": 1},
        call(command.convert, "-grayscale", "Rec709Luma"),
        T1,
    ),
    row(
        "grayscale",
        "average",
        {"mode": "average", "amount": 1},
        call(command.convert, "-grayscale", "Average"),
        T1,
        **GRAY_RESULT,
    ),
    row(
        "grayscale",
        "luminance",
        {"mode": "luminance", "amount": 1},
        call(
            command.convert,
            *("-colorspace", "RGB", "-color-matrix", GRAY_MATRIX, "-colorspace", "sRGB"),
        ),
        T1,
        light="linear",
    ),
    row(
        "grayscale",
        "luminance float",
        {"mode": "luminance", "amount": 1},
        call(ocio.matrix, [0.2126, 0.7152, 0.0722] * 3, linear=True),
        POINT,
        light="linear",
    ),
    row(
        "grayscale",
        "max",
        {"mode": "max", "amount": 1},
        call(definition.extremum, numpy.max),
        E1,
        immune={**SYMMETRIC, "light": "the largest stays the largest"},
    ),
    row(
        "grayscale",
        "min",
        {"mode": "min", "amount": 1},
        call(definition.extremum, numpy.min),
        E1,
        immune={**SYMMETRIC, "light": "the smallest stays the smallest"},
    ),
]

SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
ROWS += [
    row("sepia", "amount=1", {"amount": 1}, call(chromium.css, "sepia(1)"), T1),
    row("sepia", "amount=0.4", {"amount": 0.4}, call(chromium.css, "sepia(0.4)"), T1),
    row("sepia", "matrix", {"amount": 1}, call(command.recomb, SEPIA), POINT),
    row("invert", "amount=1", {"amount": 1}, call(python.pillow_ops, "invert"), E1),
    row("invert", "amount=0.3", {"amount": 0.3}, call(chromium.css, "invert(0.3)"), T1),
]
ROWS += [
    row(
        "posterize",
        f"levels={levels}",
        {"levels": levels},
        call(command.convert, "+dither", "-posterize", levels),
        E1,
        # Black and white stay so when they are made brighter.
        weights="red",
    )
    for levels in (2, 6, 23)
]
ROWS += [
    row(
        "threshold",
        f"level={level}",
        {"level": level},
        call(opencv.threshold, level),
        E1,
        weights="red",
    )
    # Sums of weights come to no such level exactly, so the rounding of sums decides nothing.
    for level in (0.4371, 0.2503)
]
ROWS += [
    row("threshold", "otsu", {"method": "otsu"}, call(opencv.otsu), E1, weights="red"),
]

ROWS += [
    row(
        "asccdl",
        name,
        dict(slope=slope, offset=offset, power=power, saturation=saturation, style=style),
        call(
            ocio.cdl,
            slope,
            offset,
            power,
            saturation,
            style="CDL_ASC" if style == "clamp" else "CDL_NO_CLAMP",
        ),
        POINT,
    )
    for name, slope, offset, power, saturation, style in (
        ("clamp", [1.2, 0.9, 1.1], [0.02, -0.05, 0.1], [0.8, 1.3, 1.0], 1.3, "clamp"),
        ("noClamp", [1.2, 0.9, 1.1], [0.02, -0.05, -0.1], [0.8, 1.3, 1.0], 0.7, "noClamp"),
    )
]

LINE = line(17)
CUBE = cube(9)
SMALL_HALD = hald(3)
ROWS += [
    row(
        "lut1d",
        "17 entries",
        {"asset": "look"},
        call(ocio.cube, LINE.data, "linear"),
        POINT,
        assets={"look": LINE},
    ),
    row(
        "lut3d",
        "tetrahedral",
        {"asset": "look", "interpolation": "tetrahedral"},
        call(ocio.cube, CUBE.data, "tetrahedral"),
        POINT,
        assets={"look": CUBE},
    ),
    row(
        "lut3d",
        "trilinear",
        {"asset": "look", "interpolation": "trilinear"},
        call(ocio.cube, CUBE.data, "linear"),
        POINT,
        assets={"look": CUBE},
    ),
    row(
        "lut3d",
        "tetrahedral linear",
        {"asset": "look", "interpolation": "tetrahedral", "light": "linear"},
        call(ocio.cube, CUBE.data, "tetrahedral", linear=True),
        POINT,
        light="linear",
        assets={"look": CUBE},
    ),
    row(
        "lut3d",
        "tetrahedral at 8 bits",
        {"asset": "look", "interpolation": "tetrahedral"},
        call(
            command.ffmpeg,
            "lut3d=file=@look.cube:interp=tetrahedral",
            assets=[("look.cube", CUBE.data)],
        ),
        T1,
        assets={"look": CUBE},
    ),
    row(
        "haldClut",
        "level 3 trilinear",
        {"asset": "look", "interpolation": "trilinear"},
        call(command.convert, "@look.png", "-hald-clut", assets=[("look.png", SMALL_HALD.data)]),
        T1,
        assets={"look": SMALL_HALD},
    ),
    row(
        "haldClut",
        "level 3 tetrahedral",
        {"asset": "look", "interpolation": "tetrahedral"},
        call(colors.hald_tetrahedral, SMALL_HALD.data),
        POINT,
        assets={"look": SMALL_HALD},
    ),
    row(
        "gradientMap",
        "two stops",
        {"stops": [[0, "#102040"], [1, "#ffe0a0"]]},
        call(python.colorize, "#102040", "#ffe0a0"),
        T1,
    ),
    row(
        "gradientMap",
        "three stops",
        {"stops": [[0, "#000030"], [0.4, "#c04020"], [1, "#ffffff"]]},
        call(
            colors.gradient,
            [[0, (0, 0, 0x30)], [0.4, (0xC0, 0x40, 0x20)], [1, (255, 255, 255)]],
        ),
        POINT,
    ),
    row(
        "splitTone",
        "teal and orange",
        dict(
            shadowHue=200,
            highlightHue=35,
            shadowSaturation=0.6,
            highlightSaturation=0.5,
            balance=0.2,
        ),
        call(colors.split_tone, 200, 35, 0.6, 0.5, 0.2),
        POINT,
    ),
]
WEIGHTS = (0.9, 0.5, -0.25)
ROWS += [
    row(
        "blackWhite",
        "bands",
        {**dict(zip(COLORS, (0.5, 0.3, -0.4, 0.2, 0.8, -1, 0.1, 0))), "tintHue": 70},
        call(colors.mixed_gray, (0.5, 0.3, -0.4, 0.2, 0.8, -1, 0.1, 0)),
        POINT,
        light="linear",
    ),
    spatial(
        "blackWhite",
        "version 2 bands",
        {},
        call(
            colors.mixed_gray_of_areas,
            (0.5, 0.3, -0.4, 0.2, 0.8, -1, 0.1, 0),
            tint_hue=250,
            tint_amount=0.3,
        ),
        SPATIAL,
        light="linear",
        nodes=[
            node(
                "blackWhite",
                version=2,
                **dict(zip(COLORS, (0.5, 0.3, -0.4, 0.2, 0.8, -1, 0.1, 0))),
                tintHue=250,
                tintAmount=0.3,
            )
        ],
    ),
    row(
        "blackWhite",
        "tinted",
        {"orange": 0.4, "tintHue": 250, "tintAmount": 0.7},
        call(colors.mixed_gray, (0, 0.4, 0, 0, 0, 0, 0, 0), tint_hue=250, tint_amount=0.7),
        POINT,
        light="linear",
    ),
    row(
        "blackWhite",
        "channels in 16 bits",
        {"mode": "channels", **dict(zip(("redWeight", "greenWeight", "blueWeight"), WEIGHTS))},
        call(
            command.convert,
            "-colorspace",
            "RGB",
            "-color-matrix",
            " ".join(map(str, WEIGHTS * 3)),
            "-colorspace",
            "sRGB",
        ),
        T1,
        light="linear",
    ),
    row(
        "blackWhite",
        "channels, luminance preserved",
        {
            "mode": "channels",
            "redWeight": 1.5,
            "greenWeight": 1,
            "blueWeight": -0.5,
            "preserveLuminance": True,
        },
        call(ocio.matrix, [0.75, 0.5, -0.25] * 3, linear=True),
        POINT,
        light="linear",
    ),
]


def wheel(amount, hue, lightness, start, width):
    """The numbers of GradingRGBMSW for a color wheel."""
    pull = [1 + 0.5 * amount * math.cos(math.radians(hue - 120 * channel)) for channel in range(3)]
    luma = 0.2126 * pull[0] + 0.7152 * pull[1] + 0.0722 * pull[2]
    return (*(value / luma for value in pull), 1 + 0.9 * lightness, start, width)


ROWS += [
    row(
        "colorGrade",
        name,
        params,
        call(ocio.wheels, **values),
        POINT,
    )
    for name, params, values in (
        (
            "teal and orange",
            dict(shadowAmount=0.5, shadowHue=195, highlightAmount=0.4, highlightHue=35),
            dict(shadows=wheel(0.5, 195, 0, 0.6, 0), highlights=wheel(0.4, 35, 0, 0.2, 1)),
        ),
        (
            "midtones",
            dict(midtoneAmount=0.8, midtoneHue=120, midtoneLightness=0.3),
            dict(midtones=wheel(0.8, 120, 0.3, 0.4, 0.7)),
        ),
        (
            "balance",
            dict(shadowLightness=0.4, highlightAmount=0.8, highlightHue=240, balance=-0.6),
            dict(shadows=wheel(0, 0, 0.4, 0.72, 0), highlights=wheel(0.8, 240, 0, 0.32, 1)),
        ),
        (
            "all tones",
            dict(globalAmount=0.6, globalHue=300, globalLightness=-0.2),
            dict(
                shadows=wheel(0.6, 300, -0.2, 0.6, 0),
                midtones=wheel(0.6, 300, -0.2, 0.4, 0.7),
                highlights=wheel(0.6, 300, -0.2, 0.2, 1),
            ),
        ),
    )
]
