// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Making libraries")
struct LibraryCreationTests {
  private let place: TemporaryFolder
  private var layout: LibraryLayout { LibraryLayout(root: place.path("photos")) }
  private var url: URL { place.url("photos") }

  init() throws { place = try TemporaryFolder() }

  private func names() throws -> Set<String> { Set(try FileSystem.names(in: layout.root)) }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `a database whose log is still beside it gets no name`() throws {
    try FileSystem.makeFolder(layout.root)
    let unfinished = layout.path("library.db.new-7D")
    for suffix in ["", "-wal"] {
      try Data([1]).write(to: URL(filePath: unfinished + suffix))
    }
    #expect(throws: FileError.self) { try LibraryFolder.publish(unfinished, in: layout) }
    #expect(try names() == ["library.db.new-7D", "library.db.new-7D-wal"])
  }

  @Test func `L10: a library is made of what a killed program left of one`() throws {
    try FileSystem.makeFolder(layout.root)
    try FileSystem.makeFolder(layout.assets)
    for name in ["library.db.new-7D", "library.db.new-7D-wal", "library.db.new"] {
      try Data((0..<100).map { $0 }).write(to: URL(filePath: layout.path(name)))
    }
    // No library is opened before one is made, and the way out is told.
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

  @Test(arguments: ["assets/x", "notes.txt", "library.db", "other/"])
  func `L10: a folder that holds anything else stays as it is`(name: String) throws {
    for folder in [layout.root, layout.assets] { try FileSystem.makeFolder(folder) }
    if name.hasSuffix("/") {
      try FileSystem.makeFolder(layout.path(String(name.dropLast())))
    } else {
      try Data([1]).write(to: URL(filePath: layout.path(name)))
    }
    let before = try names()
    let error = #expect(throws: LibraryError.self) { try PhotoLibrary.create(at: url) }
    #expect(error?.code == .invalidResource && error?.path == layout.root)
    #expect(try names() == before)
  }

  @Test func `L10: only its owner may read the database, however it was made`() throws {
    let library = try PhotoLibrary.create(at: url)
    #expect(try mode(library.layout.database) == 0o600)
    #expect(try LibraryBackup().run(of: library, to: place.url("copy")).findings == [])
    let copy = LibraryLayout(root: place.path("copy"))
    #expect(try mode(copy.database) == 0o600)
    try FileSystem.remove(copy.database)
    #expect(try LibraryRepair().run(at: place.url("copy")).isSound)
    #expect(try mode(copy.database) == 0o600)
  }
}
