// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// What is said of a file that becomes part of an asset.
public struct AssetResourceCreationOptions: Sendable {
  /// The name that the file is remembered by; the source's own when there is none.
  public var originalFilename: String?
  /// What the file is, such as "public.jpeg"; must not contradict its content.
  public var uniformTypeIdentifier: String?
  /// Whether the source is removed once the asset is committed, and never before.
  ///
  /// A source that has further names, is a symbolic link, or is open elsewhere, is refused; the last
  /// where the file system can tell. One that was changed in the meantime stays.
  public var shouldMoveFile = false

  /// Makes the usual options: copied, with the name and the type that it has.
  public init(
    originalFilename: String? = nil, uniformTypeIdentifier: String? = nil,
    shouldMoveFile: Bool = false
  ) {
    self.originalFilename = originalFilename
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.shouldMoveFile = shouldMoveFile
  }
}

/// A file, or bytes, that are to become part of an asset.
struct ResourceSource: Sendable {
  enum Place: Sendable {
    case file(String)
    case data([UInt8])
  }

  let type: AssetResourceType
  let place: Place
  let options: AssetResourceCreationOptions

  /// The path, or what stands for it in messages.
  var name: String {
    switch place {
    case .file(let path): path
    case .data: options.originalFilename ?? "the data of \(type)"
    }
  }
}

/// A source that is to be removed after the commit.
struct ConsumedSource: Sendable {
  let path: String
  let version: FileVersion

  /// Removes it, unless something else is there by now.
  func remove() {
    guard FileVersion(path) == version else { return }
    unlink(path)
  }
}
