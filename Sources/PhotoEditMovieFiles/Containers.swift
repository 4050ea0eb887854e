// SPDX-License-Identifier: Apache-2.0

// Whatever is said of a movie is said in boxes.
@_exported public import PhotoEditContainers
