// SPDX-License-Identifier: Apache-2.0
import Database
public import Storage

/// A file of an asset: what it is, what it was called, and what is in it.
///
/// An asset that was never edited has its originals alone. An edited one has the rendering and the
/// record of the edit besides, and the base where that is not the original.
public struct AssetResource: Sendable, Hashable {
  /// The versions of an asset that can be asked for by name.
  public enum Version: String, Sendable, Hashable, CaseIterable {
    /// What people see: the rendering of the most recent edit, or the original.
    case current
    /// The file that came in; of a RAW beside a JPEG, the one that the asset shows.
    case original
    /// What the most recent edit began with: an earlier rendering, or the original.
    case base
  }

  /// The asset that the file belongs to.
  public let assetLocalIdentifier: String
  /// What the file is to the asset.
  public let type: AssetResourceType
  /// Such as "public.jpeg".
  public let uniformTypeIdentifier: String
  /// The name that the file came with; a rendering is called after the original.
  public let originalFilename: String
  /// Bytes.
  public let size: Int
  /// The SHA-256 of the bytes.
  public let digest: Digest

  /// Relative to the library.
  let file: String

  init?(_ record: ResourceRecord, of asset: String) {
    guard let digest = Digest(bytes: record.digest) else { return nil }
    assetLocalIdentifier = asset
    type = record.type
    uniformTypeIdentifier = record.uniformType
    originalFilename = record.filename
    size = record.size
    self.digest = digest
    file = record.file
  }
}

extension PhotoLibrary {
  /// The files of an asset as they are now, by the numbers of their types.
  ///
  /// The first is an original, whatever was edited; ask for `.current` to get what people see.
  ///
  /// - Returns: Nothing for an asset that is gone, or that this program may not see.
  public func assetResources(for asset: Asset) throws(LibraryError) -> [AssetResource] {
    guard let identifier = LocalIdentifier(asset.localIdentifier, as: .asset) else {
      throw .otherLibrary(asset.localIdentifier)
    }
    guard canSee(identifier) else { return [] }
    return try read { database throws(LibraryError) in
      try database.resources(of: identifier)
    }.compactMap { AssetResource($0, of: asset.localIdentifier) }
  }

  /// The file of a version of an asset; of a Live Photo, its still.
  ///
  /// - Returns: Nil where the asset has no such file; see `assetResources(for:)`.
  public func assetResource(
    for asset: Asset, version: AssetResource.Version = .current
  ) throws(LibraryError) -> AssetResource? {
    try assetResource(for: asset, version, types: Self.mainTypes)
  }

  /// The movie of a version of a Live Photo.
  ///
  /// - Returns: Nil where that version is a plain still.
  public func pairedVideoResource(
    for asset: Asset, version: AssetResource.Version = .current
  ) throws(LibraryError) -> AssetResource? {
    try assetResource(for: asset, version, types: Self.pairedTypes)
  }

  private typealias Types = [AssetResource.Version: Set<AssetResourceType>]

  private static let mainTypes: Types = [
    .current: [.fullSizePhoto, .fullSizeVideo], .original: [.photo, .video, .audio],
    .base: [.adjustmentBasePhoto, .adjustmentBaseVideo],
  ]
  private static let pairedTypes: Types = [
    .current: [.fullSizePairedVideo], .original: [.pairedVideo],
    .base: [.adjustmentBasePairedVideo],
  ]

  private func assetResource(
    for asset: Asset, _ version: AssetResource.Version, types: Types
  ) throws(LibraryError) -> AssetResource? {
    let all = try assetResources(for: asset)
    func first(_ version: AssetResource.Version, _ types: Types) -> AssetResource? {
      all.first { types[version]?.contains($0.type) == true }
    }
    // Still and movie are of one version: a rendering without a movie has none.
    let hasVersion = first(version, Self.mainTypes) != nil
    return hasVersion ? first(version, types) : first(.original, types)
  }
}

extension LibraryDatabase {
  /// The files of an asset that is neither in the trash nor gone; none for any other.
  func resources(of identifier: LocalIdentifier) throws(LibraryError) -> [ResourceRecord] {
    let row = try first(
      "SELECT id FROM asset WHERE uuid = ? AND state = 0", [.blob(identifier.bytes)]
    ) { $0.int(0) }
    return try row.map { row throws(LibraryError) in try resources(of: row) } ?? []
  }
}
