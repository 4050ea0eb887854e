# SPDX-License-Identifier: Apache-2.0
"""Images: opened files, bytes or pixels, and what is rendered of them."""

from __future__ import annotations

import array
import ctypes
import os
from ctypes import byref, c_uint64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._native import CBytes, CError, CPixels, library
from .errors import UsageError
from .native import (
    Cancellation, Filters, Graph, Handle, PathLike, buffer, check, filter_words,
    graph_bytes, interruptible, json_line, option_words, strings, take)

if TYPE_CHECKING:
    from typing import Unpack

    from .options import (
        EncodeOptions, OpenOptions, PixelOptions, RenderOptions, ThumbnailOptions)
    import numpy as np
    import PIL.Image

_TYPES = {8: "uint8", 16: "uint16", 32: "float32"}


@dataclass(frozen=True)
class Rendering:
    """An encoded file, which is empty if it was written to a path, and its report."""

    data: bytes = field(repr=False)
    report: dict[str, Any] = field(hash=False)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.report["width"], self.report["height"]

    @property
    def losses(self) -> list[dict[str, str]]:
        """What of the source the file does not contain."""
        losses: list[dict[str, str]] = self.report.get("losses", [])
        return losses


@dataclass(frozen=True)
class Pixels:
    """Rows from the top, the samples of a pixel next to each other, without padding.

    `sample` is 8 or 16 for unsigned integers of the machine, 32 for floats with white at 1.
    `icc` is None for sRGB.
    """

    width: int
    height: int
    channels: int
    sample: int
    data: bytes = field(repr=False)
    icc: bytes | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.data, bytes):
            object.__setattr__(self, "data", bytes(self.data))
        if self.sample not in _TYPES or self.channels not in (1, 3):
            raise UsageError(
                f"sample {self.sample}, {self.channels} channels (allowed: 8, 16, 32; 1, 3)",
                "argument")
        expected = self.width * self.height * self.channels * self.sample // 8
        if self.width < 1 or self.height < 1 or len(self.data) != expected:
            raise UsageError(
                f"{len(self.data)} bytes for {self.width}×{self.height} pixels, expected "
                f"{expected}", "argument")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """The array of `numpy`, for `numpy.asarray`."""
        samples = self.numpy()
        return samples.astype(dtype) if dtype is not None else samples.copy() if copy else samples

    def numpy(self) -> np.ndarray[Any, Any]:
        """A read-only array of the shape (height, width) or (height, width, 3)."""
        import numpy

        shape = (self.height, self.width) + ((3,) if self.channels == 3 else ())
        return numpy.frombuffer(self.data, _TYPES[self.sample]).reshape(shape)

    @classmethod
    def of_array(cls, array: np.ndarray[Any, Any], icc: bytes | None = None) -> Pixels:
        """Pixels of an array of uint8, uint16 or float32; float64 is converted."""
        import numpy

        values = numpy.asarray(array)
        if values.dtype == numpy.float64:
            values = values.astype(numpy.float32)
        samples = {name: sample for sample, name in _TYPES.items()}
        if values.dtype.name not in samples or values.ndim not in (2, 3):
            raise UsageError(
                f"an array of {values.dtype} with {values.ndim} dimensions (allowed: uint8, uint16, "
                "float32; 2, 3)", "argument")
        channels = 1 if values.ndim == 2 else values.shape[2]
        native = numpy.ascontiguousarray(values, values.dtype.newbyteorder("="))
        return cls(
            values.shape[1], values.shape[0], channels, samples[values.dtype.name],
            native.tobytes(), icc)

    def pillow(self) -> PIL.Image.Image:
        """A Pillow image of 8 bits, with its profile in `info`."""
        import PIL.Image

        if self.sample != 8:
            raise UsageError("Pillow needs samples of 8 bits", "argument", "use pixels(sample=8)")
        mode = "L" if self.channels == 1 else "RGB"
        image = PIL.Image.frombytes(mode, (self.width, self.height), self.data)
        if self.icc is not None:
            image.info["icc_profile"] = self.icc
        return image

    @classmethod
    def of_pillow(cls, image: PIL.Image.Image) -> Pixels:
        """Pixels of a Pillow image.

        L and RGB keep their samples; I and I;16 become 16 bits, F floats with white at 1.
        Transparent pixels are composited on white, as those of files are. Other modes become RGB,
        CMYK by its profile if it has one. A profile of another color model is left out.
        """
        profile = image.info.get("icc_profile")
        # Pillow keeps the profile of what an image was converted from.
        gray = profile if profile and profile[16:20] == b"GRAY" else None
        color = profile if profile and profile[16:20] == b"RGB " else None
        if image.mode.startswith("I"):
            words = array.array("i", image.convert("I").tobytes())
            if words and not (min(words) >= 0 and max(words) <= 65_535):
                raise UsageError(
                    f"samples from {min(words)} to {max(words)} (allowed: 0–65535)", "argument")
            return cls(image.width, image.height, 1, 16, array.array("H", words).tobytes(), gray)
        if image.mode == "F":
            return cls(image.width, image.height, 1, 32, image.tobytes(), gray)
        if image.mode.lower() in ("la", "pa", "rgba") or "transparency" in image.info:
            import PIL.Image

            is_gray = image.mode in ("LA", "La")
            # Pillow converts premultiplied samples only to those that are not.
            image = image.convert({"La": "LA", "RGBa": "RGBA"}.get(image.mode, image.mode))
            white = PIL.Image.new("RGBA", image.size, "white")
            image = PIL.Image.alpha_composite(white, image.convert("RGBA"))
            image = image.convert("L" if is_gray else "RGB")
        elif image.mode == "CMYK" and profile and profile[16:20] == b"CMYK":
            image, color = _in_srgb(image, profile), None
        elif image.mode not in ("L", "RGB"):
            image = image.convert("RGB")
        is_gray = image.mode == "L"
        return cls(
            image.width, image.height, 1 if is_gray else 3, 8, image.tobytes(),
            gray if is_gray else color)

    def _structure(self) -> CPixels:
        """The structure, which is valid as long as this object."""
        pixels = CPixels()
        pixels.width, pixels.height = self.width, self.height
        pixels.channels, pixels.sample = self.channels, self.sample
        pixels.stride = self.width * self.channels * self.sample // 8
        pixels.data = ctypes.cast(ctypes.c_char_p(self.data), ctypes.c_void_p)
        if self.icc is not None:
            pixels.icc = ctypes.cast(ctypes.c_char_p(self.icc), ctypes.c_void_p)
            pixels.icc_size = len(self.icc)
        return pixels


