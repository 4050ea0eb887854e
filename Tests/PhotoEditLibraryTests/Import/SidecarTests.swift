// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Import and export of XMP sidecars")
struct SidecarTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private static let facts =
    "exif:DateTimeOriginal=\"2001-02-03T04:05:06Z\" exif:GPSLatitude=\"48,51.5022N\" "
    + "exif:GPSLongitude=\"2,17.66886E\" xmp:Rating=\"5\" dc:title=\"From beside\""

  private func packet(_ attributes: String) -> [UInt8] {
    Array(ImageFile.packet(attributes).utf8)
  }

  @Test(arguments: ["IMG_1.xmp", "IMG_1.jpg.xmp", "img_1.JPG.XMP"])
  func `date, location, rating and title are read from an XMP sidecar`(_ name: String) throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "1999:01:01 00:00:00")]
    try write(try file.jpeg(), "IMG_1.jpg")
    try write(packet(Self.facts), name)
    let report = run()
    #expect(outcomes(report) == ["IMG_1.jpg": .imported, name: .imported])
    let asset = try #require(try library.assets().first)
    #expect(asset.creationDate?.timeIntervalSince1970 == 981_173_106)
    #expect(abs((asset.location?.latitude ?? 0) - 48.85837) < 1e-6)
    #expect(abs((asset.location?.longitude ?? 0) - 2.294481) < 1e-6)
    #expect(asset.isFavorite && asset.title == "From beside")
    let stored = try #require(try library.files(of: asset)[.sidecar])
    #expect(try digest(stored) == digest(source.path(name)), "the sidecar is kept byte for byte")
    #expect(outcomes(run()).values.allSatisfy { $0 == .duplicate })
  }

  @Test func `XMP for a full file name takes precedence over XMP for the stem`() throws {
    for (index, name) in ["a.jpg", "a.png", "b.jpg", "b.webp"].enumerated() {
      try write(try ImageFile().jpeg(index + 1), name)
    }
    try write(packet("dc:title=\"all\""), "a.xmp")
    try write(packet("dc:title=\"one\""), "a.png.xmp")
    try write(packet("dc:title=\"both\""), "b.xmp")
    let report = run { $0.shouldMoveFiles = true }
    let titles = Dictionary(
      try library.assets().map { ($0.originalFilename, $0.title) }, uniquingKeysWith: { $1 })
    #expect(titles == ["a.jpg": "all", "a.png": "one", "b.jpg": "both", "b.webp": "both"])
    #expect(report.files.count == 7, "an XMP sidecar of two photos is reported once")
    #expect(try FileSystem.names(in: source.path) == ["b.xmp"], "shared XMP is not moved")
  }

  @Test func `a sidecar date without an offset uses the camera's offset`() throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2024:05:01 12:00:00"), .text(0x9011, "+02:00")]
    try write(try file.jpeg(), "a.jpg")
    try write(packet("exif:DateTimeOriginal=\"2024:05:01 13:00:00\""), "a.jpg.xmp")
    _ = run()
    #expect(try library.assets().first?.creationDate?.timeIntervalSince1970 == 1_714_561_200)
  }

  @Test(
    arguments: [
      ("xmp:CreateDate=\"2015-03-03T10:00:00\"", 0x9003, 1975),
      ("xmp:CreateDate=\"2015-03-03T10:00:00\"", 0x9004, 2015),
      ("xmp:CreateDate=\"2015-03-03T10:00:00\"", 0x0132, 2015),
      ("photoshop:DateCreated=\"2015-03-03T10:00:00\"", 0x9003, 2015),
      ("exif:DateTimeOriginal=\"2015-03-03T10:00:00\"", 0x9003, 2015),
      (
        "exif:DateTimeOriginal=\"2014-01-01T00:00:00\" xmp:CreateDate=\"2015-03-03T10:00:00\"",
        0x9003, 2014
      ),
    ] as [(String, Int, Int)])
  func `the creation of a file in XMP is not the capture of a scan`(
    _ attributes: String, _ tag: Int, _ year: Int
  ) throws {
    var file = ImageFile()
    let date = ImageFile.Field.text(tag, "1975:07:01 12:00:00")
    if tag == 0x0132 { file.main = [date] } else { file.exif = [date] }
    try write(try file.jpeg(), "a.jpg")
    try write(packet(attributes), "a.jpg.xmp")
    _ = run()
    let asset = try #require(try library.assets().first)
    let seconds = try #require(asset.creationDate?.timeIntervalSince1970)
    #expect(1970 + Int(seconds / 31_556_952) == year)
  }

  @Test func `the creation of a file in XMP supplies the offset of the same clock time`() throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2024:05:01 12:00:00")]
    try write(try file.jpeg(), "a.jpg")
    try write(packet("xmp:CreateDate=\"2024-05-01T12:00:00+02:00\""), "a.jpg.xmp")
    _ = run()
    #expect(try library.assets().first?.creationDate?.timeIntervalSince1970 == 1_714_557_600)
  }

  @Test func `XMP for a known photo sets only properties the user has not set`() throws {
    try write(try ImageFile().jpeg(), "IMG_1.jpg")
    _ = run()
    let asset = try #require(try library.assets().first)
    try library.library.performChangesAndWait { try $0.change(asset).setTitle("Mine") }
    try write(packet(Self.facts), "IMG_1.xmp")
    #expect(outcomes(run())["IMG_1.xmp"] == .attached)
    let changed = try #require(try library.assets().first)
    #expect(changed.title == "Mine" && changed.isFavorite && changed.location != nil)
    #expect(changed.creationDate?.timeIntervalSince1970 == 981_173_106)
    try write(packet("dc:title=\"Another\""), "IMG_1.xmp")
    let report = run { $0.shouldMoveFiles = true }
    #expect(outcomes(report)["IMG_1.xmp"] == .keptOut)
    #expect(FileSystem.itemExists(source.path("IMG_1.xmp")))
  }

  // MARK: Google Takeout

  private static let takeout = """
    {"title": "IMG_1.jpg", "description": "At the lake", "favorited": true,
    "photoTakenTime": {"timestamp": "981173106", "formatted": "3 Feb 2001"},
    "geoDataExif": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0},
    "geoData": {"latitude": 48.85837, "longitude": 2.294481, "altitude": 30.0}}
    """

  @Test(arguments: [
    ("IMG_1.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
    ("IMG_1.jpg", "IMG_1.jpg.supplemental-me.json"), ("IMG_1.jpg", "IMG_1.jpg..json"),
    ("IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"),
    ("IMG_1(2).jpg", "IMG_1.jpg(2).json"),
  ])
  func `Google Takeout JSON supplies properties that the photo lacks`(
    _ photo: String, _ name: String
  ) throws {
    try write(try ImageFile().jpeg(), photo)
    try write(Array(Self.takeout.utf8), name)
    #expect(outcomes(run()) == [photo: .imported, name: .imported])
    let asset = try #require(try library.assets().first)
    #expect(asset.creationDate?.timeIntervalSince1970 == 981_173_106 && asset.isFavorite)
    #expect(
      asset.location == LocationCoordinate(latitude: 48.85837, longitude: 2.294481, altitude: 30))
    #expect(asset.caption == "At the lake" && asset.title == nil)
  }

  @Test func `a photo's date with an offset overrides Google Takeout JSON`() throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2024:05:01 12:00:00"), .text(0x9011, "+02:00")]
    try write(try file.jpeg(), "IMG_1.jpg")
    try write(Array(Self.takeout.utf8), "IMG_1.jpg.json")
    try write(try ImageFile().jpeg(2), "b.jpg")
    try write(Array("{\"title\": \"b.jpg\"}".utf8), "b.jpg.json")
    let report = run()
    #expect(outcomes(report)["b.jpg.json"] == .skipped && report.assetCount == 2)
    let dates = try library.assets().map { $0.creationDate?.timeIntervalSince1970 }
    #expect(Set(dates) == [1_714_557_600, nil])
  }

  // MARK: Round trip

  private func export(_ assets: [Asset]) throws -> [Exporter.File] {
    var exporter = Exporter(library.library, to: URL(filePath: source.path), version: .all)
    return try assets.flatMap { try exporter.export($0) }
  }

  /// The properties that users can set, by filename.
  private func properties(_ library: TestLibrary) throws -> [String: [String]] {
    Dictionary(
      try library.assets().map { asset in
        let date = asset.creationDate?.timeIntervalSince1970
        return (
          asset.originalFilename,
          [
            "\(asset.title ?? "-")", "\(asset.caption ?? "-")", "\(date ?? -1)",
            "\(asset.location.map { "\($0)" } ?? "-")", "\(asset.isFavorite) \(asset.isHidden)",
            "\(asset.hasAdjustments)",
          ]
        )
      }, uniquingKeysWith: { $1 })
  }

  @Test(arguments: [1, 100])
  func `a full export can be imported with its properties and albums`(
    batchSize: Int
  ) async throws {
    var tagged = ImageFile()
    tagged.exif = [.text(0x9003, "1999:01:01 00:00:00")]
    tagged.xmp = "dc:title=\"Embedded\""
    for index in 1...6 { try write(try tagged.jpeg(index), "in/\(index).jpg") }
    try write(packet("dc:title=\"Beside\" xmp:Rating=\"5\" xmp:Label=\"Red\""), "in/2.jpg.xmp")
    _ = run(folder: "in")
    let assets = try library.assets()
    let text = "Zwei <Zeilen> & \"mehr\"\nund\tnoch eine 'Zeile' ]]>\u{1F33B}  "
    try library.library.performChangesAndWait { changes in
      let one = try changes.change(assets[0])
      try one.setTitle("New title")
      try one.setCaption(text + String(repeating: "lang ", count: 3000))
      try one.setFavorite(true)
      try one.setCreationDate(Date(timeIntervalSince1970: 1_234_567_890.1234567))
      try one.setLocation(
        LocationCoordinate(latitude: -48.858370123, longitude: 0.1, altitude: -12.25))
      let two = try changes.change(assets[1])
      try two.setFavorite(false)
      try two.setHidden(true)
      let three = try changes.change(assets[2])
      try three.setTitle(nil)
      try three.setCreationDate(nil)
      // The album order differs from the order of names and dates.
      let order = [4, 0, 2, 5, 1].map { assets[$0] }
      let album = try changes.createAlbum(title: "Half / half 100%")
      try album.addAssets(order)
      let folder = try changes.createFolder(title: "Travel")
      let inner = try changes.createAlbum(title: "Lisbon")
      try inner.addAssets([assets[3], assets[0]])
      try folder.addChildCollections([inner.placeholder])
    }
    _ = try await PhotoEditor(library.store(assets[4])).apply([Exposure(ev: 0.5)])
    let files = try export(try library.assets())
    #expect(files.count { $0.type == .sidecar } == 6)
    try FileManager.default.removeItem(atPath: source.path("in"))
    let other = try TestLibrary()
    var options = Importer.Options()
    options.batchSize = batchSize
    let report = Importer(other.library, options: options).run([source.path])
    #expect(report.assetCount == 6 && report.count(.imported) == files.count)
    #expect(try properties(other) == properties(library))
    #expect(try albums(other) == albums(library))
    #expect(try albums(other).keys.sorted() == ["Half / half 100%", "Travel/Lisbon"])
    // The imported XMP is contained in the exported XMP.
    let kept = try FileBytes.reading(source.path("2.jpg.xmp")).array
    #expect(String(decoding: kept, as: UTF8.self).contains(">Red</xmp:Label>"))
    #expect(Importer(other.library).run([source.path]).count(.duplicate) == files.count)
  }

  /// The filenames in each album, by album path.
  private func albums(_ library: TestLibrary) throws -> [String: [String]] {
    let rows = try library.library.read { database throws(LibraryError) in
      try database.all(
        """
        SELECT coalesce(folder.title || '/', '') || album.title, asset.originalFilename
        FROM member JOIN collection AS album ON album.id = member.album
        LEFT JOIN collection AS folder ON folder.id = album.parent
        JOIN asset ON asset.id = member.asset ORDER BY member.album, member.position
        """
      ) { ($0.text(0), $0.text(1)) }
    }
    return Dictionary(grouping: rows, by: { $0.0 }).mapValues { $0.map(\.1) }
  }
}
