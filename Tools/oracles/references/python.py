# SPDX-License-Identifier: Apache-2.0
"""Pillow, scikit-image and scipy: geometry, tone, kernels."""

import io
import math

import numpy

from harness import light
from harness.rows import reference


def each(rgb, function):
    """A function of one plane, applied to each."""
    return numpy.stack([function(rgb[:, :, channel]) for channel in range(3)], axis=2)


def three(plane):
    """A plane as a gray image."""
    return numpy.repeat(numpy.asarray(plane)[:, :, None], 3, axis=2)


# MARK: Pillow


@reference("pillow")
def exif_transpose(image, orientation):
    """ImageOps.exif_transpose"""
    from PIL import Image, ImageOps

    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    Image.fromarray(image).save(file, "PNG", exif=exif)
    return numpy.asarray(ImageOps.exif_transpose(Image.open(file)).convert("RGB"))


@reference("pillow")
def resize(image, width, height, kernel, linear=False):
    """Image.fromarray(float32, mode='F').resize"""
    values = light.floats(image)
    if linear:
        return light.encode(resized(light.decode(values), width, height, kernel))
    return resized(values, width, height, kernel)


def resized(values, width, height, kernel):
    """Pillow's resize of three planes in float."""
    from PIL import Image

    filter = getattr(Image.Resampling, kernel)

    def plane(values):
        image = Image.fromarray(values.astype(numpy.float32), mode="F")
        return numpy.asarray(image.resize((width, height), filter), numpy.float64)

    return each(values, plane)


@reference("pillow")
def pillow_ops(image, operation, *arguments, **named):
    """ImageOps"""
    from PIL import Image, ImageOps

    result = getattr(ImageOps, operation)(Image.fromarray(image), *arguments, **named)
    return numpy.asarray(result.convert("RGB"))


@reference("pillow")
def colorize(image, black, white, mid=None, midpoint=127):
    """ImageOps.colorize(Image.convert('L'))"""
    from PIL import Image, ImageOps

    luma = Image.fromarray(image).convert("L")
    return numpy.asarray(ImageOps.colorize(luma, black, white, mid, midpoint=midpoint))


@reference("pillow")
def to_luma(image):
    """Image.convert('L')"""
    from PIL import Image

    return three(Image.fromarray(image).convert("L"))


@reference("pillow")
def color_enhance(image, factor):
    """ImageEnhance.Color"""
    from PIL import Image, ImageEnhance

    return numpy.asarray(ImageEnhance.Color(Image.fromarray(image)).enhance(factor))


@reference("pillow")
def brightness_enhance(image, factor):
    """ImageEnhance.Brightness"""
    from PIL import Image, ImageEnhance

    return numpy.asarray(ImageEnhance.Brightness(Image.fromarray(image)).enhance(factor))


@reference("pillow")
def lut3d(image, size, table):
    """Image.filter(Color3DLUT), trilinear at 8 bits"""
    from PIL import Image, ImageFilter

    filter = ImageFilter.Color3DLUT(size, table)
    return numpy.asarray(Image.fromarray(image).filter(filter))


@reference("pillow")
def pixelate(image, cell):
    """Image.fromarray(float32, mode='F').reduce(cell), each mean repeated"""
    from PIL import Image

    height, width = image.shape[:2]

    def plane(values):
        means = numpy.asarray(
            Image.fromarray(values.astype(numpy.float32), mode="F").reduce(cell), numpy.float64
        )
        return means.repeat(cell, axis=0).repeat(cell, axis=1)[:height, :width]

    return each(light.floats(image), plane)


# MARK: scikit-image


@reference("scikit-image")
def gamma(image, power):
    """exposure.adjust_gamma"""
    from skimage import exposure

    return exposure.adjust_gamma(light.floats(image), power)


def warped(values, matrix, shape, surround=None):
    """skimage's bilinear warp by a matrix from result to source, in pixels with centres at +1/2."""
    from skimage import transform

    # skimage counts from the centre of the first pixel.
    half = numpy.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    inverse = numpy.linalg.inv(half) @ matrix @ half
    return transform.warp(
        values,
        transform.ProjectiveTransform(inverse),
        output_shape=shape,
        order=1,
        mode="edge" if surround is None else "constant",
        cval=surround or 0,
        clip=False,
        preserve_range=True,
    )


def _power(distance):
    """e^−d, linear between powers of two, as in scikit-image (Schraudolph 1999)."""
    bits = (distance * (-(2**23) / math.log(2))).astype(numpy.int32)
    return (bits + numpy.int32((127 << 23) - (60801 << 3))).view(numpy.float32)


@reference("scipy")
def non_local_means_apart(image, patch, search, h, sigma, chroma):
    """ndimage.uniform_filter of the squared differences at each offset, of Y', and of Cb and Cr

    The fast mode of scikit-image adds up patches that are a row and a column smaller.
    """
    from scipy import ndimage

    reach, window = patch // 2, search // 2

    def mean(planes, strength):
        height, width = planes.shape[:2]
        sides = ((reach, reach), (reach, reach), (0, 0))
        padded = numpy.pad(planes, sides, mode="reflect")
        total, sums = numpy.zeros((height, width, 1)), numpy.zeros(planes.shape)
        for dy in range(-window, window + 1):
            for dx in range(-window, window + 1):
                squares = (padded - numpy.roll(padded, (-dy, -dx), axis=(0, 1))) ** 2
                smooth = ndimage.uniform_filter(squares.mean(axis=2), patch, mode="constant")
                inner = smooth[reach : reach + height, reach : reach + width]
                distance = numpy.maximum(inner - 2 * sigma**2, 0) / strength**2
                weight = numpy.where(distance > 5, 0, _power(numpy.minimum(distance, 80)))
                # The search stays inside the image.
                y, x = numpy.mgrid[:height, :width]
                inside = (y + dy >= 0) & (y + dy < height) & (x + dx >= 0) & (x + dx < width)
                weight = (weight * inside)[:, :, None]
                sums += weight * numpy.roll(planes, (-dy, -dx), axis=(0, 1))
                total += weight
        return sums / total

    values = light.floats(image)
    luma = light.luma601(values)
    blue = (values[..., 2] - luma) / 1.772
    red = (values[..., 0] - luma) / 1.402
    luma = mean(luma[:, :, None], h)[..., 0]
    colors = mean(numpy.stack([blue, red], axis=2), chroma * h)
    blue, red = luma + 1.772 * colors[..., 0], luma + 1.402 * colors[..., 1]
    green = (luma - 0.299 * red - 0.114 * blue) / 0.587
    return numpy.stack([red, green, blue], axis=2)


