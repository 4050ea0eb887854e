// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Permissions of created files")
struct SharingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(stat(folder.path(name), &status) == 0)
    return status.st_mode & 0o777
  }

  /// The mode of a new file under the umask of this process.
  private func usualMode() throws -> mode_t {
    let descriptor = open(folder.path("usual"), O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    try #require(descriptor >= 0)
    close(descriptor)
    return try mode("usual")
  }

  /// The mode of a file created from an original with the given mode.
  private func made(from original: mode_t?) throws -> mode_t {
    for name in ["original", "made"] { try FileSystem.remove(folder.path(name)) }
    if let original {
      try folder.write([1], to: "original")
      try #require(chmod(folder.path("original"), original) == 0)
    }
    _ = try OpenFile(creating: folder.path("made"))
    FileSystem.share(folder.path("made"), like: folder.path("original"))
    return try mode("made")
  }

  @Test
  func `a file never has wider read permissions than its original and is writable by its owner`()
    throws
  {
    let usual = try usualMode()
    for original: mode_t in [0o600, 0o644, 0o666, 0o400, 0o444, 0o640, 0o440, 0o604, 0o755, 0o700] {
      let made = try made(from: original)
      #expect(made == usual & (original | 0o600) & 0o666, "of \(String(original, radix: 8))")
    }
  }

  @Test func `without an original the umask applies, a missing original gives a private file`()
    throws
  {
    _ = try OpenFile(creating: folder.path("made"))
    #expect(try mode("made") == 0o600)
    FileSystem.share(folder.path("made"), like: nil)
    #expect(try mode("made") == usualMode())
    #expect(try made(from: nil) == 0o600)
  }

  @Test func `a file with contents of several originals is as private as the most private one`()
    throws
  {
    for (name, mode): (String, mode_t) in [("a", 0o644), ("b", 0o604), ("c", 0o600)] {
      try folder.write([1], to: name)
      try #require(chmod(folder.path(name), mode) == 0)
    }
    func published(_ originals: [String]) throws -> mode_t {
      try FileSystem.remove(folder.path("made"))
      let staged = try StagedFile(for: folder.path("made"))
      for name in originals { staged.note(original: folder.path(name)) }
      try staged.complete(with: [1])
      try staged.publish()
      return try mode("made")
    }
    let usual = try usualMode()
    #expect(try published(["a", "a"]) == usual & 0o644)
    #expect(try published(["a", "b"]) == usual & 0o604)
    #expect(try published(["a", "c", "b"]) == 0o600)
    #expect(try published(["a", "missing"]) == 0o600)
  }

  @Test func `a file to which contents are added never gains permissions`() throws {
    try folder.write([1], to: "original")
    for existing: mode_t in [0o600, 0o644, 0o666] {
      for original: mode_t in [0o600, 0o604, 0o644] {
        try #require(chmod(folder.path("original"), original) == 0)
        try folder.write([1], to: "report")
        try #require(chmod(folder.path("report"), existing) == 0)
        let descriptor = open(folder.path("report"), O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        FileSystem.restrict(descriptor, like: [folder.path("original")])
        close(descriptor)
        #expect(try mode("report") == existing & (original | 0o600))
      }
    }
  }

  @Test func `a link at the path of the file has no effect on its target`() throws {
    try folder.write([1], to: "private")
    try #require(chmod(folder.path("private"), 0o600) == 0)
    try #require(symlink(folder.path("private"), folder.path("link")) == 0)
    FileSystem.share(folder.path("link"), like: nil)
    #expect(try mode("private") == 0o600)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can change the group of a file to any group"))
  func `group permissions of the original are kept for the same group`() throws {
    try folder.write([1], to: "original")
    try #require(chown(folder.path("original"), uid_t.max, 65_533) == 0)
    try #require(chmod(folder.path("original"), 0o640) == 0)
    _ = try OpenFile(creating: folder.path("made"))
    FileSystem.share(folder.path("made"), like: folder.path("original"))
    var status = stat()
    try #require(stat(folder.path("made"), &status) == 0)
    #expect(status.st_gid == 65_533 && status.st_mode & 0o777 == 0o640)
  }
}
