#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the sharpest photo of a series, improves it, and writes a contact sheet of all of them."""

import argparse
import io
import sys
from pathlib import Path

import numpy
import photoedit
import PIL.Image
import PIL.ImageDraw

SIDE, MARGIN = 240, 16


def sharpness(image: photoedit.Image) -> float:
    """The variance of the Laplacian, at a size at which noise does not count as detail."""
    pixels = image.pixels(sample=32, fit=1024)
    gray = pixels.numpy().reshape(pixels.height, pixels.width, -1).mean(axis=2)
    inner = gray[1:-1, 1:-1]
    laplacian = gray[:-2, 1:-1] + gray[2:, 1:-1] + gray[1:-1, :-2] + gray[1:-1, 2:] - 4 * inner
    return float(numpy.var(laplacian))


def contact_sheet(
        thumbnails: list[PIL.Image.Image], labels: list[str], best: int) -> PIL.Image.Image:
    """A row of thumbnails; that of the best photo has a frame."""
    step = SIDE + MARGIN
    sheet = PIL.Image.new("RGB", (step * len(thumbnails) + MARGIN, step + 2 * MARGIN), "white")
    draw = PIL.ImageDraw.Draw(sheet)
    for index, (thumbnail, label) in enumerate(zip(thumbnails, labels, strict=True)):
        left = MARGIN + step * index
        if index == best:
            frame = (left - 6, MARGIN - 6, left + SIDE + 5, MARGIN + SIDE + 5)
            draw.rectangle(frame, fill="orange")
        sheet.paste(thumbnail, (left + (SIDE - thumbnail.width) // 2,
                                MARGIN + (SIDE - thumbnail.height) // 2))  # fmt: skip
        draw.text((left, MARGIN + SIDE + 8), label, fill="black")
    return sheet


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path, help="write a contact sheet to this file")
    parser.add_argument("--improve", action="store_true", help="improve the sharpest photo")
    parser.add_argument("photos", type=Path, nargs="+")
    options = parser.parse_args()

    values, thumbnails = [], []
    try:
        for photo in options.photos:
            with photoedit.Image(photo) as image:
                values.append(sharpness(image))
                thumbnail = image.thumbnail(size=SIDE, format="png").data
            thumbnails.append(PIL.Image.open(io.BytesIO(thumbnail)))
        best = int(numpy.argmax(values))
        if options.improve:
            photoedit.apply(options.photos[best], auto=True)
    except photoedit.Error as error:
        print(error, file=sys.stderr)
        return error.exit
    if options.sheet:
        labels = [photo.name for photo in options.photos]
        contact_sheet(thumbnails, labels, best).save(options.sheet, quality=90)
    print(options.photos[best])
    return 0


if __name__ == "__main__":
    sys.exit(main())
