#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what the editor shows with what is saved.

At 100 %, the editor shows the pixels of the file that Save writes. At a smaller size, it shows the
saved samples reduced: the differences by CIEDE2000 are at most 1 on average, and at most 3 for
99 % of the pixels.

Usage: pixels.py [WORD...]   compare the edits whose name contains a word (default: all)
"""

import io
import json
import sys

from browser import require
from harness import ROOT, Checks, equal, until
from scenarios import EditorPage

check = Checks()

EDITS = {
    "tone curves": ["exposure:ev=0.6", "curve:points=0:0/0.3:0.2/0.8:0.9/1:1"],
    "levels of a channel": ["levels:inBlack=0.05,inWhite=0.9,channel=r"],
    "white balance and vibrance": ["whiteBalance:temperature=4800", "vibrance:amount=0.5"],
    "color in a perceptual space": ["oklch:chroma=1.3,hue=20"],
    "a look": ["look.chrome"],
    "statistics of the image": ["autoLevels:clipLow=1,clipHigh=1"],
    "neighborhoods": ["clarity:amount=0.6", "unsharpMask:sigma=3,amount=0.8"],
    "shadows and highlights": ["shadowsHighlights:shadows=0.6,highlights=-0.4"],
    "crop and straighten": ["straighten:angle=4", "crop:x=0.1,y=0.1,w=0.7,h=0.8"],
    "perspective": ["perspective:tl=0.05:0.04,tr=0.95:0,br=1:1,bl=0:0.97"],
    "a vignette and grain": ["vignette:amount=0.7", "grain:amount=0.2,size=3"],
    "masks and branches": "landscape-masks",
}


def lab(pixels):
    import numpy
    linear = numpy.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    matrix = numpy.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722],
                          [0.0193, 0.1192, 0.9505]])
    xyz = linear @ matrix.T / numpy.array([0.95047, 1.0, 1.08883])
    root = numpy.where(xyz > 0.008856, numpy.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return numpy.stack([116 * root[..., 1] - 16, 500 * (root[..., 0] - root[..., 1]),
                        200 * (root[..., 1] - root[..., 2])], -1)


def delta(first, second):
    """The color differences by CIEDE2000 of two images with samples from 0 to 1."""
    import numpy as np
    (l1, a1, b1), (l2, a2, b2) = (np.moveaxis(lab(image), -1, 0) for image in (first, second))
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    gain = 1 + 0.5 * (1 - np.sqrt(mean ** 7 / (mean ** 7 + 25.0 ** 7)))
    c1, c2 = np.hypot(a1 * gain, b1), np.hypot(a2 * gain, b2)
    h1 = np.degrees(np.arctan2(b1, a1 * gain)) % 360
    h2 = np.degrees(np.arctan2(b2, a2 * gain)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2)
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    middle = np.radians((h1 + turn / 2) % 360)
    t = (1 - 0.17 * np.cos(middle - np.radians(30)) + 0.24 * np.cos(2 * middle)
         + 0.32 * np.cos(3 * middle + np.radians(6)) - 0.2 * np.cos(4 * middle - np.radians(63)))
    sl = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = (-2 * np.sqrt(chroma ** 7 / (chroma ** 7 + 25.0 ** 7)) * np.sin(
        np.radians(60 * np.exp(-(((np.degrees(middle) - 275) / 25) ** 2)))))
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, hue / sh
    return np.sqrt(np.maximum(0, dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh))


def differences(shown, expected):
    """The mean and the 99th percentile of the differences, without the edges."""
    import numpy
    pixels = [numpy.asarray(image.convert("RGB"), numpy.float64)[4:-4, 4:-4] / 255
              for image in (shown, expected)]
    values = delta(*pixels)
    return values.mean(), numpy.percentile(values, 99)


def save(work, edit):
    """Edits a photo with the command line; returns it, and the samples that the encoder got."""
    from PIL import Image
    photo = work.photo()
    if isinstance(edit, str):
        stored = json.loads((ROOT / f"TestImages/goldens/{edit}/graph.json").read_text())
        stored.pop("source")
        stored["nodes"][0]["params"]["width"] = 1024
        (work.path / "graph.json").write_text(json.dumps(stored))
        arguments = ["--graph", work.path / "graph.json"]
    else:
        arguments = [part for name in edit for part in ("--filter", name)]
    work.run("apply", *arguments, photo)
    (work.path / "saved.json").write_text(json.dumps(work.json("show", photo)["graph"]))
    work.run("render", photo, "--graph", work.path / "saved.json", "--raster",
             work.path / "saved.png", "-o", work.path / "saved.jpg")
    return photo, Image.open(work.path / "saved.png").convert("RGB")


def shown(work, photo, width, height):
    """The photo as painted on the screen."""
    from PIL import Image
    with EditorPage(work, width=width, height=height) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("h"))
        until(lambda: page.run("""const canvas = document.querySelector('.frame > canvas');
          return document.querySelector('.editor').dataset.busy === 'false' &&
            canvas.width === Math.round(canvas.getBoundingClientRect().width)"""), "the last still")
        box = page.run("""const box = document.querySelector('.frame > canvas')
          .getBoundingClientRect(); return [box.left, box.top, box.width, box.height]""")
        shot = Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
    left, top, width, height = (round(value) for value in box)
    return shot.crop((left, top, left + width, top + height))


def compare(work, edit):
    from PIL import Image
    photo, samples = save(work, edit)
    image = shown(work, photo, 1700, 980)
    equal(image.size, samples.size)
    mean, most = differences(image, Image.open(work.path / "photo-1024.edited.jpg"))
    print(f"      at 100 %: mean {mean:.3f}, 99 % {most:.2f}", flush=True)
    assert mean <= 0.05 and most <= 0.5, f"ΔE2000: mean {mean:.3f}, 99 % {most:.2f}"
    image = shown(work, photo, 1100, 620)
    assert image.width < samples.width, image.size
    # Between the samples and the screen is only the JPEG of the preview: the same is done here.
    work.run("render", photo, "--graph", work.path / "saved.json",
             "--filter", f"resize:width={image.width},height={image.height}",
             "--raster", work.path / "reduced.png", "-o", work.path / "reduced.jpg")
    coded = io.BytesIO()
    Image.open(work.path / "reduced.png").convert("RGB").save(
        coded, "JPEG", quality=90, subsampling=0)
    mean, most = differences(image, Image.open(coded))
    print(f"      reduced:  mean {mean:.3f}, 99 % {most:.2f} at {image.size}", flush=True)
    assert mean <= 1 and most <= 3, f"ΔE2000: mean {mean:.2f}, 99 % {most:.2f}"


for name, edit in EDITS.items():
    check(f"the editor shows the pixels of Save: {name}")(lambda work, edit=edit: compare(work, edit))


if __name__ == "__main__":
    require()
    sys.exit(check.run(sys.argv[1:]))
