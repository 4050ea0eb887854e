// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("File system operations")
struct FileSystemTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func kind(_ body: () throws(FileError) -> Void) -> FileError.Kind? {
    do throws(FileError) {
      try body()
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `an entry's type is determined without following links`() throws {
    let file = try folder.write([1], to: "file")
    #expect(symlink("file", folder.path("link")) == 0)
    #expect(try FileSystem.entry(at: file) == .file)
    #expect(try FileSystem.entry(at: folder.path) == .folder)
    #expect(try FileSystem.entry(at: folder.path("link")) == .other)
    #expect(try FileSystem.entry(at: folder.path("no")) == nil)
    #expect(try FileSystem.entry(at: folder.path("file/no")) == nil)
  }

  @Test func `an exclusive rename never replaces a file`() throws {
    let a = try folder.write([1], to: "a")
    let b = try folder.write([2], to: "b")
    #expect(kind { () throws(FileError) in try FileSystem.renameExclusively(a, to: b) } == .exists)
    #expect(try Data(contentsOf: folder.url("b")) == Data([2]))
    try FileSystem.renameExclusively(a, to: folder.path("c"))
    #expect(try FileSystem.names(in: folder.path) == ["b", "c"])
    try FileSystem.rename(b, to: folder.path("c"))
    #expect(try Data(contentsOf: folder.url("c")) == Data([2]))
  }

  @Test func `a copy is complete and private and never overwrites`() throws {
    let bytes = [UInt8](repeating: 5, count: 300_000)
    let source = try folder.write(bytes, to: "source")
    chmod(source, 0o4755)
    try FileSystem.copy(source, to: folder.path("copy"))
    #expect(try Data(contentsOf: folder.url("copy")) == Data(bytes))
    var status = stat()
    #expect(stat(folder.path("copy"), &status) == 0 && status.st_mode & 0o7777 == 0o600)
    let again = kind { () throws(FileError) in
      try FileSystem.copy(source, to: folder.path("copy"))
    }
    #expect(again == .exists)
    #expect(symlink("elsewhere", folder.path("link")) == 0)
    let link = kind { () throws(FileError) in try FileSystem.copy(source, to: folder.path("link")) }
    #expect(link == .exists)
    #expect(try FileSystem.entry(at: folder.path("elsewhere")) == nil)
    let missing = kind { () throws(FileError) in
      try FileSystem.copy(folder.path("no"), to: folder.path("x"))
    }
    #expect(missing == .missing)
    #expect(try FileSystem.entry(at: folder.path("x")) == nil)
  }

  @Test func `the error for a long name states the limit in bytes`() throws {
    let long = folder.path(String(repeating: "x", count: 256))
    let file = try folder.write([1], to: "file")
    #expect(
      kind { () throws(FileError) in try FileSystem.rename(file, to: long) } == .invalidDestination)
    #expect(
      kind { () throws(FileError) in _ = try OpenFile(creating: long) } == .invalidDestination)
    #expect(FileError.nameTooLong(long).reason.contains("256 bytes"))
  }

  @Test func `creating a folder accepts an existing one but no link or file`() throws {
    try FileSystem.createFolder(folder.path("a"))
    try FileSystem.createFolder(folder.path("a"))
    var status = stat()
    #expect(stat(folder.path("a"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(symlink("a", folder.path("link")) == 0)
    try folder.write([1], to: "file")
    for name in ["link", "file"] {
      #expect(
        kind { () throws(FileError) in try FileSystem.createFolder(folder.path(name)) } == .exists)
    }
    try folder.write([1], to: "a/inside")
    #expect(
      kind { () throws(FileError) in try FileSystem.removeFolder(folder.path("link")) }
        == .notRegular)
    #expect(try FileSystem.names(in: folder.path("a")) == ["inside"])
    try FileSystem.removeFolder(folder.path("a"))
    try FileSystem.removeFolder(folder.path("a"))
    #expect(try FileSystem.names(in: folder.path("a")) == [])
  }

  @Test func `the mode of a published file follows the umask`() throws {
    let file = try folder.write([1], to: "file")
    chmod(file, 0o600)
    FileSystem.share(file, like: nil)
    let plain = open(folder.path("plain"), O_CREAT | O_WRONLY, 0o666)
    close(plain)
    var (a, b) = (stat(), stat())
    #expect(stat(file, &a) == 0 && stat(folder.path("plain"), &b) == 0 && a.st_mode == b.st_mode)
  }

  @Test func `a published file has the usual mode and replaces only on request`() throws {
    let target = try folder.write([1], to: "target")
    func staged(_ bytes: [UInt8]) throws -> String {
      let path = folder.path("staged")
      try OpenFile(creating: path).write(bytes)
      return path
    }
    let first = try staged([2, 3])
    let error = #expect(throws: FileError.self) {
      try FileSystem.publish(first, as: target, replacing: false, like: nil)
    }
    #expect(error?.kind == .exists)
    #expect(try FileBytes.reading(target).array == [1])
    try FileSystem.publish(first, as: target, replacing: true, like: nil)
    #expect(try FileBytes.reading(target).array == [2, 3])
    try FileSystem.publish(staged([]), as: folder.path("empty"), replacing: false, like: nil)
    #expect(try FileSystem.names(in: folder.path).sorted() == ["empty", "target"])
    var status = stat()
    #expect(stat(target, &status) == 0 && status.st_mode & 0o400 != 0)
    #expect(status.st_mode & 0o111 == 0)
  }

  @Test(arguments: [
    ("a/b.jpg", "a", "b.jpg"), ("b.jpg", ".", "b.jpg"), ("/b", "/", "b"), ("a//b", "a/", "b"),
    ("a/", "a", ""), ("a/\u{301}b", "a", "\u{301}b"), ("/\u{301}", "/", "\u{301}"),
  ])
  func `a path is split at its last slash, even before combining characters`(
    path: String, parent: String, name: String
  ) {
    #expect(FileSystem.folder(of: path).utf8.elementsEqual(parent.utf8))
    #expect(FileSystem.lastName(of: path).utf8.elementsEqual(name.utf8))
  }

  @Test(arguments: [
    ("a.jpg", "a", "jpg"), ("a.b.c", "a.b", "c"), (".hidden", ".hidden", ""), ("a", "a", ""),
    ("a.", "a", ""), ("a.\u{301}x", "a", "\u{301}x"),
  ])
  func `a name is split at its last dot unless the dot comes first`(
    name: String, stem: String, end: String
  ) {
    let parts = FileSystem.splitName(name)
    #expect(parts.stem.utf8.elementsEqual(stem.utf8))
    #expect(parts.fileExtension.utf8.elementsEqual(end.utf8))
  }

}
