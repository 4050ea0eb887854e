// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
public import PhotoEditStorage

/// A file of an asset: its role, original name and content.
///
/// An asset that was never edited has only its originals. An edited one also has the rendering, the
/// adjustment data, and the base if it is not the original.
public struct AssetResource: Sendable, Hashable {
  /// The versions of an asset that can be requested by name.
  public enum Version: String, Sendable, Hashable, CaseIterable {
    /// The current version: the rendering of the most recent edit, or the original.
    case current
    /// The imported file; of a RAW next to a JPEG, the one that the asset shows.
    case original
    /// The input of the most recent edit: an earlier rendering, or the original.
    case base
  }

  /// The asset that the file belongs to; empty for a Live Photo created from files.
  public let assetLocalIdentifier: String
  /// The role of the file.
  public let type: AssetResourceType
  /// The uniform type identifier, such as "public.jpeg".
  public let uniformTypeIdentifier: String
  /// The name of the file at import; a rendering is named after the original.
  public let originalFilename: String
  /// The size in bytes.
  public let size: Int
  /// The SHA-256 of the bytes.
  public let digest: SHA256Digest

  /// The path relative to the library; the full path of a file outside it.
  let file: String
  let isOutside: Bool

  init?(_ record: ResourceRecord, of asset: String) {
    guard let digest = SHA256Digest(bytes: record.digest) else { return nil }
    assetLocalIdentifier = asset
    type = record.type
    uniformTypeIdentifier = record.uniformType
    originalFilename = record.filename
    size = record.size
    self.digest = digest
    file = record.file
    isOutside = false
  }

  init(outside staged: StagedResource) {
    assetLocalIdentifier = ""
    type = staged.type
    uniformTypeIdentifier = staged.uniformType
    originalFilename = staged.filename
    size = staged.size
    digest = staged.digest
    file = staged.path
    isOutside = true
  }
}

extension PhotoLibrary {
  /// Returns the current files of an asset, sorted by the raw values of their types.
  ///
  /// The first one is an original, even after edits; use `.current` to get the current version.
  ///
  /// - Returns: An empty array for an asset that was removed or that this process may not access.
  public func assetResources(for asset: Asset) throws(LibraryError) -> [AssetResource] {
    guard let identifier = LocalIdentifier(asset.localIdentifier, as: .asset) else {
      throw .otherLibrary(asset.localIdentifier)
    }
    guard reader.canSee(identifier) else { return [] }
    let found = try read { database throws(LibraryError) in
      try database.resources(of: identifier)
    }
    return (found ?? []).compactMap { AssetResource($0, of: asset.localIdentifier) }
  }

  /// Returns the file of a version of an asset; of a Live Photo, its still.
  ///
  /// - Returns: Nil if the asset has no such file; see `assetResources(for:)`.
  public func assetResource(
    for asset: Asset, version: AssetResource.Version = .current
  ) throws(LibraryError) -> AssetResource? {
    try assetResource(for: asset) { version.mainType(among: $0) }
  }

  /// Returns the video of a version of a Live Photo.
  ///
  /// - Returns: Nil if that version is a plain still.
  public func pairedVideoResource(
    for asset: Asset, version: AssetResource.Version = .current
  ) throws(LibraryError) -> AssetResource? {
    try assetResource(for: asset) { version.pairedType(among: $0) }
  }

  private func assetResource(
    for asset: Asset, _ choose: (Set<AssetResourceType>) -> AssetResourceType?
  ) throws(LibraryError) -> AssetResource? {
    let all = try assetResources(for: asset)
    guard let type = choose(Set(all.map(\.type))) else { return nil }
    return all.first { $0.type == type }
  }

  /// Returns the current files of an asset, sorted by PhotoKit's raw values of their types.
  func resources(of asset: Asset) throws(LibraryError) -> [ResourceRecord] {
    try read { database throws(LibraryError) in try database.resources(of: asset.row) }
  }

  /// Returns the files of an asset, originals first; throws an error for a symbolic link.
  package func files(of asset: Asset) throws(LibraryError) -> [AssetFile] {
    var files: [AssetFile] = []
    for resource in try resources(of: asset) {
      guard let digest = SHA256Digest(bytes: resource.digest) else { continue }
      let path = try inFiles(layout.unlinkedPath(resource.file))
      files.append(
        AssetFile(
          type: resource.type, path: path, digest: digest, size: resource.size,
          uniformType: resource.uniformType, filename: resource.filename))
    }
    return files
  }
}

extension AssetResource.Version {
  private typealias Types = [Self: Set<AssetResourceType>]

  private static let mainTypes: Types = [
    .current: [.fullSizePhoto, .fullSizeVideo], .original: [.photo, .video, .audio],
    .base: [.adjustmentBasePhoto, .adjustmentBaseVideo],
  ]
  private static let pairedTypes: Types = [
    .current: [.fullSizePairedVideo], .original: [.pairedVideo],
    .base: [.adjustmentBasePairedVideo],
  ]

  /// Returns the type of the file to show for this version of an asset that has files of certain
  /// types; of a Live Photo, its still.
  func mainType(among types: Set<AssetResourceType>) -> AssetResourceType? {
    type(among: types, Self.mainTypes)
  }

  /// Returns the type of this version's paired video of an asset that has files of certain types;
  /// nil for a plain still.
  func pairedType(among types: Set<AssetResourceType>) -> AssetResourceType? {
    type(among: types, Self.pairedTypes)
  }

  /// Returns a type of one version only: a rendering without a video has no paired video.
  private func type(
    among types: Set<AssetResourceType>, _ candidates: Types
  ) -> AssetResourceType? {
    func first(_ version: Self, _ candidates: Types) -> AssetResourceType? {
      candidates[version].flatMap { types.intersection($0).first }
    }
    let hasVersion = first(self, Self.mainTypes) != nil
    return first(hasVersion ? self : .original, candidates)
  }
}

extension LibraryDatabase {
  /// Returns the files of an asset; nil if it does not exist.
  ///
  /// - Parameter includesTrash: Whether a trashed asset counts as existing.
  func resources(
    of identifier: LocalIdentifier, includesTrash: Bool = false
  ) throws(LibraryError) -> [ResourceRecord]? {
    let row = try first(
      "SELECT id FROM asset WHERE uuid = ? AND state < ?",
      [.blob(identifier.bytes), .integer(includesTrash ? 2 : 1)]
    ) { $0.int(0) }
    return try row.map { row throws(LibraryError) in try resources(of: row) }
  }
}

/// A file of an asset: its type, its path, and its expected contents.
package struct AssetFile: Sendable, Hashable {
  package let type: AssetResourceType
  package let path: String
  package let digest: SHA256Digest
  /// The size in bytes.
  package let size: Int
  /// The uniform type identifier, such as "public.jpeg".
  package let uniformType: String
  package let filename: String
}
