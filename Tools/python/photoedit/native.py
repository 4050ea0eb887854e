# SPDX-License-Identifier: Apache-2.0
"""Conversions between Python and the C interface."""

from __future__ import annotations

import contextlib
import ctypes
import datetime
import decimal
import enum
import json
import operator
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from ctypes import byref, c_char_p, c_uint64, c_void_p
from typing import Any, NoReturn, Union

from ._native import CBytes, CError, library
from .errors import UsageError, failure

PathLike = Union[str, bytes, "os.PathLike[str]"]
#: A value of an option of the command line; a list or tuple names the option for each of its values.
Option = Union[
    None, bool, int, float, PathLike, datetime.datetime, list[str], list[int], list[float],
    tuple[Union[str, int, float], ...], Mapping[str, Any]]
#: A filter: "sepia", "exposure:ev=0.5", or ("exposure", {"ev": 0.5}).
Filter = Union[str, tuple[str, Mapping[str, Any]]]
#: One filter, or several.
Filters = Union[Filter, Iterable[Filter]]
#: A filter graph: a dictionary, its JSON, or None.
Graph = Union[None, str, bytes, Mapping[str, Any]]


class Cancellation:
    """Ends calls early, from any thread."""

    def __init__(self) -> None:
        self.handle: int = library.photoedit_cancellation_create()
        self.is_canceled = False
        self._actions: list[Callable[[], object]] = []

    def cancel(self) -> None:
        """Ends the calls that use this object, and later ones; they raise `CancelledError`."""
        self.is_canceled = True
        library.photoedit_cancellation_cancel(self.handle)
        for action in list(self._actions):
            action()

    @contextlib.contextmanager
    def ending(self, action: Callable[[], object]) -> Iterator[None]:
        """Lets the cancellation call an action as well, while the body of `with` runs."""
        self._actions.append(action)
        try:
            yield
        finally:
            self._actions.remove(action)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Cancellation belongs to its process and cannot be copied or pickled")

    def __repr__(self) -> str:
        return f"<photoedit.Cancellation {self.handle}>"

    def __del__(self) -> None:
        if getattr(self, "handle", 0):
            library.photoedit_cancellation_free(self.handle)


def interruptible(call: Callable[[int], int], cancellation: Cancellation | None) -> int:
    """Passes the handle of a cancellation to a call of the library, and returns its exit code.

    Python runs its handlers of signals only between calls. In the main thread, the call is therefore
    on another one, and an exception of a handler, such as `KeyboardInterrupt`, ends the call.
    """
    if not isinstance(cancellation, (Cancellation, type(None))):
        raise UsageError(
            f"cancellation: {type(cancellation).__name__} is not a photoedit.Cancellation",
            "argument")
    # No thread starts while the interpreter ends.
    if threading.current_thread() is not threading.main_thread() or sys.is_finalizing():
        return call(handle_of(cancellation))
    own = cancellation or Cancellation()
    done, results = threading.Event(), list[Union[int, BaseException]]()

    def work() -> None:
        try:
            results.append(call(own.handle))
        except BaseException as error:
            results.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="photoedit", daemon=True)
    try:
        thread.start()
        done.wait()
    except BaseException:
        own.cancel()
        # An exception within start() leaves open whether the thread will run.
        done.wait(None if thread.ident else 1)
        raise
    if isinstance(results[0], BaseException):
        raise results[0]
    return results[0]


def handle_of(cancellation: Cancellation | None) -> int:
    """The handle of a cancellation, 0 for none."""
    return cancellation.handle if cancellation else 0


def strings(words: Iterable[PathLike]) -> ctypes.Array[c_char_p]:
    """An array of texts that ends with NULL."""
    encoded: list[bytes | None] = []
    for word in words:
        try:
            text = os.fsencode(word)
        except TypeError:
            raise UsageError(f"{word!r} is neither a text nor a path", "argument") from None
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


def flattened(items: Iterable[Any]) -> list[Any]:
    """The items, and those of lists, tuples, sets and iterators among them."""
    found: list[Any] = []
    for item in items:
        if isinstance(item, (list, tuple, set, frozenset, Iterator)):
            found += flattened(item)
        else:
            found.append(item)
    return found


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
    if not isinstance(data, bytes):
        raise UsageError(f"{type(data).__name__} is not bytes", "argument")
    return ctypes.cast(ctypes.c_char_p(data), c_void_p), len(data)


def option_words(options: Mapping[str, object]) -> list[str]:
    """The words of options: `max_bytes="500k"` is `--max-bytes=500k`, True is a flag."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        # Those of numpy as well.
        if type(value).__name__ in ("bool", "bool_"):
            value = bool(value)
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [f"{option}={key}={_value(item)}" for key, item in value.items()]
        elif isinstance(value, (list, tuple)):
            words += [f"{option}={_text(name, item)}" for item in value]
        else:
            words.append(f"{option}={_text(name, value)}")
    return words


def _text(name: str, value: Any) -> str:
    """A value of an option as a word."""
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, (str, bytes, os.PathLike)):
        return os.fsdecode(value)
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise UsageError(
                f"{name}: {value} has no time zone", "argument",
                "use datetime(…, tzinfo=timezone.utc), or that of the place")
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    try:
        # Numbers of numpy as well.
        number = operator.index(value) if hasattr(value, "__index__") else float(value)
    except (TypeError, ValueError):
        raise UsageError(
            f"{name}: a value of the type {type(value).__name__}", "argument",
            "give a text, a number, a path, True, or a list of them") from None
    return str(int(number)) if number == number // 1 and abs(number) < 1e15 else str(number)


def filter_words(filters: Filters) -> list[str]:
    """The words of filters."""
    one = isinstance(filters, str) or (
        isinstance(filters, tuple) and len(filters) == 2 and isinstance(filters[1], Mapping))
    words: list[str] = []
    for item in [filters] if one else filters:
        words += ["--filter", _filter_word(item)]
    return words


def _filter_word(item: Any) -> str:
    """A filter as a word."""
    if isinstance(item, str):
        return item
    try:
        name, values = item
        settings = ",".join(f"{key}={_value(value)}" for key, value in dict(values).items())
    except (TypeError, ValueError):
        raise UsageError(
            f"filters: {item!r} is not a filter", "argument",
            "give 'sepia', or ('exposure', {'ev': 0.5})") from None
    return f"{name}:{settings}" if settings else str(name)


def _value(value: Any) -> str:
    """A parameter as the command line takes it: a vector is a:b:c, a list of points x:y/x:y."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        if value and isinstance(value[0], (list, tuple)):
            return "/".join(_value(item) for item in value)
        return ":".join(_value(item) for item in value)
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(value)


def json_line(line: bytes) -> dict[str, Any]:
    """A report of the library."""
    try:
        value: dict[str, Any] = json.loads(line)
    except ValueError:
        raise UsageError(
            "the command wrote no JSON", "argument", "add '--json' to its arguments") from None
    return value
