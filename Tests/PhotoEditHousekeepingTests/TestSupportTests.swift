// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@Suite("Test support")
struct TestSupportTests {
  @Test func `a temporary folder is removed with its contents when its last reference is released`()
    throws
  {
    var folder: TemporaryFolder? = try TemporaryFolder()
    let file = try #require(folder).write([1, 2, 3], to: "a.bin")
    #expect(TestSupportTests.size(of: file) == 3)
    folder = nil
    #expect(TestSupportTests.size(of: file) == nil)
  }

  @Test func `two temporary folders have different paths`() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    #expect(first.path != second.path)
  }

  @Test func `a test image is found by name or by path`() throws {
    let bytes = try TestImages.bytes("photo-64.jpg")
    #expect(bytes.starts(with: [0xFF, 0xD8]))
    #expect(try TestImages.bytes("inputs/photo-64.jpg") == bytes)
    #expect(throws: (any Error).self) { try TestImages.bytes("no-such-photo.jpg") }
  }

  @Test func `the same seed gives the same numbers, another seed different ones`() {
    func numbers(_ number: Int, _ seed: UInt64) -> [UInt64] {
      var random = SeededNumbers(number, seed: seed)
      return (0..<4).map { _ in random.next() }
    }
    #expect(numbers(3, 7) == numbers(3, 7))
    #expect(Set([numbers(3, 7), numbers(4, 7), numbers(3, 8), numbers(7, 3)]).count == 4)
    // The first SplitMix64 numbers for seed 0, as printed by the reference implementation.
    #expect(numbers(0, 0).prefix(2) == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4])
  }

  @Test func `a failure in a random test reports the variables that repeat it`() throws {
    var issue: Issue?
    withKnownIssue { issue = Issue.record("on purpose") }
    let trait: IssueHandlingTrait = .seeded
    let recorded = try #require(issue)
    let reported = try #require(trait.handleIssue(recorded))
    let amount = getenv("PHOTOEDIT_ALL_CASES") == nil ? "" : " PHOTOEDIT_ALL_CASES=1"
    #expect(
      reported.comments.map(\.rawValue) == [
        "on purpose", "PHOTOEDIT_SEED=\(SeededNumbers.seed)\(amount)",
      ])
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 8, 13])
  func `four test cases try every element, and each tries at least one`(count: Int) {
    let elements = Array(0..<count)
    let tried = (0..<4).map { elements.some($0) }
    #expect(Set(tried.joined()) == Set(elements))
    #expect(count == 0 || tried.allSatisfy { !$0.isEmpty })
    let isFull = getenv("PHOTOEDIT_ALL_CASES") != nil
    #expect(tried.allSatisfy { isFull ? $0 == elements : $0.count <= (count + 3) / 4 })
    // Indices that do not begin at 0.
    #expect((10..<(10 + count)).dropFirst().some(0).allSatisfy { $0 > 10 })
  }

  private static func size(of path: String) -> Int? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    return ftell(file)
  }
}
