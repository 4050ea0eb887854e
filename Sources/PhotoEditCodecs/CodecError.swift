// SPDX-License-Identifier: Apache-2.0

/// Why a picture cannot be read or written.
public enum CodecError: Error, Sendable, Hashable {
  /// The file has no bytes.
  case empty
  /// The file is no picture; `found` names what it is, with its article: "a PDF document".
  case notAnImage(found: String)
  /// A picture of a kind that is not read; the value names it: "a 12-bit JPEG".
  case unsupported(String)
  /// A picture of a format that this build was made without.
  case notBuilt(ImageFormat)
  /// The library that reads such pictures is not installed.
  ///
  /// `package` is the name of the Debian package; `reason` is what the system says.
  case libraryMissing(ImageFormat, package: String, reason: String)
  /// Pixels are wrong or missing.
  ///
  /// `realRows` counts the whole rows from the top that are as they were written, of `rows`; it is
  /// `nil` when nobody can know, and `rows` is `nil` when the damage hides the size.
  case damaged(message: String, realRows: Int?, rows: Int?)
  /// The header asks for more than `ImageLimits` allows.
  case limitExceeded(Limit, value: Int, allowed: Int)
  /// The picture cannot be written; the value says why.
  case encoding(String)
  /// The system has no memory left for the picture.
  case outOfMemory
  /// The system has no threads left, without which the library of the format waits for ever.
  case noThreads
  /// The caller asked to stop.
  case cancelled

  /// A property of a picture that is bounded.
  public enum Limit: String, Sendable, Hashable {
    /// Width times height.
    case pixels
    /// The longer side.
    case side
    /// Scans of a JPEG, each of which costs a pass over the picture.
    case scans
    /// Bytes of memory for decoding, filtering and encoding.
    case memory
  }
}

extension CodecError: CustomStringConvertible {
  /// One clause, to stand behind a file name: what is wrong, which value, what is allowed, what to do.
  public var description: String {
    switch self {
    case .empty:
      "the file is empty; a picture is expected"
    case .notAnImage(let found):
      "the file is \(found); a picture is expected (\(ImageFormat.readable))"
    case .unsupported(let what):
      "the file is \(what), which is not read; convert it to 8-bit JPEG or PNG first"
    case .notBuilt(let format):
      "the file is \(format.nameWithArticle), and this build reads only \(ImageFormat.readable); "
        + "build it with the package trait for the format"
    case .libraryMissing(let format, let package, let reason):
      "the file is \(format.nameWithArticle), and the library that reads it cannot be loaded "
        + "(\(reason)); install the Debian package \(package)"
    case .damaged(let message, let realRows, let rows):
      "the picture is damaged: \(message)\(Self.extent(realRows, of: rows))"
    case .limitExceeded(.memory, let value, let allowed):
      "the work takes up to \(value) bytes of memory, \(allowed) are allowed; "
        + "raise the limit if you trust the file"
    case .limitExceeded(let limit, let value, let allowed):
      "the picture has \(Self.amount(value, limit)), \(allowed) are allowed; "
        + "raise the limit if you trust the file"
    case .encoding(let message):
      "the picture cannot be written: \(message)"
    case .outOfMemory:
      "there is not enough memory for the picture; free some or use a smaller picture"
    case .noThreads:
      "the system gives no threads, which the library that reads the picture needs; try again later"
    case .cancelled:
      "the work was cancelled"
    }
  }

  private static func extent(_ realRows: Int?, of rows: Int?) -> String {
    guard let rows else { return "" }
    guard let realRows else { return "; which of its \(rows) rows are real cannot be told" }
    return "; \(realRows) of \(rows) rows are real"
  }

  private static func amount(_ value: Int, _ limit: Limit) -> String {
    switch limit {
    case .pixels: "\(value) pixels"
    case .side: "a side of \(value) pixels"
    case .scans: "\(value) scans or more"
    case .memory: "\(value) bytes"
    }
  }
}
