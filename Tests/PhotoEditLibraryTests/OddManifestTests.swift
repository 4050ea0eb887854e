// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Rebuilding from inconsistent manifests")
struct OddManifestTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func repairedWithoutDatabase() throws -> (LibraryReport, PhotoLibrary) {
    for suffix in ["", "-wal", "-shm"] {
      try FileSystem.remove(library.layout.database + suffix)
    }
    let report = try LibraryRepair().run(at: library.url)
    return (report, try PhotoLibrary(at: library.url))
  }

  /// Rewrites the manifest of an object.
  private func rewrite(
    _ identifier: String, _ change: (String) throws -> String
  ) throws {
    let file = library.layout.manifest(of: try #require(LocalIdentifier(identifier)))
    let url = URL(filePath: library.layout.path(file))
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    let changed = try change(text)
    #expect(changed != text)
    try Data(changed.utf8).write(to: url)
  }

  @Test func `a manifest that lists a file twice does not affect other assets`() async throws {
    let assets = try (0..<3).map { _ in try folder.addPhoto() }
    try await EditorB.edit(library, assets[1], "one")
    try await EditorB.edit(library, assets[1], "two")
    let album = try folder.addAlbum(assets)
    try library.synchronize()
    let state = try folder.digests(assets[1])
    for asset in assets[..<2] {
      try rewrite(asset.localIdentifier) { text in
        var members = try #require(try JSONValue(parsing: Array(text.utf8)).objectValue)
        let files = try #require(members["files"]?.arrayValue)
        members["files"] = .array(files + files)
        return JSONValue.object(members).prettyPrinted()
      }
    }
    let (report, again) = try repairedWithoutDatabase()
    let remade = report.actions.filter { $0.contains("rebuilt from its files") }
    #expect(report.isSound && remade.count == 2, "\(report)")
    #expect(try again.fetchAssets(in: album).count == 3)
    #expect(try again.editingStore(for: assets[1]).state().record?.current == state[2])
  }

  @Test func `a misplaced copy of an album manifest is ignored and reported`() throws {
    let album = try folder.addAlbum([try folder.addPhoto()], title: "one")
    try library.synchronize()
    let file = library.layout.manifest(of: try #require(LocalIdentifier(album.localIdentifier)))
    let prefixes = ["00", "ZZ"].filter { !file.hasPrefix("collections/" + $0) }
    for prefix in prefixes {
      try FileSystem.createFolder(library.layout.collections + "/" + prefix)
      try FileSystem.copy(
        library.layout.path(file),
        to: library.layout.collections + "/" + prefix + "/" + FileSystem.lastName(of: file))
    }
    let (report, again) = try repairedWithoutDatabase()
    let reported = report.findings.filter { $0.kind == .danglingReference }.compactMap(\.file)
    #expect(
      reported == prefixes.map { "collections/" + $0 + "/" + FileSystem.lastName(of: file) })
    #expect(try again.fetchAssetCollections(with: .album).map(\.localizedTitle) == ["one"])
    #expect(try again.fetchAssets(in: album).count == 1)
  }
}
