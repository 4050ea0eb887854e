# SPDX-License-Identifier: Apache-2.0
"""The sections, in the order in which they run. Each module has TITLE and `build(bench)`."""

from . import (
    batch,
    detail,
    growth,
    imports,
    lossless,
    memory,
    movies,
    point,
    restart,
    start,
    thumbnails,
    unsharp,
    video,
)

ALL = {
    "point": point,
    "restart": restart,
    "unsharp": unsharp,
    "detail": detail,
    "lossless": lossless,
    "batch": batch,
    "memory": memory,
    "start": start,
    "growth": growth,
    "imports": imports,
    "thumbnails": thumbnails,
    "movies": movies,
    "video": video,
}
