// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Database rows with paths outside of the asset folders")
struct ExternalFileTests {
  @Test(arguments: ["../secret", "assets/../../secret", "notes.jpg", "assets/AA/secret"])
  func `a file outside of the asset folders is neither opened nor exported`(
    file: String
  ) async throws {
    let folder = try TestLibrary()
    let library = folder.library
    let asset = try folder.addPhoto()
    try await EditorB.edit(library, asset, "one")
    try library.synchronize()
    // The bytes are the same, so that only the path is wrong.
    let bytes = try TestImages.bytes("jpeg-17x31.jpg")
    try FileSystem.createFolder(library.layout.assets + "/AA")
    try Data(bytes).write(to: URL(filePath: library.layout.path(file)))
    try folder.tamper(
      """
      UPDATE resource SET file = '\(file)' WHERE type = 1;
      INSERT INTO journalFile (asset, file, kind, digest, size)
        SELECT asset, file, 0, digest, size FROM resource WHERE type = 1
      """)
    #expect(try library.files(of: asset).allSatisfy { $0.type != .photo })
    let versions = try library.reader.versions(
      of: try #require(LocalIdentifier(asset.localIdentifier)))
    #expect(!versions.files.contains(file))
    let out = try TemporaryFolder()
    var exporter = Exporter(library, to: URL(filePath: out.path), version: .original)
    let error = #expect(throws: LibraryError.self) { try exporter.export(asset) }
    #expect(error?.code == .missingResource)
    #expect(throws: (any Error).self) { try folder.store(asset).state() }
    let found = try LibraryCheck().run(at: library.url).findings
    #expect(found.filter { $0.kind == .danglingReference }.map(\.file) == [file, file])
    try library.performChangesAndWait { try $0.delete([asset]) }
    try library.performChangesAndWait { try $0.purge([asset]) }
    try library.synchronize()
    #expect(FileSystem.itemExists(library.layout.path(file)))
  }
}
