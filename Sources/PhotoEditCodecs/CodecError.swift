// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An error while reading or writing an image.
public enum CodecError: PhotoEditError, Hashable {
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
  /// `recoveredRows` is the number of complete rows from the top that are undamaged, of `rows`; it
  /// is `nil` if unknown, and `rows` is `nil` if the size is unreadable.
  case damaged(message: String, recoveredRows: Int?, rows: Int?)
  /// The header exceeds the limits in `ImageLimits`.
  case limitExceeded(Limit, value: Int, allowed: Int)
  /// The image cannot be written; the value is the reason.
  case encoding(String)
  /// There is not enough memory for the image.
  case outOfMemory
  /// No thread can be started, without which the library of the format would wait forever; or no
  /// process.
  case noThreads
  /// The confined process that decodes ended or answered wrongly; the value is the reason, with its
  /// subject: "its decoder crashed (SIGSEGV)".
  case decoderFailed(String)
  /// Confinement is required, but not possible; the value is the reason.
  case notConfined(String)
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

    fileprivate var options: String {
      self == .memory ? "--max-memory" : "--max-pixels, --max-dimension or --max-scans"
    }
  }

  /// One clause, suitable after a file name: the error, the value and the limit.
  public var description: String {
    switch self {
    case .empty:
      "file is empty; expected an image"
    case .notAnImage(let found):
      "not a supported image (found \(found); supported: \(ImageFormat.readable))"
    case .unsupported(let what):
      "\(what) is not supported"
    case .notBuilt(let format):
      "\(format.nameWithArticle) is not supported by this build (supported: "
        + "\(ImageFormat.readable))"
    case .libraryMissing(let format, _, let reason):
      "\(format.nameWithArticle) cannot be read because its library cannot be loaded "
        + "(\(reason))"
    case .damaged(let message, let recoveredRows, let rows):
      "image is damaged: \(message)\(Self.extent(recoveredRows, of: rows))"
    case .limitExceeded(.memory, let value, let allowed):
      "processing requires up to \(value) bytes of memory (maximum: \(allowed))"
    case .limitExceeded(let limit, let value, let allowed):
      "image has \(Self.amount(value, limit)) (maximum: \(allowed))"
    case .encoding(let message):
      "image cannot be written: \(message)"
    case .outOfMemory:
      "not enough memory for the image"
    case .noThreads:
      "cannot start a decoding thread or process"
    case .decoderFailed(let reason):
      "image cannot be decoded: \(reason)"
    case .notConfined(let reason):
      "image cannot be decoded in a confined process: \(reason)"
    case .cancelled:
      "canceled"
    }
  }

  /// The class, the name and the hint of the case.
  public var facts: FailureFacts {
    switch self {
    case .empty: FailureFacts(.unsuitable, "empty")
    case .notAnImage: FailureFacts(.unsuitable, "notAnImage")
    case .unsupported:
      FailureFacts(.unsuitable, "unsupported", hint: "convert it to an 8-bit JPEG or PNG first")
    case .notBuilt:
      FailureFacts(
        .unavailable, "notBuilt", hint: "build photoedit with the package trait for the format")
    case .libraryMissing(_, let package, _):
      FailureFacts(.unavailable, "libraryMissing", hint: "run 'apt-get install \(package)'")
    // Without any rows, nothing of the image is known, so nothing can be rendered.
    case .damaged(_, _, nil): FailureFacts(.unsuitable, "damaged")
    case .damaged:
      FailureFacts(.unsuitable, "damaged", hint: "use --lenient to render what could be decoded")
    case .limitExceeded(let limit, _, _):
      FailureFacts(
        .unsuitable, "limitExceeded",
        hint: "raise the limit with \(limit.options) if you trust the file")
    case .encoding: FailureFacts(.unsuitable, "encoding")
    case .outOfMemory:
      FailureFacts(.busy, "outOfMemory", hint: "free memory or use a smaller image")
    case .noThreads:
      FailureFacts(
        .busy, "noThreads",
        hint: "try again, or raise the limits ('ulimit -u' of processes, 'ulimit -n' of files)")
    case .decoderFailed:
      FailureFacts(
        .unsuitable, "decoderFailed",
        hint: "do not trust the file; if other programs open it, report the fault")
    case .notConfined:
      FailureFacts(
        .unavailable, "notConfined",
        hint: "use --sandbox auto or off if you trust the file")
    case .cancelled: FailureFacts(.cancelled, "cancelled")
    }
  }

  /// Returns the error for an image of which nothing is known to be undamaged.
  static func damaged(_ message: String, rows: Int? = nil) -> CodecError {
    .damaged(message: message, recoveredRows: nil, rows: rows)
  }

  private static func extent(_ recoveredRows: Int?, of rows: Int?) -> String {
    guard let rows else { return "" }
    guard let recoveredRows else { return " (number of decodable rows unknown, of \(rows))" }
    return " (\(recoveredRows) of \(rows) rows could be decoded)"
  }

  private static func amount(_ value: Int, _ limit: Limit) -> String {
    switch limit {
    case .pixels: "\(value) pixels"
    case .side: "a width or height of \(value) pixels"
    case .scans: "\(value) scans or more"
    case .memory: "\(value) bytes"
    }
  }
}
