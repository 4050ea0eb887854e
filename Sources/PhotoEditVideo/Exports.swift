// SPDX-License-Identifier: Apache-2.0

// One import provides everything that appears in the interface of this module.
@_exported public import PhotoEdit
@_exported public import PhotoEditMovieFiles
