// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Creating libraries")
struct LibraryCreationTests {
  private let parent: TemporaryFolder
  private var layout: LibraryLayout { LibraryLayout(root: parent.path("photos")) }
  private var url: URL { parent.url("photos") }

  init() throws { parent = try TemporaryFolder() }

  private func names() throws -> Set<String> { Set(try FileSystem.names(in: layout.root)) }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `an unfinished database with a log is not published`() throws {
    try FileSystem.createFolder(layout.root)
    let unfinished = layout.path("library.db.new-7D")
    for suffix in ["", "-wal"] {
      try Data([1]).write(to: URL(filePath: unfinished + suffix))
    }
    #expect(throws: FileError.self) { try LibraryFolder.publish(unfinished, in: layout) }
    #expect(try names() == ["library.db.new-7D", "library.db.new-7D-wal"])
  }

  @Test func `creating a library succeeds after a killed attempt`() throws {
    try FileSystem.createFolder(layout.root)
    try FileSystem.createFolder(layout.assets)
    for name in ["library.db.new-7D", "library.db.new-7D-wal", "library.db.new"] {
      try Data((0..<100).map { $0 }).write(to: URL(filePath: layout.path(name)))
    }
    // Opening fails until the library is created.
    #expect(throws: LibraryError.self) { try PhotoLibrary(at: url) }
    do {
      let library = try PhotoLibrary.create(at: url)
      #expect(UUID(uuidString: library.identifier) != nil)
      #expect(throws: LibraryError.self) { try PhotoLibrary.create(at: url) }
      #expect(try PhotoLibrary(at: url).identifier == library.identifier)
    }
    let left = try names().filter { !["library.db-wal", "library.db-shm"].contains($0) }
    #expect(left == ["assets", "collections", "staging", "library.db"])
    #expect(try LibraryCheck().run(at: url).findings == [])
  }

  @Test(
    .requirement("library-availability"),
    arguments: ["assets/x", "notes.txt", "library.db", "other/"])
  func `a folder with other content is rejected and left unchanged`(name: String) throws {
    for folder in [layout.root, layout.assets] { try FileSystem.createFolder(folder) }
    if name.hasSuffix("/") {
      try FileSystem.createFolder(layout.path(String(name.dropLast())))
    } else {
      try Data([1]).write(to: URL(filePath: layout.path(name)))
    }
    let before = try names()
    let error = #expect(throws: LibraryError.self) { try PhotoLibrary.create(at: url) }
    #expect(error?.code == .invalidResource && error?.path == layout.root)
    #expect(try names() == before)
  }

  @Test func `new, copied and rebuilt databases are readable only by their owner`() throws {
    let library = try PhotoLibrary.create(at: url)
    #expect(try mode(library.layout.database) == 0o600)
    #expect(try LibraryBackup().run(of: library, to: parent.url("copy")).findings == [])
    let copy = LibraryLayout(root: parent.path("copy"))
    #expect(try mode(copy.database) == 0o600)
    try FileSystem.remove(copy.database)
    #expect(try LibraryRepair().run(at: parent.url("copy")).isSound)
    #expect(try mode(copy.database) == 0o600)
  }
}
