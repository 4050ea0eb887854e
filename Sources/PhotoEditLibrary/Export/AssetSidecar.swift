// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditStorage

extension PhotoLibrary {
  /// Returns an XMP file with everything stored in the library but not in the asset's files.
  ///
  /// - Parameters:
  ///   - resources: The files of the asset. XMP imported with it is kept, except for the properties
  ///     that the library has.
  ///   - isComplete: Whether the XMP file describes the asset with all its files.
  ///   - removed: The metadata that the edit has removed; XMP imported with the asset, which may
  ///     state it, is then not kept.
  func sidecar(
    of asset: Asset, _ resources: [ResourceRecord], isComplete: Bool,
    removed: MetadataRemoval = []
  ) throws(LibraryError) -> [UInt8] {
    var metadata = SidecarMetadata(asset)
    metadata.place = placeNames(of: asset, resources)
    if isComplete {
      metadata.date = asset.creationDate.flatMap {
        CaptureDate(stated: $0.timeIntervalSince1970, offset: asset.utcOffset)
      }
      metadata.isPaired = resources.contains { $0.type == .pairedVideo }
      for resource in resources where resource.type != .sidecar {
        metadata.filenames[resource.type.rawValue] = resource.filename
      }
    }
    // Albums are omitted if only part of the library is accessible.
    if reader.canRead, reader.visibleAssets == nil {
      metadata.albums = try read { database throws(LibraryError) in
        try database.albums(of: asset.row)
      }
    }
    metadata.remove(removed)
    var packet: [UInt8]?
    if removed.isEmpty, let stored = resources.first(where: { $0.type == .sidecar }) {
      packet = try inFiles(
        layout.read(stored.file, maximumBytes: SidecarMetadata.maximumBytes).array)
    }
    return metadata.xmp(identifier: asset.localIdentifier, keeping: packet)
  }
}

extension LibraryDatabase {
  /// Returns the positions of an asset in user-created albums.
  fileprivate func albums(of asset: Int64) throws(LibraryError) -> [SidecarMetadata.Album] {
    let memberships = try all(
      """
      SELECT member.album, (SELECT count(*) FROM member AS other
        WHERE other.album = member.album AND other.position < member.position)
      FROM member JOIN collection ON collection.id = member.album
      WHERE member.asset = ? AND collection.state = 0 ORDER BY collection.id
      """, [.integer(asset)]
    ) { (album: $0.int(0), position: Int($0.int(1))) }
    return try memberships.map { album, position throws(LibraryError) in
      SidecarMetadata.Album(path: try path(of: album), position: position)
    }
  }

  /// Returns the titles of a collection's folders, outermost first, and its own title.
  func path(of collection: Int64) throws(LibraryError) -> [String] {
    var titles: [String] = []
    var seen: Set<Int64> = []
    var next: Int64? = collection
    // A damaged library may contain a cycle.
    while let row = next, seen.insert(row).inserted {
      let found = try first(
        "SELECT title, parent FROM collection WHERE id = ?", [.integer(row)]
      ) { ($0.optionalText(0) ?? "", $0.optionalInt(1)) }
      guard let found else { break }
      titles.append(found.0)
      next = found.1
    }
    return titles.reversed()
  }
}

extension ResourceRecord {
  /// The record of an XMP file written for an export.
  init(sidecar bytes: FileBytes) {
    self.init(
      type: .sidecar, file: "sidecar." + FileContent.sidecar.fileExtension,
      digest: bytes.digest().bytes, size: bytes.count, uniformType: FileContent.sidecar.uniformType,
      filename: "")
  }
}
