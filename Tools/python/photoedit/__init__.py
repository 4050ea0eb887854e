# SPDX-License-Identifier: Apache-2.0
"""Non-destructive editing of photos, and photo libraries.

The originals are never changed. Everything here is what the program `photoedit` does, in this
process: arguments, options and results are those of its command line.
"""

from ._native import version
from .background import background
from .commands import Outcome, adjust, apply, history, redo, revert, run, show, undo
from .errors import (
    BadDataError, BusyError, CancelledError, CannotCreateError, ConfigurationError, Error,
    FailedInputsError, InputMissingError, InputOutputError, InternalError, NoPermissionError,
    UnavailableError, UsageError, WorkerEnded)
from .image import Image, Pixels, Rendering
from .library import Album, Asset, Change, Changes, Library
from .native import Cancellation
from .worker import Worker

__version__ = version()

__all__ = [
    "Album", "Asset", "BadDataError", "BusyError", "Cancellation", "CancelledError",
    "CannotCreateError", "Change", "Changes", "ConfigurationError", "Error", "FailedInputsError",
    "Image", "InputMissingError", "InputOutputError", "InternalError", "Library",
    "NoPermissionError", "Outcome", "Pixels", "Rendering", "UnavailableError", "UsageError",
    "Worker", "WorkerEnded", "adjust", "apply", "background", "history", "redo", "revert", "run",
    "show", "undo", "version"]
