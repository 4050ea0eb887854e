// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

/// Sidecars that lie about whose files are whose; no file but our own is ever lost for one.
@Suite("What a sidecar may cause")
struct FileClaimTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// A change that a person may ask for after a sidecar was planted.
  enum Attempt: String, CaseIterable, Sendable {
    case apply, editOver, revert, forcedRevert, undo, redo

    func run(_ photo: PhotoFolder) async {
      let store = photo.store(force: self == .forcedRevert)
      // Refused or done: what counts is what is left of the files.
      switch self {
      case .apply: _ = try? await GraphEditing(store).apply([Invert(amount: 1)])
      case .editOver: _ = try? await EditorB.edit(store, "over")
      case .revert, .forcedRevert: _ = try? await store.revert()
      case .undo: _ = try? await store.undo()
      case .redo: _ = try? await store.redo()
      }
    }
  }

  /// What the planted sidecar says of a file.
  enum Lie: CaseIterable, Sendable {
    case rendering, renderingOfUnknownBytes, leftover

    func tell(_ path: String, _ digest: Digest, in list: inout PropertyList) {
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
    try await GraphEditing(photo.store).apply([Sepia(amount: 0.5)])
  }

  private func plant(_ lie: Lie, _ path: String, _ digest: Digest) throws {
    try change { lie.tell(path, digest, in: &$0) }
  }

  private func change(_ body: (inout PropertyList) -> Void) throws {
    var list = try PropertyList(bytes: try photo.bytes("photo.jpg.aae"))
    body(&list)
    try photo.temporary.write(try list.xml(), to: "photo.jpg.aae")
  }

  @Test(arguments: Attempt.allCases, Lie.allCases)
  func `the original stays when a sidecar takes it for a rendering`(
    attempt: Attempt, lie: Lie
  ) async throws {
    for path in ["photo.jpg", "./photo.jpg", photo.photo] {
      try await edit()
      let facts = try photo.originalFacts().dropLast(2)
      try plant(lie, path, photo.digest)
      await attempt.run(photo)
      #expect(try photo.originalFacts().dropLast(2) == facts, "\(path)")
      #expect(try photo.bytes("photo.jpg") == photo.original, "\(path)")
      for name in ["photo.jpg.aae", "photo.edited.jpg"] { try FileSystem.remove(photo.path(name)) }
    }
  }

  @Test(arguments: Attempt.allCases, Lie.allCases)
  func `a picture in another folder stays`(attempt: Attempt, lie: Lie) async throws {
    let away = try TemporaryFolder()
    let precious = try EditorB.rendering("precious")
    try away.write(precious, to: "holiday.jpg")
    #expect(symlink(away.path, photo.path("linked")) == 0)
    #expect(mkdir(photo.path("below"), 0o755) == 0)
    try photo.temporary.write(precious, to: "below/holiday.jpg")
    let up = "../\(FileSystem.lastName(of: away.path))/holiday.jpg"
    for path in [away.path("holiday.jpg"), up, "linked/holiday.jpg", "below/holiday.jpg"] {
      try await edit()
      try plant(lie, path, Digest(of: precious))
      await attempt.run(photo)
      #expect(try FileBytes.reading(away.path("holiday.jpg")).array == precious, "\(path)")
      #expect(try photo.bytes("below/holiday.jpg") == precious, "\(path)")
      for name in ["photo.jpg.aae", "photo.edited.jpg"] { try FileSystem.remove(photo.path(name)) }
    }
  }

  @Test(arguments: Attempt.allCases, Lie.allCases)
  func `a picture beside the photo stays, be it linked or not`(
    attempt: Attempt, lie: Lie
  ) async throws {
    let precious = try EditorB.rendering("precious")
    try photo.temporary.write(precious, to: "holiday.jpg")
    #expect(symlink("holiday.jpg", photo.path("link.jpg")) == 0)
    for path in ["holiday.jpg", "link.jpg"] {
      try await edit()
      try plant(lie, path, Digest(of: precious))
      await attempt.run(photo)
      #expect(try photo.bytes("holiday.jpg") == precious, "\(path)")
      #expect(try FileSystem.entry(at: photo.path("link.jpg")) == .other, "\(path)")
      for name in ["photo.jpg.aae", "photo.edited.jpg"] { try FileSystem.remove(photo.path(name)) }
    }
  }

  @Test(arguments: Attempt.allCases)
  func `a rendering that was kept as the photo, with its sidecar renamed, stays`(
    attempt: Attempt
  ) async throws {
    try await edit()
    let kept = try photo.bytes("photo.edited.jpg")
    let folder = try PhotoFolder(as: "unused.jpg")
    try folder.temporary.write(kept, to: "photo.edited.jpg")
    try folder.temporary.write(try photo.bytes("photo.jpg.aae"), to: "photo.edited.jpg.aae")
    let store = SidecarStore(
      path: folder.path("photo.edited.jpg"), replacesForeignFiles: attempt == .forcedRevert)
    switch attempt {
    case .apply: _ = try? await GraphEditing(store).apply([Invert(amount: 1)])
    case .editOver: try await EditorB.edit(store, "over")
    case .revert, .forcedRevert: try await store.revert()
    // The photo is not the one that was edited, and an edit before this one is of that one.
    case .undo: _ = try? await store.undo()
    case .redo: _ = try? await store.redo()
    }
    #expect(try folder.bytes("photo.edited.jpg") == kept)
  }

  @Test func `a rendering with an edit of its own stays, even by force`() async throws {
    try await edit()
    let bytes = try photo.bytes("photo.edited.jpg")
    let second = SidecarStore(path: photo.path("photo.edited.jpg"))
    try await EditorB.edit(second, "an edit of the rendering")
    for store in [photo.store, photo.store(force: true)] {
      let error = try await editingError {
        try await GraphEditing(store).apply([Invert(amount: 1)])
      }
      #expect(error?.message.contains("edit of its own") == true)
    }
    let reverted = try await photo.store(force: true).revert()
    #expect(!reverted.isEdited && reverted.notices.first?.contains("stays") == true)
    #expect(try photo.bytes("photo.edited.jpg") == bytes)
    #expect(try second.state().isEdited)
  }

  @Test func `a rendering of another photo stays, whatever the sidecar says`() async throws {
    try photo.temporary.write(try TestImages.bytes("jpeg-17x1.jpg"), to: "other.jpg")
    let other = SidecarStore(path: photo.path("other.jpg"))
    let state = try await EditorB.edit(other, "theirs")
    let theirs = try #require(state.record?.current)
    try await edit()
    try change {
      Lie.rendering.tell("other.edited.jpg", theirs, in: &$0)
      $0.values["org.photoedit.originalDigest"] = .string(
        state.original.digest?.description ?? photo.digest.description)
    }
    _ = try? await GraphEditing(photo.store(replacing: true)).apply([Invert(amount: 1)])
    try await photo.store.revert()
    #expect(try photo.digest("other.edited.jpg") == theirs)
    #expect(try other.state().current.path == photo.path("other.edited.jpg"))
  }

  @Test func `a place beside the photo goes on by the file's mark alone`() async throws {
    let store = photo.store(rendering: "mine.jpg")
    try await EditorB.edit(store, "one")
    #expect(try await EditorB.edit(photo.store, "two").current.path == photo.path("mine.jpg"))
    // Copied by a program that knows nothing of attributes.
    try photo.temporary.write(try photo.bytes("mine.jpg"), to: "copy.jpg")
    #expect(rename(photo.path("copy.jpg"), photo.path("mine.jpg")) == 0)
    let files = try photo.inventory()
    let error = try await editingError { try await EditorB.edit(photo.store, "three") }
    #expect(error?.file?.kind == .exists && error?.hint?.contains("name it with -o") == true)
    #expect(try photo.inventory() == files)
    let given = photo.store(rendering: "mine.jpg")
    #expect(try await EditorB.edit(given, "three").current.path == photo.path("mine.jpg"))
    try await photo.store.revert()
    #expect(!photo.exists("mine.jpg"))
  }

  @Test func `a rendering without a mark goes on under its own name, and is kept`() async throws {
    try await edit()
    let bytes = try photo.bytes("photo.edited.jpg")
    try FileSystem.remove(photo.path("photo.edited.jpg"))
    try photo.temporary.write(bytes, to: "photo.edited.jpg")
    #expect(RenderingMark(of: photo.path("photo.edited.jpg")) == nil)
    try await GraphEditing(photo.store).apply([Invert(amount: 1)])
    let kept = ".photoedit/photo.jpg/\(Digest(of: bytes).hex).jpg"
    #expect(try photo.bytes(kept) == bytes)
    let back = try await photo.store.undo()
    #expect(try photo.bytes("photo.edited.jpg") == bytes)
    #expect(back.record?.current == Digest(of: bytes))
    // The next one is marked, and can be made again.
    try await GraphEditing(photo.store).apply([Invert(amount: 1)])
    #expect(!photo.exists(kept) && !photo.exists(".photoedit"))
  }

  @Test func `a file that the sidecar knows and no state needs is not removed`() async throws {
    try await edit()
    try await photo.store.revert()
    let precious = try EditorB.rendering("precious")
    try photo.temporary.write(precious, to: "photo.edited.jpg")
    try plant(.leftover, "photo.edited.jpg", Digest(of: precious))
    let error = try await editingError { try await photo.store.undo() }
    #expect(error?.file?.kind == .exists)
    #expect(try photo.bytes("photo.edited.jpg") == precious)
  }

  @Test(arguments: Attempt.allCases)
  func `a picture that an undone state calls its rendering stays`(attempt: Attempt) async throws {
    try await edit()
    try await photo.store.undo()
    let precious = try EditorB.rendering("precious")
    try photo.temporary.write(precious, to: "photo.edited.jpg")
    try change { list in
      list.values["org.photoedit.redo"] = .array(
        (list.lists("org.photoedit.redo") ?? []).map { entry in
          var values = entry.values
          values["org.photoedit.renderingDigest"] = .string(Digest(of: precious).description)
          return .dictionary(values)
        })
    }
    await attempt.run(photo)
    let kept = ".photoedit/photo.jpg/\(Digest(of: precious).hex).jpg"
    let isThere = try photo.digest("photo.edited.jpg") == Digest(of: precious)
    #expect(try isThere || photo.bytes(kept) == precious)
  }

  @Test func `changes to a rendering that are given up by force come back by undo`() async throws {
    try await edit()
    let mine = try EditorB.rendering("by hand")
    try photo.temporary.write(mine, to: "photo.edited.jpg")
    let forced = photo.store(force: true)
    try await forced.revert()
    #expect(!photo.exists("photo.edited.jpg"))
    let back = try await photo.store.undo()
    #expect(try photo.bytes("photo.edited.jpg") == mine)
    #expect(back.record?.current == Digest(of: mine))
    try photo.temporary.write(try EditorB.rendering("by hand again"), to: "photo.edited.jpg")
    try await GraphEditing(forced).apply([Invert(amount: 1)])
    try await photo.store.undo()
    #expect(try photo.bytes("photo.edited.jpg") == EditorB.rendering("by hand again"))
  }

  @Test func `another name of the original is the original`() async throws {
    #expect(link(photo.photo, photo.path("name.jpg")) == 0)
    let error = try await editingError {
      try await GraphEditing(photo.store(rendering: "name.jpg", force: true))
        .apply([Sepia(amount: 1)])
    }
    #expect(error?.message.contains("original") == true)
    #expect(try photo.bytes("name.jpg") == photo.original)
  }

  @Test func `a sidecar gives a new rendering the name of a picture or none`() async throws {
    try await edit()
    for name in ["script.sh", "other.edited.jpg", "noextension", "own.jpg"] {
      try FileSystem.remove(photo.path("photo.edited.jpg"))
      try change { $0.values["org.photoedit.renderingPath"] = .string(name) }
      let state = try await GraphEditing(photo.store).apply([Invert(amount: 1)]).state
      let expected = name == "own.jpg" ? name : "photo.edited.jpg"
      #expect(state.current.path == photo.path(expected), "\(name)")
    }
  }
}
