// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditSQLite
import PhotoEditStorage

/// Writes the manifests of objects, or removes those of removed objects.
///
/// Used in a transaction that blocks other writers, so that a manifest is never replaced by an
/// older one. An asset without files has no manifest, since it could not be restored from it.
struct ManifestWriter {
  let layout: LibraryLayout
  let database: LibraryDatabase

  static let partial = ".new"

  /// An object whose manifest is out of date.
  struct Stale: Hashable {
    let objectClass: ObjectClass
    let row: Int64
  }

  /// Writes the manifest of an object, or removes that of a removed object, without syncing it.
  ///
  /// - Returns: The file, relative to the library; nil if there was nothing to do.
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
    try translating(LibraryError.init) { () throws(FileError) in
      for folder in try layout.createFolder(FileSystem.folder(of: file)) {
        try FileSystem.syncFolder(folder)
      }
      // A file of a terminated process may be left.
      try FileSystem.remove(part)
      let bytes = FileBytes(Array(text.utf8))
      do throws(FileError) {
        try OpenFile(creating: part).write(bytes.buffer)
        try FileSystem.rename(part, to: path)
      } catch {
        // The folder of a failed backup must be empty.
        do throws(FileError) { try FileSystem.remove(part) } catch {}
        throw error
      }
    }
  }

  private func remove(_ file: String) throws(LibraryError) -> String {
    try inFiles(layout.remove(file))
    return file
  }
}

/// The commit recorded in a manifest, by which a repair determines the newer of two states.
///
/// Numbers increase with every commit of a library, even across a repair. Manifests written before
/// this field was introduced do not have it.
struct ManifestCommit: Hashable {
  var number: Int64
  /// The date in seconds since 1970; nil if the history no longer contains the commit.
  var date: Double?

  init(number: Int64, date: Double?) {
    self.number = number
    self.date = date
  }

  /// Reads the last commit of an object from two columns: the number and the date.
  init(_ row: Row, _ column: Int) {
    self.init(number: row.int(column), date: row.optionalReal(column + 1))
  }

  /// Returns the SQL expressions of the two columns for a table that has `lastChange`.
  static func columns(of table: String) -> String {
    "\(table).lastChange, (SELECT date FROM change WHERE change.id = \(table).lastChange)"
  }

  var json: JSONValue {
    ["number": .number(Double(number)), "date": date.map { .number($0) } ?? .null]
  }

  /// Reads a commit; returns nil for any other JSON.
  init?(_ json: JSONValue?) {
    guard let number = json?["number"]?.integerValue, number >= 0, number < 1 << 52 else {
      return nil
    }
    self.init(number: Int64(number), date: json?["date"]?.numberValue)
  }

  /// Returns whether this is the later of two commits; nil if that cannot be determined.
  func isLater(than other: ManifestCommit) -> Bool? {
    if number != other.number { return number > other.number }
    guard let date, let others = other.date, date != others else { return nil }
    return date > others
  }
}
