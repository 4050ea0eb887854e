// SPDX-License-Identifier: Apache-2.0

/// Why a picture cannot be decoded or encoded.
public enum CodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file has no bytes.
  case empty
  /// The bytes are something else.
  case notAnImage(found: String)
  /// A picture of a kind that is not decoded here.
  case unsupported(String)
  /// Samples are wrong or missing; rows tell how many at the top are real.
  case damaged(message: String, realRows: Int, rows: Int)
  /// The header promises more than is allowed.
  case limitExceeded(what: String, value: Int, allowed: Int)
  /// The encoder refused.
  case encoding(String)
  /// There is not enough memory.
  case outOfMemory
  /// Somebody asked to stop.
  case cancelled

  /// One sentence.
  public var description: String {
    switch self {
    case .empty: "the file is empty"
    case .notAnImage(let found): "not a JPEG or PNG picture but \(found)"
    case .unsupported(let what): "\(what) cannot be decoded"
    case .damaged(let message, let real, let rows):
      "damaged (\(message)); \(real) of \(rows) rows are real"
    case .limitExceeded(let what, let value, let allowed):
      "\(what) is \(value), allowed are \(allowed)"
    case .encoding(let message): "encoding failed: \(message)"
    case .outOfMemory: "not enough memory"
    case .cancelled: "cancelled"
    }
  }
}

/// Something odd about a file that did not keep it from being decoded.
public struct CodecNotice: Hashable, Sendable {
  /// What kind of oddity.
  public enum Kind: String, Hashable, Sendable {
    /// The codec mentioned something; the samples are as they were meant.
    case harmless
    /// Samples are wrong or missing and were accepted.
    case lenient
    /// Inks became light without a profile.
    case inks
  }

  /// What kind of oddity.
  public let kind: Kind
  /// One sentence.
  public let message: String

  /// Makes a notice.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
