// SPDX-License-Identifier: Apache-2.0

/// The work that a rendering takes, from the least to the most.
public enum RenderMethod: String, Sendable, Hashable, CaseIterable {
  /// The source's coefficients are rearranged; nothing is decoded to pixels.
  case coefficients
  /// Only the Y plane of the source is decoded.
  case luma
  /// Every channel goes through a table of 256 levels; pixels are moved or left out besides.
  case tables
  /// Samples are floats between decoder and encoder.
  case float

  /// Whether pixels are decoded.
  public var path: RenderPath { self == .coefficients ? .coefficients : .pixels }
}
