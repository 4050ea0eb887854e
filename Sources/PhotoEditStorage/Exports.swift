// SPDX-License-Identifier: Apache-2.0

// Conversions and arithmetic that saturate, in every file of this module (decision record 0067).
@_exported public import PhotoEditNumbers
