// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// A library that is not open: three photos, the first one edited, and an album of two.
final class ClosedLibrary {
  private let parent: TemporaryFolder
  let layout: LibraryLayout
  /// The local identifiers of the photos.
  let photos: [String]
  var url: URL { URL(filePath: layout.root) }

  init() async throws {
    let open = try TestLibrary()
    let assets = try (0..<3).map { _ in try open.addPhoto() }
    try await EditorB.edit(open.library, assets[0], "one")
    _ = try open.addAlbum(Array(assets.prefix(2)), title: "album")
    try open.library.synchronize()
    parent = try TemporaryFolder()
    photos = assets.map(\.localIdentifier)
    var backup = LibraryBackup()
    backup.sharesFiles = false
    try #require(try backup.run(of: open.library, to: parent.url("library")).findings == [])
    layout = LibraryLayout(at: parent.url("library"))
  }

  /// A path outside of the library.
  func outside(_ name: String) -> String { parent.path(name) }

  /// Opens the library, runs a closure and closes the library with its manifests written.
  func open<Value>(
    _ body: (PhotoLibrary) async throws -> Value
  ) async throws -> Value {
    let library = try PhotoLibrary(at: url)
    let value = try await body(library)
    try library.synchronize()
    return value
  }

  /// Runs SQL statements, as another program could.
  func execute(_ sql: String) throws { try Connection(layout.database, .readWrite).execute(sql) }

  func asset(_ index: Int, in library: PhotoLibrary) throws -> Asset {
    try #require(try library.fetchAssets(withLocalIdentifiers: [photos[index]]).first)
  }

  // MARK: Contents

  /// The rows of each object in the form of its manifest, without the commit.
  func facts() async throws -> [String] {
    try await open { library in
      try library.read { database throws(LibraryError) in
        var facts: [String] = []
        for row in try database.integers("SELECT id FROM asset ORDER BY uuid") {
          guard var manifest = try AssetManifest(row, in: database) else { continue }
          (manifest.commit, manifest.row) = (nil, 0)
          facts.append(manifest.json.prettyPrinted())
        }
        for row in try database.integers("SELECT id FROM collection ORDER BY uuid") {
          guard var manifest = try CollectionManifest(row, in: database) else { continue }
          (manifest.commit, manifest.row) = (nil, 0)
          facts.append(manifest.text)
        }
        return facts
      }
    }
  }

  /// The digests of all files in the library by path; links are not followed.
  func tree(_ folder: String = "") throws -> [String: SHA256Digest] {
    var found: [String: SHA256Digest] = [:]
    for name in try FileSystem.names(in: layout.path(folder)) {
      let file = folder.isEmpty ? name : folder + "/" + name
      switch try FileSystem.entry(at: layout.path(file)) {
      case .folder: found.merge(try tree(file)) { first, _ in first }
      case .file: found[file] = try FileBytes.digest(of: layout.path(file))
      default: break
      }
    }
    return found
  }

  /// The same without the database, because reading it changes its log.
  func files() throws -> [String: SHA256Digest] {
    try tree().filter { !$0.key.hasPrefix("library.db") }
  }

  /// The files that repairs have set aside, without the folders named by date.
  func aside() throws -> Set<String> {
    Set(
      try tree().keys.filter { $0.hasPrefix("set-aside/") }.map {
        $0.split(separator: "/").dropFirst(2).joined(separator: "/")
      })
  }

  func bytes(_ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: layout.path(file))))
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    try Data(bytes).write(to: URL(filePath: layout.path(file)))
  }

  func check() throws -> LibraryReport {
    var check = LibraryCheck()
    check.isDeep = true
    return try check.run(at: url)
  }
}
