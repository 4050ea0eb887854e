// SPDX-License-Identifier: Apache-2.0

// A single import provides every module that appears in this module's interface.
@_exported public import PhotoEditCodecs
@_exported public import PhotoEditFilters
@_exported public import PhotoEditPixels
@_exported public import PhotoEditRendering
@_exported public import PhotoEditStorage
