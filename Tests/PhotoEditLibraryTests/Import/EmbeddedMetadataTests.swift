// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Metadata in exported files")
struct EmbeddedMetadataTests {
  private let library: TestLibrary
  private let target: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    target = try TemporaryFolder()
  }

  private func export(
    _ asset: Asset, _ version: Exporter.Version = .current, embeds: Bool = true
  ) throws -> Exporter.File {
    let fetched = try #require(try library.asset(asset.localIdentifier))
    let files = try library.export([fetched], to: target, version, embedsMetadata: embeds)
    return try #require(files.first)
  }

  private func describe(_ asset: Asset) throws {
    try library.library.performChangesAndWait { changes in
      let request = try changes.change(asset)
      try request.setTitle("The harbor")
      try request.setCaption("Boats & <nets> ☀︎")
      try request.setKeywords(["Places/Portugal/Lisbon", "boat"])
      try request.setRating(4)
      try request.setLabel(.green)
      try request.addPeople(["Ada"])
      try request.setCreationDate(Date(timeIntervalSince1970: 1_556_704_800.25))
      try request.setLocation(
        LocationCoordinate(latitude: -38.70001, longitude: 0.25, altitude: -12.5))
    }
  }

  /// The thumbnail of Photoshop, as its reader sees it.
  private static let thumbnail = Array("thumbnail".utf8)
  /// The fraction for the minutes of the latitude.
  private static let minutes: [UInt8] = [0, 0, 0, 51, 0, 0, 0, 1]

  /// A photo with other values in every place: EXIF, XMP, IPTC, and a copy of EXIF.
  private func photo() throws -> [UInt8] {
    var file = ImageFile()
    file.main = [.text(0x010E, "An old description"), .text(0x010F, "Maker")]
    file.exif = [.text(0x9003, "2024:05:01 12:00:00"), .text(0x9011, "+02:00")]
    file.gps = [
      .text(1, "N"), .fractions(2, [(48, 1), (51, 1), (30, 1)]), .text(3, "E"),
      .fractions(4, [(2, 1), (17, 1), (40, 1)]),
    ]
    file.xmp = "dc:title=\"Old\" xmp:Rating=\"2\" xmp:CreatorTool=\"Tool\""
    let jpeg = try file.jpeg(1)
    func field(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number] + ImageFile.big(text.utf8.count, 2) + Array(text.utf8)
    }
    let iptc = field(5, "Old title") + field(25, "old") + field(120, "Old words") + field(80, "Ann")
    func resource(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
      Array("8BIM".utf8) + ImageFile.big(number, 2) + [0, 0] + ImageFile.big(bytes.count, 4)
        + bytes + (bytes.count % 2 == 0 ? [] : [0])
    }
    let payload =
      Array("Photoshop 3.0\0".utf8) + resource(1028, iptc) + resource(1036, Self.thumbnail)
      + resource(1058, Self.minutes)
    return Array(jpeg[0..<2]) + [0xFF, 0xED] + ImageFile.big(payload.count + 2, 2) + payload
      + jpeg[2...]
  }

  @Test func `a current JPEG gets the metadata of the library, an original stays`() throws {
    let bytes = try photo()
    let asset = try library.create([(.photo, bytes)])
    let same = try export(asset, .original)
    #expect(try FileBytes.reading(same.path).array == bytes)
    try describe(asset)
    let original = try export(asset, .original)
    #expect(try FileBytes.reading(original.path).array == bytes)
    #expect(try FileBytes.reading(try export(asset, embeds: false).path).array == bytes)
    let current = try export(asset)
    #expect(current.note == nil)
    let image = try #require(try ImageProperties.reading(FileBytes.reading(current.path)))
    #expect(image.capture.tags[.title] == "The harbor")
    #expect(image.capture.tags[.caption] == "Boats & <nets> ☀︎")
    #expect(image.capture.tags.keywords == ["Places/Portugal/Lisbon", "boat"])
    #expect(image.capture.tags.rating == 4 && image.capture.tags.label == "green")
    #expect(image.capture.tags.people == ["Ada"])
    #expect(image.media.creationDate?.timeIntervalSince1970 == 1_556_704_800.25)
    let location = try #require(image.media.location)
    #expect(abs(location.latitude + 38.70001) < 1e-7 && abs(location.longitude - 0.25) < 1e-7)
    #expect(location.altitude == -12.5)
    // The image data is the same.
    let digest = PixelDigest.digest(of: FileBytes(bytes))
    #expect(digest != nil && digest == PixelDigest.digest(of: current.path))
    // A second export has nothing to add to the first one.
    let copy = try library.create([(.photo, try FileBytes.reading(current.path).array)])
    let again = try export(copy)
    #expect(again.digest == current.digest)
  }

  @Test func `properties that an image other than a JPEG does not get are reported`() throws {
    let png = try TestImages.bytes("png-rgb-8.png")
    let asset = try library.create([(.photo, png)])
    #expect(try export(asset).note == nil)
    try describe(asset)
    let file = try export(asset)
    #expect(try FileBytes.reading(file.path).array == png)
    #expect(
      file.note
        == "its title, caption, keywords, rating, label, people, date and location cannot be "
        + "changed in this kind of image; an XMP sidecar can state them")
    #expect(try export(asset, .all).note == nil && export(asset, embeds: false).note == nil)
  }

  @Test func `a removed keyword leaves the copies that Windows and ACDSee keep`() throws {
    var file = ImageFile()
    file.xmp =
      "xmlns:m=\"http://ns.microsoft.com/photo/1.0/\" m:LastKeywordXMP=\"SECRET\" "
      + "m:LastKeywordIPTC=\"SECRET\" xmlns:a=\"http://ns.acdsee.com/iptc/1.0/\" "
      + "a:keywords=\"SECRET\" dc:subject=\"SECRET\""
    let asset = try library.create([(.photo, try file.jpeg(1))])
    try library.library.performChangesAndWait { try $0.change(asset).setKeywords(["kept"]) }
    let bytes = try FileBytes.reading(try export(asset).path).array
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("kept") && !text.contains("SECRET"))
  }

  @Test func `a video keeps its metadata, with a note, if that of photos is removed`() throws {
    var exporter = Exporter(library.library, to: URL(filePath: target.path), overwrites: true)
    var shape = CopyShape()
    shape.keepsOnlyCopyright = true
    exporter.copies = shape
    let movie = try library.create([(.video, MovieFile().bytes)])
    let photo = try library.create([(.photo, try ImageFile().jpeg(1))])
    let notes = try [movie, photo].map { try exporter.export($0).first?.note }
    #expect(notes[0]?.contains("its metadata is not removed") == true && notes[1] == nil)
  }

  @Test(arguments: ["location", "people", "dates", "location,dates", "all"])
  func `an export does not write again what the edit has removed`(_ strip: String) throws {
    let kinds = try #require(MetadataRemoval(strip))
    let record = String(decoding: ImageFile.record(), as: UTF8.self).replacing(
      "<dict>", with: "<dict><key>org.photoedit.strip</key><string>\(strip)</string>")
    let asset = try library.create([
      (.photo, try photo()), (.fullSizePhoto, try ImageFile().jpeg(2)),
      (.adjustmentData, Array(record.utf8)),
    ])
    try describe(asset)
    let image = try #require(
      try ImageProperties.reading(FileBytes.reading(try export(asset).path)))
    let isWhole = kinds == .all
    #expect((image.media.location == nil) == (kinds.contains(.location) || isWhole))
    #expect(image.capture.tags.people.isEmpty == (kinds.contains(.people) || isWhole))
    #expect((image.media.creationDate == nil) == (kinds.contains(.dates) || isWhole))
    #expect((image.capture.tags[.title] == nil) == isWhole)
    let packet = try library.library.sidecar(
      of: asset, try library.library.resources(of: asset), isComplete: false, removed: kinds)
    let metadata = SidecarMetadata(packet)
    #expect(metadata?.latitude == nil || !kinds.contains(.location) && !isWhole)
  }

  @Test func `a date that was set is exported as the same moment`() throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2024:05:01 12:00:00")]
    let asset = try library.create([(.photo, try file.jpeg(1))])
    let moment = Date(timeIntervalSince1970: 1_556_704_800)
    try library.library.performChangesAndWait { try $0.change(asset).setCreationDate(moment) }
    let bytes = try FileBytes.reading(try export(asset).path)
    let image = try #require(try ImageProperties.reading(bytes))
    #expect(image.media.creationDate == moment && image.media.utcOffset == 0)
    let fetched = try #require(try library.asset(asset.localIdentifier))
    for (isComplete, offset) in [(false, 0), (true, nil)] as [(Bool, Int?)] {
      let bytes = try library.library.sidecar(of: fetched, [], isComplete: isComplete)
      let date = try #require(SidecarMetadata(bytes)?.date)
      #expect(date.seconds == moment.timeIntervalSince1970 && date.offset == offset)
    }
  }

  @Test func `a removed location leaves no trace in an exported JPEG`() throws {
    let asset = try library.create([(.photo, try photo())])
    try library.library.performChangesAndWait { try $0.change(asset).setLocation(nil) }
    let file = try FileBytes.reading(try export(asset).path)
    let image = try #require(try ImageProperties.reading(file))
    #expect(image.media.location == nil)
    #expect(file.array.firstRange(of: Self.minutes) == nil)
    #expect(file.array.firstRange(of: Self.thumbnail) != nil)
  }

  @Test func `a video gets the metadata of the library`() throws {
    let asset = try library.create([(.video, MovieFile().bytes)])
    try describe(asset)
    let current = try export(asset)
    let video = try VideoProperties.reading(current.path)
    #expect(video.tags[.title] == "The harbor")
    #expect(video.tags[.caption] == "Boats & <nets> ☀︎")
    #expect(video.media.creationDate?.timeIntervalSince1970 == 1_556_704_800)
    #expect(video.media.location?.latitude == -38.7)
  }

  @Test func `the copies of a pair made by the library belong together for other programs`() throws
  {
    let live = try library.create([(.photo, try ImageFile().jpeg(1))])
    let movie = try library.create([(.video, MovieFile.live("L", seed: 1))])
    try library.library.performChangesAndWait { try $0.pair(live, movie, pairing: .force) }
    let pair = try #require(try library.asset(live.localIdentifier))
    let files = try library.export([pair], to: target)
    let image = try #require(try ImageProperties.reading(FileBytes.reading(files[0].path)))
    let video = try VideoProperties.reading(files[1].path)
    #expect(image.capture.contentIdentifier == "L" && video.contentIdentifier == "L")
    let another = try TestLibrary()
    #expect(Importer(another.library).run([target.path]).assetCount == 1)
    let imported = try #require(try another.assets().first)
    #expect(imported.mediaSubtypes.contains(.photoLive))
  }

  @Test(.enabled(if: Program.find("exiftool") != nil))
  func `ExifTool reads the metadata of exported files`() throws {
    let photo = try library.create([(.photo, try photo())])
    let video = try library.create([(.video, MovieFile().bytes)])
    for asset in [photo, video] { try describe(asset) }
    let paths = try [export(photo).path, export(video).path]
    let program = try #require(Program.find("exiftool"))
    let result = Program.run(
      program,
      [
        "-s3", "-n", "-f", "-sep", ";", "-p",
        "$Title|$Description|$Keywords|$GPSLatitude|$GPSLongitude|$DateTimeOriginal"
          + "|$XMP:Rating|$XMP:HierarchicalSubject|$EXIF:ImageDescription|$IPTC:By-line",
      ] + paths, output: target.path("text"))
    #expect(result == 0)
    let lines = String(
      decoding: try FileBytes.reading(target.path("text")).array, as: UTF8.self
    ).split(separator: "\n")
    let expected =
      "The harbor|Boats & <nets> ☀︎|-|-38.70001|0.25|2019:05:01 12:00:00"
      + "|4|Places|Portugal|Lisbon;boat|-|Ann"
    #expect(lines.first.map(String.init) == expected)
    #expect(
      lines.last?.hasPrefix("The harbor|Boats & <nets> ☀︎|Lisbon,boat|-38.7|0.25|") == true,
      "\(lines)")
    // Metadata that contradicts itself, or is malformed, is a warning.
    let check = Program.run(
      program, ["-validate", "-warning", "-a", "-s3", paths[0]], output: target.path("check"))
    #expect(check == 0)
    let warnings = String(
      decoding: try FileBytes.reading(target.path("check")).array, as: UTF8.self)
    #expect(!warnings.contains("IPTCDigest") && !warnings.contains("Bad"), "\(warnings)")
  }
}
