// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Renderings that lose something with --strict", .runsPrograms)
struct StrictTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `CMYK that becomes RGB is a loss`() throws {
    try folder.write(TestImages.bytes("inputs/jpeg-cmyk.jpg"), to: "c.jpg")
    let arguments = ["apply", "--no-sidecar", "--filter", "rotate90", "c.jpg", "--json"]
    let report = try Tool.run(arguments, in: folder.path).output
    #expect(report.contains(#""kind":"cmyk""#), "\(report)")
    let strict = try Tool.run(arguments + ["--strict", "-o", "s.jpg"], in: folder.path)
    #expect(strict.exitCode == 65)
    #expect(!FileSystem.itemExists(folder.path("s.jpg")))
  }

  @Test func `missing rows are reported and are a loss`() throws {
    let photo = try TestImages.bytes("inputs/photo-64.jpg")
    try folder.write(Array(photo.prefix(photo.count * 2 / 3)), to: "d.jpg")
    let arguments = ["apply", "--no-sidecar", "--filter", "sepia", "--lenient", "d.jpg"]
    let lenient = try Tool.run(arguments, in: folder.path)
    #expect(lenient.exitCode == 0)
    #expect(lenient.errors.firstMatch(of: /[1-9]\d* of \d+ rows could be decoded/) != nil)
    let strict = try Tool.run(arguments + ["--strict", "-o", "s.jpg"], in: folder.path)
    #expect(strict.exitCode == 65)
    #expect(!strict.errors.contains("--lenient"))
  }
}
