// SPDX-License-Identifier: Apache-2.0

// Every format here is made of markers, boxes, directories or chunks.
@_exported public import PhotoEditContainers
