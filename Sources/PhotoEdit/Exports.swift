// SPDX-License-Identifier: Apache-2.0

// One import gives everything that appears in the interface of this module.
@_exported public import PhotoEditCodecs
@_exported public import PhotoEditFilters
@_exported public import PhotoEditPixels
@_exported public import PhotoEditRendering
@_exported public import PhotoEditStorage
