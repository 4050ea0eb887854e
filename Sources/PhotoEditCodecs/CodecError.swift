// SPDX-License-Identifier: Apache-2.0

/// An error while reading or writing an image.
public enum CodecError: Error, Sendable, Hashable {
  /// The file has no bytes.
  case empty
  /// The file is not an image; `found` names its type with an article: "a PDF document".
  case notAnImage(found: String)
  /// An unsupported kind of image; the value names it: "a 12-bit JPEG".
  case unsupported(String)
  /// An image format that is not included in this build.
  case notBuilt(ImageFormat)
  /// The library for this image format is not installed.
  ///
  /// `package` is the name of the Debian package; `reason` is the system's error message.
  case libraryMissing(ImageFormat, package: String, reason: String)
  /// Pixels are wrong or missing.
  ///
  /// `realRows` is the number of complete rows from the top that are undamaged, of `rows`; it is
  /// `nil` if unknown, and `rows` is `nil` if the size is unreadable.
  case damaged(message: String, realRows: Int?, rows: Int?)
  /// The header exceeds the limits in `ImageLimits`.
  case limitExceeded(Limit, value: Int, allowed: Int)
  /// The image cannot be written; the value is the reason.
  case encoding(String)
  /// There is not enough memory for the image.
  case outOfMemory
  /// No thread can be started; without one, the library of the format would wait forever.
  case noThreads
  /// The caller canceled the operation.
  case cancelled

  /// A bounded property of an image.
  public enum Limit: String, Sendable, Hashable {
    /// Width times height.
    case pixels
    /// The longer side.
    case side
    /// Scans of a JPEG, each of which costs a pass over the image.
    case scans
    /// Bytes of memory for decoding, filtering and encoding.
    case memory
  }
}

extension CodecError: CustomStringConvertible {
  /// One clause, suitable after a file name: the error, the value, the limit and a remedy.
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
