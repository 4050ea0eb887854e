// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

@Suite("Paths of renderings and bases")
struct RenderingPathTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  private func apply(_ store: SidecarStore) async throws -> EditState {
    try await PhotoEditor(store).apply([Sepia(amount: 0.5)]).state
  }

  @Test func `the sidecar records the path, and undo returns to the previous one`() async throws {
    let first = try await apply(photo.store(rendering: "a.jpg"))
    let second = try await apply(photo.store(rendering: "b.jpg"))
    #expect(second.current.path == photo.path("b.jpg"))
    #expect(try await apply(photo.store).current.path == photo.path("b.jpg"))
    try await photo.store.undo()
    let undone = try await photo.store.undo()
    #expect(undone.record == first.record && undone.current.path == photo.path("a.jpg"))
    #expect(try photo.digest("a.jpg") == first.record?.current)
    #expect(try await photo.store.redo().current.path == photo.path("b.jpg"))
    // Back to a path used before.
    #expect(try await apply(photo.store(rendering: "a.jpg")).current.path == photo.path("a.jpg"))
  }

  @Test func `a rendering in a subfolder is found when the photo's folder is copied`()
    async throws
  {
    try FileManager.default.createDirectory(
      atPath: photo.path("out"), withIntermediateDirectories: false)
    let first = try await apply(photo.store(rendering: "out/p.jpg"))
    let away = try TemporaryFolder()
    let copy = away.path("copy")
    let source = FileSystem.folder(of: photo.path("photo.jpg"))
    try FileManager.default.copyItem(atPath: source, toPath: copy)
    let other = SidecarStore(photo: URL(filePath: copy + "/photo.jpg"))
    #expect(try other.state().current.path == copy + "/out/p.jpg")
    let given = SidecarStore(path: copy + "/photo.jpg", rendering: copy + "/out/p.jpg")
    #expect(try await apply(given).current.path == copy + "/out/p.jpg")
    #expect(try photo.digest("out/p.jpg") == first.record?.current)
    #expect(try photo.store.state().record == first.record)
  }

  @Test func `a rendering in another folder is found, and changed only if named again`()
    async throws
  {
    let away = try TemporaryFolder()
    let store = SidecarStore(path: photo.photo, rendering: away.path("out.jpg"))
    let first = try await apply(store)
    #expect(try photo.store.state().current == first.current)
    let error = try await editingError { _ = try await apply(photo.store) }
    #expect(error?.file?.kind == .exists && error?.path == away.path("out.jpg"))
    let second = try await apply(store)
    #expect(second.current.path == away.path("out.jpg") && second.current != first.current)
    let reverted = try await photo.store.revert()
    #expect(reverted.notices.first?.contains("out.jpg was not removed") == true)
    #expect(try FileSystem.names(in: away.path) == ["out.jpg"])
    _ = try await store.undo()
    #expect(try await store.revert().notices == [])
    #expect(try FileSystem.names(in: away.path).isEmpty)
    #expect(try photo.litter() == [])
  }

  @Test func `a file not created by photoedit is kept at every path`() async throws {
    try photo.temporary.write([1, 2, 3], to: "photo.edited.jpg")
    let files = try photo.inventory()
    var error = try await editingError { _ = try await apply(photo.store) }
    #expect(error?.file?.kind == .exists && error?.path == photo.path("photo.edited.jpg"))
    #expect(try photo.inventory() == files)
    try FileSystem.remove(photo.path("photo.edited.jpg"))

    _ = try await apply(photo.store)
    try photo.temporary.write([1, 2, 3], to: "photo.base.jpg")
    let edited = try photo.inventory()
    error = try await editingError { try await EditorB.edit(photo.store, "one") }
    #expect(error?.file?.kind == .exists && error?.path == photo.path("photo.base.jpg"))
    #expect(try photo.inventory() == edited)
  }

  @Test(arguments: ["folder", "link", "pipe"])
  func `a special file at the path is an error, even with force`(kind: String) async throws {
    let target = photo.path("photo.edited.jpg")
    switch kind {
    case "folder": #expect(mkdir(target, 0o755) == 0)
    case "link": #expect(symlink("/etc/hostname", target) == 0)
    default: #expect(mkfifo(target, 0o644) == 0)
    }
    let files = try photo.inventory()
    let error = try await editingError { _ = try await apply(photo.store(force: true)) }
    #expect(error?.file?.kind == .exists)
    #expect(try photo.inventory() == files)
  }

  @Test func `two photos with one stem do not share files`() async throws {
    try photo.temporary.write(photo.original, to: "photo.png")
    _ = try await apply(photo.store)
    try await EditorB.edit(photo.store, "one")
    let files = try photo.inventory()
    let other = SidecarStore(path: photo.path("photo.png"))
    let error = try await editingError { _ = try await apply(other) }
    #expect(error?.path == photo.path("photo.edited.jpg"))
    let otherPath = SidecarStore(path: photo.path("photo.png"), rendering: photo.path("other.jpg"))
    _ = try await apply(otherPath)
    let base = try await editingError { try await EditorB.edit(otherPath, "two") }
    #expect(base?.path == photo.path("photo.base.jpg"))
    for (name, facts) in files { #expect(try photo.inventory()[name] == facts, "\(name)") }
  }

  @Test func `a link to a photo is a separate photo`() async throws {
    let link = photo.path("link.jpg")
    #expect(symlink("photo.jpg", link) == 0)
    _ = try await apply(SidecarStore(path: link))
    #expect(photo.exists("link.edited.jpg") && photo.exists("link.jpg.aae"))
    #expect(try !photo.store.state().isEdited)
    let error = try await editingError {
      _ = try await apply(
        SidecarStore(
          path: photo.path("link.jpg"), rendering: photo.photo, replacesExternalFiles: true)
      )
    }
    #expect(error?.message.contains("original") == true)
    #expect(try photo.bytes("photo.jpg") == photo.original)
  }

  @Test func `a link in place of the journal is not followed to write or clean up`() async throws {
    let precious = try TemporaryFolder()
    let kept = SHA256Digest(of: [7]).hex + ".jpg"
    try precious.write([7], to: kept)
    #expect(mkdir(photo.path(".photoedit"), 0o755) == 0)
    #expect(symlink(precious.path, photo.path(".photoedit/photo.jpg")) == 0)
    _ = try await apply(photo.store)
    try await EditorB.edit(photo.store, "one")
    let error = try await editingError { try await EditorB.edit(photo.store, "two") }
    #expect(error?.file?.kind == .exists)
    #expect(try FileSystem.names(in: precious.path) == [kept])
  }

  @Test func `a sidecar cannot choose an arbitrary path for a rendering`() async throws {
    let away = try TemporaryFolder()
    try away.write(Array("precious".utf8), to: "text")
    _ = try await apply(photo.store)
    for name in ["new", "text"] {
      var list = try PropertyList(bytes: try photo.bytes("photo.jpg.aae"))
      list.values["org.photoedit.renderingPath"] = .string(away.path(name))
      list.values["org.photoedit.renderingDigest"] = .string(
        SHA256Digest(of: Array("precious".utf8)).description)
      list.values["org.photoedit.leftovers"] = .array([
        .dictionary([
          "path": .string(away.path("text")),
          "digest": .string(SHA256Digest(of: Array("precious".utf8)).description),
        ])
      ])
      try photo.temporary.write(try list.xml(), to: "photo.jpg.aae")
      try FileSystem.remove(photo.path("photo.edited.jpg"))
      let state = try await apply(photo.store)
      #expect(state.current.path == photo.path("photo.edited.jpg"))
      #expect(try FileSystem.names(in: away.path) == ["text"])
    }
  }

  @Test func `a base path cannot escape the folder`() {
    for recorded in ["..", ".", "", "../x.jpg", "/etc/x", "a/b"] {
      #expect(!SidecarPaths.isSibling(recorded))
    }
    #expect(SidecarPaths.isSibling("photo.edited.jpg"))
  }

  @Test func `missing folders, missing photos and special photos are distinguished`() async throws {
    var error = try await editingError {
      _ = try await apply(photo.store(rendering: "no/where.jpg"))
    }
    #expect(error?.file?.kind == .invalidDestination)
    error = try await editingError { _ = try await apply(SidecarStore(path: photo.path("no.jpg"))) }
    #expect(error?.code == .missingResource)
    #expect(mkfifo(photo.path("pipe.jpg"), 0o644) == 0)
    error = try await editingError {
      _ = try await apply(SidecarStore(path: photo.path("pipe.jpg")))
    }
    #expect(error?.file?.kind == .notRegular)
    error = try await editingError { _ = try await apply(SidecarStore(path: photo.temporary.path)) }
    #expect(error?.code == .invalidResource)
    #expect(try photo.inventory().count == 2)
  }

  @Test(.enabled(if: geteuid() != 0, "permissions do not bind root"))
  func `an unwritable folder is reported before anything is done`() async throws {
    chmod(photo.temporary.path, 0o500)
    defer { chmod(photo.temporary.path, 0o700) }
    let error = try await editingError { _ = try await apply(photo.store) }
    #expect(error?.code == .accessUserDenied)
    #expect(try await photo.store.editingInput().version == .original)
  }
}
