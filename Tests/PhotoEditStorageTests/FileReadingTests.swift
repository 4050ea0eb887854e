// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Reading files")
struct FileReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func kind(_ path: String, maximumBytes: Int = 1 << 20) -> FileError.Kind? {
    do throws(FileError) {
      _ = try FileBytes.reading(path, maximumBytes: maximumBytes)
      return nil
    } catch {
      #expect(error.path == path && error.description.hasPrefix(path))
      return error.kind
    }
  }

  @Test func `a file is read completely, also through a link`() throws {
    let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let path = try folder.write(bytes, to: "file")
    #expect(symlink("file", folder.path("link")) == 0)
    for path in [path, folder.path("link")] {
      let file = try FileBytes.reading(path)
      #expect(Array(file.buffer) == bytes && file.count == bytes.count)
      #expect(try FileBytes.digest(of: path) == file.digest())
      #expect(file.digest() == SHA256Digest(of: bytes))
    }
  }

  @Test func `no link in the path is followed if links are not allowed`() throws {
    let bytes: [UInt8] = [1, 2, 3]
    for name in ["a", "a/b", "c"] {
      #expect(mkdir(folder.path(name), 0o700) == 0)
    }
    try folder.write(bytes, to: "a/b/file")
    #expect(symlink("file", folder.path("a/b/link")) == 0)
    #expect(symlink("../a/b", folder.path("c/b")) == 0)
    #expect(symlink(folder.path("a"), folder.path("d")) == 0)
    let real = try FileSystem.resolved(folder.path)
    for name in ["a/b/file", "a//b/file", "a/./b/file", "a/b/../b/file"] {
      let found = try FileBytes.reading(real + "/" + name, followsLinks: false)
      #expect(found.array == bytes)
    }
    for name in ["a/b/link", "c/b/file", "d/b/file"] {
      #expect(try FileBytes.reading(real + "/" + name).array == bytes)
      #expect(throws: FileError.self) {
        _ = try FileBytes.reading(real + "/" + name, followsLinks: false)
      }
      #expect(throws: FileError.self) {
        try FileSystem.copy(real + "/" + name, to: folder.path("copy"), followsLinks: false)
      }
    }
    let long = String(repeating: "n", count: 300)
    for name in ["none", "none/file", "a/b/file/", "a/b/file/x", long, ""] {
      #expect(throws: FileError.self) {
        _ = try FileBytes.digest(of: real + "/" + name, followsLinks: false)
      }
    }
  }

  @Test func `a file of holes is refused by its size, before it is read`() throws {
    let path = try folder.write([7, 8, 9], to: "file")
    for (size, isAccepted) in [
      (1 << 20, true), (1 << 30, true), (1 << 31, false), (1 << 40, false),
    ] {
      try #require(truncate(path, size) == 0)
      let file = try OpenFile(reading: path)
      if isAccepted {
        #expect(try file.acceptedSize() == size)
      } else {
        let error = #expect(throws: FileError.self) { try file.acceptedSize() }
        #expect(error?.kind == .tooLarge && error?.reason.contains("sparse") == true)
        #expect(kind(path, maximumBytes: .max) == .tooLarge)
      }
      let error = #expect(throws: FileError.self) { try file.acceptedSize(maximumBytes: size - 1) }
      #expect(error?.kind == .tooLarge && error?.reason.contains("maximum") == true)
      // The examination of holes leaves the position at the beginning.
      var bytes = [UInt8](repeating: 0, count: 3)
      #expect(try bytes.withUnsafeMutableBytes { try file.read(into: $0) } == 3)
      #expect(bytes == [7, 8, 9])
    }
  }

  @Test(arguments: [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1])
  func `a file digest does not depend on the read size`(count: Int) throws {
    let path = try folder.write([UInt8](repeating: 9, count: count), to: "file")
    #expect(try FileBytes.digest(of: path) == SHA256Digest(of: [UInt8](repeating: 9, count: count)))
  }

  @Test func `pipes, sockets, devices and folders are rejected without blocking`() throws {
    #expect(mkfifo(folder.path("pipe"), 0o644) == 0)
    #expect(kind(folder.path("pipe")) == .notRegular)
    #expect(kind(folder.path) == .notRegular)
    #expect(kind("/dev/zero") == .notRegular)
    #expect(kind("/dev/null") == .notRegular)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = folder.path("socket")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    #expect(kind(name) == .notRegular)
    #expect(symlink("loop", folder.path("loop")) == 0)
    #expect(kind(folder.path("loop")) == .notRegular)
    #expect(symlink("nowhere", folder.path("dangling")) == 0)
    #expect(kind(folder.path("dangling")) == .missing)
    #expect(kind(folder.path("missing")) == .missing)
    #expect(kind(folder.path("missing/file")) == .missing)
    #expect(kind(folder.path(String(repeating: "x", count: 300))) == .missing)
    #expect(kind(try folder.write([], to: "empty")) == .empty)
    #expect(kind(try folder.write([1, 2, 3], to: "large"), maximumBytes: 2) == .tooLarge)
    #expect(kind(folder.path("large"), maximumBytes: 3) == nil)
  }

  @Test func `a sparse file over the limit is rejected`() throws {
    let path = try folder.write([], to: "sparse")
    #expect(truncate(path, 1 << 40) == 0)
    #expect(kind(path, maximumBytes: 4 << 30) == .tooLarge)
  }

  @Test(.enabled(if: geteuid() != 0, "permissions do not apply to root"))
  func `an unreadable file gives a permission error`() throws {
    let path = try folder.write([1], to: "secret")
    chmod(path, 0)
    #expect(kind(path) == .permission)
  }

  @Test func `reading does not change the access time`() throws {
    let path = try folder.write([1, 2, 3], to: "file")
    var times = [timespec(tv_sec: 1000, tv_nsec: 5), timespec(tv_sec: 2000, tv_nsec: 6)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    _ = try FileBytes.reading(path)
    _ = try FileBytes.digest(of: path)
    try FileSystem.copy(path, to: folder.path("copy"))
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_atim.tv_sec == 1000 && status.st_atim.tv_nsec == 5)
  }

  @Test func `a file descriptor is read to its end`() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let bytes = [UInt8](repeating: 3, count: 5000)
    #expect(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    let read = try FileBytes.readingToEnd(of: ends[0], name: "stdin")
    #expect(Array(read.buffer) == bytes)
    #expect(throws: FileError.self) { try FileBytes.readingToEnd(of: ends[0], name: "stdin") }
    close(ends[0])
  }
}
