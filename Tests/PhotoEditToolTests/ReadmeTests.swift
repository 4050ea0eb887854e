// SPDX-License-Identifier: Apache-2.0
import Storage
import TestSupport
import Testing

@Suite("README", .timeLimit(.minutes(10)))
struct ReadmeTests {
  /// Dates and digests, which depend on when and with which codec version it runs.
  private static func normalised(_ text: some StringProtocol) -> String {
    String(text).replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "DATE")
      .replacing(/[0-9a-f]{12}…/, with: "DIGEST")
  }

  @Test func `the session runs as it is shown`() throws {
    let readme = String(
      decoding: try FileBytes.reading(TestImages.packageRoot + "/README.md").array, as: UTF8.self)
    let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "```console"))
    let end = try #require(lines[(start + 1)...].firstIndex(of: "```"))
    let session = lines[(start + 1)..<end].map { $0 + "\n" }.joined()
    let folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-1024.jpg"), to: "photo.jpg")
    let steps = session.split(separator: "$ photoedit ")
    #expect(steps.count == 6)
    for step in steps {
      let parts = step.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let result = try Tool.run(parts[0].split(separator: " ").map(String.init), in: folder.path)
      #expect(result.exitCode == 0)
      #expect(Self.normalised(result.output + result.errors) == Self.normalised(parts[1]))
    }
  }
}
