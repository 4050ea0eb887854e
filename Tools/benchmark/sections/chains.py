# SPDX-License-Identifier: Apache-2.0
"""Chains of point filters: each pixel of the result depends on one pixel of the photo."""

COLOR = ("brightness:amount=0.05", "contrast:amount=1.1", "saturate:amount=1.2")

CHAINS = {
    "grayscale:mode=average": ("grayscale:mode=average",),
    "exposure:ev=0.5": ("exposure:ev=0.5",),
    "brightness, contrast, saturate": COLOR,
    "exposure, contrast, saturate, sepia": (
        "exposure:ev=0.3",
        "contrast:amount=1.1",
        "saturate:amount=1.2",
        "sepia:amount=0.5",
    ),
    "exposure, saturate, vignette": (
        "exposure:ev=0.3",
        "saturate:amount=1.2",
        "vignette:amount=0.4",
    ),
}


def repeated(count):
    """A chain of `count` filters, none of them with identity values."""
    links = (
        "exposure:ev=0.1",
        "contrast:amount=1.05",
        "saturate:amount=1.1",
        "vignette:amount=0.1",
        "gamma:power=1.05",
    )
    return tuple(links[index % len(links)] for index in range(count))
