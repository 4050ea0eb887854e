# SPDX-License-Identifier: Apache-2.0
"""Writes the PNG inputs: every color type and depth, charts, profiles and metadata."""

import struct
import zlib

import deflate
import numpy as np

import metadata
import scene

GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}


def compressed(data):
    """zlib's format from a pinned encoder: what Python's own zlib writes differs between systems."""
    return bytes(deflate.zlib_compress(data, 9))


def chunk(name, payload):
    return (
        struct.pack(">I", len(payload))
        + name
        + payload
        + struct.pack(">I", zlib.crc32(name + payload))
    )


def rows_of(samples, depth):
    """Rows of packed bytes from height × width × channels integers."""
    height = samples.shape[0]
    flat = samples.reshape(height, -1)
    if depth == 16:
        return flat.astype(">u2").view(np.uint8).reshape(height, -1)
    if depth == 8:
        return flat.astype(np.uint8)
    per_byte = 8 // depth
    padded = np.pad(flat.astype(np.uint8), ((0, 0), (0, -flat.shape[1] % per_byte)))
    groups = padded.reshape(height, -1, per_byte)
    shifts = np.arange(per_byte - 1, -1, -1, dtype=np.uint8) * depth
    return np.bitwise_or.reduce(groups << shifts, axis=2)


