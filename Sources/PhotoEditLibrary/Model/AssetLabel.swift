// SPDX-License-Identifier: Apache-2.0

extension Asset {
  /// The colors of labels; the raw values are stored and written to JSON.
  public enum Label: String, Sendable, Hashable, CaseIterable, Codable {
    /// Red.
    case red
    /// Yellow.
    case yellow
    /// Green.
    case green
    /// Blue.
    case blue
    /// Purple.
    case purple
  }
}