@reference("scikit-image")
def non_local_means(image, patch, search, h, sigma):
    """restoration.denoise_nl_means(fast_mode=False, channel_axis=-1)"""
    from skimage import restoration

    result = restoration.denoise_nl_means(
        light.floats(image),
        patch_size=patch,
        patch_distance=search // 2,
        h=h,
        sigma=sigma,
        fast_mode=False,
        channel_axis=-1,
    )
    # Sides of one pixel are lost on the way.
    return result.reshape(image.shape)


@reference("scikit-image")
def wavelet(image, levels, sigma):
    """restoration.denoise_wavelet(BayesShrink, db2, soft, convert2ycbcr=True)"""
    from skimage import restoration

    return restoration.denoise_wavelet(
        light.floats(image),
        sigma=sigma or None,
        wavelet="db2",
        mode="soft",
        wavelet_levels=levels or None,
        convert2ycbcr=True,
        method="BayesShrink",
        rescale_sigma=True,
        channel_axis=-1,
    )


@reference("scikit-image")
def unsharp_mask(image, sigma, amount):
    """filters.unsharp_mask(preserve_range=True)"""
    from skimage import filters

    # With channel_axis=-1 this version takes rows for channels.
    return each(
        light.floats(image),
        lambda plane: filters.unsharp_mask(plane, sigma, amount, preserve_range=True),
    )


@reference("scikit-image")
def sobel(image):
    """filters.sobel of luma, times 4 √2"""
    from skimage import filters

    luma = light.luma601(light.floats(image))
    return three(filters.sobel(luma, mode="nearest") * 4 * math.sqrt(2))


# MARK: scipy


def gaussian_values(values, sigma):
    """The Gaussian of the catalogue on a plane or three: cut at ceil(4 sigma), edges go on."""
    from scipy import ndimage

    radius = math.ceil(4 * sigma)

    def plane(values):
        return ndimage.gaussian_filter(values, sigma, mode="nearest", radius=radius)

    return plane(values) if values.ndim == 2 else each(values, plane)


@reference("scipy")
def gaussian(image, sigma, linear=False):
    """ndimage.gaussian_filter(float64, mode='nearest', radius=ceil(4 sigma))"""
    values = light.floats(image)
    if linear:
        return light.encode(gaussian_values(light.decode(values), sigma))
    return gaussian_values(values, sigma)


@reference("scipy")
def unsharp(image, sigma, amount, threshold=0.0, luma=False):
    """x + amount (x − ndimage.gaussian_filter(x)) where the difference exceeds the threshold"""
    values = light.floats(image)
    base = light.luma601(values) if luma else values
    detail = base - gaussian_values(base, sigma)
    detail = numpy.where(numpy.abs(detail) > threshold, detail, 0) * amount
    return values + (detail[:, :, None] if luma else detail)


@reference("scipy")
def median(image, radius):
    """ndimage.median_filter(size=2 radius + 1, mode='nearest')"""
    from scipy import ndimage

    size = 2 * radius + 1
    return each(image, lambda plane: ndimage.median_filter(plane, size=size, mode="nearest"))


@reference("scipy")
def correlate(image, kernel, divisor=0, bias=0.0):
    """ndimage.correlate(float64, mode='nearest')"""
    from scipy import ndimage

    side = math.isqrt(len(kernel))
    weights = numpy.array(kernel, numpy.float64).reshape(side, side)
    weights /= divisor or weights.sum() or 1
    values = light.floats(image)
    return each(values, lambda p: ndimage.correlate(p, weights, mode="nearest")) + bias


def pchip(values, points):
    """A line through points by Fritsch and Butland, flat outside."""
    from scipy.interpolate import PchipInterpolator

    x, y = numpy.array(points, numpy.float64).T
    inside = numpy.clip(values, x[0], x[-1])
    return PchipInterpolator(x, y)(inside) if len(points) > 2 else numpy.interp(inside, x, y)


@reference("scipy")
def curve(image, points, channel=None):
    """interpolate.PchipInterpolator(x, y), flat outside"""
    values = light.floats(image)
    if channel is None:
        return pchip(values, points)
    values[:, :, channel] = pchip(values[:, :, channel], points)
    return values


@reference("scipy")
def linear_curve(image, points):
    """interpolate.interp1d(kind='linear'), flat outside"""
    from scipy.interpolate import interp1d

    x, y = numpy.array(points, numpy.float64).T
    return interp1d(x, y)(numpy.clip(light.floats(image), x[0], x[-1]))


@reference("scipy")
def sigmoid(image, amount, mid):
    """special.expit, scaled to run from 0 to 1"""
    from scipy.special import expit

    low, high = expit(-amount * mid), expit(amount * (1 - mid))
    return (expit(amount * (light.floats(image) - mid)) - low) / (high - low)
