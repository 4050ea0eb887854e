// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Staged files")
struct StagedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var names: [String] { get throws { try FileSystem.names(in: folder.path) } }

  @Test func `a file without a name appears only when it is published`() throws {
    let path = folder.path("out.jpg")
    do {
      let staged = try StagedFile(for: path)
      try staged.file.write([1, 2, 3])
      // A killed process leaves what is visible here.
      #expect(try names == [])
    }
    #expect(try names == [])
    let staged = try StagedFile(for: path)
    try staged.file.write([1, 2, 3])
    try staged.publish()
    #expect(try names == ["out.jpg"])
    #expect(try FileBytes.reading(path).array == [1, 2, 3])
  }

  @Test func `a file of a session stays in its folder, for the owner only`() throws {
    let session = try StagingFolder(in: folder.path)
    let path = session.file("rendered.jpg")
    for byte in [1, 2] as [UInt8] {
      let staged = try StagedFile(for: path, of: session)
      try staged.complete(with: [byte])
      try staged.publish(replacing: true)
      #expect(try FileBytes.reading(path).array == [byte])
    }
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    // Nothing else remains in it, and nothing was created next to it.
    #expect(try FileSystem.names(in: session.path) == ["rendered.jpg"])
    #expect(try names == [FileSystem.lastName(of: session.path)])
  }

  @Test func `contents that grow in memory are written before they are complete`() throws {
    let path = folder.path("out.jpg")
    let contents = (0..<100).map { UInt8($0) }
    let staged = try StagedFile(for: path, keepsDigest: true, earlyByteCount: 40)
    func grow(to count: Int) throws -> Int {
      contents[..<count].withUnsafeBytes { staged.grow(to: $0) }
      return try staged.file.regularSize()
    }
    #expect(try [30, 45, 84, 85].map(grow) == [0, 45, 45, 85])
    #expect(try staged.complete(with: contents) == SHA256Digest(of: contents))
    try staged.publish()
    #expect(try FileBytes.reading(path).array == contents)
  }

  @Test func `contents that did not grow are hashed too`() throws {
    let path = folder.path("out.jpg")
    let contents = (0..<100).map { UInt8($0) }
    for earlyByteCount in [50, 200] {
      let staged = try StagedFile(for: path, keepsDigest: true, earlyByteCount: earlyByteCount)
      #expect(try staged.complete(with: contents) == SHA256Digest(of: contents))
      try staged.publish(replacing: true)
      #expect(try FileBytes.reading(path).array == contents)
    }
    let plain = try StagedFile(for: path, earlyByteCount: 50)
    #expect(try plain.complete(with: contents) == nil)
  }

  @Test func `contents that start again replace longer ones`() throws {
    let path = folder.path("out.jpg")
    let staged = try StagedFile(for: path, keepsDigest: true, earlyByteCount: 1)
    staged.grow(to: UnsafeRawBufferPointer(start: nil, count: 0))
    [UInt8](repeating: 1, count: 50).withUnsafeBytes { staged.grow(to: $0) }
    staged.restart()
    [UInt8](repeating: 2, count: 20).withUnsafeBytes { staged.grow(to: $0) }
    let contents = [UInt8](repeating: 2, count: 30)
    #expect(try staged.complete(with: contents) == SHA256Digest(of: contents))
    try staged.publish()
    #expect(try FileBytes.reading(path).array == contents)
  }

  @Test func `a second file is refused unless it may replace the first`() throws {
    let path = folder.path("out.jpg")
    try StagedFile.write([1], to: path)
    let error = #expect(throws: FileError.self) { try StagedFile.write([2], to: path) }
    #expect(error?.kind == .exists)
    #expect(try FileBytes.reading(path).array == [1])
    let staged = try StagedFile(for: path)
    try staged.file.write([3])
    try staged.publish(replacing: true)
    #expect(try FileBytes.reading(path).array == [3])
    #expect(try names == ["out.jpg"])
  }

  @Test func `the permissions are those of the original`() throws {
    try folder.write([1], to: "original")
    try #require(chmod(folder.path("original"), 0o640) == 0)
    let staged = try StagedFile(for: folder.path("out"))
    try staged.publish(like: folder.path("original"))
    var status = stat()
    try #require(stat(folder.path("out"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test func `folders that do not exist and names that are too long are reported as such`() throws {
    let missing = #expect(throws: FileError.self) {
      try StagedFile.write([1], to: folder.path("none/out"))
    }
    #expect(missing?.kind == .invalidDestination)
    let long = #expect(throws: FileError.self) {
      try StagedFile.write([1], to: folder.path(String(repeating: "n", count: 300)))
    }
    #expect(long?.kind == .invalidDestination)
    #expect(try names == [])
  }
}
