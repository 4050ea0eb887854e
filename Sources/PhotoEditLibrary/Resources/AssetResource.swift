// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
public import PhotoEditStorage

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

  /// The asset that the file belongs to; empty for a Live Photo that was made of files.
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

  /// Relative to the library; the whole path of a file outside of it.
  let file: String
  /// Whether the file is in no library.
  let isOutside: Bool

  init?(_ record: ResourceRecord, of asset: String) {
    guard let digest = Digest(bytes: record.digest) else { return nil }
    assetLocalIdentifier = asset
    type = record.type
    uniformTypeIdentifier = record.uniformType
    originalFilename = record.filename
    size = record.size
    self.digest = digest
    file = record.file
    isOutside = false
  }

  /// A file that was read where it is.
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
  /// The files of an asset as they are now, by the numbers of their types.
  ///
  /// The first is an original, whatever was edited; ask for `.current` to get what people see.
  ///
  /// - Returns: Nothing for an asset that is gone, or that this program may not see.
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

  /// The file of a version of an asset; of a Live Photo, its still.
  ///
  /// - Returns: Nil where the asset has no such file; see `assetResources(for:)`.
  public func assetResource(
    for asset: Asset, version: AssetResource.Version = .current
  ) throws(LibraryError) -> AssetResource? {
    try assetResource(for: asset) { version.mainType(among: $0) }
  }

  /// The movie of a version of a Live Photo.
  ///
  /// - Returns: Nil where that version is a plain still.
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

  /// What shows this version of an asset that has files of certain types; of a Live Photo, its still.
  func mainType(among types: Set<AssetResourceType>) -> AssetResourceType? {
    type(among: types, Self.mainTypes)
  }

  /// The movie of this version of an asset that has files of certain types; nil for a plain still.
  func pairedType(among types: Set<AssetResourceType>) -> AssetResourceType? {
    type(among: types, Self.pairedTypes)
  }

  /// Still and movie are of one version: a rendering without a movie has none.
  private func type(
    among types: Set<AssetResourceType>, _ wanted: Types
  ) -> AssetResourceType? {
    func first(_ version: Self, _ wanted: Types) -> AssetResourceType? {
      wanted[version].flatMap { types.intersection($0).first }
    }
    let hasVersion = first(self, Self.mainTypes) != nil
    return first(hasVersion ? self : .original, wanted)
  }
}

extension LibraryDatabase {
  /// The files of an asset; nil for one that is gone.
  ///
  /// - Parameter includesTrash: Whether an asset in the trash counts as one that is there.
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
