// SPDX-License-Identifier: Apache-2.0

/// Why a file does not tell of an edit by another program.
public enum ForeignEditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is neither an AAE nor XMP nor a picture with XMP inside.
  case notAnEdit
  /// More bytes than are read.
  case tooLarge(bytes: Int, maximum: Int)
  /// The bytes are no property list, or one that is nested too deep or unfolds to too much.
  case notAPropertyList
  /// The property list lacks a key that every AAE has.
  case missing(key: String)
  /// The adjustment data is no raw deflate stream, or one that was cut off.
  case notDeflated(bytes: Int)
  /// The adjustment data inflates to more bytes than are read.
  case inflatesTooFar(maximum: Int)
  /// The adjustment data is not what Apple Photos writes.
  case adjustments(String)
  /// The XMP is not well-formed, or is more than XMP may be.
  case xmp(line: Int, reason: String)
  /// The XMP holds no settings of Lightroom or Camera Raw.
  case noSettings
  /// Memory has run out.
  case outOfMemory

  /// One sentence: what is wrong, with the values.
  public var description: String {
    switch self {
    case .notAnEdit:
      "it tells of no edit; allowed: an AAE, an XMP file, or a JPEG or PNG with XMP inside"
    case .tooLarge(let bytes, let maximum):
      "it has \(bytes) bytes; at most \(maximum) are allowed"
    case .notAPropertyList: "it is not a whole property list, or one beyond all bounds"
    case .missing(let key): "its property list has no usable \(key)"
    case .notDeflated(let bytes):
      "its adjustment data of \(bytes) bytes is not one whole deflate stream"
    case .inflatesTooFar(let maximum):
      "its adjustment data inflates to more than the \(maximum) bytes that are allowed"
    case .adjustments(let reason): "its adjustments cannot be read: \(reason)"
    case .xmp(let line, let reason): "line \(line) of its XMP: \(reason)"
    case .noSettings: "its XMP holds no settings of Lightroom or Camera Raw (crs:)"
    case .outOfMemory: "memory has run out"
    }
  }
}
