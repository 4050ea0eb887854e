// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Symbolic links in place of library files")
struct LinkedFileTests {
  /// Moves a file out of the library and leaves a link.
  private func moveOut(_ file: String, of library: ClosedLibrary) throws {
    let outside = library.outside("outside")
    try FileSystem.rename(library.layout.path(file), to: outside)
    #expect(symlink(outside, library.layout.path(file)) == 0)
  }

  private func file(_ type: AssetResourceType, in library: ClosedLibrary) async throws -> String {
    try await library.open { open in
      let photo = try library.asset(0, in: open)
      return try #require(try open.resources(of: photo).first { $0.type == type }).file
    }
  }

  @Test(arguments: [AssetResourceType.photo, .fullSizePhoto, .adjustmentData])
  func `a linked file is not read, backed up or exported`(type: AssetResourceType)
    async throws
  {
    let library = try await ClosedLibrary()
    let file = try await file(type, in: library)
    try moveOut(file, of: library)
    for isDeep in [false, true] {
      var check = LibraryCheck()
      check.isDeep = isDeep
      let report = try check.run(at: library.url)
      #expect(report.findings.contains { $0.kind == .linkedFile && $0.file == file })
      #expect(!report.isSound)
    }
    try await library.open { open in
      let photo = try library.asset(0, in: open)
      #expect(throws: LibraryError.self) { try open.files(of: photo) }
      let resource = try #require(try open.assetResources(for: photo).first { $0.type == type })
      let error = #expect(throws: LibraryError.self) {
        _ = try AssetResourceReader.opening(resource, in: open.reader)
      }
      #expect(error?.code == .missingResource)
      try FileSystem.createFolder(library.outside("export"))
      var exporter = Exporter(open, to: URL(filePath: library.outside("export")), version: .all)
      #expect(throws: LibraryError.self) { try exporter.export(photo) }
      #expect(throws: (any Error).self) { try open.editingStore(for: photo).state() }
      for isShared in [true, false] {
        let destination = URL(filePath: library.outside("backup \(isShared)"))
        var backup = LibraryBackup()
        backup.sharesFiles = isShared
        let report = try backup.run(of: open, to: destination)
        #expect(report.findings.contains { $0.kind == .linkedFile && $0.file == file })
        #expect(!FileSystem.itemExists(destination.path + "/" + file))
      }
    }
  }

  @Test func `a linked manifest is not read and can be repaired`() async throws {
    let library = try await ClosedLibrary()
    let file = library.layout.manifest(of: try #require(LocalIdentifier(library.photos[0])))
    try moveOut(file, of: library)
    #expect(library.layout.json(file) == nil)
    #expect(try LibraryCheck().run(at: library.url).findings.map(\.kind) == [.linkedFile])
    _ = try LibraryRepair().run(at: library.url)
    #expect(try library.check().findings == [])
    #expect(FileSystem.itemExists(library.outside("outside")))
  }

  @Test func `a linked policy allows nothing and is not backed up`() async throws {
    let library = try await ClosedLibrary()
    try Data(#"{"schemaVersion": 1}"#.utf8).write(
      to: URL(filePath: library.layout.policy))
    try moveOut("policy.json", of: library)
    let findings = try library.check().findings
    #expect(findings.map(\.kind) == [.linkedFile] && findings[0].file == "policy.json")
    let open = try PhotoLibrary(at: library.url)
    #expect(open.authorizationStatus(for: .readWrite) == .restricted)
    let destination = library.outside("backup")
    let report = try LibraryBackup().run(of: open, to: URL(filePath: destination))
    #expect(report.findings.map(\.kind) == [.linkedFile])
    #expect(!FileSystem.itemExists(destination + "/policy.json"))
  }
}
