// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Locks and staging folders")
struct LockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a lock is held by one descriptor and released with it`() throws {
    let path = try folder.write([1], to: "file")
    do {
      let first = try OpenFile(reading: path)
      #expect(try first.lock() == .acquired)
      let second = try OpenFile(reading: path)
      #expect(try second.lock() == .busy)
      #expect(try first.lock() == .acquired)
    }
    #expect(try OpenFile(reading: path).lock(within: 1) == .acquired)
  }

  @Test func `an unlinked file is recognized`() throws {
    let path = try folder.write([1], to: "file")
    let file = try OpenFile(reading: path)
    #expect(try file.isLinked())
    try FileSystem.remove(path)
    #expect(try !file.isLinked())
  }

  @Test func `a staging folder is removed with its owner`() throws {
    do {
      let staging = try StagingFolder(in: folder.path)
      try Data([1]).write(to: URL(filePath: staging.file("a")))
      var status = stat()
      #expect(stat(staging.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
      // Another session starts and does not remove a folder in use.
      let other = try StagingFolder(in: folder.path)
      #expect(try FileSystem.names(in: folder.path).count == 2)
      #expect(other.path != staging.path)
    }
    #expect(try FileSystem.names(in: folder.path) == [])
  }

  @Test func `abandoned staging folders are removed, look-alikes are kept`() throws {
    let precious = try TemporaryFolder()
    try precious.write([1], to: "photo")
    try FileSystem.createFolder(folder.path(".photoedit-staging-abcdef"))
    try folder.write([1], to: ".photoedit-staging-abcdef/file")
    #expect(symlink(precious.path, folder.path(".photoedit-staging-linked")) == 0)
    try FileSystem.createFolder(folder.path(".photoedit-staging-long-name"))
    try folder.write([1], to: ".photoedit-staging-fileaa")
    StagingFolder.removeStaleStaging(in: folder.path)
    #expect(
      try FileSystem.names(in: folder.path) == [
        ".photoedit-staging-fileaa", ".photoedit-staging-linked", ".photoedit-staging-long-name",
      ])
    #expect(try FileSystem.names(in: precious.path) == ["photo"])
  }

  @Test func `a staging folder writable by others is not removed`() throws {
    let name = ".photoedit-staging-public"
    try FileSystem.createFolder(folder.path(name))
    try folder.write([1], to: name + "/file")
    try #require(chmod(folder.path(name), 0o777) == 0)
    StagingFolder.removeStaleStaging(in: folder.path)
    #expect(try FileSystem.names(in: folder.path(name)) == ["file"])
    try #require(chmod(folder.path(name), 0o700) == 0)
    StagingFolder.removeStaleStaging(in: folder.path)
    #expect(try FileSystem.names(in: folder.path) == [])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can change the owner of a folder"))
  func `staging folders and files of other users are not removed`() throws {
    for name in [".photoedit-staging-theirs", ".photoedit-staging-shared"] {
      try FileSystem.createFolder(folder.path(name))
      try folder.write([1], to: name + "/file")
    }
    try #require(chown(folder.path(".photoedit-staging-theirs"), 65_534, 65_534) == 0)
    try #require(chown(folder.path(".photoedit-staging-shared/file"), 65_534, 65_534) == 0)
    StagingFolder.removeStaleStaging(in: folder.path)
    #expect(try FileSystem.names(in: folder.path(".photoedit-staging-theirs")) == ["file"])
    #expect(try FileSystem.names(in: folder.path(".photoedit-staging-shared")) == ["file"])
  }

  @Test func `a folder replaced by a link during removal does not affect the link's target`() throws
  {
    let precious = try TemporaryFolder()
    try precious.write([1], to: "thesis")
    try FileSystem.createFolder(folder.path("staging"))
    try folder.write([1], to: "staging/thesis")
    let opened = try OpenFile(folder: folder.path("staging"), followsLink: false)
    try FileSystem.rename(folder.path("staging"), to: folder.path("away"))
    try #require(symlink(precious.path, folder.path("staging")) == 0)
    #expect(try opened.removeFiles())
    #expect(try FileSystem.names(in: precious.path) == ["thesis"])
    #expect(try FileSystem.names(in: folder.path("away")) == [])
    let parent = try OpenFile(folder: folder.path)
    #expect(throws: FileError.self) { _ = try OpenFile(folder: "staging", in: parent) }
  }

  @Test func `discarding a staging folder uses its open descriptor, not its path`() throws {
    let precious = try TemporaryFolder()
    try precious.write([1], to: "a")
    let staging = try StagingFolder(in: folder.path)
    try Data([1]).write(to: URL(filePath: staging.file("a")))
    try FileSystem.rename(staging.path, to: folder.path("away"))
    try #require(symlink(precious.path, staging.path) == 0)
    staging.discard()
    #expect(try FileSystem.names(in: precious.path) == ["a"])
    #expect(try FileSystem.names(in: folder.path("away")) == [])
  }

  @Test func `concurrent sessions do not remove each other's staging folders`() async throws {
    let path = folder.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<40 {
            let staging = try StagingFolder(in: path)
            try Data([1]).write(to: URL(filePath: staging.file("a")))
            #expect(try FileSystem.names(in: staging.path) == ["a"])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try FileSystem.names(in: folder.path) == [])
  }

  @Test func `creating a staging folder in a missing folder fails`() throws {
    do throws(FileError) {
      _ = try StagingFolder(in: folder.path("no"))
      Issue.record("a staging folder was created in a missing folder")
    } catch {
      #expect(error.kind == .invalidDestination)
    }
  }
}
