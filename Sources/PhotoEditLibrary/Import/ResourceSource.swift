// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// The options for adding a file to an asset.
public struct AssetResourceCreationOptions: Sendable {
  /// The file name to record; the name of the source if nil.
  public var originalFilename: String?
  /// The uniform type identifier, such as "public.jpeg"; must not contradict the content.
  public var uniformTypeIdentifier: String?
  /// Indicates whether the source is removed after the asset is committed, and never before.
  ///
  /// A source that has additional hard links, is a symbolic link or is open in another process is
  /// rejected; the last if the file system can determine it. A source that has changed meanwhile is
  /// kept.
  public var shouldMoveFile = false

  /// Creates the default options: the file is copied and keeps its name and type.
  public init(
    originalFilename: String? = nil, uniformTypeIdentifier: String? = nil,
    shouldMoveFile: Bool = false
  ) {
    self.originalFilename = originalFilename
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.shouldMoveFile = shouldMoveFile
  }
}

/// A file or bytes to be added to an asset.
struct ResourceSource: Sendable {
  enum Origin: Sendable {
    case file(String)
    case data([UInt8])
  }

  let type: AssetResourceType
  let origin: Origin
  let options: AssetResourceCreationOptions

  /// The path, or a name for messages.
  var name: String {
    switch origin {
    case .file(let path): path
    case .data: options.originalFilename ?? "the data of \(type)"
    }
  }
}

/// A source to be removed after the commit.
struct MovedSource: Sendable {
  let path: String
  let version: FileVersion

  /// Removes the source, unless it has been replaced or changed.
  func remove() {
    guard FileVersion(path) == version else { return }
    unlink(path)
  }
}
