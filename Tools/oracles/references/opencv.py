# SPDX-License-Identifier: Apache-2.0
"""OpenCV: windows, histograms and guided filters."""

import math

import numpy

from harness import light
from harness.rows import reference
from references.python import three


def _float(image):
    return light.floats(image).astype(numpy.float32)


@reference("opencv")
def gaussian(image, sigma):
    """GaussianBlur(float32, ksize=2 ceil(4 sigma) + 1, BORDER_REPLICATE)"""
    import cv2

    side = 2 * math.ceil(4 * sigma) + 1
    return cv2.GaussianBlur(
        _float(image), (side, side), sigma, borderType=cv2.BORDER_REPLICATE
    ).astype(numpy.float64)


@reference("opencv")
def box(image, radius, linear=False):
    """blur(float64, ksize=2 radius + 1, BORDER_REPLICATE)"""
    import cv2

    values = light.floats(image)
    if linear:
        values = light.decode(values)
    side = 2 * radius + 1
    result = cv2.blur(values, (side, side), borderType=cv2.BORDER_REPLICATE)
    return light.encode(result) if linear else result


@reference("opencv")
def median(image, radius):
    """medianBlur(uint8, 2 radius + 1)"""
    import cv2

    return cv2.medianBlur(image, 2 * radius + 1)


@reference("opencv")
def bilateral(image, diameter, color, space):
    """bilateralFilter(float32, BORDER_REPLICATE)"""
    import cv2

    return cv2.bilateralFilter(
        _float(image), diameter, color, space, borderType=cv2.BORDER_REPLICATE
    ).astype(numpy.float64)


@reference("opencv")
def correlate(image, kernel, divisor=0, bias=0.0):
    """filter2D(float64, BORDER_REPLICATE)"""
    import cv2

    side = math.isqrt(len(kernel))
    weights = numpy.array(kernel, numpy.float64).reshape(side, side)
    weights /= divisor or weights.sum() or 1
    values = light.floats(image)
    return cv2.filter2D(values, -1, weights, borderType=cv2.BORDER_REPLICATE) + bias


@reference("opencv")
def edges(image, output, scale=1.0):
    """Sobel(luma601 as float64, ksize=3, BORDER_REPLICATE)"""
    import cv2

    luma = light.luma601(light.floats(image))

    def slope(x, y):
        return cv2.Sobel(luma, -1, x, y, ksize=3, borderType=cv2.BORDER_REPLICATE)

    across, down = slope(1, 0), slope(0, 1)
    chosen = {"x": across, "y": down, "magnitude": numpy.hypot(across, down)}[output]
    return three(chosen * scale)


@reference("opencv")
def grayscale(image):
    """cvtColor(float32, COLOR_RGB2GRAY)"""
    import cv2

    return three(cv2.cvtColor(_float(image), cv2.COLOR_RGB2GRAY).astype(numpy.float64))


@reference("opencv")
def threshold(image, level):
    """threshold(cvtColor(float32, COLOR_RGB2GRAY), THRESH_BINARY)"""
    import cv2

    luma = cv2.cvtColor(_float(image), cv2.COLOR_RGB2GRAY)
    return three(cv2.threshold(luma, level, 1, cv2.THRESH_BINARY)[1].astype(numpy.float64))


@reference("opencv")
def otsu(image):
    """threshold(luma601 as uint8, THRESH_OTSU)"""
    import cv2

    # In whole numbers: a luma of just a half would fall where rounding puts it.
    levels = numpy.rint(light.floats(image) * 255).astype(int)
    luma = ((levels @ [299, 587, 114] + 500) // 1000).astype(numpy.uint8)
    return three(cv2.threshold(luma, 0, 255, cv2.THRESH_OTSU)[1])


@reference("opencv")
def equalize(image):
    """equalizeHist of a gray picture"""
    import cv2

    return three(cv2.equalizeHist(numpy.ascontiguousarray(image[:, :, 0])))


@reference("opencv")
def clahe(image, clip, tiles):
    """createCLAHE(clip, tiles).apply of a gray picture"""
    import cv2

    plane = numpy.ascontiguousarray(image[:, :, 0])
    return three(cv2.createCLAHE(clip, tiles).apply(plane))


def guided(luma, radius, epsilon):
    """A plane smoothed with itself as the guide."""
    return guided_by(luma, luma, radius, epsilon)


def guided_by(guide, plane, radius, epsilon):
    """A plane smoothed with another one as the guide."""
    import cv2

    guide, plane = guide.astype(numpy.float32), plane.astype(numpy.float32)
    return cv2.ximgproc.guidedFilter(guide, plane, radius, epsilon).astype(numpy.float64)


@reference("opencv", "scipy")
def dehaze(image, amount, patch, least, airlight=None):
    """scipy.ndimage.minimum_filter(mode='nearest') of the channels, ximgproc.guidedFilter by Y'"""
    from scipy import ndimage

    values = light.floats(image)
    if airlight is None:
        dark = ndimage.minimum_filter(image.min(axis=2), patch, mode="nearest")
        # Pixels that are white in all channels are no haze.
        measured = image.min(axis=2) < 255
        counts = numpy.bincount(dark[measured], minlength=256)
        counts[0] += numpy.count_nonzero(~measured)
        level = 255 - numpy.argmax(numpy.cumsum(counts[::-1]) > int(dark.size * 0.001))
        found = image[measured & (dark >= level)]

        def median(levels):
            levels = numpy.sort(levels[levels > 0])
            return levels[len(levels) // 2] if len(levels) else 0

        medians = [max(0.4, median(found[:, channel]) / 255) for channel in range(3)]
        airlight = (numpy.array(medians) + numpy.mean(medians)) / 2
    airlight = numpy.array(airlight, numpy.float64)
    if amount < 0:
        return values * (1 + 0.6 * amount) - 0.6 * amount * airlight
    dark = ndimage.minimum_filter((values / airlight).min(axis=2), patch, mode="nearest")
    smooth = guided_by(light.luma601(values), dark, 4 * patch, 0.001)
    transmission = numpy.maximum(1 - 0.76 * amount * smooth, least)[:, :, None]
    return (values - airlight) / transmission + airlight


@reference("opencv")
def clarity(image, amount, radius, epsilon):
    """Y' + amount (Y' − ximgproc.guidedFilter(Y', Y'))"""
    values = light.floats(image)
    luma = light.luma601(values)
    pixels = max(1, math.floor(radius * max(luma.shape) + 0.5))
    return values + (amount * (luma - guided(luma, pixels, epsilon)))[:, :, None]


@reference("opencv")
def clarity_weighted(image, amount, radius, epsilon):
    """Y' + amount (1 − mean a)(Y' − mean m), m weighted by 0.001 + (1 − a)⁴: blur(BORDER_REFLECT)"""
    import cv2

    values = light.floats(image)
    luma = light.luma601(values)
    pixels = max(1, math.floor(radius * max(luma.shape) + 0.5))
    height, width = luma.shape

    def mean(plane):
        # blur() refuses borders wider than the image.
        wide = numpy.pad(plane, 2 * pixels, mode="symmetric")
        side = 2 * pixels + 1
        return cv2.blur(wide, (side, side))[2 * pixels :, 2 * pixels :][:height, :width]

    m = mean(luma)
    variance = numpy.maximum(mean(luma * luma) - m * m, 0)
    a = variance / (variance + epsilon)
    weight = 0.001 + (1 - a) ** 4
    detail = (1 - mean(a)) * (luma - mean(weight * m) / mean(weight))
    return values + (amount * detail)[:, :, None]
