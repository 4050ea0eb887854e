// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Outcomes that an import reports")
struct ImportOutcomeTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private func trash(_ asset: Asset) throws {
    try library.library.performChangesAndWait { try $0.delete([asset]) }
  }

  @Test(arguments: [false, true])
  func `a file in the trash is said to be there, and restored on request`(isDryRun: Bool) throws {
    try write(try ImageFile().jpeg(1), "a.jpg")
    try write(Array(ImageFile.packet("xmp:Rating=\"4\"").utf8), "a.jpg.xmp")
    _ = run([source.path("a.jpg")])
    let asset = try #require(try library.assets().first)
    let album = try library.addAlbum("Kept", [asset])
    try trash(asset)
    for _ in 1...2 {
      let line = try #require(
        lines(run([source.path("a.jpg")]) { $0.isDryRun = isDryRun })["a.jpg"])
      #expect(line.outcome == .duplicate && line.isLoss && line.asset == asset.localIdentifier)
      #expect(line.reason == .inTrash)
    }
    // A companion makes the import look at all files of the asset.
    let other = lines(run { $0.isDryRun = isDryRun })
    #expect(other["a.jpg"]?.outcome == .duplicate && other["a.jpg"]?.reason == .inTrash)
    #expect(other["a.jpg.xmp"]?.outcome == .keptOut)
    let restored = run {
      ($0.restoresTrashed, $0.isDryRun) = (true, isDryRun)
    }
    #expect(outcomes(restored) == ["a.jpg": .restored, "a.jpg.xmp": .attached])
    #expect(restored.assetCount == 0)
    let present = try library.assets()
    #expect(present.map(\.localIdentifier) == (isDryRun ? [] : [asset.localIdentifier]))
    guard !isDryRun else { return }
    #expect(present[0].rating == 4)
    let members = try library.library.fetchAssets(in: album)
    #expect(members.map(\.localIdentifier) == [asset.localIdentifier], "in its albums again")
    #expect(
      outcomes(run { $0.restoresTrashed = true }) == ["a.jpg": .duplicate, "a.jpg.xmp": .duplicate])
    #expect(try library.check().findings.isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0, "the system lets root remove files from every folder"))
  func `a source that cannot be removed is said to be there`() throws {
    try write(try ImageFile().jpeg(1), "in/a.jpg")
    try write(try ImageFile().jpeg(2), "free/b.jpg")
    let folder = source.path("in")
    #expect(chmod(folder, 0o555) == 0)
    defer { chmod(folder, 0o755) }
    let report = run { $0.shouldMoveFiles = true }
    #expect(outcomes(report) == ["in/a.jpg": .imported, "free/b.jpg": .imported])
    #expect(lines(report)["in/a.jpg"]?.reason?.contains("the source is still there") == true)
    #expect(lines(report)["free/b.jpg"]?.reason == nil)
    #expect(FileSystem.itemExists(source.path("in/a.jpg")))
  }

  @Test func `a source that changed after it was copied stays, with the reason`() throws {
    try write([1, 2, 3], "a.jpg")
    let path = source.path("a.jpg")
    let version = try #require(FileVersion(path))
    try write([4, 5, 6, 7], "a.jpg")
    let moved = MovedSource(origin: .file(path), version: version, name: path)
    #expect(moved.remove() == "it has changed since" && FileSystem.itemExists(path))
    let now = try #require(FileVersion(path))
    #expect(MovedSource(origin: .file(path), version: now, name: path).remove() == nil)
    #expect(!FileSystem.itemExists(path))
    #expect(MovedSource(origin: .file(path), version: now, name: path).remove() == nil, "gone")
    // A folder in its place is one thing that the system does not remove.
    let folder = try #require(FileVersion(source.path))
    let reason = MovedSource(origin: .file(source.path), version: folder, name: path).remove()
    #expect(reason?.contains("cannot remove") == true)
  }

  @Test(arguments: ["82665413681585000", "-99999999999999", "1e300"])
  func `a date outside the years 1 to 9999 is dropped with a note`(seconds: String) throws {
    try write(try ImageFile().jpeg(1), "Takeout/Photos from 2001/a.jpg")
    let json = #"{"title": "a.jpg", "photoTakenTime": {"timestamp": "\#(seconds)"}}"#
    try write(Array(json.utf8), "Takeout/Photos from 2001/a.jpg.json")
    let line = try #require(lines(run())["Takeout/Photos from 2001/a.jpg"])
    #expect(line.outcome == .imported && line.reason?.contains("1 to 9999") == true)
    #expect(try library.assets().first?.creationDate == nil)
  }

  @Test(
    arguments: [
      ("2019:02:30 10:00:00", "the first of the month"), ("2019:13:01 10:00:00", "is not used"),
      ("2019:02:03 25:00:00", "is not used"), ("2019:02:03 10:61:00", "is not used"),
      ("12019:02:03 10:00:00", "is not used"), ("-2019:02:03 10:00:00", "is not used"),
      ("0000:02:03 10:00:00", "is not used"),
      ("2019:02:00 10:00:00", nil),
      ("0000:00:00 00:00:00", nil), ("    :  :     :  :  ", nil), ("2019:02:28 10:00:00", nil),
    ] as [(String, String?)])
  func `a date whose day or time does not exist is reported`(
    written: String, effect: String?
  ) throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, written)]
    try write(try file.jpeg(1), "a.jpg")
    // A packet of its own, and a name after which it is read.
    try write(try ImageFile().jpeg(2), "b.jpg")
    let iso = "\(written.dropLast(9).replacing(":", with: "-"))T\(written.suffix(8))"
    try write(Array(ImageFile.packet("exif:DateTimeOriginal=\"\(iso)\"").utf8), "b.jpg.xmp")
    let report = lines(run())
    for (name, text) in [("a.jpg", written), ("b.jpg.xmp", iso)] {
      let reason = report[name]?.reason
      guard let effect else {
        #expect(reason == nil, "\(name)")
        continue
      }
      #expect(reason?.contains(effect) == true && reason?.contains("'\(text)'") == true, "\(name)")
    }
  }

  @Test func `the files of a folder that can be listed but not entered are refused`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      exit(try ImportOutcomeTests().exitCodeOfClosedFolder())
    }
  }

  /// Returns 0 if a scan without permission to enter a folder refuses its files, and takes the folder
  /// for no library of another program.
  private func exitCodeOfClosedFolder() throws -> Int32 {
    for (index, name) in ["in/party/a.jpg", "in/party/b.jpg", "in/c.jpg"].enumerated() {
      try write(try ImageFile().jpeg(index), name)
    }
    let folder = source.path("in/party")
    guard chmod(source.path, 0o755) == 0, chmod(folder, 0o444) == 0 else { return 1 }
    // Permissions do not bind root.
    let isRoot = geteuid() == 0
    guard !isRoot || seteuid(65_534) == 0 else { return 2 }
    defer {
      if isRoot { seteuid(0) }
      chmod(folder, 0o755)
    }
    for movesFiles in [false, true] {
      let scan = ImportScan(
        [source.path("in")], isRecursive: true, movesFiles: movesFiles,
        library: library.folder.path)
      guard scan.folders.joined().map(\.name) == ["c.jpg"] else { return 3 }
      guard scan.excluded.map(\.path) == ["a.jpg", "b.jpg"].map({ folder + "/" + $0 }) else {
        return 4
      }
      for line in scan.excluded {
        guard line.outcome == .refused, line.error?.file?.kind == .permission else { return 5 }
      }
    }
    return 0
  }
}
