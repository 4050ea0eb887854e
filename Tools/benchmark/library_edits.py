# SPDX-License-Identifier: Apache-2.0
"""Edit one photo with a Python library, as a user script would; runs as a measured program.

usage: library_edits.py LIBRARY EDIT INPUT OUTPUT
   or: library_edits.py versions        print the installed libraries as JSON

exit codes: 0 done · 69 a library, or a part of it, is missing
"""

import sys

UNAVAILABLE = 69

BRIGHTNESS, CONTRAST, SATURATION, SIGMA, AMOUNT, QUALITY = 0.05, 1.1, 1.2, 2, 0.5, 90


def color_matrix():
    """Brightness, contrast around the middle, and saturation as matrix rows and an offset."""
    luma = (0.2126, 0.7152, 0.0722)
    offset = 255 * (CONTRAST * (BRIGHTNESS - 0.5) + 0.5)
    rows = [
        [
            CONTRAST * ((1 - SATURATION) * luma[column] + SATURATION * (row == column))
            for column in range(3)
        ]
        for row in range(3)
    ]
    return rows, offset


def pillow(edit, source, target):
    from PIL import Image, ImageEnhance, ImageFilter

    image = Image.open(source)
    if edit == "gray":
        image = image.convert("L")
    else:
        image = ImageEnhance.Brightness(image).enhance(1 + BRIGHTNESS)
        image = ImageEnhance.Contrast(image).enhance(CONTRAST)
        image = ImageEnhance.Color(image).enhance(SATURATION)
        image = image.filter(ImageFilter.UnsharpMask(SIGMA, int(AMOUNT * 100), 0))
    image.save(target, quality=QUALITY)


def opencv(edit, source, target):
    import cv2
    import numpy

    if edit == "gray":
        image = cv2.imread(source, cv2.IMREAD_GRAYSCALE)
    else:
        rows, offset = color_matrix()
        # OpenCV's channels are blue, green, red.
        rows = [row[::-1] + [offset] for row in reversed(rows)]
        image = cv2.transform(cv2.imread(source), numpy.array(rows, numpy.float32))
        blurred = cv2.GaussianBlur(image, (0, 0), SIGMA)
        image = cv2.addWeighted(image, 1 + AMOUNT, blurred, -AMOUNT, 0)
    cv2.imwrite(target, image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def pyvips(edit, source, target):
    import pyvips

    image = pyvips.Image.new_from_file(source, access="sequential")
    if edit == "gray":
        image = image.colourspace("b-w")
    else:
        rows, offset = color_matrix()
        image = (image.recomb(pyvips.Image.new_from_array(rows)) + offset).cast("uchar")
        blurred = image.gaussblur(SIGMA)
        image = (image * (1 + AMOUNT) - blurred * AMOUNT).cast("uchar")
    image.jpegsave(target, Q=QUALITY)


def versions():
    import json

    def pillow():
        import PIL.Image

        return PIL.__version__

    def opencv():
        import cv2
        import numpy

        return f"{cv2.__version__} (numpy {numpy.__version__})"

    def pyvips():
        import pyvips

        library = ".".join(str(pyvips.version(part)) for part in range(3))
        return f"{library} (binding {pyvips.__version__})"

    def skimage():
        import pywt  # noqa: F401 (imported by the wavelet functions)
        import skimage

        return skimage.__version__

    found = {}
    competitors = {"Pillow": pillow, "OpenCV": opencv, "pyvips": pyvips, "skimage": skimage}
    for name, version in competitors.items():
        # Incomplete installations fail in different ways: ImportError, AttributeError of an
        # incompatible numpy, OSError of a missing shared library, …
        try:
            found[name] = version()
        except Exception as error:
            print(f"{name}: {error}", file=sys.stderr)
    print(json.dumps({"python": sys.executable, "versions": found}))


def edit(library, name, source, target):
    made = {"Pillow": pillow, "OpenCV": opencv, "pyvips": pyvips}
    if name.startswith("detail."):
        import library_details

        name = name.removeprefix("detail.")
        made = {"OpenCV": library_details.opencv, "skimage": library_details.skimage}
    made[library](name, source, target)


if __name__ == "__main__":
    if sys.argv[1] == "versions":
        versions()
    else:
        try:
            edit(*sys.argv[1:])
        except (ImportError, AttributeError) as error:
            # "module 'cv2' has no attribute 'ximgproc'": a build without that part.
            print(f"{sys.argv[1]} lacks a part: {error}", file=sys.stderr)
            sys.exit(UNAVAILABLE)
