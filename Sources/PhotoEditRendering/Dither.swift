// SPDX-License-Identifier: Apache-2.0

/// The handling of excess bits when the result has eight bits per sample.
///
/// It affects only sources with more than eight bits; others are always rounded.
public enum Dither: Sendable, Hashable {
  /// Samples are rounded.
  case none
  /// Triangular noise of up to one level in both directions is added before rounding.
  ///
  /// Means over many pixels are then the same as in the source; files become larger. The noise
  /// depends only on the seed and the position in the result.
  case tpdf(seed: UInt64)
}
