// SPDX-License-Identifier: Apache-2.0

// Graphs, arguments and reports are JSON values; who works with filters works with those.
@_exported public import PhotoEditContainers
