// SPDX-License-Identifier: Apache-2.0

// Exported because all movie structures consist of boxes.
@_exported public import PhotoEditContainers
