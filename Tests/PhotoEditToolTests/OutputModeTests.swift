// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Outputs have no wider read permissions than the original", .runsPrograms)
struct OutputModeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "private.jpg")
    try folder.write(try TestImages.bytes("inputs/jpeg-444.jpg"), to: "public.jpg")
    for name in ["private.mov", "public.mov"] { try folder.write(MovieFile().bytes, to: name) }
    for kind in ["jpg", "mov"] {
      try #require(chmod(folder.path("private." + kind), 0o600) == 0)
      try #require(chmod(folder.path("public." + kind), 0o644) == 0)
    }
  }

  private func run(_ arguments: String...) throws {
    // The usual umask, independent of the one of the tests.
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    let result = try Tool.runScript("umask 022; photoedit \(words)", in: folder.path)
    #expect(result.exitCode == 0, "\(arguments): \(result.errors)")
  }

  private func expectModes(location: SourceLocation = #_sourceLocation) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      var status = stat()
      try #require(stat(folder.path(name), &status) == 0)
      guard status.st_mode & S_IFMT == S_IFREG, !name.hasPrefix("library") else { continue }
      let isPrivate = name.contains("private")
      let usual: mode_t = isPrivate ? 0o600 : 0o644
      #expect(status.st_mode & 0o777 == usual, "\(name)", sourceLocation: location)
    }
  }

  @Test func `edits, thumbnails, renders and presets keep the original's permissions`() throws {
    for name in ["private", "public"] {
      let photo = name + ".jpg"
      try run("apply", "--filter", "sepia", photo)
      try run("adjust", photo, "--set", "sepia.amount=0.5")
      try run("undo", photo)
      try run("thumbnail", photo)
      try run("apply", "--no-sidecar", "--filter", "invert", photo, "-o", name + "-alone.jpg")
      try run("render", "--filter", "invert", photo, "-o", name + "-render.jpg")
      try run("render", "--filter", "invert", photo, "--raster", name + "-raster.png")
      try run("preset", photo, "-o", name + "-preset.json")
      try run("apply", "--filter", "mute", name + ".mov")
      try run("apply", "--no-sidecar", "--filter", "mute", name + ".mov", "-o", name + "-alone.mov")
    }
    try expectModes()
  }

  @Test func `pages, reports and difference images are as private as the photos in them`() throws {
    for name in ["private", "public"] {
      let photo = name + ".jpg"
      try run("apply", "--filter", "sepia", photo, "--sheet", name + "-batch.html")
      try run("sheet", photo, "-o", name + "-page.html")
      try run("adjust", photo, "--set", "sepia.amount=0.5")
      try run("apply", "--filter", "invert", photo, "--report", name + "-report.jsonl")
      try run("undo", photo)
      try run(
        "render", "--filter", "invert", photo, "--raster", name + "-raster.png", "--report",
        name + "-render.jsonl")
      // One private photo is enough.
      try run("sheet", "public.jpg", photo, "-o", name + "-pages.html")
      try run("compare", photo, photo, "--diff", name + "-difference.png")
    }
    try folder.write(try TestImages.bytes("inputs/jpeg-444.jpg"), to: "private-copy.jpg")
    try #require(chmod(folder.path("private-copy.jpg"), 0o600) == 0)
    try run("compare", "public.jpg", "private-copy.jpg", "--diff", "private-both.png")
    // A report that is continued loses permissions and never gains any.
    try run(
      "render", "--filter", "invert", "public.jpg", "-o", "a-private.jpg", "--report", "l-private")
    try run(
      "render", "--filter", "invert", "private.jpg", "-o", "b-private.jpg", "--report", "l-private")
    try run(
      "render", "--filter", "invert", "public.jpg", "-o", "c-private.jpg", "--report", "l-private")
    for name in ["a-private.jpg", "c-private.jpg"] { try FileSystem.remove(folder.path(name)) }
    try expectModes()
  }

  @Test func `pages and reports of a library are as private as its photos`() throws {
    try run("library", "create", "library")
    for name in ["private", "public"] {
      try run("asset", "import", "-L", "library", name + ".jpg", "--report", name + "-import.jsonl")
    }
    let list = try Tool.run(["asset", "list", "-L", "library", "--json"], in: folder.path)
    for line in try list.jsonLines() {
      let asset = try #require(line["identifier"]?.stringValue)
      let name = line["originalFilename"]?.stringValue == "private.jpg" ? "private" : "public"
      try run("sheet", "-L", "library", asset, "-o", name + "-page.html")
      try run(
        "apply", "-L", "library", "--filter", "sepia", asset, "--report", "private-\(name).jsonl")
    }
    try expectModes()
  }

  @Test func `an edit based on another program's rendering keeps its base as private`() throws {
    try run("apply", "--filter", "sepia", "--format-identifier", "org.example", "private.jpg")
    try run("apply", "--filter", "invert", "private.jpg")
    #expect(FileSystem.itemExists(folder.path("private.base.jpg")))
    try expectModes()
  }

  @Test func `library exports, backups and thumbnails keep the original's permissions`() throws {
    try run("library", "create", "library")
    try run("asset", "import", "-L", "library", "private.jpg")
    try run("asset", "import", "-L", "library", "public.jpg")
    let list = try Tool.run(["asset", "list", "-L", "library", "--json"], in: folder.path)
    for line in try list.jsonLines() {
      let asset = try #require(line["identifier"]?.stringValue)
      try run("apply", "-L", "library", "--filter", "sepia", asset)
      let name = line["originalFilename"]?.stringValue == "private.jpg" ? "private" : "public"
      try run("thumbnail", "-L", "library", asset, "-o", name + "-thumb.jpg")
    }
    try run("library", "backup", "--no-hardlinks", "-L", "library", "library-copy")
    for (number, source) in ["library", "library-copy"].enumerated() {
      for version in ["original", "current", "all"] {
        let output = "out-\(number)-\(version)"
        try FileSystem.createFolder(folder.path(output))
        for line in try list.jsonLines() {
          let asset = try #require(line["identifier"]?.stringValue)
          try run("asset", "export", "-L", source, "--variant", version, "-o", output, asset)
        }
        #expect(try FileSystem.names(in: folder.path(output)).count >= 2)
      }
    }
    try expectModes()
  }
}
