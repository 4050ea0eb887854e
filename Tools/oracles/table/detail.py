# SPDX-License-Identifier: Apache-2.0
"""Rows of the neighborhood filters."""

from harness.rows import E1, F, MOVES, SPATIAL, SYMMETRIC, T1, T2, call, node, spatial
from references import command, details, opencv, python

#: Slow references are not compared on the photo.
SMALL = ("chart-19x13", "smooth-40x26", "7x1", "1x1", "1x19", "23x1", "17x31")

ROWS = [
    spatial(
        "gaussianBlur", f"sigma={sigma}", {"sigma": sigma}, call(opencv.gaussian, sigma), SPATIAL
    )
    for sigma in (0.3, 1.5, 5.0, 14.0)
]
ROWS += [
    spatial(
        "gaussianBlur",
        f"sigma={sigma} linear",
        {"sigma": sigma, "light": "linear"},
        call(python.gaussian, sigma, linear=True),
        SPATIAL,
        light="linear",
    )
    for sigma in (1.2, 4.0)
]
ROWS += [
    spatial(
        "gaussianBlur",
        "sigma=2 in 16 bits",
        {"sigma": 2},
        call(command.convert, "-virtual-pixel", "edge", "-gaussian-blur", "8x2"),
        T1,
    ),
]
ROWS += [
    spatial("boxBlur", f"radius={radius}", {"radius": radius}, call(opencv.box, radius), SPATIAL)
    for radius in (1, 4, 11)
]
ROWS += [
    spatial(
        "boxBlur",
        "radius=3 linear",
        {"radius": 3, "light": "linear"},
        call(opencv.box, 3, linear=True),
        SPATIAL,
        light="linear",
    )
]
ROWS += [
    spatial("median", f"radius={radius}", {"radius": radius}, call(reference, radius), E1, immune=MOVES)
    for radius in (1, 2, 5)
    for reference in (opencv.median, python.median)
]
ROWS += [
    spatial(
        "bilateral",
        f"{diameter} {color} {space}",
        {"diameter": diameter, "sigmaColor": color, "sigmaSpace": space},
        call(opencv.bilateral, diameter, color, space),
        SPATIAL,
    )
    for diameter, color, space in ((5, 0.1, 3.0), (9, 0.3, 2.0), (3, 1.5, 10.0))
]
ROWS += [
    spatial(
        "denoiseNLM",
        f"patch={patch} search={search} h={h} sigma={sigma}",
        {"patch": patch, "search": search, "h": h, "sigma": sigma},
        call(python.non_local_means, patch, search, h, sigma),
        T1,
        inputs=SMALL,
    )
    for patch, search, h, sigma in ((5, 11, 0.05, 0.0), (3, 7, 0.1, 0.04), (7, 9, 0.2, 0.0))
]
ROWS += [
    spatial(
        "denoiseNLM",
        f"version 2 patch={patch} search={search} h={h} sigma={sigma} chroma={chroma}",
        {},
        call(python.non_local_means_apart, patch, search, h, sigma, chroma),
        T1,
        nodes=[
            node(
                "denoiseNLM",
                version=2,
                amount=1,
                chroma=chroma,
                sigma=sigma,
                h=h,
                patch=patch,
                search=search,
                kernel="box",
            )
        ],
        inputs=("chart-19x13", "chart-61x47", "smooth-40x26", "17x31"),
    )
    for patch, search, h, sigma, chroma in (
        (5, 11, 0.1, 0.0, 1.5),
        (3, 7, 0.15, 0.05, 1.0),
        (7, 9, 0.2, 0.0, 0.7),
    )
]
ROWS += [
    spatial(
        "denoiseWavelet",
        f"levels={levels} sigma={sigma}",
        {"levels": levels, "sigma": sigma, "strength": 1},
        call(python.wavelet, levels, sigma),
        F(0.05),
        # Where details are exactly zero, as in ramps, the estimate of noise in scikit-image hangs on
        # the last bits of sums, because it leaves zeros out.
        inputs=("smooth-40x26", "smooth-96x64", "photo", "smooth-17x31"),
    )
    for levels, sigma in ((0, 0.0), (2, 0.05))
]
ROWS += [
    spatial(
        "denoiseWavelet",
        "version 2 sigma=0.05",
        {},
        call(python.wavelet, 2, 0.05),
        F(0.05),
        nodes=[node("denoiseWavelet", version=2, levels=2, sigma=0.05, strength=1)],
        inputs=("smooth-40x26", "smooth-96x64", "photo", "smooth-17x31"),
    )
]
ROWS += [
    spatial(
        "unsharpMask",
        name,
        {"sigma": sigma, "amount": amount, **options},
        call(python.unsharp, sigma, amount, **words),
        SPATIAL,
    )
    for name, sigma, amount, options, words in (
        ("sigma=2 amount=0.8", 2, 0.8, {}, {}),
        ("sigma=1.2 amount=3", 1.2, 3, {}, {}),
        ("luma", 1.5, 1.1, {"channels": "luma"}, {"luma": True}),
    )
]
ROWS += [
    spatial(
        "unsharpMask",
        "inside",
        {"sigma": 1.0, "amount": 1.0},
        call(python.unsharp_mask, 1.0, 1.0),
        SPATIAL,
        # scikit-image reflects at the edges.
        margin=4,
        inputs=("chart-19x13", "chart-61x47", "photo", "17x31"),
    ),
    spatial(
        "unsharpMask",
        "in 16 bits",
        {"sigma": 1.5, "amount": 0.8},
        call(command.convert, "-virtual-pixel", "edge", "-unsharp", "6x1.5+0.8+0"),
        T2,
    ),
    spatial(
        "sharpenLuma",
        "sigma=2 amount=0.6",
        {"sigma": 2, "amount": 0.6},
        call(python.unsharp, 2, 0.6, luma=True),
        SPATIAL,
    ),
    spatial(
        "sharpenLuma",
        "sigma=0.8 amount=2",
        {"sigma": 0.8, "amount": 2},
        call(python.unsharp, 0.8, 2, luma=True),
        SPATIAL,
    ),
]
ROWS += [
    spatial(
        "clarity",
        f"amount={amount} radius={radius}",
        {"amount": amount, "radius": radius, "epsilon": epsilon},
        call(opencv.clarity, amount, radius, epsilon),
        SPATIAL,
    )
    for amount, radius, epsilon in ((0.5, 0.06, 0.01), (-0.8, 0.1, 0.04))
]

