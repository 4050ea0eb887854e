// SPDX-License-Identifier: Apache-2.0

/// Something about a file that its reader should know and that did not stop the decoder.
public struct CodecNotice: Sendable, Hashable {
  /// What the notice means for the pixels.
  public enum Kind: String, Sendable, Hashable {
    /// The file is odd, but no pixel is wrong.
    case harmless
    /// Pixels are wrong or missing and were filled; only a lenient decoder gets here.
    case filled
    /// The file ends properly, but without its last refinements.
    case unrefined
    /// Inks became RGB without a profile: the colours are approximate.
    case convertedWithoutProfile
  }

  /// What the notice means for the pixels.
  public let kind: Kind
  /// One clause, without a full stop.
  public let message: String
  /// Whole real rows from the top, for `.filled`; `nil` when nobody can know.
  public let realRows: Int?

  /// Makes a notice.
  package init(kind: Kind, message: String, realRows: Int? = nil) {
    self.kind = kind
    self.message = message
    self.realRows = realRows
  }
}
