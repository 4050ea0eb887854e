// SPDX-License-Identifier: Apache-2.0

// Graphs, arguments and reports are JSON values, so code that uses filters needs this module.
@_exported public import PhotoEditContainers
