// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("README", .runsPrograms)
struct ReadmeTests {
  /// Dates and digests, which depend on the time and the codec version.
  private static func normalised(_ text: some StringProtocol) -> String {
    String(text).replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\dZ)?/, with: "DATE")
      .replacing(/[0-9a-f]{12}…/, with: "DIGEST")
  }

  /// The lines of a block of a kind below a heading of a page, the first by default.
  private static func block(
    _ kind: String, below heading: String, of page: String = "README.md", number: Int = 0
  ) throws -> [String] {
    let text = String(
      decoding: try FileBytes.reading(TestImages.packageRoot + "/" + page).array, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let section = try #require(lines.firstIndex { $0 == heading })
    let starts = lines[section...].indices.filter { lines[$0] == "```" + kind }
    let start = try #require(starts.dropFirst(number).first)
    let end = try #require(lines[(start + 1)...].firstIndex(of: "```"))
    return lines[(start + 1)..<end].map(String.init)
  }

  @Test func `the session runs as shown`() throws {
    let session = try Self.block("console", below: "## A session").map { $0 + "\n" }.joined()
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

  @Test(.enabled(if: Program.find("jq") != nil, "jq is not installed"))
  func `the loop that follows a library misses nothing and repeats failed exports`() throws {
    let library = try ToolLibrary()
    let inbox = library.folder.path("inbox")
    let page = "Sources/PhotoEditLibrary/PhotoEditLibrary.docc/KeepALibrary.md"
    let script = try Self.block("sh", below: "## Follow changes", of: page, number: 1)
      .joined(separator: "\n").replacing("/srv/inbox/", with: inbox)
    try #require(script.contains("--since") && script.contains(inbox))
    /// Runs the loop until an export fails or nothing is left to do.
    func follow() throws {
      // Without --follow it ends with the history.
      _ = try Tool.runScript(
        "cd ..; " + script.replacing(" --follow", with: ""), in: inbox,
        environment: ["PHOTOEDIT_LIBRARY": library.folder.path(library.name)])
    }
    try FileSystem.createFolder(inbox)
    let assets = try library.addPhotos(2)
    let third = try library.add(try ImageFile().jpeg(9), as: "third.jpg")
    let removed = try library.add(try ImageFile().jpeg(10), as: "gone.jpg")
    #expect(try library.run("asset", "delete", "--yes", removed).exitCode == 0)
    #expect(try library.run("asset", "purge", "--yes", removed).exitCode == 0)
    // The third export fails: a folder is in its way.
    try FileSystem.createFolder(inbox + "/third.jpg")
    try follow()
    #expect(try FileSystem.names(in: inbox).count == assets.count + 1)
    let token = try FileBytes.reading(library.folder.path("token")).array
    try follow()
    #expect(try FileBytes.reading(library.folder.path("token")).array == token)
    try FileManager.default.removeItem(atPath: inbox + "/third.jpg")
    try follow()
    #expect(try FileSystem.entry(at: inbox + "/third.jpg") == .file, "\(third)")
    let last = try library.lines("changes").last?["token"]?.stringValue
    #expect(
      try String(decoding: FileBytes.reading(library.folder.path("token")).array, as: UTF8.self)
        == last.map { $0 + "\n" })
  }
}
