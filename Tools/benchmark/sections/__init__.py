# SPDX-License-Identifier: Apache-2.0
"""The sections, in order of execution. Each module has TITLE and `build(bench)`."""

from . import (
    batch,
    detail,
    growth,
    hues,
    imports,
    lossless,
    memory,
    movies,
    point,
    previews,
    restart,
    screen,
    sidecars,
    start,
    thumbnails,
    unsharp,
    video,
)

ALL = {
    "point": point,
    "restart": restart,
    "unsharp": unsharp,
    "hues": hues,
    "detail": detail,
    "lossless": lossless,
    "batch": batch,
    "memory": memory,
    "start": start,
    "sidecars": sidecars,
    "growth": growth,
    "imports": imports,
    "previews": previews,
    "screen": screen,
    "thumbnails": thumbnails,
    "movies": movies,
    "video": video,
}
