# SPDX-License-Identifier: Apache-2.0
"""The functions of photoedit.h, for ctypes; nothing is converted here."""

from __future__ import annotations

import ctypes
import os
import shutil
import site
import sys
import sysconfig
from ctypes import POINTER, c_char_p, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any

ABI_VERSION = 1
#: Names a library to load instead of the one of the package.
VARIABLE = "PHOTOEDIT_SHARED_LIBRARY"


class CError(ctypes.Structure):
    """photoedit_error."""

    _fields_ = [("exit", c_int32), ("code", c_char_p), ("message", c_char_p), ("hint", c_char_p)]


class CBytes(ctypes.Structure):
    """photoedit_bytes."""

    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class CPixels(ctypes.Structure):
    """photoedit_pixels."""

    _fields_ = [
        ("width", c_uint32), ("height", c_uint32), ("channels", c_uint32), ("sample", c_uint32),
        ("stride", c_size_t), ("data", c_void_p), ("icc", c_void_p), ("icc_size", c_size_t)]


#: photoedit_output.
OUTPUT = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(c_uint8), c_size_t)

_STRINGS = POINTER(c_char_p)
_ERROR = POINTER(CError)
_BYTES = POINTER(CBytes)
_PIXELS = POINTER(CPixels)
_HANDLE = POINTER(c_uint64)

#: The result and the arguments of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "photoedit_abi_version": (c_int32, []),
    "photoedit_version": (c_char_p, []),
    "photoedit_set_decoder": (c_int32, [c_char_p, _ERROR]),
    "photoedit_error_clear": (None, [_ERROR]),
    "photoedit_bytes_clear": (None, [_BYTES]),
    "photoedit_pixels_clear": (None, [_PIXELS]),
    "photoedit_cancellation_create": (c_uint64, []),
    "photoedit_cancellation_cancel": (c_int32, [c_uint64]),
    "photoedit_cancellation_free": (c_int32, [c_uint64]),
    "photoedit_run": (c_int32, [
        _STRINGS, c_void_p, c_size_t, c_uint64, OUTPUT, c_void_p, _BYTES, _BYTES, _ERROR]),
    "photoedit_library_open": (c_int32, [c_char_p, _HANDLE, _ERROR]),
    "photoedit_library_close": (c_int32, [c_uint64]),
    "photoedit_image_open": (c_int32, [c_char_p, _STRINGS, _HANDLE, _ERROR]),
    "photoedit_image_open_bytes": (c_int32, [c_void_p, c_size_t, _STRINGS, _HANDLE, _ERROR]),
    "photoedit_image_open_pixels": (c_int32, [_PIXELS, _STRINGS, _HANDLE, _ERROR]),
    "photoedit_image_free": (c_int32, [c_uint64]),
    "photoedit_image_inspect": (c_int32, [c_uint64, _BYTES, _ERROR]),
    "photoedit_image_render": (c_int32, [
        c_uint64, c_void_p, c_size_t, _STRINGS, c_uint64, _BYTES, _BYTES, _ERROR]),
    "photoedit_image_render_pixels": (c_int32, [
        c_uint64, c_void_p, c_size_t, _STRINGS, c_uint32, c_uint64, _PIXELS, _ERROR]),
    "photoedit_image_encode": (c_int32, [
        c_uint64, _PIXELS, _STRINGS, c_uint64, _BYTES, _BYTES, _ERROR]),
    "photoedit_image_thumbnail": (c_int32, [
        c_uint64, _STRINGS, c_uint64, _BYTES, _BYTES, _ERROR]),
}


def own_program() -> str | None:
    """The program that was installed along with this package; None if there is none."""
    package = os.path.dirname(os.path.abspath(__file__))
    folders = [
        os.path.dirname(sys.executable), sysconfig.get_path("scripts"),
        # Those of pip install --user and --target.
        os.path.join(site.getuserbase(), "bin"), os.path.join(os.path.dirname(package), "bin")]
    return next(
        (path for path in (os.path.join(folder, "photoedit") for folder in folders)
         if os.access(path, os.X_OK)), None)


def find_program() -> str:
    """The program of the same installation, or the one on the path."""
    return own_program() or shutil.which("photoedit") or "photoedit"


def _load() -> ctypes.CDLL:
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libphotoedit.so.0")
    path = os.environ.get(VARIABLE) or (own if os.path.exists(own) else "libphotoedit.so.0")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"{path}: cannot be loaded: {error}; install the wheel of photoedit or libphotoedit0, "
            f"or set {VARIABLE}") from error
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    if library.photoedit_abi_version() != ABI_VERSION:
        raise ImportError(
            f"{path}: has version {library.photoedit_abi_version()} of the interface, but "
            f"{ABI_VERSION} is needed; install matching versions")
    # The program of the same wheel decodes strangers' files in a confined process.
    program = own_program() if path == own else None
    if program is not None:
        library.photoedit_set_decoder(os.fsencode(program), None)
    return library


library = _load()


def version() -> str:
    """The version of the library."""
    text: bytes = library.photoedit_version()
    return text.decode()