def _in_srgb(image: PIL.Image.Image, profile: bytes) -> PIL.Image.Image:
    """A Pillow image converted to sRGB by its profile."""
    import io

    from PIL import ImageCms

    try:
        converted = ImageCms.profileToProfile(
            image, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"),
            outputMode="RGB")
    except (ImageCms.PyCMSError, OSError) as error:
        raise UsageError(
            f"the profile of the {image.mode} image cannot be used: {error}", "argument",
            "remove it from 'info', or convert the image") from error
    assert converted is not None
    return converted


def _structure(pixels: Pixels) -> CPixels:
    if not isinstance(pixels, Pixels):
        raise UsageError(
            f"{type(pixels).__name__} is not Pixels", "argument",
            "use Pixels.of_array or Pixels.of_pillow")
    return pixels._structure()


class Image:
    """An opened image, which does not change. Use it with `with`, or call `close`."""

    def __init__(self, path: PathLike, **options: Unpack[OpenOptions]) -> None:
        """Opens a file; the options are limits, `lenient=True`, and `sandbox="require"`.

        They also apply to what is rendered from it.
        """
        words, name = strings(option_words(options)), os.fsencode(path)
        if b"\0" in name:
            raise UsageError("the path contains a zero byte", "argument")
        self._open(lambda handle, error: library.photoedit_image_open(name, words, handle, error))

    @classmethod
    def of_bytes(
            cls, data: bytes | bytearray | memoryview, **options: Unpack[OpenOptions]) -> Image:
        """Opens an encoded file in memory; bytes-like objects are copied."""
        if isinstance(data, str):
            raise UsageError("a text is not an encoded image", "argument", "use Image(path)")
        content = bytes(data)
        words, (address, size) = strings(option_words(options)), buffer(content)
        image = cls.__new__(cls)
        image._open(lambda handle, error: library.photoedit_image_open_bytes(
            address, size, words, handle, error))
        return image

    @classmethod
    def of_pixels(cls, pixels: Pixels, **options: Unpack[OpenOptions]) -> Image:
        """Opens pixels; floats are rounded to 16 bits between black and white."""
        words, structure = strings(option_words(options)), _structure(pixels)
        image = cls.__new__(cls)
        image._open(lambda handle, error: library.photoedit_image_open_pixels(
            byref(structure), words, handle, error))
        return image

    def _open(self, call: Any) -> None:
        handle, error = c_uint64(), CError()
        check(call(byref(handle), byref(error)), error)
        self._handle = Handle(handle, library.photoedit_image_free)

    def close(self) -> None:
        """Frees the image; later calls raise `UsageError`."""
        self._handle.close()

    def __enter__(self) -> Image:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = f"handle {self._handle.value}" if self._handle.value else "closed"
        return f"<photoedit.Image, {state}>"

    @property
    def _opened(self) -> int:
        """The handle."""
        if not self._handle.value:
            raise UsageError("the image is closed", "handle")
        return self._handle.value

    def inspect(self) -> dict[str, Any]:
        """The report of `photoedit inspect`."""
        report, error = CBytes(), CError()
        check(
            library.photoedit_image_inspect(self._opened, byref(report), byref(error)), error)
        return json_line(take(report))

    def render(
            self, graph: Graph = None, *, filters: Filters = (),
            cancellation: Cancellation | None = None,
            **options: Unpack[RenderOptions]) -> Rendering:
        """Renders a JPEG; the options are those of `photoedit render`: `quality=90, fit=2048`.

        With `output="copy.jpg"` it is written to a file, and `data` is empty.
        """
        words = strings(filter_words(filters) + option_words(options))
        content = graph_bytes(graph)
        address, size = buffer(content)
        return self._result(cancellation, lambda *results: library.photoedit_image_render(
            self._opened, address, size, words, *results))

    def pixels(
            self, graph: Graph = None, *, sample: int = 8, filters: Filters = (),
            cancellation: Cancellation | None = None, **options: Unpack[PixelOptions]) -> Pixels:
        """Renders pixels, in the color space that the JPEG would have."""
        if sample not in _TYPES:
            raise UsageError(f"sample: {sample!r} (allowed: 8, 16, 32)", "argument")
        words = strings(filter_words(filters) + option_words(options))
        content = graph_bytes(graph)
        address, size = buffer(content)
        pixels, error, opened = CPixels(), CError(), self._opened
        code = interruptible(
            lambda handle: library.photoedit_image_render_pixels(
                opened, address, size, words, sample, handle, byref(pixels), byref(error)),
            cancellation)
        check(code, error)
        try:
            icc = ctypes.string_at(pixels.icc, pixels.icc_size) if pixels.icc else None
            return Pixels(
                pixels.width, pixels.height, pixels.channels, pixels.sample,
                ctypes.string_at(pixels.data, pixels.stride * pixels.height), icc)
        finally:
            library.photoedit_pixels_clear(byref(pixels))

    def encode(
            self, pixels: Pixels, *, cancellation: Cancellation | None = None,
            **options: Unpack[EncodeOptions]) -> Rendering:
        """A JPEG of pixels that were derived from this image, with its metadata and quality.

        The options are those that leave pixels as they are, such as `quality`, `strip`, `keep` and
        `max_bytes`.
        """
        words, structure = strings(option_words(options)), _structure(pixels)
        return self._result(cancellation, lambda *results: library.photoedit_image_encode(
            self._opened, byref(structure), words, *results))

    def thumbnail(
            self, *, cancellation: Cancellation | None = None,
            **options: Unpack[ThumbnailOptions]) -> Rendering:
        """A thumbnail in sRGB: `thumbnail(size=256, fill=True, format="png")`."""
        words = strings(option_words(options))
        return self._result(cancellation, lambda *results: library.photoedit_image_thumbnail(
            self._opened, words, *results))

    def _result(self, cancellation: Cancellation | None, call: Any) -> Rendering:
        file, report, error = CBytes(), CBytes(), CError()
        # Refuses a closed image in this thread.
        _ = self._opened
        code = interruptible(
            lambda handle: call(handle, byref(file), byref(report), byref(error)), cancellation)
        check(code, error)
        return Rendering(take(file), json_line(take(report)))
