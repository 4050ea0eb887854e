// SPDX-License-Identifier: Apache-2.0

/// A remark about a file that did not stop the decoder.
public struct DecoderWarning: Sendable, Hashable {
  /// The significance of a notice for the pixels.
  public enum Kind: String, Sendable, Hashable {
    /// The file is unusual, but no pixel is wrong.
    case harmless
    /// Pixels are wrong or missing and were filled; only for lenient decoders.
    case filled
    /// The file ends properly, but lacks its last refinement scans.
    case unrefined
    /// CMYK was converted to RGB without a profile: the colors are approximate.
    case convertedWithoutProfile
  }

  /// The significance of the notice for the pixels.
  public let kind: Kind
  /// One clause, without a full stop.
  public let message: String
  /// Number of complete rows decoded from the top, for `.filled`; `nil` if unknown.
  public let recoveredRows: Int?

  /// Creates a notice.
  package init(kind: Kind, message: String, recoveredRows: Int? = nil) {
    self.kind = kind
    self.message = message
    self.recoveredRows = recoveredRows
  }
}
