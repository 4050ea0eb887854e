// SPDX-License-Identifier: Apache-2.0

/// A failure to read a third-party edit from a file.
public enum EditImportError: PhotoEditError, Hashable {
  /// The file is not an AAE, an XMP file, or an image with embedded XMP.
  case notAnEdit
  /// The file is larger than the limit.
  case tooLarge(bytes: Int, maximum: Int)
  /// The bytes are not a property list, or it is nested too deep or expands to too much data.
  case notAPropertyList
  /// The property list lacks a key that every AAE has.
  case missing(key: String)
  /// The adjustment data is not a raw deflate stream, or is truncated.
  case notDeflated(bytes: Int)
  /// The adjustment data decompresses to more bytes than the limit.
  case inflatesTooFar(maximum: Int)
  /// The adjustment data is not in the format that Apple Photos writes.
  case adjustments(String)
  /// The XMP is not well-formed, or exceeds the limits.
  case xmp(line: Int, reason: String)
  /// The XMP contains no settings of Lightroom or Camera Raw.
  case noSettings
  /// Memory is exhausted.
  case outOfMemory

  /// The class and the name of the failure.
  public var facts: FailureFacts { FailureFacts(.unsuitable, "foreignEdit") }

  /// The line of the XMP, if any.
  public var position: Int? {
    if case .xmp(let line, _) = self { line } else { nil }
  }

  /// A description of the failure in one sentence, with the values.
  public var description: String {
    switch self {
    case .notAnEdit:
      "contains no edit (supported: AAE, XMP, and JPEG or PNG with embedded XMP)"
    case .tooLarge(let bytes, let maximum):
      "file has \(bytes) bytes (maximum: \(maximum))"
    case .notAPropertyList: "not a complete property list, or too large"
    case .missing(let key): "property list has no valid \(key)"
    case .notDeflated(let bytes):
      "adjustment data (\(bytes) bytes) is not a complete deflate stream"
    case .inflatesTooFar(let maximum):
      "adjustment data decompresses to more than \(maximum) bytes"
    case .adjustments(let reason): "invalid adjustments: \(reason)"
    case .xmp(let line, let reason): "line \(line) of the XMP: \(reason)"
    case .noSettings: "XMP contains no Lightroom or Camera Raw settings (crs:)"
    case .outOfMemory: "out of memory"
    }
  }
}
