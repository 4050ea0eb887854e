// SPDX-License-Identifier: Apache-2.0

/// The processing method of a rendering, from the least to the most work.
public enum RenderMethod: String, Sendable, Hashable, CaseIterable {
  /// The source's coefficients are rearranged; nothing is decoded to pixels.
  case coefficients
  /// Only the Y plane of the source is decoded.
  case luma
  /// Every channel is mapped by a table of 256 levels; pixels may also be moved or dropped.
  case tables
  /// Samples are floats between decoder and encoder.
  case float

  /// The path of the method: coefficients or pixels.
  public var path: RenderPath { self == .coefficients ? .coefficients : .pixels }
}
