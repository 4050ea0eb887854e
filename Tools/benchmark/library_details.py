# SPDX-License-Identifier: Apache-2.0
"""Neighborhood filters in Python libraries, with the same values as in the section "detail"."""

QUALITY = 90


def opencv(edit, source, target):
    import cv2
    import numpy

    edge = cv2.BORDER_REPLICATE
    image = cv2.imread(source)

    def guided(change):
        planes = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb))
        luma = planes[0].astype(numpy.float32) / 255
        radius = round(0.015 * max(luma.shape))
        base = cv2.ximgproc.guidedFilter(luma, luma, radius, 0.01)
        luma = numpy.clip(change(luma, base) * 255 + 0.5, 0, 255).astype(numpy.uint8)
        return cv2.cvtColor(cv2.merge([luma, *planes[1:]]), cv2.COLOR_YCrCb2BGR)

    def sobel():
        luma = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        across = cv2.Sobel(luma, cv2.CV_32F, 1, 0, borderType=edge)
        down = cv2.Sobel(luma, cv2.CV_32F, 0, 1, borderType=edge)
        return cv2.convertScaleAbs(cv2.magnitude(across, down))

    def cells():
        height, width = image.shape[:2]
        small = cv2.resize(image, (-(-width // 16), -(-height // 16)), interpolation=cv2.INTER_AREA)
        return cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST)

    def tilted():
        height, width = image.shape[:2]
        rows = numpy.abs(numpy.arange(height, dtype=numpy.float32) + 0.5 - height / 2) / height
        share = numpy.clip((rows - 0.1) / 0.3, 0, 1)
        share = (share * share * (3 - 2 * share))[:, None, None]
        result = image.astype(numpy.float32)
        for low, high in ((0, 0.25), (0.25, 0.5), (0.5, 1)):
            blurred = cv2.GaussianBlur(image, (0, 0), 8 * high, borderType=edge)
            result += numpy.clip((share - low) / (high - low), 0, 1) * (blurred - result)
        return result.astype(numpy.uint8)

    def sharpened():
        planes = list(cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)))
        blurred = cv2.GaussianBlur(planes[0], (0, 0), 2, borderType=edge)
        planes[0] = cv2.addWeighted(planes[0], 1.5, blurred, -0.5, 0)
        return cv2.cvtColor(cv2.merge(planes), cv2.COLOR_YCrCb2BGR)

    relief = numpy.array([[-2, -1, 0], [-1, 1, 1], [0, 1, 2]], numpy.float32)
    smooth = numpy.ones((5, 5), numpy.float32) / 25
    made = {
        "gaussianBlur": lambda: cv2.GaussianBlur(image, (0, 0), 4, borderType=edge),
        "boxBlur": lambda: cv2.blur(image, (11, 11), borderType=edge),
        "median1": lambda: cv2.medianBlur(image, 3),
        "median2": lambda: cv2.medianBlur(image, 5),
        "median7": lambda: cv2.medianBlur(image, 15),
        "bilateral": lambda: cv2.bilateralFilter(image, 9, 25.5, 3, borderType=edge),
        "bilateral31": lambda: cv2.bilateralFilter(image, 31, 25.5, 10, borderType=edge),
        "denoiseNLM": lambda: cv2.fastNlMeansDenoisingColored(image, None, 13, 13, 5, 11),
        "sharpenLuma": sharpened,
        "clarity": lambda: guided(lambda y, b: y + 0.5 * (y - b)),
        "shadowsHighlights": lambda: guided(lambda y, b: numpy.sqrt(numpy.maximum(b, 0)) + y - b),
        "convolve": lambda: cv2.filter2D(image, -1, smooth, borderType=edge),
        "edges": sobel,
        "emboss": lambda: cv2.filter2D(image, -1, relief, borderType=edge),
        "pixelate": cells,
        "tiltShift": tilted,
    }[edit]()
    cv2.imwrite(target, made, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def skimage(edit, source, target):
    from skimage import io, restoration, util

    image = util.img_as_float32(io.imread(source))
    made = {
        "denoiseWavelet": lambda: restoration.denoise_wavelet(
            image, wavelet="db2", convert2ycbcr=True, rescale_sigma=True, channel_axis=-1
        ),
    }[edit]()
    io.imsave(target, util.img_as_ubyte(made.clip(0, 1)), quality=QUALITY, check_contrast=False)
