// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Rejected and read-only libraries")
struct LibraryRefusalTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("library") }
  private var database: String { path + "/library.db" }

  init() throws { folder = try TemporaryFolder() }

  /// The bytes of all files below a folder, by path.
  private func tree(_ root: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try FileSystem.names(in: root) {
      let path = root + "/" + name
      if try FileSystem.entry(at: path) == .folder {
        found.merge(try tree(path)) { first, _ in first }
      } else {
        found[path] = [UInt8](try Data(contentsOf: URL(filePath: path)))
      }
    }
    return found
  }

  private func execute(_ sql: String) throws {
    let connection = try Connection(database, .readWrite)
    try connection.execute(sql)
  }

  /// Expects opening and repairing to fail and all files to stay unchanged.
  private func refused(_ code: LibraryError.Code = .invalidResource) async throws {
    let before = try tree(path)
    let url = URL(filePath: path)
    for attempt in [
      { _ = try PhotoLibrary(at: url) }, { _ = try LibraryRepair().run(at: url) },
    ] as [() throws -> Void] {
      #expect(try await libraryError { try attempt() }?.code == code)
      #expect(try tree(path) == before)
    }
  }

  @Test(arguments: [
    """
    INSERT INTO migration (name) VALUES ('later'); CREATE TABLE later (a);
    PRAGMA user_version = \(LibrarySchema.migrations.steps.count + 1)
    """,
    "PRAGMA application_id = 7",
  ])
  func `newer and third-party databases are rejected and left unchanged`(
    change: String
  ) async throws {
    do { _ = try PhotoLibrary.create(at: URL(filePath: path)) }
    try execute(change)
    try await refused()
    let error = try await libraryError { _ = try LibraryCheck().run(at: URL(filePath: path)) }
    #expect(error?.code == .invalidResource)
  }

  @Test func `an empty database file is rejected and left unchanged`() async throws {
    try FileSystem.createFolder(path)
    try FileSystem.createFolder(path + "/assets")
    try Data().write(to: URL(filePath: database))
    try await refused()
  }

  @Test func `a file of random bytes is rejected and left unchanged`() async throws {
    try FileSystem.createFolder(path)
    try Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 7) })
      .write(to: URL(filePath: database))
    let before = try tree(path)
    let error = try await libraryError { _ = try PhotoLibrary(at: URL(filePath: path)) }
    #expect(error?.code == .invalidResource)
    #expect(try tree(path) == before)
  }

  @Test func `a folder at the path of the database is rejected`() async throws {
    try FileSystem.createFolder(path)
    try FileSystem.createFolder(database)
    let error = try await libraryError { _ = try PhotoLibrary(at: URL(filePath: path)) }
    #expect(error != nil)
    #expect(try FileSystem.entry(at: database) == .folder)
  }

  @Test func `missing libraries and non-empty folders are rejected with distinct errors`()
    async throws
  {
    #expect(
      try await libraryError { _ = try PhotoLibrary(at: URL(filePath: path)) }?.code
        == .missingResource)
    try FileSystem.createFolder(path)
    try Data([1]).write(to: URL(filePath: path + "/x"))
    #expect(
      try await libraryError { _ = try PhotoLibrary.create(at: URL(filePath: path)) }?.code
        == .invalidResource)
    #expect(
      try await libraryError { _ = try LibraryRepair().run(at: URL(filePath: path)) }?.code
        == .missingResource)
    #expect(try FileSystem.names(in: path) == ["x"])
  }

  @Test(
    arguments: [
      (0x6969, nil, "NFS"), (0xFF53_4D42, nil, "SMB"), (0x0102_1997, nil, "9P"),
      (0x6573_5546, "fuse.sshfs", "sshfs"), (0x6573_5546, "fuse.lazyfs", nil),
      (0x6573_5546, "fuseblk", nil), (0xEF53, nil, nil), (0x0102_1994, nil, nil),
    ] as [(UInt32, String?, String?)])
  func `file systems without reliable locks are recognized`(
    magic: UInt32, type: String?, expected: String?
  ) {
    #expect(NetworkFileSystem.name(magic: magic, type: type) == expected)
  }

  @Test func `the longest matching mount point is used`() {
    let mounts = """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      36 22 0:50 / /srv/a/my\\040photos rw - fuse.sshfs host:/p rw
      garbage
      """
    #expect(NetworkFileSystem.mountType(of: "/srv/a/my photos/l", in: mounts) == "fuse.sshfs")
    #expect(NetworkFileSystem.mountType(of: "/srv/a/my photos 2", in: mounts) == "ext4")
  }

  @Test func `a read-only library is read without any writes`() async throws {
    let url = URL(filePath: path)
    let identifier: String
    do {
      let library = try PhotoLibrary.create(at: url)
      identifier = library.identifier
      try library.performChangesAndWait {
        try $0.add(RowInsertion([PhotoProperties(originalFilename: "a.jpg", addedAt: Date())]))
      }
      try library.synchronize()
    }
    let before = try tree(path)
    #expect(!before.keys.contains { $0.hasSuffix("-wal") })
    // Root can write everywhere, so the read-only mode is requested explicitly.
    let connection = try Connection(database, .immutable)
    let database = LibraryDatabase(connection: connection)
    #expect(
      try database.first("SELECT value FROM property WHERE key = 'identifier'") { $0.text(0) }
        == identifier)
    #expect(try database.first("SELECT count(*) FROM asset") { $0.int(0) } == 1)
    #expect(throws: LibraryError.self) { try database.run("DELETE FROM asset") }
    #expect(try tree(path) == before)
  }

  @Test(.enabled(if: geteuid() != 0, "root can write to any folder"))
  func `a library in a read-only folder opens, and every change is rejected`() async throws {
    let url = URL(filePath: path)
    do {
      let library = try PhotoLibrary.create(at: url)
      try library.performChangesAndWait {
        try $0.add(RowInsertion([PhotoProperties(originalFilename: "a.jpg", addedAt: Date())]))
      }
      try library.synchronize()
    }
    let before = try tree(path)
    chmod(path, 0o555)
    defer { chmod(path, 0o755) }
    let library = try PhotoLibrary(at: url)
    #expect(try library.read { db throws(LibraryError) in try db.version() } == 1)
    let error = try await libraryError {
      try library.performChangesAndWait { try $0.add(Rows(["DELETE FROM asset"])) }
    }
    #expect(error?.code == .accessRestricted)
    #expect(try tree(path) == before)
  }

  @Test func `paths with special characters are opened unchanged`() throws {
    let name = folder.path("a b%20?immutable=0#x é'\";")
    _ = try PhotoLibrary.create(at: URL(filePath: name))
    let connection = try Connection(name + "/library.db", .immutable)
    #expect(
      try connection.first("SELECT count(*) FROM property WHERE key = 'identifier'") { $0.int(0) }
        == 1)
  }
}
