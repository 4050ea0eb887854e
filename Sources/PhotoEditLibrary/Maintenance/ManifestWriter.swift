// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditSQLite
import PhotoEditStorage

/// Writes the manifests of objects, or removes those of objects that are gone.
///
/// Used inside a transaction that keeps other writers away: a manifest must not be replaced by an
/// older one. An asset without files has no manifest: nothing of it could be made again.
struct ManifestWriter {
  let layout: LibraryLayout
  let database: LibraryDatabase

  /// What unfinished manifests have at the end of their names.
  static let partial = ".new"

  /// An object whose manifest says less than the database.
  struct Stale: Hashable {
    let objectClass: ObjectClass
    let row: Int64
  }

  /// Writes the manifest of one object, or removes that of one that is gone; it is not durable yet.
  ///
  /// - Returns: The file, relative to the library; nil when there is nothing to do.
  @discardableResult
  func write(_ object: Stale) throws(LibraryError) -> String? {
    switch object.objectClass {
    case .asset: try writeAsset(object.row)
    case .assetCollection, .collectionList: try writeCollection(object.row)
    }
  }

  private func writeAsset(_ row: Int64) throws(LibraryError) -> String? {
    guard let manifest = try AssetManifest(row, in: database) else {
      let uuid = try database.first("SELECT uuid FROM asset WHERE id = ?", [.integer(row)]) {
        LocalIdentifier(bytes: $0.blob(0), .asset)?.uuid
      }
      guard case .some(.some(let uuid)) = uuid else { return nil }
      return try remove(layout.assetFolder(uuid) + "/" + AssetManifest.name)
    }
    guard !manifest.resources.isEmpty else { return nil }
    let file = layout.assetFolder(manifest.uuid) + "/" + AssetManifest.name
    try write(manifest.json.prettyPrinted() + "\n", to: file)
    return file
  }

  private func writeCollection(_ row: Int64) throws(LibraryError) -> String? {
    guard let manifest = try CollectionManifest(row, in: database) else {
      let uuid = try database.first("SELECT uuid FROM collection WHERE id = ?", [.integer(row)]) {
        LocalIdentifier(bytes: $0.blob(0), .assetCollection)?.uuid
      }
      guard case .some(.some(let uuid)) = uuid else { return nil }
      return try remove(layout.collectionManifest(uuid))
    }
    let file = layout.collectionManifest(manifest.uuid)
    try write(manifest.text, to: file)
    return file
  }

  private func write(_ text: String, to file: String) throws(LibraryError) {
    let path = layout.path(file)
    let part = path + Self.partial
    do throws(FileError) {
      try layout.makeFolder(FileSystem.folder(of: file))
      // Left over from a program that was killed.
      try FileSystem.remove(part)
      let bytes = FileBytes(Array(text.utf8))
      try OpenFile(creating: part).write(bytes.buffer)
      try FileSystem.rename(part, to: path)
    } catch {
      throw LibraryError(error)
    }
  }

  private func remove(_ file: String) throws(LibraryError) -> String {
    try inFiles(layout.remove(file))
    return file
  }
}
