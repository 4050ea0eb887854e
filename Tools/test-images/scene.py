# SPDX-License-Identifier: Apache-2.0
"""Synthesizes photographs: gradients, texture, edges, saturated color and sensor noise.

Only integer arithmetic and + - * / sqrt are used: IEEE 754 defines those to the last bit, so every
machine computes the same pixels. sin, exp, pow and BLAS are not, so they do not appear.
"""

import numpy as np


def hashed(x, y, seed):
    """Uniform numbers in [0, 1) that depend on integer coordinates and a seed alone."""
    with np.errstate(over="ignore"):
        h = x.astype(np.uint32) * np.uint32(0x85EBCA6B)
        h = h ^ (
            y.astype(np.uint32) * np.uint32(0xC2B2AE35) + np.uint32(seed * 0x9E3779B9 & 0xFFFFFFFF)
        )
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 0x9E3779B1)):
            h = (h ^ (h >> np.uint32(shift))) * np.uint32(factor)
        h = h ^ (h >> np.uint32(15))
    return h.astype(np.float64) / 4294967296.0


def smooth(t):
    return t * t * (3.0 - 2.0 * t)


def step(edge0, edge1, t):
    return smooth(np.clip((t - edge0) / (edge1 - edge0), 0.0, 1.0))


def noise(u, v, seed):
    """Value noise with one lattice point per unit."""
    iu, iv = np.floor(u), np.floor(v)
    fu, fv = smooth(u - iu), smooth(v - iv)
    iu, iv = iu.astype(np.int64), iv.astype(np.int64)
    a, b = hashed(iu, iv, seed), hashed(iu + 1, iv, seed)
    c, d = hashed(iu, iv + 1, seed), hashed(iu + 1, iv + 1, seed)
    top = a + (b - a) * fu
    return top + (c + (d - c) * fu - top) * fv


def fractal(u, v, seed, octaves):
    """Octaves of value noise, each twice as fine and half as strong, in [0, 1)."""
    total, strength, sum_of_strengths = np.zeros_like(u), 1.0, 0.0
    for octave in range(octaves):
        scale = float(1 << octave)
        total = total + strength * noise(u * scale, v * scale, seed + octave)
        sum_of_strengths += strength
        strength *= 0.5
    return total / sum_of_strengths


def over(image, color, coverage):
    return image + (np.asarray(color) - image) * coverage[..., None]


