// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Files that belong to a photo of the library whose source is gone")
struct LaterCompanionTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private static let date = "2020:01:02 03:04:05"

  private static func photo(
    _ seed: Int, _ date: String? = date, model: String = "Model 1"
  ) throws -> [UInt8] {
    var file = ImageFile()
    file.main = [.text(0x0110, model)]
    if let date { file.exif = [.text(0x9003, date)] }
    return try file.jpeg(seed)
  }

  private static func raw(_ date: String = date, model: String = "Model 1") -> [UInt8] {
    var file = ImageFile()
    file.main = [.text(0x0110, model)]
    file.exif = [.text(0x9003, date)]
    return file.dng()
  }

  private static func packet(_ attributes: String = "") -> [UInt8] {
    Array(
      ImageFile.packet(
        "xmlns:tiff=\"http://ns.adobe.com/tiff/1.0/\" dc:title=\"T\" " + attributes
      ).utf8)
  }

  /// The files of one photo or video in the order in which they are imported.
  struct Sequence: CustomTestStringConvertible {
    let files: [(name: String, bytes: [UInt8])]

    init(_ files: (String, [UInt8])...) { self.files = files.map { ($0.0, $0.1) } }

    var testDescription: String { files.map(\.name).joined(separator: ", ") }
  }

  private static func sequences() throws -> [Sequence] {
    let (jpeg, edited, raw) = (try photo(1), try photo(2), raw())
    let record = ImageFile.record("com.apple.photo")
    return [
      Sequence(("Q.DNG", raw), ("Q.JPG", jpeg)), Sequence(("Q.JPG", jpeg), ("Q.DNG", raw)),
      Sequence(("Q.JPG", jpeg), ("Q_edited.jpg", edited)),
      Sequence(("Q_edited.jpg", edited), ("Q.JPG", jpeg)),
      Sequence(("Q.DNG", raw), ("Q-Edit.jpg", edited), ("Q.JPG", jpeg)),
      Sequence(("Q-Edit.jpg", edited), ("Q.DNG", raw), ("Q.JPG", jpeg)),
      Sequence(("Q.DNG", raw), ("Q.JPG", jpeg), ("Q-Edit.jpg", edited)),
      Sequence(("Q.JPG", jpeg), ("Q.xmp", packet()), ("Q.DNG", raw)),
      Sequence(("Q.DNG", raw), ("Q.DNG.xmp", packet()), ("Q.JPG", jpeg)),
      Sequence(("Q.DNG", raw), ("q.xmp", packet("tiff:Model=\"Model 1\""))),
      Sequence(("IMG_1.JPG", jpeg), ("IMG_1.AAE", record)),
      Sequence(("V.MOV", MovieFile.live(nil, seed: 1)), ("V.xmp", packet())),
      Sequence(
        ("PXL_20230102_030405123.RAW-02.ORIGINAL.dng", raw),
        ("PXL_20230102_030405123.RAW-01.COVER.jpg", jpeg)),
    ]
  }

  /// The types and bytes of the files of all assets, apart from generated ones.
  private func files(_ library: TestLibrary) throws -> [Set<String>] {
    try library.assets().map { asset in
      Set(
        try library.files(of: asset).map { type, path in
          type == .adjustmentData ? "\(type)" : "\(type) \(try digest(path))"
        })
    }
  }

  @Test(arguments: try sequences(), [true, false])
  func `files that come one by one become what they are together`(
    _ sequence: Sequence, moves: Bool
  ) throws {
    let other = try TestLibrary()
    for (name, bytes) in sequence.files { try write(bytes, "all/" + name) }
    _ = Importer(other.library).run([source.path("all")])
    for (index, (name, bytes)) in sequence.files.enumerated() {
      try write(bytes, "\(index)/" + name)
      let plan = run(folder: "\(index)") { $0.isDryRun = true }
      let report = run(folder: "\(index)") { $0.shouldMoveFiles = moves }
      #expect(outcomes(plan) == outcomes(report))
      #expect(report.files.count == 1, "the files of the library are not reported")
      #expect(FileSystem.itemExists(source.path("\(index)/" + name)) != moves)
    }
    #expect(try files(library) == (try files(other)))
    let (asset, expected) = (
      try #require(try library.assets().first), try #require(try other.assets().first)
    )
    #expect(asset.originalFilename == expected.originalFilename && asset.title == expected.title)
    #expect(asset.hasAdjustments == expected.hasAdjustments && asset.traits == expected.traits)
    #expect(asset.pixelWidth == expected.pixelWidth && asset.fileSize == expected.fileSize)
    #expect(outcomes(run(folder: "all")).values.allSatisfy { $0 == .duplicate })
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `an edit of Apple is added to its photo`() throws {
    try write(try Self.photo(1), "a/IMG_1.JPG")
    _ = run(folder: "a")
    try write(try Self.photo(2), "b/IMG_E1.JPG")
    try write(ImageFile.record("com.apple.photo"), "b/IMG_1.AAE")
    let report = run(folder: "b") { $0.shouldMoveFiles = true }
    #expect(outcomes(report) == ["b/IMG_E1.JPG": .attached, "b/IMG_1.AAE": .attached])
    #expect(try library.assets().map(\.hasAdjustments) == [true])
  }

  @Test func `a RAW file with an edit in the folder takes its JPEG`() throws {
    for (name, bytes) in [
      ("Q.DNG", Self.raw()), ("Q-Edit.jpg", try Self.photo(2)), ("Q.JPG", try Self.photo(1)),
    ] {
      try write(bytes, name)
      _ = run()
    }
    let asset = try #require(try library.assets().first)
    #expect(try library.assets().count == 1 && asset.originalFilename == "Q.JPG")
    #expect(
      try types(asset) == [.photo, .alternatePhoto, .fullSizePhoto, .adjustmentData])
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `the JPEG of a RAW file that was edited here becomes its other original`() throws {
    try write(Self.raw(), "a/Q.DNG")
    _ = run(folder: "a")
    let raw = try #require(try library.assets().first)
    try library.markEdited(raw)
    try write(try Self.photo(1), "b/Q.JPG")
    let plan = run(folder: "b") { $0.isDryRun = true }
    let report = run(folder: "b") { $0.shouldMoveFiles = true }
    #expect(outcomes(report) == ["b/Q.JPG": .attached] && outcomes(plan) == outcomes(report))
    let asset = try #require(try library.assets().first)
    #expect(asset.localIdentifier == raw.localIdentifier && asset.originalFilename == "Q.DNG")
    #expect(try types(asset).isSuperset(of: [.photo, .alternatePhoto]))
    try write(try Self.photo(1), "c/Q.JPG")
    try write(Self.raw(), "c/Q.DNG")
    #expect(outcomes(run(folder: "c")).values.allSatisfy { $0 == .duplicate })
    #expect(try library.assets().count == 1)
  }

  @Test(arguments: [
    ("Q.JPG", "2020:01:02 03:04:25", "Model 1"), ("Q.JPG", "2020:01:02 03:04:05", "Model 2"),
    ("Q.JPG", nil, "Model 1"), ("R.JPG", "2020:01:02 03:04:05", "Model 1"),
  ])
  func `a file of another name, time or camera, or of an unknown time, stays apart`(
    _ name: String, _ date: String?, _ model: String
  ) throws {
    try write(Self.raw(), "a/Q.DNG")
    _ = run(folder: "a")
    try write(try Self.photo(1, date, model: model), "b/" + name)
    #expect(run(folder: "b").assetCount == 1)
    #expect(try library.assets().allSatisfy { try types($0) == [.photo] })
  }

  @Test func `a file that fits several assets, or one in the trash, stays apart`() throws {
    try write(Self.raw(), "a/Q.DNG")
    try write(Self.raw() + [0], "b/Q.DNG")
    _ = run()
    try write(try Self.photo(1), "c/Q.JPG")
    try write(Self.packet(), "d/Q.xmp")
    #expect(run(folder: "c").assetCount == 1)
    let report = run(folder: "d") { $0.shouldMoveFiles = true }
    #expect(outcomes(report) == ["d/Q.xmp": .skipped])
    #expect(FileSystem.itemExists(source.path("d/Q.xmp")))
    try library.library.performChangesAndWait { try $0.delete(try library.assets()) }
    try write(try Self.photo(2), "e/Q.JPG")
    #expect(run(folder: "e").assetCount == 1)
  }

  @Test(arguments: [
    "tiff:Model=\"Model 2\"", "photoshop:SidecarForExtension=\"CR2\"",
    "exif:DateTimeOriginal=\"2021-01-02T03:04:05\"", "dc:format=\"video/mp4\"",
  ])
  func `XMP that states another file stays apart`(_ attribute: String) throws {
    try write(Self.raw(), "a/Q.DNG")
    _ = run(folder: "a")
    try write(Self.packet(attribute), "b/Q.xmp")
    #expect(outcomes(run(folder: "b")) == ["b/Q.xmp": .skipped])
    try write(Self.packet("photoshop:SidecarForExtension=\"DNG\""), "c/Q.xmp")
    #expect(outcomes(run(folder: "c")) == ["c/Q.xmp": .attached])
    #expect(try library.assets().first?.title == "T")
  }

  @Test func `a version is not refused because the photo of the library has another`() throws {
    for (folder, name, seed) in [
      ("a", "Q.JPG", 1), ("b", "Q_edited.jpg", 2), ("c", "Q-Edit.jpg", 3),
    ] {
      try write(try Self.photo(seed), folder + "/" + name)
    }
    #expect(["a", "b", "c"].map { run(folder: $0).assetCount } == [1, 0, 1])
    #expect(try library.assets().map(\.hasAdjustments) == [true, false])
  }

  @Test func `every file becomes an asset if duplicates are imported`() throws {
    try write(Self.raw(), "a/Q.DNG")
    try write(try Self.photo(1), "b/Q.JPG")
    _ = run(folder: "a")
    #expect(run(folder: "b") { $0.skipsDuplicates = false }.assetCount == 1)
  }

  @Test func `a damaged file of the library takes no part`() throws {
    try write(Self.raw(), "a/Q.DNG")
    _ = run(folder: "a")
    let path = try #require(try library.files(of: try library.assets()[0])[.photo])
    try FileManager.default.removeItem(atPath: path)
    try Data(Self.raw() + [1]).write(to: URL(filePath: path))
    try write(try Self.photo(1), "b/Q.JPG")
    #expect(run(folder: "b").assetCount == 1)
    #expect(try library.assets().map { try types($0) } == [[.photo], [.photo]])
  }
}

extension TestLibrary {
  /// Gives an asset a file of its edit history, as an edit made here has.
  fileprivate func markEdited(_ asset: Asset) throws {
    let original = try #require(try library.resources(of: asset).first)
    try library.performChangesAndWait { try $0.add(HistoryMark(asset.row, original)) }
  }
}

/// A change that records a file as a version that an edit needs.
private final class HistoryMark: ChangeOperation {
  let row: Int64
  let file: ResourceRecord

  init(_ row: Int64, _ file: ResourceRecord) { (self.row, self.file) = (row, file) }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.database.run(
      "INSERT INTO journalFile (asset, file, kind, digest, size) VALUES (?, ?, 0, ?, ?)",
      [.integer(row), .text(file.file), .blob(file.digest), .init(file.size)])
  }
}
