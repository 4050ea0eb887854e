// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Import on the command line", .runsPrograms)
struct LibraryImportTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  private func write(_ seed: Int, _ name: String) throws {
    try library.write(try ImageFile().jpeg(seed), to: name)
  }

  /// The outcome for each file by name, and the counts.
  private func outcomes(
    _ lines: [JSONValue]
  ) throws -> (files: [String: String], summary: JSONValue) {
    let files = lines.dropLast().map { line in
      (
        line["input"]?.stringValue.map(FileSystem.lastName) ?? "",
        line["outcome"]?.stringValue ?? ""
      )
    }
    return (Dictionary(files) { first, _ in first }, try #require(lines.last))
  }

  @Test func `each file gets a line of JSON, followed by a summary`() throws {
    try write(1, "in/a.jpg")
    try write(2, "in/deep/b.jpg")
    try library.write(Array("text".utf8), to: "in/notes.txt")
    let lines = try library.lines("asset", "import", "in")
    for line in lines.dropLast() {
      #expect(
        line.keys == ["schemaVersion", "input", "outcome", "type", "asset", "reason", "code"])
    }
    let (files, summary) = try outcomes(lines)
    #expect(files == ["a.jpg": "imported", "b.jpg": "imported", "notes.txt": "skipped"])
    #expect(
      summary.keys == ["schemaVersion", "assets", "files", "dryRun", "interruption", "takeout"])
    #expect(summary["assets"]?.integerValue == 2 && summary["dryRun"]?.boolValue == false)
    #expect(
      summary["files"] == [
        "imported": 2, "attached": 0, "updated": 0, "duplicate": 0, "restored": 0, "keptOut": 0,
        "read": 0, "skipped": 1, "refused": 0,
      ])
    #expect(lines.compactMap { $0["asset"]?.stringValue } == (try library.list()))
    let types = Set(lines.dropLast().map { $0["type"]?.stringValue })
    #expect(types == ["photo", nil])
  }

  @Test func `an archive is imported, and one that cannot be read is named`() throws {
    let files = [("x/a.jpg", 1), ("x/b_small.jpg", 2)]
    let archive = ArchiveFile(try files.map { ($0.0, try ImageFile().jpeg($0.1)) })
    try library.write(archive.zip, to: "photos.zip")
    let lines = try library.lines("asset", "import", "photos.zip", "--exclude", "*_small.jpg")
    let inputs = lines.compactMap { $0["input"]?.stringValue }
    #expect(Set(inputs) == ["photos.zip", "photos.zip/x/a.jpg", "photos.zip/x/b_small.jpg"])
    #expect(lines.last?["excluded"] == 1 && lines.last?["assets"] == 1)
    try library.write(Array(archive.zip[..<20]), to: "damaged.zip")
    for (arguments, code) in [(["damaged.zip"], 65), (["damaged.zip", "photos.zip"], 1)] {
      let result = try library.run(["asset", "import"] + arguments)
      #expect(result.exitCode == code && result.errors.contains("damaged.zip"))
    }
    let moved = try library.run("asset", "import", "--move", "photos.zip")
    #expect(moved.exitCode == 65 && moved.errors.contains("import it without --move"))
    #expect(try library.run("asset", "import", "photos.zip", "--exclude", "!a").exitCode == 64)
  }

  @Test func `text output has a line per asset and a count`() throws {
    try write(1, "a.jpg")
    try write(1, "copy.jpg")
    let result = try library.run("asset", "import", "a.jpg", "copy.jpg")
    #expect(result.exitCode == 0)
    #expect(result.output == (try library.list())[0] + "  a.jpg\n")
    #expect(
      result.errors == """
        photoedit: created 1 asset; files: 1 imported, 0 added, 1 duplicate, 0 conflicting, \
        0 skipped, 0 rejected

        """)
  }

  @Test func `files that are not imported are named without -v`() throws {
    try write(1, "in/a.jpg")
    try library.write([0, 0, 1, 0xBA, 0x44], to: "in/MOV001.MPG")
    try library.write(Array("PK\u{3}\u{4}".utf8), to: "in/more.zip")
    try library.write(Array("text".utf8), to: "in/notes.txt")
    let result = try library.run("asset", "import", "in")
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("in/MOV001.MPG: an MPEG video; the format is not supported"))
    #expect(result.errors.contains("in/more.zip: a ZIP archive; it is not imported"))
    #expect(!result.errors.contains("notes.txt"))
    #expect(try library.run("asset", "delete", "--yes", library.list()[0]).exitCode == 0)
    let again = try library.run("asset", "import", "in/a.jpg")
    #expect(again.exitCode == 0 && again.errors.contains("in the trash; --restore-trashed"))
    let restored = try library.run("asset", "import", "in/a.jpg", "--restore-trashed")
    #expect(restored.exitCode == 0 && restored.errors.contains("from the trash"))
    #expect(try library.list().count == 1)
  }

  @Test func `the time zone of dates is an option and a setting`() throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2019:07:01 12:00:00")]
    try library.write(try file.jpeg(1), to: "in/a.jpg")
    try library.write(try ImageFile().jpeg(2), to: "in/VID_20190701_130000.jpg")
    #expect(try library.run("library", "set", "--time-zone", "+02:00").exitCode == 0)
    #expect(try library.json("library", "info")["timeZone"]?.stringValue == "+02:00")
    _ = try library.lines("asset", "import", "in", "--date-from", "name")
    let more = ["asset", "import", "in", "--duplicates", "import", "--time-zone"]
    #expect(try library.run(more + ["none"]).exitCode == 0)
    #expect(try library.run(more + ["-05:00"]).exitCode == 0)
    let dates = try library.lines("asset", "list").compactMap { $0["localDate"]?.stringValue }
    #expect(
      dates.sorted() == [
        "2019-07-01T12:00:00+02:00", "2019-07-01T12:00:00-05:00", "2019-07-01T12:00:00Z",
        "2019-07-01T13:00:00+02:00",
      ])
    let refused = try library.run("library", "set", "--time-zone", "Nowhere")
    #expect(refused.exitCode == 64 && refused.errors.contains("unknown time zone \"Nowhere\""))
    #expect(try library.run("library", "set", "--time-zone", "none").exitCode == 0)
    #expect(try library.json("library", "info")["timeZone"]?.isNull == true)
  }

  @Test func `a dry run prints a table with what happens to each photo`() throws {
    let known = try library.add(try ImageFile().jpeg(1), as: "known/known.jpg")
    try write(1, "in/known.jpg")
    try library.write(Array(ImageFile.packet("xmp:Rating=\"4\"").utf8), to: "in/known.jpg.xmp")
    try library.write(try ImageFile.live("L", seed: 2), to: "in/live.jpg")
    try library.write(MovieFile.live("L", seed: 2), to: "in/live.mov")
    try write(3, "in/new.jpg")
    try write(3, "in/same.jpg")
    try library.write(Array("text".utf8), to: "in/notes.txt")
    let result = try library.run("asset", "import", "in", "--dry-run")
    #expect(result.exitCode == 0, "\(result.errors)")
    let short = known.prefix(8)
    #expect(
      result.output == """
        ACTION           CONTENT            FILE
        add to \(short)  photo, metadata    in/known.jpg and 1 more
        new              photo, Live video  in/live.jpg and 1 more
        new              photo              in/new.jpg
        duplicate        photo              in/same.jpg

        """)
    #expect(try library.list() == [known])
  }

  @Test func `a second import adds nothing and names the existing assets`() throws {
    for index in 1...3 { try write(index, "in/\(index).jpg") }
    let first = try library.lines("asset", "import", "in")
    let stored = try library.storedFiles()
    let second = try library.lines("asset", "import", "in", "in/1.jpg")
    let (files, summary) = try outcomes(second)
    #expect(Set(files.values) == ["duplicate"] && summary["assets"]?.integerValue == 0)
    #expect(
      second.compactMap { $0["asset"]?.stringValue }
        == first.compactMap { $0["asset"]?.stringValue })
    #expect(try library.storedFiles() == stored)
    #expect(try library.list().count == 3)
    let forced = try library.lines("asset", "import", "in", "--duplicates", "import")
    #expect(forced.last?["assets"]?.integerValue == 3)
    #expect(try library.list().count == 6)
  }

  @Test func `a dry run reports the result and changes nothing`() throws {
    try write(1, "in/a.jpg")
    try write(1, "in/copy.jpg")
    try library.write([1, 2, 3], to: "in/bad.jpg")
    let result = try library.run("asset", "import", "-n", "in", "--json")
    #expect(result.exitCode == 1)
    let (files, summary) = try outcomes(try result.jsonLines().filter { $0["error"] == nil })
    #expect(files == ["a.jpg": "imported", "bad.jpg": "refused", "copy.jpg": "duplicate"])
    #expect(summary["assets"]?.integerValue == 1 && summary["dryRun"]?.boolValue == true)
    #expect(try library.run("asset", "import", "-n", "in").errors.contains("would create 1 asset"))
    #expect(try library.list().isEmpty && library.storedFiles().isEmpty)
    #expect(try library.json("library", "info")["commits"]?.integerValue == 0)
  }

  @Test func `one bad file among good ones exits with 1, alone with its own code`() throws {
    try write(1, "in/a.jpg")
    try library.write(Array("no picture".utf8), to: "in/b.jpg")
    try write(3, "in/c.jpg")
    let result = try library.run("asset", "import", "in", "--json")
    #expect(result.exitCode == 1)
    let lines = try result.jsonLines()
    let bad = try #require(lines.first { $0["input"]?.stringValue == "in/b.jpg" })
    #expect(bad["outcome"]?.stringValue == "refused" && bad["asset"]?.isNull == true)
    #expect(bad["reason"]?.stringValue?.isEmpty == false && bad["code"]?.stringValue != nil)
    #expect(try library.list().count == 2)
    let alone = try library.run("asset", "import", "in/b.jpg")
    #expect(alone.exitCode == 65 && alone.errors.contains("error: in/b.jpg: "))
    #expect(try library.run("asset", "import", "none.jpg").exitCode == 66)
    #expect(try library.run("asset", "import").exitCode == 64)
    try library.expectOrder()
  }

  @Test func `missing resources of a known photo are added, conflicting ones rejected`() throws {
    try write(1, "a/IMG_1.JPG")
    try write(1, "b/IMG_1.JPG")
    try library.write(Array(ImageFile.packet("dc:title=\"One\"").utf8), to: "b/IMG_1.xmp")
    try write(1, "c/IMG_1.JPG")
    try library.write(Array(ImageFile.packet("dc:title=\"Two\"").utf8), to: "c/IMG_1.xmp")
    _ = try library.lines("asset", "import", "a")
    let asset = try #require(try library.list().first)
    let added = try library.run("asset", "import", "b")
    #expect(added.exitCode == 0 && added.output == "")
    #expect(added.errors.contains("b/IMG_1.xmp: added to \(asset)"))
    #expect(try library.json("asset", "show", asset)["title"]?.stringValue == "One")
    let kept = try library.run("asset", "import", "--move", "c")
    #expect(kept.exitCode == 1 && kept.errors.contains("error: c/IMG_1.xmp: not added to \(asset)"))
    #expect(try FileSystem.names(in: library.folder.path("c")).count == 2)
    let lines = try library.run("asset", "import", "c", "--json").jsonLines()
    #expect(try outcomes(lines.filter { $0["error"] == nil }).files["IMG_1.xmp"] == "keptOut")
  }

  @Test func `links inside folders are not followed, but a named link is`() throws {
    try write(1, "in/a.jpg")
    try write(2, "elsewhere/b.jpg")
    #expect(symlink("../elsewhere", library.folder.path("in/folder")) == 0)
    #expect(symlink("../elsewhere/b.jpg", library.folder.path("in/link.jpg")) == 0)
    let (files, _) = try outcomes(try library.lines("asset", "import", "in"))
    #expect(files == ["a.jpg": "imported", "folder": "skipped", "link.jpg": "skipped"])
    let (named, _) = try outcomes(try library.lines("asset", "import", "in/link.jpg"))
    #expect(named == ["link.jpg": "imported"])
  }

  @Test func `subfolders can be left out`() throws {
    try write(1, "in/a.jpg")
    try write(2, "in/deep/b.jpg")
    let (files, _) = try outcomes(try library.lines("asset", "import", "--no-recursive", "in"))
    #expect(files == ["a.jpg": "imported", "deep": "skipped"])
  }

  @Test func `--move removes exactly the files that became assets`() throws {
    try write(1, "in/a.jpg")
    try write(1, "in/copy.jpg")
    try library.write([1, 2, 3], to: "in/bad.jpg")
    #expect(try library.run("asset", "import", "--move", "in").exitCode == 1)
    #expect(
      try FileSystem.names(in: library.folder.path("in")).sorted() == ["bad.jpg", "copy.jpg"])
  }

  @Test func `the report is written as JSON lines, and never over another file`() throws {
    for index in 1...2 { try write(index, "in/\(index).jpg") }
    let shown = try library.lines("asset", "import", "in", "--report", "report.jsonl")
    let bytes = try FileBytes.reading(library.folder.path("report.jsonl")).array
    let report = try bytes.split(separator: 10).map { try JSONValue(parsing: Array($0)) }
    #expect(report == Array(shown.dropLast()))
    try write(3, "in/3.jpg")
    try library.expectRefusal(
      73, "report.jsonl", "asset", "import", "in", "--report", "report.jsonl")
    #expect(try library.list().count == 2, "nothing was started")
  }

  // MARK: Related files

  @Test func `the files of a phone's edit become one edited, editable asset`() throws {
    try write(1, "in/IMG_0001.JPG")
    try library.write(ImageFile.record(), to: "in/IMG_0001.AAE")
    try write(2, "in/IMG_E0001.JPG")
    let lines = try library.lines("asset", "import", "in")
    #expect(lines.last?["assets"]?.integerValue == 1)
    let asset = try library.list()[0]
    #expect(try Set(library.files(asset).keys) == [1, 5, 7])
    let show = try library.json("show", asset)
    #expect(show["edited"]?.boolValue == true && show["resumable"]?.boolValue == false)
    #expect(show["formatIdentifier"]?.stringValue == "com.example.editor")
    let next = try library.json("apply", "--filter", "sepia", asset)
    #expect(next["base"]?.stringValue == "current" && next["resumed"]?.boolValue == false)
    let files = try library.files(asset)
    let theirs = SHA256Digest(of: try ImageFile().jpeg(2))
    #expect(try FileBytes.digest(of: try #require(files[8])) == theirs)
    try library.expectOrder()
  }

  @Test func `a damaged sidecar of photoedit is rejected, and its photo is imported`() throws {
    try library.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "in/a.jpg")
    let edited = try Tool.run(
      ["apply", "in/a.jpg", "--filter", "sepia"], in: library.folder.path)
    #expect(edited.exitCode == 0, "\(edited.errors)")
    let sidecar = try FileBytes.reading(library.folder.path("in/a.jpg.aae")).array
    let text = String(decoding: sidecar, as: UTF8.self)
    let damaged = text.replacing("org.photoedit.revision<", with: "org.photoedit.other<")
    try #require(damaged != text)
    try library.write(Array(damaged.utf8), to: "in/a.jpg.aae")
    let result = try library.run("asset", "import", "in")
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("a.jpg.aae: the sidecar is damaged"), "\(result.errors)")
    #expect(try library.list().count >= 1)
    #expect(try library.run("library", "check", "--deep").exitCode == 0)
  }

  @Test func `a RAW with its JPEG, and a still with its video, are one asset each`() throws {
    try write(1, "in/DSC_1.JPG")
    try library.write(ImageFile.dng(), to: "in/DSC_1.DNG")
    try library.write(try ImageFile.live("L-1", seed: 2), to: "in/IMG_2.JPG")
    try library.write(MovieFile.live("L-1"), to: "in/IMG_2.MOV")
    let lines = try library.lines("asset", "import", "in")
    #expect(lines.last?["assets"]?.integerValue == 2)
    #expect(
      lines.dropLast().map { $0["type"]?.stringValue } == [
        "alternatePhoto", "photo", "photo", "pairedVideo",
      ])
    let assets = try library.list()
    #expect(try library.files(assets[0]).keys.sorted() == [1, 4])
    #expect(try library.files(assets[1]).keys.sorted() == [1, 9])
    #expect(try library.run("asset", "list").output.contains("...L.  IMG_2.JPG"))
    try library.expectOrder()
  }

  @Test func `a source that --move could not delete is named also with -q, with exit code 1`()
    throws
  {
    try write(1, "in/a.jpg")
    try write(2, "in/b.jpg")
    let folder = library.folder.path
    try #require(chmod(folder + "/in", 0o555) == 0)
    defer { chmod(folder + "/in", 0o755) }
    var prefix = "exec photoedit"
    // Permissions do not bind root.
    if geteuid() == 0 {
      prefix =
        "cp '\(BuiltProgram.path)' . && chown -R 65531:65531 . && "
        + "exec setpriv --reuid 65531 --regid 65531 --clear-groups ./photoedit"
    }
    let result = try Tool.runScript(
      "\(prefix) asset import in --move --library library -q", in: folder)
    #expect(result.exitCode == 1, "\(result.errors)")
    #expect(result.errors.contains("in/a.jpg: the source is still there"), "\(result.errors)")
    #expect(try FileSystem.names(in: folder + "/in") == ["a.jpg", "b.jpg"])
    #expect(try library.list().count == 2)
  }

  @Test func `a burst is listed by its representative photo or in full`() throws {
    for index in 1...3 {
      var file = ImageFile()
      file.exif = [ImageFile.appleNote(burst: "BURST")]
      try library.write(try file.jpeg(index), to: "in/IMG_\(index).JPG")
    }
    #expect(try library.lines("asset", "import", "in").last?["assets"]?.integerValue == 3)
    #expect(try library.list().count == 1)
    #expect(try library.list("--include-bursts").count == 3)
  }
}

/// Google Takeout on the command line.
extension LibraryImportTests {
  @Test func `an import of Google Takeout ends with a count of the JSON files`() throws {
    let library = try ToolLibrary()
    try library.write(try ImageFile().jpeg(1), to: "Lake/a.jpg")
    for name in ["a.jpg", "gone.jpg"] {
      let json = #"{"title": "\#(name)", "photoTakenTime": {"timestamp": "1000"}}"#
      try library.write(Array(json.utf8), to: "Lake/\(name).json")
    }
    let album = #"{"title": "The lake", "date": {"timestamp": "1"}}"#
    try library.write(Array(album.utf8), to: "Lake/metadata.json")
    let result = try library.run("asset", "import", "Lake")
    #expect(
      result.errors.hasSuffix("3 JSON files: 1 used, 1 album, 1 without its photo\n"),
      "\(result.errors)")
    #expect(try library.lines("album", "list").map { $0["title"]?.stringValue } == ["The lake"])
    let second = try library.lines("asset", "import", "Lake")
    #expect(second.last?["takeout"]?["used"]?.integerValue == 1)
    #expect(try library.lines("album", "list").count == 1)
  }
}
