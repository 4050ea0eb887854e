// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// The error for metadata that exceeds the memory limits.
///
/// Damage is never an error; it becomes a notice or a loss, and the image is rendered.
public enum MetadataError: PhotoEditError, Hashable {
  /// The metadata of one file is larger than `ImageLimits.maximumMetadataBytes`.
  case tooManyBytes(limit: Int)
  /// The file has more segments than any well-formed one.
  case tooManySegments(limit: Int)
  /// A compressed PNG chunk expands to more bytes than its size or the limit allows.
  case decompressionBomb(chunk: String, compressed: Int, limit: Int)

  /// The class and the name of the failure.
  public var facts: FailureFacts { FailureFacts(.unsuitable, "metadata") }

  /// The reason, as one clause.
  public var description: String {
    switch self {
    case .tooManyBytes(let limit):
      "file contains more than \(limit) bytes of metadata"
    case .tooManySegments(let limit):
      "file contains more than \(limit) metadata segments; save it again with another program"
    case .decompressionBomb(let chunk, let compressed, let limit):
      "PNG chunk \(chunk) decompresses from \(compressed) bytes to more than \(limit)"
    }
  }
}
