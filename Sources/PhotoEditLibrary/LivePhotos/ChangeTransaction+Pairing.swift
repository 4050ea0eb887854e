// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// The rows of assets that are combined into a Live Photo or separated.
extension ChangeTransaction {
  /// Adds an asset to the albums of another, directly before it.
  func add(_ asset: Int64, toAlbumsOf other: Int64) throws(LibraryError) {
    let albums = try database.integers(
      """
      SELECT album FROM member JOIN collection ON collection.id = album
      WHERE asset = ? AND collection.state = 0
      """, [.integer(other)])
    for album in albums where try position(of: asset, in: album) == nil {
      var list = try members(of: album)
      var seen = list.rows
      guard let index = seen.firstIndex(of: other) else { continue }
      list.insert([asset], at: [index], seen: &seen)
      try write(list, removed: [], to: album)
    }
  }

  /// Removes an asset from the albums that it joined in the commit that moved another to the trash.
  ///
  /// If that commit is no longer in the history, the asset stays in the albums.
  func remove(_ asset: Int64, fromAlbumsJoinedWith other: Int64) throws(LibraryError) {
    let albums = try database.integers(
      """
      SELECT album FROM memberHistory
      WHERE asset = ? AND before IS NULL AND after IS NOT NULL AND change = (
        SELECT max(change) FROM changedObject WHERE class = ? AND object = ? AND kind = ?)
      """,
      [
        .integer(asset), .init(ObjectClass.asset.rawValue), .integer(other),
        .integer(ChangeKind.deleted.rawValue),
      ])
    for album in albums where try position(of: asset, in: album) != nil {
      var list = try members(of: album)
      let removed = list.remove([asset])
      try write(list, removed: removed, to: album)
    }
  }

  /// Returns the video with the given content that was moved to the trash last.
  func trashedMovie(
    _ digest: SHA256Digest
  ) throws(LibraryError) -> (row: Int64, identifier: LocalIdentifier)? {
    let found = try database.first(
      """
      SELECT asset.id, asset.uuid FROM resource JOIN asset ON asset.id = resource.asset
      WHERE resource.digest = ? AND resource.type = ? AND asset.state = 1
      ORDER BY asset.trashedDate DESC, asset.id DESC LIMIT 1
      """, [.blob(digest.bytes), .init(AssetResourceType.video.rawValue)]
    ) { ($0.int(0), LocalIdentifier(bytes: $0.blob(1), .asset)) }
    guard let found, let identifier = found.1 else { return nil }
    return (found.0, identifier)
  }

  /// Returns whether an edit of a Live Photo, or an edit that can be redone, includes its video.
  func hasEditedMovie(_ known: ExistingAsset) throws(LibraryError) -> Bool {
    let types: [AssetResourceType] = [.fullSizePairedVideo, .adjustmentBasePairedVideo]
    if types.contains(where: { known.resources[$0] != nil }) { return true }
    return try database.journalFiles(of: known.row).contains { file in
      types.contains { FileSystem.lastName(of: file.file).hasPrefix("\($0)-") }
    }
  }

  /// Removes the video of a Live Photo, which becomes a still.
  func removeMovie(
    _ movie: ResourceRecord, from known: ExistingAsset, isAnimated: Bool
  ) throws(LibraryError) {
    try touchAsset(known.row, isContent: true)
    try database.run(
      "DELETE FROM resource WHERE asset = ? AND type = ?",
      [.integer(known.row), .init(movie.type.rawValue)])
    try deleteAfterCommit(movie.file)
    try database.run(
      """
      UPDATE asset SET mediaSubtypes = mediaSubtypes & ~?, playbackStyle = ?,
        contentRevision = contentRevision + 1, modificationDate = ?, contentModificationDate = ?
      WHERE id = ?
      """,
      [
        .init(MediaSubtype.photoLive.rawValue),
        .init((isAnimated ? PlaybackStyle.imageAnimated : .image).rawValue), .real(date),
        .real(date), .integer(known.row),
      ])
  }
}

extension PhotoLibrary {
  /// Examines a file of the library.
  ///
  /// - Parameter path: The path of a copy to create; nil for none.
  /// - Throws: `LibraryError` for a file that does not match its recorded digest.
  func staged(
    _ record: ResourceRecord, as type: AssetResourceType, to path: String?
  ) throws(LibraryError) -> StagedResource {
    let source = try inFiles(layout.path(of: record.file))
    let staged = try ResourceStager.stage(
      ResourceSource(
        type: type, origin: .file(source),
        options: AssetResourceCreationOptions(originalFilename: record.filename)), to: path)
    guard staged.digest.bytes == record.digest else { throw .damagedFile(source) }
    return staged
  }
}

extension LibraryError {
  static func notAlone(_ asset: LocalIdentifier, _ expected: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(asset) is not \(expected)",
      hint: "specify the image, then the video", identifiers: ["\(asset)"])
  }

  static func unpairedAssets(_ still: StagedResource, _ movie: StagedResource) -> LibraryError {
    let error = unpaired(
      still: still.filename, still.contentIdentifier, movie: movie.filename,
      movie.contentIdentifier)
    return LibraryError(
      error.code, path: error.path, error.message,
      hint: "use LivePhotoPairing.force (--force) to combine them anyway")
  }
}

extension ChangeContext {
  /// Combines an image and a video into a Live Photo.
  ///
  /// The image gets the video and joins the albums of the video's asset, which is moved to the
  /// trash. Files are not changed; with `force`, the library alone records that they belong
  /// together. Not in PhotoKit.
  ///
  /// - Parameters:
  ///   - still: An image without a RAW and without a video.
  ///   - movie: A video without an edit, in QuickTime format.
  /// - Throws: When the change is performed, `invalidResource` if the content identifiers do not
  ///   match, `changeNotSupported` for other assets.
  public func pair(
    _ still: Asset, _ movie: Asset, pairing: LivePhotoPairing = .byContentIdentifier
  ) throws(LibraryError) {
    let pair = try LocalIdentifier.assets([still, movie])
    try add(LivePhotoPairingRequest(pair[0], pair[1], pairing, library))
  }

  /// Separates the video of a Live Photo from its image.
  ///
  /// If the video was an asset before `pair(_:_:pairing:)` and is in the trash, that asset is
  /// restored with its albums, which the image leaves again. Not in PhotoKit.
  ///
  /// - Throws: When the change is performed, `requestNotSupportedForAsset` if the asset is not a
  ///   Live Photo, `changeNotSupported` if its edit or its image file contains the video.
  public func unpair(_ asset: Asset) throws(LibraryError) {
    for identifier in try LocalIdentifier.assets([asset]) {
      try add(LivePhotoSeparationRequest(identifier, library))
    }
  }
}
