// SPDX-License-Identifier: Apache-2.0

/// What is done about the bits that a result of eight has no place for.
///
/// It matters to sources of more than eight bits alone; others are rounded in any case.
public enum Dither: Sendable, Hashable {
  /// They are rounded.
  case none
  /// Noise of a triangular density, up to a level to both sides, is added before they are rounded.
  ///
  /// Means over many pixels then stay what they are in the source; files become larger. The noise
  /// follows from the seed and the place in the result alone.
  case tpdf(seed: UInt64)
}
