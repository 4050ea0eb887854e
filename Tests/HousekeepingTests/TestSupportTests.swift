// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@Suite("The support of the tests", .timeLimit(.minutes(30)))
struct TestSupportTests {
  @Test func `a temporary folder goes with its last reference, and everything in it`() throws {
    var folder: TemporaryFolder? = try TemporaryFolder()
    let file = try #require(folder).write([1, 2, 3], to: "a.bin")
    #expect(TestSupportTests.size(of: file) == 3)
    folder = nil
    #expect(TestSupportTests.size(of: file) == nil)
  }

  @Test func `two temporary folders are never the same`() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    #expect(first.path != second.path)
  }

  @Test func `a picture is found by its name or by its path`() throws {
    let bytes = try TestImages.bytes("photo-64.jpg")
    #expect(bytes.starts(with: [0xFF, 0xD8]))
    #expect(try TestImages.bytes("inputs/photo-64.jpg") == bytes)
    #expect(throws: (any Error).self) { try TestImages.bytes("no-such-photo.jpg") }
  }

  private static func size(of path: String) -> Int? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    return ftell(file)
  }
}
