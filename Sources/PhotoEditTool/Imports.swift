// SPDX-License-Identifier: Apache-2.0

// The modules that most files of the program use; no module imports this one.
@_exported public import PhotoEditCodecs
@_exported public import PhotoEditCommandLine
@_exported public import PhotoEditLibrary
@_exported public import PhotoEditPixels
@_exported public import PhotoEditRendering
@_exported public import PhotoEditStorage
@_exported public import PhotoEditVideo
