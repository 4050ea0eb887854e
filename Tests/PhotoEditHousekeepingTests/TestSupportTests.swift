// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@Suite("The support of the tests")
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

  @Test func `numbers are the same for the same seed, and others for another`() {
    func numbers(_ number: Int, _ seed: UInt64) -> [UInt64] {
      var random = SeededNumbers(number, seed: seed)
      return (0..<4).map { _ in random.next() }
    }
    #expect(numbers(3, 7) == numbers(3, 7))
    #expect(Set([numbers(3, 7), numbers(4, 7), numbers(3, 8), numbers(7, 3)]).count == 4)
    // The first numbers of SplitMix64 from 0, as its authors' program prints them.
    #expect(numbers(0, 0).prefix(2) == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4])
  }

  @Test func `what fails in a random test names the seed`() throws {
    var issue: Issue?
    withKnownIssue { issue = Issue.record("on purpose") }
    let trait: IssueHandlingTrait = .seeded
    let recorded = try #require(issue)
    let told = try #require(trait.handleIssue(recorded))
    #expect(
      told.comments.map(\.rawValue) == ["on purpose", "PHOTOEDIT_SEED=\(SeededNumbers.seed)"])
  }

  private static func size(of path: String) -> Int? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    return ftell(file)
  }
}
