# SPDX-License-Identifier: Apache-2.0
"""Writes the JPEG inputs: every sampling and process in use, metadata, orientations and odd sizes."""

import io
import struct
import subprocess

import numpy as np
from PIL import Image

import metadata
import scene


def encode(pixels, **options):
    """Encodes with Pillow's libjpeg-turbo; gray, RGB or CMYK by the shape of the array."""
    mode = "L" if pixels.ndim == 2 else {3: "RGB", 4: "CMYK"}[pixels.shape[2]]
    size = (pixels.shape[1], pixels.shape[0])
    image = Image.frombytes(mode, size, np.ascontiguousarray(pixels).tobytes())
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", **{"quality": 90, "subsampling": "4:2:0", **options})
    return buffer.getvalue()


def run(tool, data, *arguments):
    return subprocess.run([tool, *arguments], input=data, stdout=subprocess.PIPE, check=True).stdout


def cjpeg(pixels, *arguments):
    """Encodes with cjpeg, for options that Pillow does not have."""
    head = b"P6\n%d %d\n255\n" % (pixels.shape[1], pixels.shape[0])
    return run("cjpeg", head + np.ascontiguousarray(pixels).tobytes(), "-quality", "90", *arguments)


def segment(marker, payload):
    return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload


def segments(data):
    """Yields (marker, start, end) of each segment from SOI (exclusive) to SOS."""
    at = 2
    while True:
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        yield marker, at, at + 2 + length
        at += 2 + length
        if marker == 0xDA:
            return


def find(data, *markers):
    """The offset of the first segment with one of the markers."""
    return next((start, end) for marker, start, end in segments(data) if marker in markers)


def with_segments(data, *added):
    """Inserts segments after APP0, like cameras and editors."""
    end = find(data, 0xE0)[1] if data[3] == 0xE0 else 2
    return data[:end] + b"".join(added) + data[end:]


def without_segment(data, marker):
    start, end = find(data, marker)
    return data[:start] + data[end:]


def exif_segment(block):
    return segment(0xE1, b"Exif\0\0" + block)


def icc_segments(profile, part=1 << 16):
    """The profile in APP2 segments, split according to ICC.1 annex B.4."""
    part = min(part, 65519)
    parts = [profile[i : i + part] for i in range(0, len(profile), part)]
    return [
        segment(0xE2, b"ICC_PROFILE\0" + bytes([index + 1, len(parts)]) + payload)
        for index, payload in enumerate(parts)
    ]


def camera_segments(width, height, orientation, order, thumbnail_pixels):
    thumbnail = encode(thumbnail_pixels, quality=60)
    return [
        exif_segment(metadata.camera_exif(order, width, height, orientation, thumbnail)),
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + metadata.xmp("Lake and balloons", 4)),
        *icc_segments(metadata.srgb_profile()),
        segment(0xED, b"Photoshop 3.0\0" + metadata.iptc("Lake and balloons", ["lake", "Flügel"])),
    ]


