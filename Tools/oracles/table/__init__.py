# SPDX-License-Identifier: Apache-2.0
"""The comparison table: program, arguments, tolerance and images for every filter."""

from table import color, compositing, creative, detail, geometry, looks, tone

ROWS = [
    *geometry.ROWS,
    *tone.ROWS,
    *color.ROWS,
    *looks.ROWS,
    *detail.ROWS,
    *creative.ROWS,
    *compositing.ROWS,
]

#: All filters that must have a row.
REQUIRED = """
orient rotate90 flip lens crop straighten perspective resize pad
exposure brightness brightnessScale contrast gamma levels blackWhitePoint curve sigmoidalContrast
parametricTone shadowsHighlights dehaze liftGammaGain whiteBalance autoLevels equalize clahe solarize
saturate vibrance colorMixer hueRotate oklch colorMatrix colorPolynomial colorCrossPolynomial grayscale sepia
invert posterize threshold asccdl lut1d lut3d haldClut gradientMap splitTone
blackWhite colorGrade
look.tonal look.mono look.noir look.chrome look.fade look.instant look.process look.transfer
gaussianBlur boxBlur median bilateral denoiseNLM denoiseWavelet unsharpMask sharpenLuma clarity
convolve edges emboss
heal redEye vignette grain tiltShift pixelate
blend overlay text opacity mask.linear mask.radial mask.luma mask.color mask.brush mask.image mask.combine mask.group
mask.invert
""".split()


def problems(catalog):
    """The problems of the table: filters without a row, and duplicate names."""
    covered = {row.filter for row in ROWS}
    # Filters of videos change times, sound and metadata, which no program of images compares.
    others = {name for name, entry in catalog.items() if entry["family"] != "movie"}
    expected = set(REQUIRED) | others
    found = [f"{name}: no row in the table" for name in sorted(expected - covered)]
    names = [(row.name, row.theirs.references) for row in ROWS]
    found += [f"{name}: two rows" for name in sorted({n for n in names if names.count(n) > 1})]
    return found
