// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Import of archives")
struct ArchiveImportTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private static let year = "Takeout/Google Photos/Photos from 2001/"
  private static let lake = "Takeout/Google Photos/Lake/"

  private func description(_ title: String, _ more: String = "") -> [UInt8] {
    Array(
      #"{"title": "\#(title)", "photoTakenTime": {"timestamp": "981173106"}\#(more)}"#.utf8)
  }

  /// Two parts of an export: photos and their JSON files, and the halves of a Live Photo, are in
  /// different parts.
  private func parts() throws -> [[(String, [UInt8])]] {
    let album = Array(#"{"title": "The lake", "date": {"timestamp": "1"}}"#.utf8)
    return [
      [
        (Self.year + "a.jpg", try ImageFile().jpeg(1)), (Self.lake + "metadata.json", album),
        (Self.lake + "a.jpg", try ImageFile().jpeg(1)),
        (Self.year + "live.jpg", try ImageFile.live("L", seed: 2)),
        (Self.year + "b.jpg", try ImageFile().jpeg(3)),
      ],
      [
        (Self.year + "a.jpg.json", description("a.jpg", #", "favorited": true"#)),
        (Self.year + "live.mov", MovieFile.live("L", seed: 2)),
        (Self.year + "live.jpg.json", description("live.jpg")),
        (Self.year + "b-edited.jpg", try ImageFile().jpeg(4)),
        (Self.year + "b.jpg.json", description("b.jpg")),
      ],
    ]
  }

  private func stagedFiles() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(
      atPath: library.folder.path + "/library/" + LibraryLayout.stagingName)
  }

  @Test(arguments: [false, true])
  func `the parts of a Takeout export are imported like their folder`(_ isTar: Bool) throws {
    let parts = try parts()
    var paths: [String] = []
    for (index, files) in parts.enumerated() {
      let archive = ArchiveFile(files)
      paths.append("takeout-00\(index + 1)" + (isTar ? ".tar" : ".zip"))
      try write(isTar ? archive.tar : archive.zip, paths[index])
      for (name, bytes) in files { try write(bytes, "folder/" + name) }
    }
    let before = try digests()
    let report = run(paths.map(source.path))
    #expect(report.interruption == nil && report.count(.refused) == 0)
    let other = try TestLibrary()
    let unpacked = Importer(other.library).run([source.path("folder")])
    #expect(report.assetCount == unpacked.assetCount && report.assetCount == 3)
    func facts(_ library: TestLibrary) throws -> Set<String> {
      Set(
        try library.assets().map { asset in
          let files = try library.files(of: asset)
          let digests = try files.map { "\($0.key)\(try digest($0.value))" }.sorted()
          return "\(asset.originalFilename) \(asset.isFavorite) \(digests)"
        })
    }
    #expect(try facts(library) == facts(other))
    let albums = try library.library.fetchAssetCollections(with: .album)
    #expect(albums.map(\.localizedTitle) == ["The lake"])
    #expect(outcomes(report)["takeout-001" + paths[0].suffix(4) + "/" + Self.lake + "a.jpg"] != nil)
    #expect(outcomes(report)[paths[1] + "/" + Self.year + "live.mov"] == .imported)
    #expect(outcomes(report)[paths[0]] == .read)
    #expect(report.takeout?.used == unpacked.takeout?.used)
    #expect(try stagedFiles().isEmpty && digests() == before)
    #expect(try library.check().findings.isEmpty)
    #expect(run(paths.map(source.path)).assetCount == 0)
    #expect(try library.assets().count == 3)
  }

  @Test func `a library in an archive is refused with advice that can be followed`() throws {
    let files = [
      ("pics/a.jpg", try ImageFile().jpeg(1)), ("pics/old/library.db", [1]),
      ("pics/old/assets/b.jpg", try ImageFile().jpeg(2)),
    ]
    try write(ArchiveFile(files).tar, "pics.tar")
    let report = run([source.path("pics.tar")])
    let line = try #require(report.files.first { $0.outcome == .refused })
    #expect(line.path == source.path("pics.tar/pics/old") && report.assetCount == 1)
    #expect(line.error?.hint?.contains("unpack pics.tar") == true)
    #expect(line.error?.hint?.contains("--library pics/old ") == true)
  }

  private func digests() throws -> [String: SHA256Digest] {
    var found: [String: SHA256Digest] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
      if name.contains(".") { found[name] = try digest(source.path(name)) }
    }
    return found
  }

  @Test func `photos of another export do not complete each other`() throws {
    try write(
      ArchiveFile([(Self.year + "a.jpg", try ImageFile.live("L", seed: 1))]).zip, "mine-001.zip")
    try write(
      ArchiveFile([(Self.year + "a-edited.jpg", try ImageFile().jpeg(2))]).zip, "yours-001.zip")
    let report = run([source.path("mine-001.zip"), source.path("yours-001.zip")])
    #expect(report.assetCount == 2)
  }

  @Test func `stored files have no other links and can be read as others are`() throws {
    try write(ArchiveFile([("a.jpg", try ImageFile().jpeg(1))]).zip, "photos.zip")
    try write(try ImageFile().jpeg(2), "b.jpg")
    _ = run([source.path("photos.zip"), source.path("b.jpg")])
    var modes: Set<mode_t> = []
    for asset in try library.assets() {
      for path in try library.files(of: asset).values {
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_nlink == 1)
        modes.insert(status.st_mode)
      }
    }
    #expect(modes.count == 1)
  }

  @Test func `a dry run reports the same and leaves nothing`() throws {
    try write(ArchiveFile(try parts()[0] + [("note.txt", [65])]).zip, "takeout-001.zip")
    let paths = [source.path("takeout-001.zip")]
    let planned = run(paths) { $0.isDryRun = true }
    #expect(try stagedFiles().isEmpty && library.assets().isEmpty)
    #expect(outcomes(planned) == outcomes(run(paths)))
    #expect(planned.assetCount == 3)
  }

  @Test func `files are selected by the names in the report`() throws {
    try write(
      ArchiveFile([("x/a.jpg", try ImageFile().jpeg(1)), ("x/b.jpg", try ImageFile().jpeg(2))])
        .zip, "photos.zip")
    let path = source.path("photos.zip")
    let report = run([path]) { $0.selection = [path + "/x/b.jpg"] }
    #expect(try library.assets().map(\.originalFilename) == ["b.jpg"])
    #expect(lines(report)["photos.zip/x/a.jpg"]?.reason == "not selected")
  }

  @Test func `an archive is not moved, and one in a folder or an archive is not opened`() throws {
    let photos = ArchiveFile([("a.jpg", try ImageFile().jpeg(1))])
    try write(photos.zip, "in/photos.zip")
    try write(ArchiveFile([("inner.zip", photos.zip), ("b.jpg", photos.zip)]).tar, "outer.tar")
    let moved = run([source.path("in/photos.zip")]) { $0.shouldMoveFiles = true }
    #expect(outcomes(moved) == ["in/photos.zip": .refused])
    #expect(moved.files[0].error?.hint?.contains("--move") == true)
    let folder = run([source.path("in")])
    #expect(outcomes(folder) == ["in/photos.zip": .refused])
    #expect(folder.files[0].error?.hint?.contains("specify the archive itself") == true)
    let nested = lines(run([source.path("outer.tar")]))
    #expect(nested["outer.tar/inner.zip"]?.outcome == .refused)
    #expect(nested["outer.tar/b.jpg"]?.outcome == .refused, "an archive that is named like a photo")
    #expect(try library.assets().isEmpty)
  }

  @Test func `excluded, hidden and system files are not unpacked and are named once`() throws {
    let photo = try ImageFile().jpeg(1)
    let names = [
      "a.jpg", "small/b.jpg", "small/c.jpg", "x/a_small.jpg", ".hidden/a.jpg", ".hidden/b.jpg",
      "__MACOSX/._a.jpg",
    ]
    try write(ArchiveFile(names.map { ($0, photo) }).zip, "photos.zip")
    let report = run([source.path("photos.zip")]) {
      $0.exclusions = ["*_small.*", "small/"].compactMap { ExclusionPattern($0) }
    }
    #expect(
      outcomes(report) == [
        "photos.zip": .read, "photos.zip/a.jpg": .imported, "photos.zip/small": .skipped,
        "photos.zip/x/a_small.jpg": .skipped, "photos.zip/.hidden": .skipped,
        "photos.zip/__MACOSX": .skipped,
      ])
    #expect(report.excludedCount == 2)
    #expect(lines(report)["photos.zip"]?.reason == "1 file unpacked")
  }

  @Test func `the disk is full of what is left of an ended import only until the next one`() throws
  {
    let staging = library.folder.path + "/library/" + LibraryLayout.stagingName
    let stale = staging + "/.photoedit-staging-AbCdEf"
    try FileManager.default.createDirectory(
      atPath: stale + "/0/a/b", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data([1, 2]).write(to: URL(filePath: stale + "/0/a/b/c.jpg"))
    symlink(source.path, stale + "/0/a/link")
    try write([1], "kept.txt")
    try write(ArchiveFile([("a.jpg", try ImageFile().jpeg(1))]).zip, "photos.zip")
    #expect(run([source.path("photos.zip")]).assetCount == 1)
    #expect(try stagedFiles().isEmpty)
    #expect(FileSystem.itemExists(source.path("kept.txt")), "links are not followed")
  }

  @Test func `an import that is stopped while unpacking continues when repeated`() throws {
    try write(ArchiveFile(try parts()[0]).zip, "takeout-001.zip")
    let paths = [source.path("takeout-001.zip")]
    let calls = LockedValue(0)
    let stopped = run(paths) {
      $0.isCancelled = {
        calls.withLock { count in
          count += 1; return count > 4
        }
      }
    }
    #expect(stopped.interruption?.code == .userCancelled)
    #expect(outcomes(stopped) == ["takeout-001.zip": .skipped])
    #expect(try stagedFiles().isEmpty)
    #expect(run(paths).assetCount == 3)
  }

  @Test func `a hard link is the file that it is another name of`() throws {
    var archive = ArchiveFile([("Alps/a.jpg", try ImageFile().jpeg(1)), ("Alps/n.txt", [65])])
    archive.entries += [
      .init("Best/a.jpg", linkTo: "./Alps/a.jpg"), .init("Best/b.jpg", linkTo: "Best/a.jpg"),
      .init("Best/n.txt", linkTo: "Alps/n.txt"), .init("Best/gone.jpg", linkTo: "Alps/gone.jpg"),
      .init("Best/up.jpg", linkTo: "../../x.jpg"), .init("Best/text.jpg", linkTo: "Alps/n.txt"),
    ]
    try write(archive.tar, "photos.tar")
    let report = run([source.path("photos.tar")]) { $0.makesFolderAlbums = true }
    #expect(
      outcomes(report) == [
        "photos.tar": .read, "photos.tar/Alps/a.jpg": .imported,
        "photos.tar/Best/a.jpg": .duplicate, "photos.tar/Best/b.jpg": .duplicate,
        "photos.tar/Alps/n.txt": .skipped, "photos.tar/Best/n.txt": .skipped,
        "photos.tar/Best/gone.jpg": .skipped, "photos.tar/Best/up.jpg": .skipped,
        "photos.tar/Best/text.jpg": .refused,
      ])
    for name in ["gone", "up"] {
      let line = lines(report)["photos.tar/Best/\(name).jpg"]
      #expect(line?.isLoss == true && line?.reason?.contains("hard link to") == true)
    }
    let albums = try library.library.fetchAssetCollections(with: .album)
    #expect(Set(albums.map(\.localizedTitle)) == ["Alps", "Best"])
    for album in albums {
      #expect(try library.library.fetchAssets(in: album).map(\.originalFilename) == ["a.jpg"])
    }
    #expect(try library.assets().count == 1 && stagedFiles().isEmpty)
  }

  @Test func `a hard link to what is left out is refused, and links count for the size`() throws {
    var archive = ArchiveFile([("Alps/a.jpg", try ImageFile().jpeg(1))])
    archive.entries.append(.init("Best/a.jpg", linkTo: "Alps/a.jpg"))
    try write(archive.tar, "photos.tar")
    let report = run([source.path("photos.tar")]) {
      $0.exclusions = ["Alps/"].compactMap { ExclusionPattern($0) }
    }
    #expect(outcomes(report)["photos.tar/Best/a.jpg"] == .refused)
    #expect(lines(report)["photos.tar/Best/a.jpg"]?.reason?.contains("Alps/a.jpg") == true)
    let size = archive.entries[0].bytes.count
    for (bytes, outcome) in [(2 * size, nil), (2 * size - 1, ImportedFile.Outcome.refused)] {
      var limits = ArchiveUnpacking.Limits()
      (limits.bytes, limits.ratio) = (bytes, 0)
      let unpacking = try ArchiveUnpacking(
        [source.path("photos.tar")], Importer.Options(), library.library, limits: limits)
      let line = unpacking.lines.first { $0.path.hasSuffix("Best/a.jpg") }
      #expect(line?.outcome == outcome)
    }
  }
}
