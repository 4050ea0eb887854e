# SPDX-License-Identifier: Apache-2.0
"""The recorded screenshots in TestImages/screens, and their comparison with new ones.

They are JPEG files because most of their area is photos, for which a PNG has ten times the size. A
new screenshot is compressed in the same way before it is compared, so equal pixels stay equal.
"""

import hashlib
import io
import json

from harness import ROOT

FOLDER = ROOT / "TestImages" / "screens"
MANIFEST = FOLDER.parent / "MANIFEST.json"
ORIGIN = "recorded by Tests/Web/screenshots.py"
QUALITY = 70
# A block of 8 by 8 pixels differs if the mean of its differences by CIEDE2000 is larger than this.
# Other antialiasing of the edges in a block stays below it; other text or another color does not.
BLOCK = 6.0
# The smallest control has more blocks than this.
BLOCKS = 6
# A large area in a slightly different color has no block that differs.
MEAN = 0.4
# Parts of goldens with text, for the test of the comparison.
SAMPLES = {"timeline-dark-wide": (slice(0, 46), slice(0, 160)),
           "keys-light-narrow": (slice(105, 185), slice(20, 370))}


def compressed(png):
    from PIL import Image
    out = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(out, "JPEG", quality=QUALITY, optimize=True)
    return out.getvalue()


def pixels(jpeg):
    import numpy
    from PIL import Image
    return numpy.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"), numpy.float64) / 255


def difference(found, expected):
    """The differences of two images of the same size, pixel by pixel."""
    import numpy
    from pixels import delta
    values = numpy.zeros(found.shape[:2])
    changed = (found != expected).any(-1)
    if changed.any():
        values[changed] = delta(found[changed], expected[changed])
    return values


def measured(found, expected):
    """The mean difference, and the number of blocks that differ."""
    values = difference(found, expected)
    height, width = (side // 8 * 8 for side in values.shape)
    blocks = values[:height, :width].reshape(height // 8, 8, width // 8, 8).mean((1, 3))
    return values.mean(), int((blocks > BLOCK).sum())


def is_equal(mean, blocks):
    return mean <= MEAN and blocks <= BLOCKS


def finding(name, png, folder):
    """The difference of a screenshot from its golden in words, or nothing; writes it as an image."""
    path = FOLDER / f"{name}.jpg"
    if not path.exists():
        return f"{name}: there is no golden"
    found, expected = pixels(compressed(png)), pixels(path.read_bytes())
    if found.shape != expected.shape:
        return f"{name}: the size is {found.shape[:2]} instead of {expected.shape[:2]}"
    mean, blocks = measured(found, expected)
    if is_equal(mean, blocks):
        return None
    import numpy
    from PIL import Image
    folder.mkdir(parents=True, exist_ok=True)
    map_ = numpy.repeat(numpy.clip(difference(found, expected) / 20, 0, 1)[..., None], 3, -1)
    sides = numpy.concatenate([expected, found, map_], 1)
    target = folder / f"{name}.png"
    Image.fromarray((sides * 255).astype("uint8")).save(target)
    return f"{name}: mean difference {mean:.2f}, {blocks} blocks differ; see {target}"


def record(shots):
    """Writes screenshots as goldens, with their lines of the manifest; removes all others."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        if path.stem not in shots:
            path.unlink()
    for name, png in shots.items():
        path = FOLDER / f"{name}.jpg"
        # An equal screen keeps its file.
        if not path.exists() or finding(name, png, ROOT / ".build" / "screens"):
            path.write_bytes(compressed(png))
    lines = [line for line in json.loads(MANIFEST.read_text()) if line["origin"] != ORIGIN]
    for path in FOLDER.iterdir():
        data = path.read_bytes()
        height, width = pixels(data).shape[:2]
        lines.append({
            "path": f"screens/{path.name}", "origin": ORIGIN, "licence": "CC0-1.0",
            "sha256": hashlib.sha256(data).hexdigest(), "width": width, "height": height,
            "purpose": f"the screen '{path.stem}' of the browser interface"})
    lines.sort(key=lambda line: line["path"])
    MANIFEST.write_text("[\n" + ",\n".join(
        "  " + json.dumps(line, ensure_ascii=False) for line in lines) + "\n]\n")


def self_test():
    """What the comparison does not find, or reports wrongly, in changes of goldens."""
    return [finding for name, part in SAMPLES.items() for finding in mistakes(name, *part)]


def mistakes(name, rows, columns):
    import numpy
    from PIL import Image
    expected = pixels((FOLDER / f"{name}.jpg").read_bytes())
    part = expected[rows, columns]
    smoothed, moved, tinted = (part.copy() for _ in range(3))
    smoothed[:, 1:] = 0.9 * part[:, 1:] + 0.1 * part[:, :-1]
    moved[2:] = part[:-2]
    tinted[..., 1:] *= 0.8
    for change, new, passes in (("smoother edges", smoothed, True), ("2 pixels lower", moved, False),
                                ("another color", tinted, False)):
        image = expected.copy()
        image[rows, columns] = new
        out = io.BytesIO()
        Image.fromarray((image * 255).astype("uint8")).save(out, "PNG")
        mean, blocks = measured(pixels(compressed(out.getvalue())), expected)
        if is_equal(mean, blocks) != passes:
            yield f"comparison of {name}: {change}: mean {mean:.2f}, {blocks} blocks"
