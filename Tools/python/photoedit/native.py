# SPDX-License-Identifier: Apache-2.0
"""Conversions between Python and the C interface."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Iterable, Mapping
from ctypes import byref, c_char_p, c_uint64, c_void_p
from typing import Any, Union

from ._native import CBytes, CError, library
from .errors import UsageError, failure

PathLike = Union[str, "os.PathLike[str]"]
#: A value of an option of the command line.
Option = Union[None, bool, int, float, str, "os.PathLike[str]", Iterable[Union[str, int, float]]]
#: A filter: "sepia", "exposure:ev=0.5", or ("exposure", {"ev": 0.5}).
Filter = Union[str, tuple[str, Mapping[str, Any]]]
#: A filter graph: a dictionary, its JSON, or None.
Graph = Union[None, str, bytes, Mapping[str, Any]]


class Cancellation:
    """Ends calls early, from any thread."""

    def __init__(self) -> None:
        self.handle: int = library.photoedit_cancellation_create()

    def cancel(self) -> None:
        """Ends the calls that use this object, and later ones; they raise `CancelledError`."""
        library.photoedit_cancellation_cancel(self.handle)

    def __del__(self) -> None:
        if getattr(self, "handle", 0):
            library.photoedit_cancellation_free(self.handle)


def handle_of(cancellation: Cancellation | None) -> int:
    """The handle of a cancellation, 0 for none."""
    return cancellation.handle if cancellation else 0


def strings(words: Iterable[str]) -> ctypes.Array[c_char_p]:
    """An array of texts that ends with NULL."""
    encoded: list[bytes | None] = []
    for word in words:
        text = os.fsencode(word)
        if b"\0" in text:
            raise UsageError("a text contains a zero byte", "argument")
        encoded.append(text)
    encoded.append(None)
    return (c_char_p * len(encoded))(*encoded)


def take(result: CBytes) -> bytes:
    """Copies and frees bytes of the library."""
    try:
        return ctypes.string_at(result.data, result.size) if result.data else b""
    finally:
        library.photoedit_bytes_clear(byref(result))


def exit_code(code: int, error: CError) -> int:
    """Frees an error and raises it."""
    if code == 0 and error.exit == 0:
        return 0
    texts = [error.code, error.message, error.hint]
    name, message, hint = (
        None if text is None else text.decode("utf-8", "replace") for text in texts)
    library.photoedit_error_clear(byref(error))
    raise failure(code, name or "", message or f"exit code {code}", hint)


def check(code: int, error: CError) -> None:
    """Raises the failure of a call."""
    exit_code(code, error)


class Handle:
    """A handle that is freed by `close`, by `with`, or with this object."""

    def __init__(self, value: c_uint64, free: Any) -> None:
        self.value = value.value
        self._free = free

    def close(self) -> None:
        """Frees the handle; doing so again does nothing."""
        if self.value:
            self._free(self.value)
            self.value = 0

    def __del__(self) -> None:
        if getattr(self, "value", 0):
            self.close()


def graph_bytes(graph: Graph) -> bytes | None:
    """The JSON of a graph."""
    if graph is None or isinstance(graph, bytes):
        return graph
    return (graph if isinstance(graph, str) else json.dumps(graph)).encode()


def buffer(data: bytes | None) -> tuple[c_void_p | None, int]:
    """The address of bytes that the caller keeps, and their number."""
    if data is None:
        return None, 0
    return ctypes.cast(ctypes.c_char_p(data), c_void_p), len(data)


def option_words(options: Mapping[str, Option]) -> list[str]:
    """The words of options: `max_bytes="500k"` is `--max-bytes=500k`, True is a flag."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, (str, int, float)):
            words.append(f"{option}={value}")
        elif isinstance(value, os.PathLike):
            words.append(f"{option}={os.fspath(value)}")
        else:
            words += [f"{option}={item}" for item in value]
    return words


def filter_words(filters: Iterable[Filter]) -> list[str]:
    """The words of filters."""
    words: list[str] = []
    for item in filters:
        if not isinstance(item, str):
            name, values = item
            settings = ",".join(f"{key}={_value(value)}" for key, value in values.items())
            item = f"{name}:{settings}" if settings else name
        words += ["--filter", item]
    return words


def _value(value: Any) -> str:
    """A parameter as the command line takes it: a vector is a:b:c, a list of points x:y/x:y."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        if value and isinstance(value[0], (list, tuple)):
            return "/".join(_value(item) for item in value)
        return ":".join(_value(item) for item in value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    return str(value)


def json_line(line: bytes) -> dict[str, Any]:
    """A report of the library."""
    value: dict[str, Any] = json.loads(line)
    return value
