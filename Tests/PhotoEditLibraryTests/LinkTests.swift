// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Symbolic links to and in libraries")
struct LibraryLinkTests {
  private let parent: TemporaryFolder

  init() throws {
    parent = try TemporaryFolder()
    for (folder, link) in [("real", "link"), ("copies", "way")] {
      try FileSystem.createFolder(parent.path(folder))
      #expect(symlink(folder, parent.path(link)) == 0)
    }
  }

  // MARK: Links in the path

  @Test(arguments: ["link/photos", "link/../real/../link/photos", "link"])
  func `a library works through links in its path`(route: String) throws {
    let url = parent.url(route)
    let made = try PhotoLibrary.create(at: url)
    let album = try made.performChangesAndWait { try $0.createAlbum(title: "a").placeholder }
    try made.synchronize()
    #expect(try PhotoLibrary(at: url).identifier == made.identifier)
    #expect(try PhotoLibrary.shared(at: url).url == made.url)
    #expect(PhotoLibrary.authorizationStatus(for: .readWrite, at: url) == .authorized)
    #expect(try LibraryCheck().run(at: url).findings == [])
    #expect(try LibraryBackup().run(of: made, to: parent.url("way/copy")).findings == [])
    for suffix in ["", "-wal", "-shm"] {
      try FileSystem.remove(made.layout.database + suffix)
    }
    #expect(try LibraryRepair().run(at: url).isSound)
    let again = try PhotoLibrary(at: url)
    #expect(
      try again.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier]).count == 1)
  }

  @Test(.requirement("library-availability"))
  func `a dangling link and a link in place of the database are rejected`() throws {
    #expect(symlink("nowhere", parent.path("dangling")) == 0)
    for url in [parent.url("dangling"), parent.url("nowhere/photos")] {
      #expect(throws: LibraryError.self) { try PhotoLibrary(at: url) }
      #expect(throws: LibraryError.self) { try PhotoLibrary.create(at: url) }
      #expect(throws: LibraryError.self) { try LibraryRepair().run(at: url) }
    }
    #expect(!FileSystem.itemExists(parent.path("nowhere")))
    let url = parent.url("real/photos")
    let database = try PhotoLibrary.create(at: url).layout.database
    try FileSystem.rename(database, to: parent.path("elsewhere"))
    #expect(symlink(parent.path("elsewhere"), database) == 0)
    #expect(throws: LibraryError.self) { try PhotoLibrary(at: url) }
  }

  // MARK: Links in the library

  /// Moves a folder out of the library and leaves a link; returns the new path.
  private func moveOut(_ folder: String, of library: PhotoLibrary) throws -> String {
    let outside = parent.path("outside")
    try FileSystem.rename(library.layout.path(folder), to: outside)
    #expect(symlink(outside, library.layout.path(folder)) == 0)
    return outside
  }

  /// All paths below a folder, and the digests of the files.
  private func tree(_ root: String) throws -> Set<String> {
    var found: Set<String> = []
    for name in try FileSystem.names(in: root) {
      let path = root + "/" + name
      if try FileSystem.entry(at: path) == .folder {
        found.formUnion(try tree(path))
      } else {
        found.insert(
          "\(path) \(try SHA256Digest(of: [UInt8](Data(contentsOf: URL(filePath: path)))))")
      }
      found.insert(path)
    }
    return found
  }

  @Test(arguments: ["assets", "assets/XX", "assets/XX/UUID", "collections", "staging"])
  func `nothing is written or removed through a link in a library`(name: String) async throws {
    let folder = try TestLibrary()
    let library = folder.library
    let asset = try folder.addPhoto()
    let album = try folder.addAlbum([asset])
    try library.synchronize()
    let uuid = try #require(LocalIdentifier(asset.localIdentifier)).uuid.uuidString
    let linked =
      name.replacing("XX", with: uuid.prefix(2)).replacing("UUID", with: uuid)
    let outside = try moveOut(linked, of: library)
    // Files that a library would remove: of a dead process, unused versions, unfinished work.
    for litter in ["intent-dead", "fullSizePhoto-0123456789abcdef.jpg", "asset.json.new"] {
      try Data().write(to: URL(filePath: outside + "/" + litter))
    }
    let before = try tree(outside)
    // Operations that do not need the folder succeed; the others are rejected.
    for attempt in [
      { try await EditorB.edit(library, asset, "one") },
      { try library.performChangesAndWait { try $0.change(asset).setTitle("x") } },
      { try library.performChangesAndWait { try $0.delete([album]) } },
      { try library.performChangesAndWait { try $0.delete([asset]) } },
      { try library.performChangesAndWait { try $0.purge([asset]) } },
      { _ = try folder.addAlbum(title: "b") },
      { try library.synchronize() }, { try PhotoLibrary(at: library.url).synchronize() },
      { _ = try LibraryRepair().run(at: library.url) },
    ] as [() async throws -> Void] {
      let error = try await libraryError { try await attempt() }
      #expect(error == nil || error?.code == .invalidResource, "\(String(describing: error))")
      #expect(try tree(outside) == before)
    }
    let findings = try LibraryCheck().run(at: library.url).findings
    #expect(findings.contains { $0.kind == .linkedFolder && $0.file == linked })
  }
}
