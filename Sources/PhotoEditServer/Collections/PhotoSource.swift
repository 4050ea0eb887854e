// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditLibrary

/// The photos that a server shows: one photo, a folder, or a library.
protocol PhotoSource: Sendable {
  /// "photo", "folder" or "library".
  var mode: String { get }
  /// The name of the photo, the folder or the library, without its path.
  var name: String { get }
  /// The identifier of the only photo; nil if there are others.
  var onlyAsset: String? { get }

  /// Returns the store of a photo's versions.
  func store(of asset: String) throws(Problem) -> any EditingStore

  /// Returns the name of a photo's file.
  func fileName(of asset: String) throws(Problem) -> String
}

/// One photo with its sidecar.
struct SinglePhoto: PhotoSource {
  let mode = "photo"
  let name: String
  private let store: SidecarStore
  private let identifier = Secret.random(bits: 96)

  init(_ store: SidecarStore) {
    self.store = store
    name = FileSystem.lastName(of: store.assetName)
  }

  var onlyAsset: String? { identifier }

  func store(of asset: String) throws(Problem) -> any EditingStore {
    guard asset == identifier else { throw .unknownAsset }
    return store
  }

  func fileName(of asset: String) throws(Problem) -> String {
    guard asset == identifier else { throw .unknownAsset }
    return name
  }
}

extension Problem {
  static let unknownAsset = Problem(.notFound, "there is no such photo")
}
