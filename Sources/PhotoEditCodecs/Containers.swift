// SPDX-License-Identifier: Apache-2.0

// Every format here consists of markers, boxes, directories or chunks.
@_exported public import PhotoEditContainers
