// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@testable import PhotoEditStorage

/// Every test runs with the system call that resolves beneath a folder, and part by part as on
/// kernels without it.
@Suite("Names beneath a folder")
struct OpenFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["own", "own/a", "own/a/b", "victim", "victim/b"] {
      try FileSystem.createFolder(folder.path(name))
    }
    for name in ["own/file", "own/a/b/file"] { try folder.write([1], to: name) }
    for name in ["victim/file", "victim/b/file"] { try folder.write([2, 2], to: name) }
  }

  private func expectUntouched() throws {
    #expect(try FileSystem.names(in: folder.path("victim")) == ["b", "file"])
    #expect(try FileSystem.names(in: folder.path("victim/b")) == ["file"])
    for name in ["victim/file", "victim/b/file"] {
      #expect(try FileBytes.reading(folder.path(name)).array == [2, 2])
    }
  }

  /// Checks that no operation accepts a name.
  private func expectOutside(_ name: String, in own: OpenFolder, isLink: Bool = false) throws {
    func expectRefusal<Result: ~Copyable>(_ body: () throws(FileError) -> Result) {
      do throws(FileError) {
        _ = try body()
        Issue.record("\(name) was accepted")
      } catch {
        #expect(error.kind == .outside, "\(name): \(error)")
      }
    }
    expectRefusal { () throws(FileError) in try own.open(name) }
    expectRefusal { () throws(FileError) in try own.reading(name) }
    expectRefusal { () throws(FileError) in try own.digest(of: name) }
    expectRefusal { () throws(FileError) in try own.folder(name) }
    #expect(own.version(of: name) == nil)
    if isLink { return }
    expectRefusal { () throws(FileError) in try own.entry(name) }
    expectRefusal { () throws(FileError) in try own.remove(name) }
    expectRefusal { () throws(FileError) in try own.parent(of: name) }
    own.removeFolderIfEmpty(name)
  }

  @Test(arguments: [false, true])
  func `a name that leads out is refused by every operation`(opensByParts: Bool) throws {
    let own = try OpenFolder(folder.path("own"), opensByParts: opensByParts)
    for name in [
      "../victim/file", "a/../../victim/file", "a/..", "..", ".", "./file", "a/./b/file",
      "a//b/file",
      "a/b/", "", "/", folder.path("victim/file"), folder.path("own/file"), "file\0x",
    ] {
      #expect(!OpenFolder.isBeneath(name))
      try expectOutside(name, in: own)
      #expect(throws: FileError.self) { _ = try own.creatingFolder(name) }
    }
    for name in ["file", "a/b/file", "..a", "a..", "...", ".a/..b", "a/\u{301}"] {
      #expect(OpenFolder.isBeneath(name))
    }
    try expectUntouched()
  }

  @Test(arguments: [false, true])
  func `a link is refused at every level`(opensByParts: Bool) throws {
    #expect(symlink(folder.path("victim"), folder.path("own/link")) == 0)
    #expect(symlink("../../victim", folder.path("own/a/link")) == 0)
    #expect(symlink("../../../victim", folder.path("own/a/b/link")) == 0)
    #expect(symlink("b", folder.path("own/a/inner")) == 0)
    let own = try OpenFolder(folder.path("own"), opensByParts: opensByParts)
    for name in [
      "link/file", "link/b/file", "a/link/file", "a/link/b/file", "a/b/link/file", "a/inner/file",
      "link/new", "a/link/b/new",
    ] { try expectOutside(name, in: own) }
    for name in ["link/new", "a/link/b/new", "link", "a/b/link"] {
      #expect(throws: FileError.self) { _ = try own.creatingFolder(name) }
    }
    // A link itself is not opened, but it is an item of the folder and can be removed.
    for name in ["link", "a/link", "a/inner"] {
      try expectOutside(name, in: own, isLink: true)
      #expect(try own.entry(name) == .other)
      try own.remove(name)
      #expect(try own.entry(name) == nil)
    }
    try expectUntouched()
  }

  @Test(arguments: [false, true])
  func `items beneath the folder are read, created and removed`(opensByParts: Bool) throws {
    // The folder itself may be a link.
    #expect(symlink("own", folder.path("link")) == 0)
    let own = try OpenFolder(folder.path("link"), opensByParts: opensByParts)
    for name in ["file", "a/b/file"] {
      #expect(try own.reading(name).array == [1])
      #expect(try own.digest(of: name) == SHA256Digest(of: [1]))
      #expect(try own.entry(name) == .file && own.version(of: name)?.size == 1)
    }
    #expect(try own.entry("a/b") == .folder && own.entry("none/x") == nil)
    #expect(try own.entry("file/x") == nil)
    #expect(try own.names() == ["a", "file"] && own.folder("a/b").names() == ["file"])
    for _ in 0..<2 {
      #expect(try own.creatingFolder("a/c/d").path == folder.path("link/a/c/d"))
    }
    #expect(throws: FileError.self) { _ = try own.creatingFolder("file/c") }
    own.removeFolderIfEmpty("a/c/d")
    own.removeFolderIfEmpty("a/b")
    #expect(try own.folder("a").names() == ["b", "c"])
    for _ in 0..<2 { try own.remove("a/b/file") }
    #expect(try own.folder("a/b").names() == [])
    for name in ["none", "a/none", "none/x", "file/x"] {
      do throws(FileError) { _ = try own.open(name) } catch { #expect(error.kind == .missing) }
    }
  }

  @Test(arguments: [false, true])
  func `a link that replaces a folder meanwhile is not followed`(opensByParts: Bool) throws {
    let own = try OpenFolder(folder.path("own"), opensByParts: opensByParts)
    let parent = try own.parent(of: "a/file")
    try FileSystem.rename(folder.path("own/a"), to: folder.path("moved"))
    #expect(symlink(folder.path("victim"), folder.path("own/a")) == 0)
    try expectOutside("a/file", in: own)
    // What was opened before remains the same folder, also for code that takes paths.
    #expect(try parent.entry("file") == nil)
    try parent.withPathByDescriptor { path throws(FileError) in
      try StagedFile.write([3], to: path + "/file")
    }
    #expect(try FileSystem.names(in: folder.path("moved")) == ["b", "file"])
    try parent.remove("file")
    try expectUntouched()
  }

  @Test func `a swap between two calls never reaches the other folder`() throws {
    let own = try OpenFolder(folder.path("own"))
    let isDone = LockedValue(false)
    let (first, second) = (folder.path("own/a"), folder.path("other"))
    #expect(symlink(folder.path("victim"), second) == 0)
    let swapper = BackgroundWork {
      while !isDone.withLock({ $0 }) {
        try? FileSystem.rename(first, to: first + ".x")
        try? FileSystem.rename(second, to: first)
        try? FileSystem.rename(first, to: second)
        try? FileSystem.rename(first + ".x", to: first)
      }
    }
    for _ in 0..<2_000 {
      if let bytes = try? own.reading("a/b/file") { #expect(bytes.array == [1]) }
      try? own.remove("a/file")
      _ = try? own.creatingFolder("a/new")
    }
    isDone.change { $0 = true }
    swapper.wait()
    try expectUntouched()
  }

  @Test func `paths become names, with and without links`() throws {
    #expect(symlink("own", folder.path("link")) == 0)
    let real = try FileSystem.resolved(folder.path("own"))
    for path in [folder.path("own"), folder.path("own/"), folder.path("link")] {
      let own = try OpenFolder(path)
      #expect(own.name(of: own.path(of: "a/b/file")) == "a/b/file")
      #expect(own.name(of: real + "/file") == "file")
      #expect(own.name(of: path + "//a/b/file") == "a/b/file")
      for other in [
        real, real + "/", real + "/../victim/file", folder.path("victim/file"), "file", "",
        real + "x/file",
      ] { #expect(own.name(of: other) == nil, "\(other)") }
      try own.checkFile(at: real + "/file")
      try own.checkFile(at: real + "/none")
      #expect(throws: FileError.self) { try own.checkFile(at: folder.path("victim/file")) }
    }
    let current = try OpenFolder(".")
    #expect(current.name(of: "a/b") == "a/b" && current.name(of: "./a") == "a")
    #expect(current.name(of: "../a") == nil)
  }

  @Test func `a sweep removes only old files with the names of temporary ones`() throws {
    let digits = String(repeating: "0a", count: 16)
    let removed = [".photoedit-" + digits, ".photoedit-trial-17"]
    let kept = [
      ".photoedit-export.json", ".photoedit-0123456789abcdef-0123456789abcdef.pending",
      ".photoedit-old", ".photoedit-" + digits + "0", ".photoedit-trial-", ".photoedit-trial-x",
      ".photoedit-" + digits.uppercased(), "photo.jpg",
    ]
    let folders = [".photoedit-staging-abcdef", ".photoedit-staging-abcdefg", ".photoedit"]
    for name in removed + kept { try folder.write([1], to: "own/" + name) }
    for name in folders {
      try FileSystem.createFolder(folder.path("own/" + name))
      try folder.write([1], to: "own/\(name)/x")
    }
    #expect(symlink(folder.path("victim"), folder.path("own/.photoedit-staging-linked")) == 0)
    let own = try OpenFolder(folder.path("own"))
    #expect(own.sweep(olderThan: 86_400) == 0)
    for name in removed + kept + folders {
      FileSystem.setModificationTime(of: folder.path("own/" + name), to: 1_000_000_000)
    }
    try folder.write([1], to: "own/.photoedit-trial-18")
    #expect(own.sweep(olderThan: 86_400) == 3)
    #expect(
      Set(try own.names())
        == Set(
          kept + folders.dropFirst()
            + [".photoedit-staging-linked", ".photoedit-trial-18", "a", "file"]))
    try expectUntouched()
  }
}