ROWS += [
    spatial(
        "clarity",
        f"version 2 amount={amount} radius={radius}",
        {},
        call(opencv.clarity, share, radius, epsilon),
        SPATIAL,
        nodes=[node("clarity", version=2, amount=amount, radius=radius, epsilon=epsilon)],
    )
    # Reductions remove at most half of the detail.
    for amount, share, radius, epsilon in ((0.5, 0.5, 0.06, 0.01), (-0.8, -0.4, 0.1, 0.04))
]

ROWS += [
    spatial(
        "clarity",
        f"version 3 amount={amount} radius={radius}",
        {},
        call(opencv.clarity_weighted, share, radius, epsilon),
        SPATIAL,
        nodes=[node("clarity", version=3, amount=amount, radius=radius, epsilon=epsilon)],
    )
    for amount, share, radius, epsilon in ((0.5, 0.5, 0.06, 0.01), (-0.8, -0.4, 0.1, 0.04))
]

SHARP = [0, -1, 0, -1, 5, -1, 0, -1, 0]
TILTED = [1, 2, 0, -1, 3, 2, 1, 0, 1]
WIDE = [(3 * i * i + 7 * i) % 11 - 2 for i in range(25)]
WIDEST = [(5 * i * i + 3 * i) % 13 - 3 for i in range(49)]
ROWS += [
    spatial(
        "convolve",
        f"{name} {engine.__module__.split('.')[-1]}",
        {"kernel": kernel, "divisor": divisor, "bias": bias},
        call(engine, kernel, divisor, bias),
        SPATIAL,
    )
    for engine in (opencv.correlate, python.correlate)
    for name, kernel, divisor, bias in (
        ("3×3", SHARP, 0, 0.0),
        ("3×3 tilted", TILTED, 0, 0.1),
        ("5×5", WIDE, 40, 0.0),
        ("7×7", WIDEST, 0, -0.05),
    )
]
ROWS += [
    spatial(
        "edges",
        output,
        {"output": output, "scale": scale},
        call(opencv.edges, output, scale),
        SPATIAL,
        # No values are left in even places when a gray image has none.
    )
    for output, scale in (("magnitude", 1.0), ("x", 0.5), ("y", 2.0))
]
ROWS += [
    spatial(
        "edges",
        "magnitude skimage",
        {"output": "magnitude", "scale": 1.0},
        call(python.sobel),
        SPATIAL,
        inputs=("chart-19x13", "chart-61x47", "photo", "17x31"),
    ),
]
ROWS += [
    spatial(
        "emboss",
        f"{angle}° strength={strength}",
        {"angle": angle, "strength": strength},
        call(details.emboss, angle, strength),
        SPATIAL,
    )
    for angle, strength in ((0, 1.0), (45, 0.5), (-90, 2.0), (30, 1.0))
]
