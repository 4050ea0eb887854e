// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Golden candidates")
struct GoldenCandidateTests {
  private static let name = "black-and-white"
  private let folder: TemporaryFolder
  private let golden: Golden

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(Golden.root)/\(Self.name)", toPath: folder.path(Self.name))
    golden = try Golden(Self.name, in: folder.path)
  }

  /// The golden with one sample changed, as if rendered with the given versions.
  private func candidate(off: Int, engine: Int = 0) -> GoldenCandidate {
    var (record, image) = (golden.record, golden.image)
    record.rasters = ["\(off)"]
    record.engine += engine
    let level = image[x: 1, y: 1, channel: 0]
    image[x: 1, y: 1, channel: 0] = level > 127 ? level - off : level + off
    return GoldenCandidate(Self.name, record: record, image: image, in: folder.path)
  }

  private func files() throws -> [String: SHA256Digest] {
    let folderPath = folder.path(Self.name)
    let names = try FileManager.default.contentsOfDirectory(atPath: folderPath)
    return try names.reduce(into: [:]) {
      $0[$1] = SHA256Digest(of: [UInt8](try Data(contentsOf: URL(filePath: "\(folderPath)/\($1)"))))
    }
  }

  @Test func `a candidate is written next to the golden and can be discarded completely`() throws {
    let before = try files()
    let path = try candidate(off: 50).write()
    let after = try files()
    #expect(path == folder.path(Self.name) + "/golden.candidate.png")
    #expect(
      Set(after.keys).subtracting(before.keys) == ["golden.candidate.json", "golden.candidate.png"])
    #expect(after.filter { before[$0.key] != nil } == before)
    try candidate(off: 50).discard()
    #expect(try files() == before)
  }

  @Test func `an unrecorded or outdated candidate is not accepted`() throws {
    let before = try files()
    #expect(throws: GoldenCandidate.Refusal.self) {
      try candidate(off: 1).accept(isGraphNew: false)
    }
    _ = try candidate(off: 1).write()
    let refusal = #expect(throws: GoldenCandidate.Refusal.self) {
      try candidate(off: 2).accept(isGraphNew: false)
    }
    #expect(refusal?.description.contains("golden-recorder \(Self.name)") == true)
    try candidate(off: 1).discard()
    #expect(try files() == before)
  }

  @Test func `a change outside the tolerance class requires a new version`() throws {
    let before = try files()
    _ = try candidate(off: 50).write()
    let refusal = #expect(throws: GoldenCandidate.Refusal.self) {
      try candidate(off: 50).accept(isGraphNew: false)
    }
    let words = try #require(refusal?.description)
    #expect(words.contains("largest difference") && words.contains("semanticsVersion"))
    #expect(try files()["golden.png"] == before["golden.png"])
  }

  @Test(arguments: [(off: 1, engine: 0, isGraphNew: false), (50, 1, false), (50, 0, true)])
  func `a candidate within the class or with a new version replaces the golden`(
    off: Int, engine: Int, isGraphNew: Bool
  ) throws {
    let candidate = candidate(off: off, engine: engine)
    _ = try candidate.write()
    try candidate.accept(isGraphNew: isGraphNew)
    let accepted = try Golden(Self.name, in: folder.path)
    #expect(accepted.record == candidate.record && accepted.image == candidate.image)
    #expect(try Set(files().keys) == ["golden.json", "golden.png", "graph.json"])
  }
}
