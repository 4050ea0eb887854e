// SPDX-License-Identifier: Apache-2.0

/// The error for metadata that exceeds the memory limits.
///
/// Damage is never an error; it becomes a notice or a loss, and the image is rendered.
public enum MetadataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The metadata of one file is larger than `ImageLimits.maximumMetadataBytes`.
  case tooManyBytes(limit: Int)
  /// The file has more segments than any well-formed one.
  case tooManySegments(limit: Int)
  /// A compressed PNG chunk expands to more bytes than its size or the limit allows.
  case decompressionBomb(chunk: String, compressed: Int, limit: Int)

  /// The reason, in one sentence.
  public var description: String {
    switch self {
    case .tooManyBytes(let limit):
      """
      The file contains more than \(limit) bytes of metadata; raise the limit for metadata if you \
      trust the file.
      """
    case .tooManySegments(let limit):
      "The file contains more than \(limit) metadata segments; re-save it with another program."
    case .decompressionBomb(let chunk, let compressed, let limit):
      """
      The PNG chunk \(chunk) expands from \(compressed) bytes to more than \(limit); remove the \
      chunk or raise the limit for metadata if you trust the file.
      """
    }
  }
}
