// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("photoedit relink", .runsPrograms)
struct RelinkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.createFolder(folder.path("old"))
    try FileSystem.createFolder(folder.path("new"))
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "old/a.jpg")
    try folder.write(try TestImages.bytes("inputs/jpeg-444.jpg"), to: "old/b.jpg")
    for photo in ["old/a.jpg", "old/b.jpg"] {
      try expect("apply", "--filter", "exposure:ev=0.3", photo, exitCode: 0)
    }
    // A rendering that cannot be rendered again is kept in the journal.
    try expect(
      "apply", "--filter", "sepia", "--format-identifier", "com.example.other", "old/a.jpg",
      exitCode: 0)
  }

  @discardableResult
  private func expect(_ arguments: String..., exitCode: Int32) throws -> Tool.Result {
    let result = try Tool.run(arguments, in: folder.path)
    #expect(result.exitCode == exitCode, "\(arguments): \(result.errors)")
    return result
  }

  private func move(_ from: String, _ to: String) {
    #expect(rename(folder.path(from), folder.path(to)) == 0)
  }

  private func names(_ name: String) throws -> [String] {
    try FileSystem.names(in: folder.path(name)).sorted()
  }

  @Test func `sidecars follow photos that were renamed and moved`() throws {
    let rendering = try FileBytes.digest(of: folder.path("old/a.edited.jpg"))
    move("old/a.jpg", "new/lake.jpg")
    move("old/b.jpg", "old/c.jpg")
    let before = try names("old")
    try expect("relink", "-n", "old", "new", exitCode: 0)
    #expect(try names("old") == before)
    let result = try expect("relink", "old/", "new", exitCode: 0)
    #expect(result.errors.contains("old/a.jpg.aae: linked to new/lake.jpg"))
    #expect(try names("old") == ["c.edited.jpg", "c.jpg", "c.jpg.aae"])
    #expect(
      try names("new").filter { $0 != ".photoedit" }
        == ["lake.base.jpg", "lake.edited.jpg", "lake.jpg", "lake.jpg.aae"])
    #expect(try FileBytes.digest(of: folder.path("new/lake.edited.jpg")) == rendering)
    // The edit continues at the new path, and every state can be restored.
    try expect("undo", "new/lake.jpg", exitCode: 0)
    try expect("undo", "new/lake.jpg", exitCode: 0)
    try expect("redo", "--to", "2", "new/lake.jpg", exitCode: 0)
    #expect(try FileBytes.digest(of: folder.path("new/lake.edited.jpg")) == rendering)
    try expect("adjust", "--set", "exposure.ev=0.5", "old/c.jpg", exitCode: 0)
    #expect(try names("old") == ["c.edited.jpg", "c.jpg", "c.jpg.aae"])
    #expect(try expect("relink", "old", "new", exitCode: 0).errors.contains("no sidecar"))
  }

  @Test func `a photo that another program tagged is recognized by its pixels`() throws {
    let bytes = try FileBytes.reading(folder.path("old/b.jpg")).array
    try folder.write(bytes[..<2] + [0xFF, 0xFE, 0, 3, 65] + bytes[2...], to: "old/tagged.jpg")
    #expect(unlink(folder.path("old/b.jpg")) == 0)
    try expect("relink", "old", exitCode: 0)
    #expect(try names("old").contains("tagged.jpg.aae"))
  }

  @Test func `copies of a photo and missing photos leave the sidecar as it is`() throws {
    let bytes = try FileBytes.reading(folder.path("old/b.jpg")).array
    try folder.write(bytes, to: "new/b1.jpg")
    try folder.write(bytes, to: "new/b2.jpg")
    #expect(unlink(folder.path("old/b.jpg")) == 0)
    #expect(unlink(folder.path("old/a.jpg")) == 0)
    let before = try names("old")
    let result = try expect("relink", "old", "new", exitCode: 1)
    #expect(result.errors.contains("several photos"))
    #expect(result.errors.contains("photo not found in the folders"))
    #expect(try names("old") == before)
    try expect("relink", "missing", exitCode: 66)
  }

  @Test(.enabled(if: geteuid() != 0, "permissions do not bind root"))
  func `a photo that cannot be read is named`() throws {
    move("old/b.jpg", "new/x.jpg")
    #expect(chmod(folder.path("new/x.jpg"), 0) == 0)
    let result = try expect("relink", "old", "new", exitCode: 1)
    #expect(result.errors.contains("warning: new/x.jpg: "))
  }

  @Test func `nothing is replaced at the new names`() throws {
    move("old/b.jpg", "new/x.jpg")
    try folder.write([1, 2, 3], to: "new/x.edited.jpg")
    try expect("relink", "old", "new", exitCode: 0)
    #expect(try FileBytes.reading(folder.path("new/x.edited.jpg")).array == [1, 2, 3])
    #expect(try names("new").contains("x.jpg.aae"))
  }
}
