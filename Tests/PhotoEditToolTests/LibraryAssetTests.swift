// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditSQLite
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Assets on the command line", .runsPrograms)
struct LibraryAssetTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  // MARK: Names

  @Test func `an asset can be named by a unique identifier prefix`() throws {
    // Two of seventeen identifiers begin with the same digit.
    let assets = try library.addPhotos(17)
    let digits = Dictionary(grouping: assets) { $0.prefix(1) }
    let shared = try #require(digits.first { $0.value.count > 1 })
    for name in [assets[0], String(assets[0].prefix(13)), assets[0].prefix(13).lowercased()] {
      #expect(try library.json("asset", "show", name)["identifier"]?.stringValue == assets[0])
    }
    let digit = String(shared.key)
    let result = try library.run("asset", "show", digit, "--json")
    #expect(result.exitCode == 66)
    let error = try result.jsonLines().first?["error"]
    #expect(error?["code"]?.stringValue == "multipleIdentifiersFound")
    #expect(shared.value.contains { result.errors.contains($0) })
    for command in [["asset", "set", "--title", "x"], ["asset", "delete", "--yes"], ["undo"]] {
      #expect(try library.run(command + [digit]).exitCode == 66)
    }
    #expect(try library.list().count == 17)
  }

  @Test(arguments: ["ffffffff-ffff", "nonsense", "", "../library"])
  func `a name that matches no asset is rejected`(name: String) throws {
    let asset = try library.addPhotos(1)[0]
    for command in [
      ["asset", "show"], ["asset", "set", "--favorite", "yes"], ["asset", "delete", "--yes"],
      ["asset", "restore"], ["asset", "purge", "--yes"], ["asset", "export", "-o", "."], ["show"],
    ] {
      let result = try library.run(command + [name])
      #expect(result.exitCode == 66, "\(command): \(result.errors)")
      #expect(result.errors.contains("asset list"), "\(command): \(result.errors)")
    }
    let both = try library.run("asset", "set", "--favorite", "yes", asset, name)
    #expect(both.exitCode == 66)
    #expect(try library.json("asset", "show", asset)["favorite"]?.boolValue == false)
  }

  @Test func `show prints every property of an asset, as text and as JSON`() throws {
    let asset = try library.add(try ImageFile().jpeg(1), as: "a.jpg")
    _ = try library.json("album", "create", "Lisbon", asset)
    let shown = try library.json("asset", "show", asset)
    #expect(
      shown.keys.isSuperset(of: [
        "identifier", "mediaType", "mediaSubtypes", "pixelWidth", "pixelHeight", "duration",
        "creationDate", "modificationDate", "addedDate", "favorite", "hidden", "location",
        "burstIdentifier", "hasAdjustments", "originalFilename", "title", "caption",
        "trashedDate", "albums", "files",
      ]))
    #expect(shown["albums"]?.arrayValue?.map { $0["title"]?.stringValue } == ["Lisbon"])
    let file = try #require(shown["files"]?.arrayValue?.first)
    #expect(
      file.keys == ["type", "typeName", "path", "bytes", "digest", "uniformType", "filename"])
    #expect(file["digest"]?.stringValue == SHA256Digest(of: try ImageFile().jpeg(1)).description)
    let text = try library.run("asset", "show", asset).output
    for part in [asset, "a.jpg", "64×48", "Lisbon"] { #expect(text.contains(part)) }
    let some = try library.run("asset", "show", asset, "ffffffff")
    #expect(some.exitCode == 1 && some.errors.contains("1 done, 1 failed"))
  }

  // MARK: List

  /// Imports photos of widths 1, 17 and 64, in this order.
  private func addWidths() throws -> [String] {
    try ["jpeg-1x17.jpg", "jpeg-17x31.jpg", "photo-64.jpg"].map {
      try library.add(try TestImages.bytes($0), as: $0)
    }
  }

  @Test func `list takes predicates, sort keys and a limit`() throws {
    let assets = try addWidths()
    _ = try library.lines("asset", "set", "--favorite", "yes", assets[0], assets[2])
    #expect(try library.list() == assets)
    #expect(try library.list("--where", "pixelWidth >= 17") == [assets[1], assets[2]])
    #expect(try library.list("--where", "favorite == YES AND pixelWidth < 17") == [assets[0]])
    #expect(try library.list("--where", "localIdentifier IN {'\(assets[1])'}") == [assets[1]])
    #expect(try library.list("--sort", "pixelWidth:desc") == assets.reversed())
    #expect(
      try library.list("--sort", "favorite:desc", "--sort", "pixelWidth:desc")
        == [assets[2], assets[0], assets[1]])
    #expect(try library.list("--sort", "pixelWidth:desc", "--limit", "1") == [assets[2]])
    #expect(try library.list("--limit", "0").count == 3)
    _ = try library.json("album", "create", "A", assets[2], assets[0])
    #expect(try library.list("--album", "A") == [assets[2], assets[0]])
    #expect(try library.list("--album", "A", "--where", "pixelWidth == 1") == [assets[0]])
  }

  @Test func `the table has one line per asset, and the count is printed separately`() throws {
    let assets = try addWidths()
    _ = try library.lines("asset", "set", "--favorite", "yes", "--title", "Tall", assets[0])
    let result = try library.run("asset", "list")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix(assets[0].prefix(8)) && lines[0].hasSuffix("F....  Tall"))
    #expect(lines[2].contains("  64×48  ") && lines[2].hasSuffix(".....  photo-64.jpg"))
    #expect(result.errors == "photoedit: 3 assets\n")
  }

  @Test(arguments: [
    (["--where", "pixelWidht > 1"], "did you mean pixelWidth?"),
    (["--where", "pixelWidth >"], "expected a"), (["--where", "pixelWidth == 'a'"], "pixelWidth"),
    (["--where", "favorite == YES AND"], "predicate"), (["--sort", "widht"], "unknown key"),
    (["--sort", "pixelWidth:down"], "KEY:desc"), (["--limit", "-1"], "--limit"),
    (["--limit", "many"], "--limit"), (["--trashed", "--album", "A"], "cannot be combined with"),
    (["--wher", "x"], "--where"),
  ])
  func `an invalid list query reports the allowed values`(
    arguments: [String], words: String
  ) throws {
    let result = try library.run(["asset", "list"] + arguments)
    #expect(result.exitCode == 64, "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  // MARK: Set

  @Test func `every property can be set and cleared without changing the files`() throws {
    let asset = try library.add(try ImageFile().jpeg(1), as: "a.jpg")
    let stored = try library.storedFiles()
    let set = try library.json(
      "asset", "set", asset, "--favorite", "yes", "--hidden", "yes", "--date",
      "2019-05-01T10:00:00Z", "--location", "38.5,-9.25,12", "--title", "T\u{1F600}", "--caption",
      "C")
    #expect(set["favorite"]?.boolValue == true && set["hidden"]?.boolValue == true)
    #expect(set["creationDate"]?.stringValue == "2019-05-01T10:00:00Z")
    #expect(set["location"] == ["latitude": 38.5, "longitude": -9.25, "altitude": 12])
    #expect(set["title"]?.stringValue == "T\u{1F600}" && set["caption"]?.stringValue == "C")
    #expect(try library.list().isEmpty)
    #expect(try library.list("--include-hidden", "--where", "favorite == YES") == [asset])
    let none = try library.json(
      "asset", "set", asset, "--favorite", "no", "--hidden", "no", "--date", "none", "--location",
      "none", "--title", "", "--caption", "")
    for key in ["creationDate", "location", "title", "caption"] {
      #expect(none[key]?.isNull == true, "\(key)")
    }
    #expect(none["favorite"]?.boolValue == false && none["hidden"]?.boolValue == false)
    #expect(try library.storedFiles() == stored)
    try library.expectOrder()
  }

  @Test func `setting a property to its current value is not a change`() throws {
    let asset = try library.addPhotos(1)[0]
    _ = try library.json("asset", "set", asset, "--title", "T")
    let before = try library.json("library", "info")
    let shown = try library.json("asset", "show", asset)
    _ = try library.json("asset", "set", asset, "--title", "T", "--favorite", "no")
    #expect(try library.json("asset", "show", asset) == shown)
    #expect(try library.json("library", "info") == before)
  }

  @Test(arguments: [
    ([], "nothing to change"), (["--location", "91,0"], "LAT,LON"),
    (["--location", "1"], "LAT,LON"),
    (["--location", "1,2,x"], "LAT,LON"), (["--date", "yesterday"], "2019-05-01T10:00:00Z"),
    (["--favorite", "perhaps"], "yes"),
  ])
  func `an invalid value is rejected`(arguments: [String], words: String) throws {
    let asset = try library.addPhotos(1)[0]
    let result = try library.run(["asset", "set", asset] + arguments)
    #expect(result.exitCode == 64, "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(try library.run("asset", "set", "--title", "x").exitCode == 64)
  }

  // MARK: Trash

  @Test func `the trash is listed up to a limit, latest first`() throws {
    let assets = try library.addPhotos(2)
    for asset in assets { _ = try library.json("asset", "delete", "-y", asset) }
    func trash(_ limit: String) throws -> [String?] {
      try library.lines("asset", "list", "--trashed", "--limit", limit)
        .map { $0["identifier"]?.stringValue }
    }
    #expect(try trash("1") == [assets[1]])
    #expect(try trash("0") == [assets[1], assets[0]])
  }

  @Test func `deleting asks for confirmation, restoring undoes it, purging is permanent`() throws {
    let assets = try library.addPhotos(2)
    _ = try library.json("album", "create", "A", assets[0], assets[1])
    let before = try library.json("asset", "show", assets[0])
    try library.expectRefusal(64, "--yes", "asset", "delete", assets[0])
    #expect(try library.list() == assets)

    #expect(try library.json("asset", "delete", "-y", assets[0])["deleted"] == .strings(assets[0]))
    #expect(try library.list() == [assets[1]])
    let trash = try library.lines("asset", "list", "--trashed")
    #expect(trash.map { $0["identifier"]?.stringValue } == [assets[0]])
    #expect(trash[0]["trashedDate"]?.stringValue?.hasSuffix("Z") == true)
    for command in [["asset", "show"], ["show"], ["apply", "--filter", "sepia"]] {
      let result = try library.run(command + [assets[0]])
      #expect(result.exitCode == 66 && result.errors.contains("asset restore"), "\(command)")
    }
    #expect(try library.json("asset", "restore", assets[0])["restored"] == .strings(assets[0]))
    #expect(try library.json("asset", "show", assets[0]) == before)
    #expect(try library.list("--album", "A") == assets)
    try library.expectRefusal(66, "asset list --trashed", "asset", "restore", assets[0])

    try library.expectRefusal(66, "asset list --trashed", "asset", "purge", "--yes", assets[0])
    _ = try library.json("asset", "delete", "--yes", assets[0])
    try library.expectRefusal(64, "--yes", "asset", "purge", assets[0])
    #expect(
      try library.json("asset", "purge", "--yes", assets[0])["purged"] == .strings(assets[0]))
    try library.expectRefusal(66, "asset list --trashed", "asset", "restore", assets[0])
    #expect(try library.storedFiles().count == 1)
    try library.expectOrder()
  }

  @Test func `emptying the entire trash requires an explicit option`() throws {
    let assets = try library.addPhotos(3)
    _ = try library.json("asset", "delete", "--yes", assets[0], assets[1])
    try library.expectRefusal(64, "--all", "asset", "purge", "--yes")
    try library.expectRefusal(64, "--all", "asset", "purge", "--yes", "--all", assets[0])
    #expect(try library.list("--trashed").count == 2)
    let result = try library.run("asset", "purge", "--yes", "--all")
    #expect(result.exitCode == 0 && result.errors == "photoedit: 2 purged\n")
    #expect(try library.list("--trashed").isEmpty && library.list() == [assets[2]])
  }

  @Test func `a purge beside a reader says that its erasure is pending`() throws {
    let assets = try library.addPhotos(2)
    _ = try library.json("asset", "delete", "--yes", assets[0])
    let reader = try Connection(
      library.folder.path(library.name) + "/library.db", .readWrite)
    try reader.execute("BEGIN; SELECT count(*) FROM asset")
    let result = try library.run("asset", "purge", "--yes", "--all")
    #expect(result.exitCode == 0 && result.errors.contains("another program is reading"))
    func progress() throws -> String? {
      try reader.first("SELECT value FROM property WHERE key = 'erasure'") { $0.text(0) }
    }
    try reader.execute("COMMIT")
    #expect(try progress() != "done")
    _ = try library.json("asset", "set", assets[1], "--title", "x")
    #expect(try progress() == "done")
  }
}

extension JSONValue {
  /// A JSON list of strings.
  static func strings(_ texts: String...) -> JSONValue { .array(texts.map { .string($0) }) }
}
