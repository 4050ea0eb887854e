// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Output names", .runsPrograms)
struct OutputNameTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
    try folder.write(MovieFile().bytes, to: "clip.mov")
  }

  private static let sepia = ["--filter", "sepia"]

  @Test(arguments: [
    (["render", "photo.jpg"] + sepia, "JPEG"),
    (["apply", "photo.jpg"] + sepia, "JPEG"),
    (["apply", "--no-sidecar", "photo.jpg"] + sepia, "JPEG"),
    (["thumbnail", "photo.jpg"], "JPEG"),
    (["apply", "clip.mov", "--filter", "mute"], "QuickTime"),
    (["bake"] + sepia, "color table"),
  ])
  func `a name with the extension of another format is rejected, and nothing is written`(
    _ command: [String], _ kind: String
  ) throws {
    let before = try FileSystem.names(in: folder.path)
    for ending in ["png", "webp", "PNG", "heic", "tif", "gif", "mp4"] {
      let result = try Tool.run(command + ["-o", "out.\(ending)"], in: folder.path)
      #expect(result.exitCode == 64, "\(command) .\(ending): \(result.errors)")
      #expect(result.errors.contains("out.\(ending) ends in .\(ending)"))
      #expect(result.errors.contains(kind))
    }
    #expect(try FileSystem.names(in: folder.path) == before)
  }

  @Test func `matching extensions, names without an extension and folders are accepted`() throws {
    try FileSystem.createFolder(folder.path("out.png"))
    for output in ["a.jpg", "b.JPEG", "c", "out.png", "out.png/", "-"] {
      let result = try Tool.run(
        ["apply", "--no-sidecar", "--filter", "sepia", "photo.jpg", "-o", output], in: folder.path)
      #expect(result.exitCode == (output == "out.png/" ? 73 : 0), "\(output): \(result.errors)")
    }
    #expect(try FileSystem.names(in: folder.path("out.png")) == ["photo.edited.jpg"])
    let movie = try Tool.run(
      ["apply", "--filter", "mute", "clip.mov", "-o", "quiet.MOV"], in: folder.path)
    #expect(movie.exitCode == 0, "\(movie.errors)")
  }

  @Test(arguments: [
    (["render", "photo.jpg"] + sepia, "photo.edited.jpg"),
    (["apply", "photo.jpg"] + sepia, "photo.edited.jpg"),
    (["thumbnail", "photo.jpg"], "photo.jpg"),
    (["preset", "edited.jpg"], "edited.json"),
    (["adjust", "edited.jpg", "--set", "sepia.amount=0.5"], "edited.edited.jpg"),
    (["bake"] + sepia, "look.cube"),
  ])
  func `a folder with a slash at its end is created`(_ command: [String], _ name: String) throws {
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "edited.jpg")
    #expect(try Tool.run(["apply", "edited.jpg"] + Self.sepia, in: folder.path).exitCode == 0)
    let result = try Tool.run(command + ["-o", "new/folder/"], in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try FileSystem.names(in: folder.path("new/folder")) == [name])
  }

  @Test func `adjust and preset follow the same rule`() throws {
    #expect(
      try Tool.run(["apply", "photo.jpg"] + Self.sepia, in: folder.path).exitCode == 0)
    for command in [
      ["adjust", "photo.jpg", "--set", "sepia.amount=0.5"], ["preset", "photo.jpg"],
    ] {
      let result = try Tool.run(command + ["-o", "out.png"], in: folder.path)
      #expect(result.exitCode == 64, "\(result.errors)")
    }
    #expect(!FileSystem.itemExists(folder.path("out.png")))
  }
}