def filtered(rows, stride, adaptive):
    """Filters rows (PNG §9): the type with the smallest sum of absolute differences, or none."""
    height, width = rows.shape
    if not adaptive:
        return np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()
    now = rows.astype(np.int64)
    left = np.zeros_like(now)
    left[:, stride:] = now[:, :-stride] if stride < width else 0
    up = np.zeros_like(now)
    up[1:] = now[:-1]
    corner = np.zeros_like(now)
    corner[1:] = left[:-1]
    estimate = left + up - corner
    a, b, c = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    paeth = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
    candidates = [((now - guess) & 255) for guess in (0, left, up, (left + up) // 2, paeth)]
    costs = np.stack([np.minimum(data, 256 - data).sum(axis=1) for data in candidates])
    best = costs.argmin(axis=0)
    lines = [
        bytes([best[y]]) + candidates[best[y]][y].astype(np.uint8).tobytes() for y in range(height)
    ]
    return b"".join(lines)


def png(samples, color, depth, *chunks, interlaced=False, after=()):
    """A PNG file; `chunks` precede IDAT, `after` follows it."""
    samples = samples.reshape(samples.shape[0], samples.shape[1], CHANNELS[color])
    height, width = samples.shape[:2]
    stride = max(1, CHANNELS[color] * depth // 8)
    adaptive = color != PALETTE and depth >= 8
    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [
            (0, 0, 8, 8),
            (4, 0, 8, 8),
            (0, 4, 4, 8),
            (2, 0, 4, 4),
            (0, 2, 2, 4),
            (1, 0, 2, 2),
            (0, 1, 1, 2),
        ]
    data = b""
    for x, y, dx, dy in passes:
        part = samples[y::dy, x::dx]
        if part.size:
            data += filtered(rows_of(part, depth), stride, adaptive)
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, int(interlaced))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + b"".join(chunks)
        + chunk(b"IDAT", compressed(data))
        + b"".join(after)
        + chunk(b"IEND", b"")
    )


def palette_of(pixels):
    """A 6×6×6 cube and the indexes that come nearest."""
    levels = (pixels.astype(np.int64) * 5 + 127) // 255
    index = levels[..., 0] * 36 + levels[..., 1] * 6 + levels[..., 2]
    colors = bytes(
        51 * level for r in range(6) for g in range(6) for b in range(6) for level in (r, g, b)
    )
    return index.astype(np.uint8), colors


def hald(level):
    """The identity of a Hald image: a cube of level² steps a side, red fastest."""
    steps = level * level
    index = np.arange(steps**3)
    values = (np.arange(steps) * 255 * 2 + steps - 1) // (2 * (steps - 1))
    pixels = np.stack(
        [values[index % steps], values[index // steps % steps], values[index // steps**2]], axis=-1
    )
    return pixels.reshape(level**3, level**3, 3).astype(np.uint8)


def alpha_of(width, height):
    """Alpha with a soft disc, a clear corner and a ramp: 0, partial and full all occur."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    u, v = (x + 0.5) / width, (y + 0.5) / height
    distance = np.sqrt((u - 0.5) ** 2 + (v - 0.5) ** 2)
    alpha = np.clip(1.6 - 3.0 * distance, 0.0, 1.0)
    return np.where(v > 0.9, u, np.where((u < 0.1) & (v < 0.1), 0.0, alpha))


def charts():
    """Yields (name, bytes, purpose) of charts whose filtered values can be worked out by hand."""
    y, x = np.mgrid[0:64, 0:64]
    yield "chart-step.png", png(
        np.where(x < 32, 64, 192), GRAY, 8
    ), "one vertical edge from 64 to 192 between columns 31 and 32"
    yield "chart-checker.png", png(
        np.where((x // 8 + y // 8) % 2 == 0, 32, 224), GRAY, 8
    ), "8-pixel squares of 32 and 224"
    impulse = np.full((63, 63), 0)
    impulse[31, 31] = 255
    yield "chart-impulse.png", png(
        impulse, GRAY, 8
    ), "one white pixel in the middle of black: the kernel's own picture"
    ramp = np.arange(256)
    rows = [
        np.stack([ramp * c for c in color], axis=-1)
        for color in ((1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 0, 1))
    ]
    yield "chart-ramp.png", png(
        np.repeat(np.stack(rows), 8, axis=0), RGB, 8
    ), "every level of gray and of six colours, eight rows each"
    yield "ramp-16.png", png(
        np.tile(np.arange(512) * 65535 // 511, (8, 1)), GRAY, 16
    ), "512 levels between 0 and 65535"
    alpha = np.stack([np.tile(np.arange(256), (16, 1))] * 2, axis=-1)
    alpha[..., 0] = np.where(np.arange(16)[:, None] < 8, 255, 0)
    yield "chart-alpha-ramp.png", png(alpha, GRAY_ALPHA, 8), "white above black under every alpha"
    yield "hald-8.png", png(hald(8), RGB, 8), "identity Hald image of level 8: 64 steps a side"


def inputs():
    """Yields (name, bytes, purpose)."""
    image = scene.photo(96, 72, 9)
    gray, alpha = scene.luma(image), alpha_of(96, 72)

    for depth in (1, 2, 4, 8, 16):
        yield f"png-gray-{depth}.png", png(
            scene.bits(gray, depth), GRAY, depth
        ), f"gray, {depth} bit"
    for depth in (8, 16):
        with_alpha = np.stack([gray, alpha], axis=-1)
        yield f"png-gray-alpha-{depth}.png", png(
            scene.bits(with_alpha, depth), GRAY_ALPHA, depth
        ), f"gray and alpha, {depth} bit"
        yield f"png-rgb-{depth}.png", png(
            scene.bits(image, depth), RGB, depth
        ), f"RGB, {depth} bit"
        with_alpha = np.concatenate([image, alpha[..., None]], axis=-1)
        yield f"png-rgba-{depth}.png", png(
            scene.bits(with_alpha, depth), RGBA, depth
        ), f"RGB and alpha, {depth} bit"

    rgb = scene.bits(image, 8)
    index, colors = palette_of(rgb)
    yield "png-palette.png", png(
        index, PALETTE, 8, chunk(b"PLTE", colors)
    ), "216 palette colours, 8 bit"
    four = bytes.fromhex("101020c03030f0d040f8f8f8")
    yield "png-palette-2.png", png(
        scene.bits(gray, 2), PALETTE, 2, chunk(b"PLTE", four)
    ), "four palette colours, 2 bit"
    clear = bytes(i for i in range(0, 216))
    yield "png-palette-trns.png", png(
        index, PALETTE, 8, chunk(b"PLTE", colors), chunk(b"tRNS", clear)
    ), "palette with an alpha for each colour"
    key = struct.pack(">3H", *(int(v) for v in rgb[36, 48]))
    yield "png-rgb-trns.png", png(
        rgb, RGB, 8, chunk(b"tRNS", key)
    ), "RGB with one transparent colour, that of the pixel (48, 36)"
    key = struct.pack(">H", int(scene.bits(gray, 8)[36, 48]))
    yield "png-gray-trns.png", png(
        scene.bits(gray, 8), GRAY, 8, chunk(b"tRNS", key)
    ), "gray with one transparent level, that of the pixel (48, 36)"
    yield "png-interlaced.png", png(rgb, RGB, 8, interlaced=True), "Adam7, RGB 8 bit"
    yield "png-interlaced-1x1.png", png(
        rgb[:1, :1], RGB, 8, interlaced=True
    ), "Adam7 with six empty passes"
    yield "png-interlaced-gray-2.png", png(
        scene.bits(gray, 2)[:23, :37], GRAY, 2, interlaced=True
    ), "Adam7, packed samples, odd size"

    profile = chunk(b"iCCP", b"test-images\0\0" + compressed(metadata.display_p3_profile()))
    yield "png-icc.png", png(rgb, RGB, 8, profile), "Display P3 profile in iCCP"
    yield "png-srgb.png", png(
        rgb, RGB, 8, chunk(b"sRGB", b"\0"), chunk(b"gAMA", struct.pack(">I", 45455))
    ), "sRGB and gAMA chunks"
    packet = b"XML:com.adobe.xmp\0\0\0\0\0" + metadata.xmp("Lake", 3)
    yield "png-text.png", png(
        rgb,
        RGB,
        8,
        chunk(b"iTXt", packet),
        chunk(b"tEXt", b"Title\0A lake"),
        chunk(b"zTXt", b"Comment\0\0" + compressed(b"compressed text " * 40)),
        chunk(b"pHYs", struct.pack(">IIB", 2835, 2835, 1)),
        after=(chunk(b"tEXt", b"Software\0test-images 1"),),
    ), "XMP in iTXt, tEXt before and behind the pixels, zTXt, pHYs"

    letter = scene.bits(scene.letter(37, 23), 8)
    for orientation in range(1, 9):
        block = chunk(b"eXIf", metadata.orientation_exif(">", orientation))
        yield f"orientation-odd-{orientation}.png", png(
            scene.rotated_into_file(letter, orientation), RGB, 8, block
        ), (f"the F chart under orientation {orientation} in eXIf, 37×23 upright")
    yield from charts()
