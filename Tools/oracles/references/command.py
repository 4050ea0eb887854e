# SPDX-License-Identifier: Apache-2.0
"""ImageMagick, libvips and ffmpeg, run as programs on PPM or raw samples."""

import subprocess
import tempfile
from pathlib import Path

import numpy

import references
from harness import images
from harness.rows import reference


def _run(name, arguments, data):
    done = subprocess.run([references.program(name), *arguments], input=data, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{name}: {done.stderr.decode(errors='replace').strip()[-300:]}")
    return done.stdout


@reference("imagemagick")
def convert(image, *arguments, assets=()):
    """convert ppm:- … -depth 16 ppm:-"""
    with tempfile.TemporaryDirectory(prefix="oracles-im-") as folder:
        for name, data in assets:
            (Path(folder) / name).write_bytes(data)
        words = [str(word).replace("@", folder + "/", 1) for word in arguments]
        output = _run(
            "imagemagick", ["ppm:-", *words, "-depth", "16", "ppm:-"], images.ppm(image)
        )
    return images.netpbm(output)


@reference("vips")
def recomb(image, matrix):
    """vips recomb, in float"""
    with tempfile.TemporaryDirectory(prefix="oracles-vips-") as folder:
        path = Path(folder)
        (path / "in.ppm").write_bytes(images.ppm(image))
        rows = "\n".join(" ".join(map(str, line)) for line in matrix)
        (path / "m.mat").write_text(f"{len(matrix[0])} {len(matrix)}\n{rows}\n")
        files = {name: str(path / name) for name in ("in.ppm", "out.v", "m.mat", "out.raw")}
        _run("vips", ["recomb", files["in.ppm"], files["out.v"], files["m.mat"]], b"")
        _run("vips", ["rawsave", files["out.v"], files["out.raw"]], b"")
        values = numpy.frombuffer((path / "out.raw").read_bytes(), numpy.float32)
    # libvips keeps levels as they are when it turns them into floats.
    return values.reshape(image.shape).astype(numpy.float64) / 255


@reference("ffmpeg")
def ffmpeg(image, graph, assets=()):
    """ffmpeg -f rawvideo -pix_fmt rgb24 -vf … -f rawvideo -pix_fmt rgb24"""
    height, width = image.shape[:2]
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24"]
    with tempfile.TemporaryDirectory(prefix="oracles-ffmpeg-") as folder:
        for name, data in assets:
            (Path(folder) / name).write_bytes(data)
        output = _run(
            "ffmpeg",
            ["-v", "error", *raw, "-s", f"{width}x{height}", "-i", "-"]
            + ["-filter_complex", graph.replace("@", folder + "/"), "-frames:v", "1", *raw, "-"],
            numpy.ascontiguousarray(image).tobytes(),
        )
    return numpy.frombuffer(output, numpy.uint8).reshape(height, width, 3)