def cmyk_component(pixels):
    """CMYK with black generated in full: ink 0 to 255, integers only."""
    rgb = pixels.astype(np.int64)
    top = rgb.max(axis=2)
    safe = np.maximum(top, 1)
    colors = [255 - (rgb[..., c] * 255 + safe // 2) // safe for c in range(3)]
    return np.stack([*colors, 255 - top], axis=-1).clip(0, 255).astype(np.uint8)


def ycck(cmyk):
    """YCCK with Adobe's marker, transform 2.

    Pillow writes four planes as they are (inverted) and says "CMYK"; the planes are converted here
    and the marker's last byte and the component identifiers say what they are.
    """
    planes = cmyk.astype(np.float64)
    c, m, y = planes[..., 0], planes[..., 1], planes[..., 2]
    luma = 0.299 * c + 0.587 * m + 0.114 * y
    cb = 128.0 - 0.168735892 * c - 0.331264108 * m + 0.5 * y
    cr = 128.0 + 0.5 * c - 0.418687589 * m - 0.081312411 * y
    stored = np.stack([luma, cb, cr, 255.0 - planes[..., 3]], axis=-1)
    stored = np.clip(np.floor(stored + 0.5), 0, 255).astype(np.uint8)
    data = bytearray(encode(255 - stored, subsampling="4:4:4"))
    data[find(data, 0xEE)[1] - 1] = 2
    for marker, step, first in ((0xC0, 3, 10), (0xDA, 2, 5)):
        start = find(data, marker)[0]
        for index in range(4):
            data[start + first + step * index] = index + 1
    return bytes(data)


def bare_cmyk(cmyk):
    """CMYK without Adobe's marker, inverted as with it."""
    return without_segment(encode(cmyk, subsampling="4:4:4"), 0xEE)


def rotated(data, orientation):
    """Transforms coefficients for an orientation; jpegtran fails unless the transform is lossless."""
    rotation = {
        2: ("-flip", "horizontal"),
        3: ("-rotate", "180"),
        4: ("-flip", "vertical"),
        5: ("-transpose",),
        6: ("-rotate", "270"),
        7: ("-transverse",),
        8: ("-rotate", "90"),
    }.get(orientation, ())
    rotated_data = run("jpegtran", data, "-perfect", "-copy", "none", *rotation)
    return with_segments(rotated_data, exif_segment(metadata.orientation_exif(">", orientation)))


def inputs():
    """Yields (name, bytes, purpose)."""
    landscape = scene.bits(scene.photo(512, 384, 7), 8)
    portrait = scene.rotated_into_file(scene.bits(scene.photo(384, 512, 11), 8), 6)
    small = scene.bits(scene.photo(240, 176, 3), 8)
    tiny = scene.bits(scene.photo(160, 120, 7), 8)

    yield "photo-landscape.jpg", with_segments(
        encode(landscape, quality=92), *camera_segments(512, 384, 1, "<", tiny)
    ), "a camera's photo: 4:2:0, EXIF with GPS, maker note and thumbnail, XMP, IPTC, sRGB profile"
    yield "photo-portrait.jpg", with_segments(
        encode(portrait, quality=92),
        *camera_segments(
            512, 384, 6, ">", scene.rotated_into_file(scene.bits(scene.photo(120, 160, 11), 8), 6)
        ),
    ), "a phone's portrait: stored lying, orientation 6, big-endian EXIF"
    yield "photo-1024.jpg", encode(
        scene.bits(scene.photo(1024, 768, 7), 8)
    ), "the photo of the README and of benchmarks"
    yield "photo-64.jpg", encode(
        scene.bits(scene.photo(64, 48, 7), 8)
    ), "the smallest useful photo, for fuzz seeds and quick tests"

    yield "jpeg-progressive.jpg", encode(small, progressive=True), "progressive, ten scans"
    yield "jpeg-arithmetic.jpg", cjpeg(small, "-arithmetic"), "arithmetic coding (SOF9)"
    yield "jpeg-444.jpg", encode(small, subsampling="4:4:4"), "no chroma subsampling"
    yield "jpeg-422.jpg", encode(small, subsampling="4:2:2"), "chroma halved across"
    yield "jpeg-440.jpg", cjpeg(small, "-sample", "1x2"), "chroma halved down"
    yield "jpeg-411.jpg", cjpeg(small, "-sample", "4x1"), "chroma quartered across"
    yield "jpeg-restart.jpg", encode(
        small, restart_marker_rows=1
    ), "a restart marker for each MCU row, as phones write"
    yield "jpeg-gray.jpg", encode(
        scene.bits(scene.luma(scene.photo(240, 176, 3)), 8)
    ), "one component"
    yield "jpeg-rgb.jpg", encode(
        small, subsampling="4:4:4", keep_rgb=True
    ), "RGB components without conversion to YCbCr"
    yield "jpeg-display-p3.jpg", with_segments(
        encode(small), *icc_segments(metadata.display_p3_profile(), part=200)
    ), "Display P3 matrix profile, cut into three APP2 segments"

    cmyk = cmyk_component(small[::2, ::2])
    yield "jpeg-cmyk.jpg", encode(
        cmyk, subsampling="4:4:4"
    ), "CMYK with Adobe's marker, inverted as Photoshop writes it"
    yield "jpeg-ycck.jpg", ycck(cmyk), "YCCK with Adobe's marker, transform 2"
    yield "jpeg-cmyk-no-adobe.jpg", bare_cmyk(
        cmyk
    ), "CMYK without Adobe's marker, inverted as with it"

    plain = encode(small[::2, ::2])
    yield "jpeg-comment.jpg", with_segments(
        plain, segment(0xFE, "a comment, ünïcode".encode())
    ), "a COM segment"
    yield "jpeg-unknown-app.jpg", with_segments(
        plain, segment(0xE7, b"org.example.test\0" + bytes(range(256)))
    ), "an APP7 segment nobody knows, with every byte value"
    yield "jpeg-trailing-bytes.jpg", plain + b"\0\0trailing bytes behind EOI\xff\xd8\xff", "bytes behind EOI that look like a further image"
    start = find(plain, 0xDB)[0]
    yield "jpeg-extraneous-bytes.jpg", plain[:start] + b"\x00\x11\x22" + plain[
        start:
    ], "three stray bytes before a marker, which libjpeg skips with a warning"

    for width, height in ((1, 1), (1, 17), (17, 1), (17, 31), (581, 387)):
        yield f"jpeg-{width}x{height}.jpg", encode(
            scene.bits(scene.photo(width, height, 5), 8)
        ), "a size that fills no whole MCU"

    chart = encode(scene.bits(scene.letter(160, 96), 8), quality=95)
    for orientation in range(1, 9):
        yield f"orientation-{orientation}.jpg", rotated(chart, orientation), (
            f"the F chart under orientation {orientation}; whole MCUs, coefficients turned without loss"
        )
