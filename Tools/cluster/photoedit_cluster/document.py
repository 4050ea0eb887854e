# SPDX-License-Identifier: Apache-2.0
"""The JSON of runs, which anyone may have written: bounded, with fields of the expected kinds."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .failure import BAD_DATA, Failure

Line = dict[str, Any]
Kind = Callable[[object], bool]

# Maximum numbers of bytes: of a description, a record or a level; of a look with its attachments,
# or a report; of a line; of the lines in a file; of a photo.
DOCUMENT, LOOK, LINE, LINES, PHOTO = 1 << 20, 64 << 20, 64 << 10, 512 << 20, 4 << 30
# The maximum number of lines of a shard.
MOST_LINES = 1_000_000
_LARGEST = (1 << 53) - 1


def text(value: object) -> bool:
    """Whether a value is a text that UTF-8 can express."""
    try:
        return isinstance(value, str) and bool(value.encode() or True)
    except UnicodeEncodeError:
        return False


def path(value: object) -> bool:
    """Whether a value can be a path or a URL."""
    return text(value) and "\0" not in str(value)


def whole(value: object) -> bool:
    """Whether a value is a count, exact in every reader of JSON."""
    return type(value) is int and 0 <= value <= _LARGEST


def digest(value: object) -> bool:
    """Whether a value is a SHA-256 digest."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


_EXPECTED: dict[Kind, str] = {
    text: "a text", path: "a path", whole: "a whole number, at least 0",
    digest: "64 lowercase hexadecimal digits"}


def check(where: str, value: object, kind: Kind) -> None:
    """Fails unless a value has a kind; `where` says which value it is."""
    if not kind(value):
        found = repr(value)
        raise Failure(
            BAD_DATA, kind.__name__,
            f"{where}: {found if len(found) <= 80 else found[:79] + '…'}: expected "
            f"{_EXPECTED.get(kind, kind.__doc__ or kind.__name__)}")


def checked(
    where: str, fields: Line, required: Mapping[str, Kind], optional: Mapping[str, Kind],
) -> Line:
    """The fields, if each has its kind; optional ones may be missing or null."""
    for name, kind in (*required.items(), *optional.items()):
        if name in required or fields.get(name) is not None:
            check(f"{where}: {name}", fields.get(name), kind)
    return fields


def parsed(where: str, data: bytes) -> Line:
    """The object in the bytes of a document or a line."""
    try:
        value = json.loads(data, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise Failure(BAD_DATA, "json", f"{where}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Failure(BAD_DATA, "json", f"{where}: not an object of JSON")
    return value


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _finite(digits: str) -> float:
    number = float(digits)
    if abs(number) == float("inf"):
        raise ValueError(f"{digits} is too large")
    return number


def split_lines(name: str, blocks: Iterator[bytes]) -> Iterator[tuple[str, bytes, bool]]:
    """Each line with its place, and whether it has an end."""
    number, rest = 1, b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            yield _bounded(f"{name}:{number}", line), line, True
            number += 1
        _bounded(f"{name}:{number}", rest)
    if rest:
        yield f"{name}:{number}", rest, False


def _bounded(where: str, line: bytes) -> str:
    if len(line) > LINE:
        raise Failure(BAD_DATA, "line", f"{where}: the line is longer than {LINE} bytes")
    return where
