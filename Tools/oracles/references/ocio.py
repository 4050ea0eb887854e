# SPDX-License-Identifier: Apache-2.0
"""OpenColorIO: grades, lookup tables and matrices, in float."""

import tempfile
from pathlib import Path

import numpy

from harness import light
from harness.rows import reference


def apply(values, *transforms):
    """Applies transforms to RGB with 1 for white, without the approximations of powers."""
    import PyOpenColorIO as ocio

    group = ocio.GroupTransform(list(transforms))
    processor = ocio.Config.CreateRaw().getProcessor(group)
    cpu = processor.getOptimizedCPUProcessor(ocio.OPTIMIZATION_LOSSLESS)
    result = numpy.array(values, numpy.float32, order="C")
    cpu.applyRGB(result)
    return result.astype(numpy.float64)


def _primary(style, values):
    import PyOpenColorIO as ocio

    primary = ocio.GradingPrimary(style)
    for name, value in values.items():
        if isinstance(value, tuple):
            value = ocio.GradingRGBM(*value)
        setattr(primary, name, value)
    transform = ocio.GradingPrimaryTransform(style)
    transform.setValue(primary)
    return transform


@reference("opencolorio")
def primary_linear(image, **values):
    """GradingPrimaryTransform(GRADING_LIN) in linear light"""
    import PyOpenColorIO as ocio

    linear = light.decode(light.floats(image))
    return light.encode(apply(linear, _primary(ocio.GRADING_LIN, values)))


@reference("opencolorio")
def primary_video(image, **values):
    """GradingPrimaryTransform(GRADING_VIDEO)"""
    import PyOpenColorIO as ocio

    return apply(light.floats(image), _primary(ocio.GRADING_VIDEO, values))


def tone_transform(**values):
    """A GradingToneTransform of video style; numbers stand for the master of each control."""
    import PyOpenColorIO as ocio

    tone = ocio.GradingTone(ocio.GRADING_VIDEO)
    for name, value in values.items():
        if name == "scontrast":
            tone.scontrast = value
            continue
        control = getattr(tone, name)
        control.master = value
        setattr(tone, name, control)
    transform = ocio.GradingToneTransform(ocio.GRADING_VIDEO)
    transform.setValue(tone)
    return transform


@reference("opencolorio")
def tone(image, **values):
    """GradingToneTransform(GRADING_VIDEO), masters"""
    return apply(light.floats(image), tone_transform(**values))


@reference("opencolorio")
def wheels(image, **values):
    """GradingToneTransform(GRADING_VIDEO), (red, green, blue, master, start, width)"""
    import PyOpenColorIO as ocio

    tone = ocio.GradingTone(ocio.GRADING_VIDEO)
    for name, value in values.items():
        setattr(tone, name, ocio.GradingRGBMSW(*value))
    transform = ocio.GradingToneTransform(ocio.GRADING_VIDEO)
    transform.setValue(tone)
    return apply(light.floats(image), transform)


@reference("opencolorio")
def cdl(image, slope, offset, power, saturation, style="CDL_ASC"):
    """CDLTransform"""
    import PyOpenColorIO as ocio

    transform = ocio.CDLTransform()
    transform.setSlope(slope)
    transform.setOffset(offset)
    transform.setPower(power)
    transform.setSat(saturation)
    transform.setStyle(getattr(ocio, style))
    return apply(light.floats(image), transform)


@reference("opencolorio")
def matrix(image, rows, bias=(0, 0, 0), linear=False):
    """MatrixTransform"""
    import PyOpenColorIO as ocio

    full = [*rows[0:3], 0, *rows[3:6], 0, *rows[6:9], 0, 0, 0, 0, 1]
    transform = ocio.MatrixTransform(full, [*bias, 0])
    values = light.floats(image)
    if linear:
        return light.encode(apply(light.decode(values), transform))
    return apply(values, transform)


@reference("opencolorio")
def cube(image, data, interpolation, linear=False):
    """FileTransform of a .cube"""
    import PyOpenColorIO as ocio

    with tempfile.TemporaryDirectory(prefix="oracles-ocio-") as folder:
        path = Path(folder) / "look.cube"
        path.write_bytes(data)
        transform = ocio.FileTransform(
            src=str(path), interpolation=getattr(ocio, f"INTERP_{interpolation.upper()}")
        )
        values = light.floats(image)
        if linear:
            return light.encode(apply(light.decode(values), transform))
        return apply(values, transform)
