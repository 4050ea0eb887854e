// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

/// Sidecars with false claims about files; no file of another program is ever lost to one.
@Suite("Untrustworthy sidecars")
struct FileClaimTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// A change that may be requested after a sidecar was planted.
  enum Attempt: String, CaseIterable, Sendable {
    case apply, editOver, revert, forcedRevert, undo, redo

    func run(_ photo: PhotoFolder) async {
      let store = photo.store(force: self == .forcedRevert)
      // Whether rejected or performed, only the remaining files count.
      switch self {
      case .apply: _ = try? await PhotoEditor(store).apply([Invert(amount: 1)])
      case .editOver: _ = try? await EditorB.edit(store, "over")
      case .revert, .forcedRevert: _ = try? await store.revert()
      case .undo: _ = try? await store.undo()
      case .redo: _ = try? await store.redo()
      }
    }
  }

  /// The claim of the planted sidecar about a file.
  enum FalseClaim: CaseIterable, Sendable {
    case rendering, renderingOfUnknownBytes, leftover

    func insert(_ path: String, _ digest: SHA256Digest, in list: inout PropertyList) {
      let prefix = "org.photoedit."
      if self == .leftover {
        list.values[prefix + "leftovers"] = .array([
          .dictionary(["path": .string(path), "digest": .string(digest.description)])
        ])
      } else {
        list.values[prefix + "renderingPath"] = .string(path)
      }
      if self == .rendering {
        list.values[prefix + "renderingDigest"] = .string(digest.description)
      }
    }
  }

  private func edit() async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 0.5)])
  }

  private func plant(_ falseClaim: FalseClaim, _ path: String, _ digest: SHA256Digest) throws {
    try change { falseClaim.insert(path, digest, in: &$0) }
  }

  private func change(_ body: (inout PropertyList) -> Void) throws {
    var list = try PropertyList(bytes: try photo.bytes("photo.jpg.aae"))
    body(&list)
    try photo.temporary.write(try list.xml(), to: "photo.jpg.aae")
  }

  @Test(arguments: Attempt.allCases, FalseClaim.allCases)
  func `the original is kept when a sidecar claims that it is a rendering`(
    attempt: Attempt, falseClaim: FalseClaim
  ) async throws {
    for path in ["photo.jpg", "./photo.jpg", photo.photo] {
      try await edit()
      let facts = try photo.originalFacts().dropLast(2)
      try plant(falseClaim, path, photo.digest)
      await attempt.run(photo)
      #expect(try photo.originalFacts().dropLast(2) == facts, "\(path)")
      #expect(try photo.bytes("photo.jpg") == photo.original, "\(path)")
      for name in ["photo.jpg.aae", "photo.edited.jpg"] { try FileSystem.remove(photo.path(name)) }
    }
  }

  @Test(arguments: Attempt.allCases, FalseClaim.allCases)
  func `an image in another folder is kept`(attempt: Attempt, falseClaim: FalseClaim) async throws {
    let away = try TemporaryFolder()
    let precious = try EditorB.rendering("precious")
    try away.write(precious, to: "holiday.jpg")
    #expect(symlink(away.path, photo.path("linked")) == 0)
    #expect(mkdir(photo.path("below"), 0o755) == 0)
    try photo.temporary.write(precious, to: "below/holiday.jpg")
    let up = "../\(FileSystem.lastName(of: away.path))/holiday.jpg"
    for path in [away.path("holiday.jpg"), up, "linked/holiday.jpg", "below/holiday.jpg"] {
      try await edit()
      try plant(falseClaim, path, SHA256Digest(of: precious))
      await attempt.run(photo)
      #expect(try FileBytes.reading(away.path("holiday.jpg")).array == precious, "\(path)")
      #expect(try photo.bytes("below/holiday.jpg") == precious, "\(path)")
      for name in ["photo.jpg.aae", "photo.edited.jpg"] { try FileSystem.remove(photo.path(name)) }
    }
  }

  @Test(arguments: Attempt.allCases, FalseClaim.allCases)
  func `an image next to the photo is kept, hard-linked or not`(
    attempt: Attempt, falseClaim: FalseClaim
  ) async throws {
    let precious = try EditorB.rendering("precious")
    try photo.temporary.write(precious, to: "holiday.jpg")
    #expect(symlink("holiday.jpg", photo.path("link.jpg")) == 0)
    for path in ["holiday.jpg", "link.jpg"] {
      try await edit()
      try plant(falseClaim, path, SHA256Digest(of: precious))
      await attempt.run(photo)
      #expect(try photo.bytes("holiday.jpg") == precious, "\(path)")
      #expect(try FileSystem.entry(at: photo.path("link.jpg")) == .other, "\(path)")
      for name in ["photo.jpg.aae", "photo.edited.jpg"] { try FileSystem.remove(photo.path(name)) }
    }
  }

  @Test(arguments: Attempt.allCases)
  func `a rendering kept as the photo, with its sidecar renamed, is kept`(
    attempt: Attempt
  ) async throws {
    try await edit()
    let kept = try photo.bytes("photo.edited.jpg")
    let folder = try PhotoFolder(as: "unused.jpg")
    try folder.temporary.write(kept, to: "photo.edited.jpg")
    try folder.temporary.write(try photo.bytes("photo.jpg.aae"), to: "photo.edited.jpg.aae")
    let store = SidecarStore(
      path: folder.path("photo.edited.jpg"), replacesExternalFiles: attempt == .forcedRevert)
    switch attempt {
    case .apply: _ = try? await PhotoEditor(store).apply([Invert(amount: 1)])
    case .editOver: try await EditorB.edit(store, "over")
    case .revert, .forcedRevert: try await store.revert()
    // The photo is not the edited one, and an earlier edit belongs to the edited one.
    case .undo: _ = try? await store.undo()
    case .redo: _ = try? await store.redo()
    }
    #expect(try folder.bytes("photo.edited.jpg") == kept)
  }

  @Test func `a rendering that has been edited itself is kept, even with force`() async throws {
    try await edit()
    let bytes = try photo.bytes("photo.edited.jpg")
    let second = SidecarStore(path: photo.path("photo.edited.jpg"))
    try await EditorB.edit(second, "an edit of the rendering")
    for store in [photo.store, photo.store(force: true)] {
      let error = try await editingError {
        try await PhotoEditor(store).apply([Invert(amount: 1)])
      }
      #expect(error?.message.contains("edit of its own") == true)
    }
    let reverted = try await photo.store(force: true).revert()
    #expect(!reverted.isEdited && reverted.notices.first?.contains("was not removed") == true)
    #expect(try photo.bytes("photo.edited.jpg") == bytes)
    #expect(try second.state().isEdited)
  }

  @Test func `a rendering of another photo is kept, regardless of the sidecar`() async throws {
    try photo.temporary.write(try TestImages.bytes("jpeg-17x1.jpg"), to: "other.jpg")
    let other = SidecarStore(path: photo.path("other.jpg"))
    let state = try await EditorB.edit(other, "theirs")
    let theirs = try #require(state.record?.current)
    try await edit()
    try change {
      FalseClaim.rendering.insert("other.edited.jpg", theirs, in: &$0)
      $0.values["org.photoedit.originalDigest"] = .string(
        state.original.digest?.description ?? photo.digest.description)
    }
    _ = try? await PhotoEditor(photo.store(replacing: true)).apply([Invert(amount: 1)])
    try await photo.store.revert()
    #expect(try photo.digest("other.edited.jpg") == theirs)
    #expect(try other.state().current.path == photo.path("other.edited.jpg"))
  }

  @Test func `a path next to the photo is reused only if its file is marked`() async throws {
    let store = photo.store(rendering: "mine.jpg")
    try await EditorB.edit(store, "one")
    #expect(try await EditorB.edit(photo.store, "two").current.path == photo.path("mine.jpg"))
    // Copied by a program that ignores extended attributes.
    try photo.temporary.write(try photo.bytes("mine.jpg"), to: "copy.jpg")
    #expect(rename(photo.path("copy.jpg"), photo.path("mine.jpg")) == 0)
    let files = try photo.inventory()
    let error = try await editingError { try await EditorB.edit(photo.store, "three") }
    #expect(error?.file?.kind == .exists)
    #expect(error?.hint?.contains("specify this path with -o") == true)
    #expect(try photo.inventory() == files)
    let given = photo.store(rendering: "mine.jpg")
    #expect(try await EditorB.edit(given, "three").current.path == photo.path("mine.jpg"))
    try await photo.store.revert()
    #expect(!photo.exists("mine.jpg"))
  }

  @Test func `an unmarked rendering is kept; the edit continues under another name`() async throws {
    try await edit()
    let bytes = try photo.bytes("photo.edited.jpg")
    try FileSystem.remove(photo.path("photo.edited.jpg"))
    try photo.temporary.write(bytes, to: "photo.edited.jpg")
    #expect(RenderingMark(of: photo.path("photo.edited.jpg")) == nil)
    try await PhotoEditor(photo.store).apply([Invert(amount: 1)])
    let kept = ".photoedit/photo.jpg/\(SHA256Digest(of: bytes).hex).jpg"
    #expect(try photo.bytes(kept) == bytes)
    let back = try await photo.store.undo()
    #expect(try photo.bytes("photo.edited.jpg") == bytes)
    #expect(back.record?.current == SHA256Digest(of: bytes))
    // The next rendering is marked and can be rendered again.
    try await PhotoEditor(photo.store).apply([Invert(amount: 1)])
    #expect(!photo.exists(kept) && !photo.exists(".photoedit"))
  }

  @Test func `a file known to the sidecar but needed by no state is not removed`() async throws {
    try await edit()
    try await photo.store.revert()
    let precious = try EditorB.rendering("precious")
    try photo.temporary.write(precious, to: "photo.edited.jpg")
    try plant(.leftover, "photo.edited.jpg", SHA256Digest(of: precious))
    let error = try await editingError { try await photo.store.undo() }
    #expect(error?.file?.kind == .exists)
    #expect(try photo.bytes("photo.edited.jpg") == precious)
  }

  @Test(arguments: Attempt.allCases)
  func `an image claimed as a rendering by an undone state is kept`(attempt: Attempt) async throws {
    try await edit()
    try await photo.store.undo()
    let precious = try EditorB.rendering("precious")
    try photo.temporary.write(precious, to: "photo.edited.jpg")
    try change { list in
      list.values["org.photoedit.redo"] = .array(
        (list.lists("org.photoedit.redo") ?? []).map { entry in
          var values = entry.values
          values["org.photoedit.renderingDigest"] = .string(SHA256Digest(of: precious).description)
          return .dictionary(values)
        })
    }
    await attempt.run(photo)
    let kept = ".photoedit/photo.jpg/\(SHA256Digest(of: precious).hex).jpg"
    let itemExists = try photo.digest("photo.edited.jpg") == SHA256Digest(of: precious)
    #expect(try itemExists || photo.bytes(kept) == precious)
  }

  @Test func `changes to a rendering discarded by force are restored by undo`() async throws {
    try await edit()
    let mine = try EditorB.rendering("by hand")
    try photo.temporary.write(mine, to: "photo.edited.jpg")
    let forced = photo.store(force: true)
    try await forced.revert()
    #expect(!photo.exists("photo.edited.jpg"))
    let back = try await photo.store.undo()
    #expect(try photo.bytes("photo.edited.jpg") == mine)
    #expect(back.record?.current == SHA256Digest(of: mine))
    try photo.temporary.write(try EditorB.rendering("by hand again"), to: "photo.edited.jpg")
    try await PhotoEditor(forced).apply([Invert(amount: 1)])
    try await photo.store.undo()
    #expect(try photo.bytes("photo.edited.jpg") == EditorB.rendering("by hand again"))
  }

  @Test func `a hard link to the original is treated as the original`() async throws {
    #expect(link(photo.photo, photo.path("name.jpg")) == 0)
    let error = try await editingError {
      try await PhotoEditor(photo.store(rendering: "name.jpg", force: true))
        .apply([Sepia(amount: 1)])
    }
    #expect(error?.message.contains("original") == true)
    #expect(try photo.bytes("name.jpg") == photo.original)
  }

  @Test func `a sidecar can only give a new rendering an image file name`() async throws {
    try await edit()
    for name in ["script.sh", "other.edited.jpg", "noextension", "own.jpg"] {
      try FileSystem.remove(photo.path("photo.edited.jpg"))
      try change { $0.values["org.photoedit.renderingPath"] = .string(name) }
      let state = try await PhotoEditor(photo.store).apply([Invert(amount: 1)]).state
      let expected = name == "own.jpg" ? name : "photo.edited.jpg"
      #expect(state.current.path == photo.path(expected), "\(name)")
    }
  }
}
