# SPDX-License-Identifier: Apache-2.0
"""Calls that the type checker accepts, and those that it refuses; they are not run.

With warn_unused_ignores, a call that is no longer refused is reported as well.
"""

import photoedit


def accepted(photo: str, folder: str) -> None:
    with photoedit.Image(photo, lenient=True, sandbox="require") as image:
        image.render(filters=["sepia"], quality="preserve", fit=2048, gravity="north", auto=True)
        image.encode(image.pixels(sample=16), max_bytes="500k", strip=["location", "device"])
        image.thumbnail(size=256, format="png")
    photoedit.adjust(photo, set={"exposure.ev": 0.7})
    photoedit.undo(photo, to=1)
    with photoedit.Library(folder) as library:
        library.import_(photo, duplicates="skip")
        for asset in library.assets("harbor", where="rating >= 4", limit=9, sort="date:desc"):
            library.set(asset, rating=4, favorite=True, label="red", location=(38.7, -9.1))
        library.export(folder, all=True, fit=2048, srgb=True)


def refused(photo: str, folder: str) -> None:
    with photoedit.Image(photo) as image:
        image.render(qualty=90)  # type: ignore[call-arg]
        image.render(fit="large")  # type: ignore[arg-type]
        image.render(gravity="upper")  # type: ignore[arg-type]
        image.encode(image.pixels(), fit=2048)  # type: ignore[call-arg]
        image.thumbnail(strip="all")  # type: ignore[call-arg]
    photoedit.revert(photo, to=1)  # type: ignore[call-arg]
    with photoedit.Library(folder) as library:
        library.set("3F25", label="pink")  # type: ignore[arg-type]
        library.assets(order="date")  # type: ignore[call-arg]
