// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Library manifests")
struct ManifestTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// Manifests of albums and folders, relative to the library.
  private func collections() throws -> [String] {
    try folder.inventory().keys.filter { $0.hasPrefix("collections/") }
  }

  private func repairedWithoutDatabase() throws -> PhotoLibrary {
    for suffix in ["", "-wal", "-shm"] {
      try FileSystem.remove(library.layout.database + suffix)
    }
    #expect(try LibraryRepair().run(at: library.url).isSound)
    return try PhotoLibrary(at: library.url)
  }

  @Test func `repair does not restore deleted albums and folders`() throws {
    // More than a commit writes before it returns.
    let albums = try (0..<40).map { try folder.addAlbum(title: "\($0)") }
    let outer = try folder.addFolder(albums)
    let stays = try folder.addAlbum(title: "stays")
    try library.synchronize()
    #expect(try collections().count == 42)
    try library.performChangesAndWait { try $0.delete([outer]) }
    try library.synchronize()
    let uuid = try #require(LocalIdentifier(stays.localIdentifier)).uuid
    #expect(try collections() == [library.layout.collectionManifest(uuid)])
    #expect(try LibraryCheck().run(at: library.url).findings == [])
    let again = try repairedWithoutDatabase()
    let titles = try again.fetchAssetCollections(with: .album).map(\.localizedTitle)
    #expect(titles == ["stays"])
  }

  @Test func `a check finds missing and unreadable manifests, and repair rewrites them`() throws {
    let asset = try folder.addPhoto()
    let album = try folder.addAlbum([asset])
    let list = try folder.addFolder([album])
    try library.synchronize()
    let files = try [asset.localIdentifier, album.localIdentifier, list.localIdentifier].map {
      library.layout.manifest(of: try #require(LocalIdentifier($0)))
    }
    let before = try folder.inventory()
    for file in files { try FileSystem.remove(library.layout.path(file)) }
    let lost = try LibraryCheck().run(at: library.url)
    #expect(Set(lost.findings.compactMap(\.file)) == Set(files) && !lost.isSound)
    #expect(lost.findings.allSatisfy { $0.kind == .missingManifest })
    #expect(try LibraryRepair().run(at: library.url).findings == [])
    #expect(try folder.inventory() == before)
    for file in files { try Data("{".utf8).write(to: URL(filePath: library.layout.path(file))) }
    var deep = LibraryCheck()
    deep.isDeep = true
    #expect(
      try deep.run(at: library.url).findings.map(\.kind) == [
        .missingManifest, .missingManifest, .missingManifest,
      ])
    #expect(try LibraryRepair().run(at: library.url).findings == [])
    // Unreadable manifests are set aside because they may contain data.
    let (aside, rest) = try folder.inventory().reduce(into: ([String](), [String: SHA256Digest]()))
    {
      if $1.key.hasPrefix("set-aside/") { $0.0.append($1.key) } else { $0.1[$1.key] = $1.value }
    }
    #expect(rest == before && aside.count == files.count)
    for file in files { #expect(aside.contains { $0.hasSuffix("/" + file) }) }
  }

  @Test func `a purged asset is removed from the manifest of its album`() throws {
    let assets = try [folder.addPhoto(), folder.addPhoto()]
    let album = try folder.addAlbum(assets)
    for step in [
      { try $0.delete([assets[0]]) }, { try $0.purge([assets[0]]) },
    ] as [(ChangeContext) throws -> Void] {
      try library.performChangesAndWait(step)
      try library.synchronize()
    }
    let uuid = try #require(LocalIdentifier(album.localIdentifier)).uuid
    let json = library.layout.json(library.layout.collectionManifest(uuid))
    let manifest = try #require(json.flatMap { CollectionManifest($0) })
    #expect(manifest.members.count == 1 && manifest.trashed == [])
    var check = LibraryCheck()
    check.isDeep = true
    #expect(try check.run(at: library.url).findings == [])
  }

  @Test func `a manifest that is still to be written is not an error`() throws {
    let album = try folder.addAlbum()
    try library.synchronize()
    let file = library.layout.manifest(of: try #require(LocalIdentifier(album.localIdentifier)))
    try FileSystem.remove(library.layout.path(file))
    try folder.tamper("INSERT INTO staleManifest (class, object) SELECT class, id FROM collection")
    #expect(try LibraryCheck().run(at: library.url).isSound)
  }
}