def photo(width, height, seed, grain=0.012):
    """A landscape with a lake, a house, balloons and flowers, as height × width × 3 bytes."""
    scale = float(min(width, height))
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    u, v = (x + 0.5) / scale, (y + 0.5) / scale
    right, bottom = width / scale, height / scale
    pixel = 1.0 / scale
    horizon = 0.56 * bottom

    t = np.clip(v / horizon, 0.0, 1.0)
    image = (1.0 - t)[..., None] * np.array([0.16, 0.40, 0.82]) + t[..., None] * np.array(
        [0.98, 0.86, 0.70]
    )
    clouds = step(0.48, 0.80, fractal(u * 3.0, v * 7.0, seed, 6))
    image = over(image, [0.97, 0.96, 0.95], clouds * (1.0 - 0.6 * t))
    sun = np.sqrt((u - 0.78 * right) ** 2 + (v - 0.16 * bottom) ** 2)
    image = over(image, [1.0, 0.95, 0.75], np.clip(0.055 / (sun + 0.055) - 0.12, 0.0, 0.75))
    image = over(image, [1.0, 1.0, 0.94], 1.0 - step(0.050, 0.050 + 1.5 * pixel, sun))

    for layer, (lift, rough, color) in enumerate(
        ((0.26, 0.34, (0.42, 0.48, 0.66)), (0.14, 0.22, (0.20, 0.31, 0.33)))
    ):
        ridge = (
            horizon
            - lift
            * bottom
            * fractal(u * 2.5 + layer * 9, np.full_like(u, 0.5), seed + 20 + layer, 6)
            * 1.4
        )
        inside = np.clip((v - ridge) / pixel + 0.5, 0.0, 1.0)
        rock = fractal(u * 14.0, v * 22.0, seed + 30 + layer, 5)
        image = over(
            image, np.asarray(color) * (1.0 - rough + 2.0 * rough * rock)[..., None], inside
        )

    depth = np.clip((v - horizon) / (bottom - horizon), 0.0, 1.0)
    near = 1.0 / (0.06 + depth)
    ground = np.clip((v - horizon) / pixel + 0.5, 0.0, 1.0)
    blades = 0.6 * fractal(u * 26.0, v * 9.0 * near, seed + 40, 5) + 0.4 * hashed(x, y, seed + 45)
    meadow = np.stack([0.12 + 0.34 * blades, 0.26 + 0.42 * blades, 0.05 + 0.12 * blades], axis=-1)
    image = over(image, meadow * (0.65 + 0.35 * depth)[..., None], ground)
    shore = 0.10 + 0.05 * fractal(u * 4.0, v * 4.0, seed + 50, 4)
    lake = ground * (1.0 - step(shore, shore + 3.0 * pixel, depth * (1.0 - 0.25 * u / right)))
    ripples = fractal(u * 8.0, v * 110.0, seed + 52, 3)
    image = over(
        image,
        np.stack([0.30 + 0.35 * ripples, 0.46 + 0.34 * ripples, 0.62 + 0.30 * ripples], axis=-1),
        lake,
    )

    wall_u, wall_v = (u - 0.10 * right) / 0.24, (v - (horizon - 0.03)) / 0.20
    wall = ((wall_u >= 0) & (wall_u < 1) & (wall_v >= 0) & (wall_v < 1)).astype(np.float64)
    course = np.floor(wall_v * 12.0)
    shifted = wall_u * 8.0 + 0.5 * np.mod(course, 2.0)
    brick = hashed(np.floor(shifted).astype(np.int64), course.astype(np.int64), seed + 60)
    joint = ((wall_v * 12.0 - course) < 0.16) | ((shifted - np.floor(shifted)) < 0.10)
    bricks = np.where(
        joint[..., None],
        [0.78, 0.75, 0.70],
        np.stack([0.58 + 0.20 * brick, 0.24 + 0.10 * brick, 0.17 + 0.06 * brick], axis=-1),
    )
    image = over(image, bricks, wall)
    for column in (0.16, 0.62):
        pane_u, pane_v = (wall_u - column) / 0.22, (wall_v - 0.28) / 0.36
        pane = wall * ((pane_u >= 0) & (pane_u < 1) & (pane_v >= 0) & (pane_v < 1))
        bars = (np.abs(pane_u - 0.5) < 0.06) | (np.abs(pane_v - 0.5) < 0.06)
        image = over(
            image, np.where(bars[..., None], [0.96, 0.96, 0.94], [0.07, 0.09, 0.14]), pane
        )
    roof = np.clip(
        (0.5 - np.abs(wall_u - 0.5) + 0.08 + (wall_v) * 0.58 / 0.55) * 0.24 / pixel, 0.0, 1.0
    )
    tiles = 0.75 + 0.25 * (np.mod(np.floor(wall_v * 30.0), 2.0))
    image = over(
        image,
        np.array([0.55, 0.10, 0.09]) * tiles[..., None],
        roof * ((wall_v < 0) & (wall_v > -0.55)),
    )

    for center_u, center_v, radius, first, second in (
        (0.52, 0.30, 0.115, (0.93, 0.05, 0.07), (1.00, 0.82, 0.02)),
        (0.34, 0.18, 0.050, (0.02, 0.25, 0.90), (0.96, 0.96, 0.96)),
        (0.90, 0.42, 0.040, (0.85, 0.03, 0.70), (0.05, 0.75, 0.30)),
    ):
        du, dv = (u - center_u * right) / radius, (v - center_v * bottom) / radius
        distance = np.sqrt(du * du + dv * dv)
        disc = np.clip((1.0 - distance) * radius / pixel + 0.5, 0.0, 1.0)
        bulge = np.sqrt(np.clip(1.0 - dv * dv, 0.05, 1.0))
        gore = np.mod(np.floor((du / bulge + 1.0) * 4.0), 2.0)[..., None]
        light = np.clip(1.08 - 0.30 * ((du - 0.4) ** 2 + (dv + 0.4) ** 2), 0.15, 1.1)
        image = over(
            image,
            (np.asarray(first) * (1.0 - gore) + np.asarray(second) * gore) * light[..., None],
            disc,
        )

    blossom = np.array(
        [[0.98, 0.10, 0.16], [1.0, 0.85, 0.0], [0.62, 0.10, 0.86], [0.98, 0.98, 0.98]]
    )
    for flower in range(110):
        pick = hashed(np.arange(4), np.full(4, flower), seed + 70)
        center_u, center_v = pick[0] * right, horizon + (0.30 + 0.70 * pick[1]) * (bottom - horizon)
        radius = 0.004 + 0.016 * (center_v - horizon) / (bottom - horizon)
        distance = np.sqrt((u - center_u) ** 2 + (v - center_v) ** 2)
        disc = np.clip((radius - distance) / pixel + 0.5, 0.0, 1.0)
        image = over(image, blossom[int(pick[2] * 4)] * (0.8 + 0.2 * pick[3]), disc)

    for channel in range(3):
        samples = sum(hashed(x, y, seed + 80 + 4 * channel + i) for i in range(4)) - 2.0
        strength = grain * (0.5 + np.sqrt(np.clip(image[..., channel], 0.0, 1.0)))
        image[..., channel] = image[..., channel] + samples * 1.7 * strength
    return image


