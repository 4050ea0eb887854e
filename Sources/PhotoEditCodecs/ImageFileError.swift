// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An error of reading an image file into memory, or of writing one from memory.
public struct ImageFileError: PhotoEditError {
  /// The path of the file.
  public let path: String?
  /// The cause: a `FileError`, a `CodecError`, or a `RenderError` if pixels were converted.
  public let underlying: any PhotoEditError

  /// Creates the error of a file.
  public init(_ underlying: any PhotoEditError, path: String) {
    (self.underlying, self.path) = (underlying, path)
  }

  /// The failed file operation, if any.
  public var file: FileError? { underlying as? FileError ?? underlying.file }
  /// The class, the name and the hint of the cause.
  public var facts: FailureFacts { underlying.facts }
  /// The path and the cause.
  public var description: String {
    file.map { "\($0)" } ?? "\(path.map { $0 + ": " } ?? "")\(underlying)"
  }
}