def bits(image, depth):
    """Rounds to integers of the given depth, half up."""
    top = (1 << depth) - 1
    return np.clip(np.floor(image * top + 0.5), 0, top).astype(
        np.uint8 if depth <= 8 else np.uint16
    )


def luma(image):
    """Luma of Rec. 601, the one that JPEG uses."""
    return 0.299 * image[..., 0] + 0.587 * image[..., 1] + 0.114 * image[..., 2]


def letter(width, height):
    """A chart with an F, four different corners and two gradients: unambiguous under all eight orientations."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    u, v = (x + 0.5) / width, (y + 0.5) / height
    image = np.stack([0.55 + 0.4 * u, 0.60 + 0.35 * v, 0.95 - 0.3 * u * v], axis=-1)
    stroke = (
        ((u > 0.30) & (u < 0.42) & (v > 0.15) & (v < 0.85))
        | ((u > 0.30) & (u < 0.72) & (v > 0.15) & (v < 0.32))
        | ((u > 0.30) & (u < 0.62) & (v > 0.46) & (v < 0.60))
    )
    image = over(image, [0.08, 0.08, 0.10], stroke.astype(np.float64))
    for color, inside in (
        ((0.90, 0.10, 0.10), (u < 0.15) & (v < 0.2)),
        ((0.10, 0.65, 0.15), (u > 0.85) & (v < 0.2)),
        ((0.10, 0.20, 0.85), (u < 0.15) & (v > 0.8)),
        ((0.95, 0.80, 0.05), (u > 0.85) & (v > 0.8)),
    ):
        image = over(image, color, inside.astype(np.float64))
    return image


def rotated_into_file(pixels, orientation):
    """The stored pixels that display as the given image under an EXIF orientation (tag 0x0112)."""
    return {
        1: lambda p: p,
        2: lambda p: p[:, ::-1],
        3: lambda p: p[::-1, ::-1],
        4: lambda p: p[::-1],
        5: lambda p: p.swapaxes(0, 1),
        6: lambda p: p.swapaxes(0, 1)[::-1],
        7: lambda p: p.swapaxes(0, 1)[::-1, ::-1],
        8: lambda p: p.swapaxes(0, 1)[:, ::-1],
    }[orientation](pixels)
