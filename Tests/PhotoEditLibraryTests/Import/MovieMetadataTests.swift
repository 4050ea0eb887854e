// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Metadata in exported videos")
struct MovieMetadataTests {
  private let library: TestLibrary
  private let target: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    target = try TemporaryFolder()
  }

  private func export(_ asset: Asset) throws -> Exporter.File {
    let fetched = try #require(try library.asset(asset.localIdentifier))
    return try #require(try library.export([fetched], to: target, .current).first)
  }

  private func describe(_ asset: Asset) throws {
    try library.library.performChangesAndWait { changes in
      let request = try changes.change(asset)
      try request.setTitle("The harbor")
      try request.setCaption("Boats & <nets> ☀︎")
      try request.setKeywords(["AC, DC", "AC∕DC", "Places/Portugal/Lisbon", "boat"])
      try request.setRating(4)
      try request.setLabel(.green)
      try request.setPeople(["Ada"])
    }
  }

  private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    ImageFile.big(body.count + 8, 4) + Array(type.utf8) + body
  }

  private static let old = Array(
    ImageFile.packet(
      "xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\" dc:title=\"Old title\" "
        + "xmp:CreatorTool=\"Tool\" Iptc4xmpExt:PersonInImage=\"Bob\""
    ).utf8)

  /// A video with a packet at a place, and boxes after it.
  private static func movie(
    _ brand: String, _ place: String, tags: [(String, String)] = [], after: [UInt8] = []
  ) -> [UInt8] {
    var movie = MovieFile()
    movie.brand = brand
    movie.tags = tags.map { (key: $0.0, value: $0.1) }
    if place == "udta" { movie.userData = box("udta", box("name", [1]) + box("XMP_", old)) }
    let packet = box("uuid", ImageFile.packetIdentifier + old)
    return movie.bytes + (place == "uuid" ? packet : []) + after
  }

  @Test(arguments: ["qt  ", "mp42", "M4V "], ["", "uuid", "udta"])
  func `lists, people and labels survive an export and an import`(
    _ brand: String, _ place: String
  ) throws {
    let bytes = Self.movie(brand, place)
    let asset = try library.create([(.video, bytes)])
    try describe(asset)
    let file = try export(asset)
    #expect(file.note == nil)
    let written = try FileBytes.reading(file.path).array
    // QuickTime has the packet in its header; removing one elsewhere moves the media.
    if brand != "qt  " || place != "uuid" { #expect(written.prefix(64) == bytes.prefix(64)) }
    #expect(written.firstRange(of: Array("Old title".utf8)) == nil)
    #expect(written.firstRange(of: Array("Bob".utf8)) == nil)
    if place != "" { #expect(written.firstRange(of: Array("Tool".utf8)) != nil) }
    let other = try TestLibrary()
    #expect(Importer(other.library).run([file.path]).assetCount == 1)
    let copy = try #require(try other.assets().first)
    #expect(copy.title == "The harbor" && copy.caption == "Boats & <nets> ☀︎")
    #expect(copy.keywords == ["AC, DC", "AC∕DC", "Places/Portugal/Lisbon", "boat"])
    #expect(copy.rating == 4 && copy.label == .green && copy.people == ["Ada"])
    #expect(copy.duration == asset.duration && copy.pixelWidth == asset.pixelWidth)
    // A second export has nothing to add to the first one.
    let again = try library.create([(.video, written)])
    #expect(try export(again).digest == file.digest)
  }

  @Test func `a video whose keys are sufficient gets no XMP`() throws {
    let asset = try library.create([(.video, MovieFile().bytes)])
    try library.library.performChangesAndWait { changes in
      let request = try changes.change(asset)
      try request.setTitle("The harbor")
      try request.setKeywords(["boat", "sea"])
    }
    let info = try PassthroughExport.inspect(try export(asset).path)
    #expect(info.packet == nil && info.tags["com.apple.quicktime.keywords"] == "boat,sea")
  }

  @Test func `keywords with commas are in no list that commas separate`() throws {
    let asset = try library.create([(.video, MovieFile().bytes)])
    try describe(asset)
    let info = try PassthroughExport.inspect(try export(asset).path)
    #expect(info.tags["com.apple.quicktime.keywords"] == "AC/DC,Lisbon,boat")
  }

  @Test func `the date and the location of an MPEG-4 video are written`() throws {
    var movie = MovieFile()
    (movie.brand, movie.created) = ("mp42", 3_600_000_000)
    let asset = try library.create([(.video, movie.bytes)])
    try library.library.performChangesAndWait { changes in
      let request = try changes.change(asset)
      try request.setCreationDate(Date(timeIntervalSince1970: 1_556_704_800))
      try request.setLocation(LocationCoordinate(latitude: -38.70001, longitude: 0.25))
    }
    let file = try export(asset)
    let video = try VideoProperties.reading(file.path)
    #expect(file.note == nil)
    #expect(video.media.creationDate?.timeIntervalSince1970 == 1_556_704_800)
    #expect(abs((video.media.location?.latitude ?? 0) + 38.70001) < 1e-7)
  }

  @Test func `properties that a video cannot state are noted, and the file stays as it is`() throws
  {
    let tags = [("com.apple.quicktime.location.ISO6709", "+48.0000+002.0000/")]
    let bytes = Self.movie("mp42", "", tags: tags)
    let asset = try library.create([(.video, bytes)])
    #expect(asset.location != nil)
    try library.library.performChangesAndWait { try $0.change(asset).setLocation(nil) }
    #expect(try export(asset).note?.contains("location cannot be changed") == true)
    // Without boxes there is no place for a packet.
    let open = try library.create([
      (.video, Self.movie("mp42", "", after: [0, 0, 0, 0] + Array("free".utf8)))
    ])
    try describe(open)
    let file = try export(open)
    #expect(file.note?.contains("cannot be written") == true)
    #expect(try FileBytes.reading(file.path).array.count > 0)
  }

  @Test func `a packet is written before a table that is found from the end`() throws {
    let table = Self.box("mfra", Self.box("mfro", [0, 0, 0, 0, 0, 0, 0, 24]))
    let bytes = Self.movie("mp42", "", after: table)
    let path = target.path("a.mp4")
    try target.write(bytes, to: "a.mp4")
    try MoviePacket.write(Self.old, from: path, to: target.path("b.mp4"))
    let written = try FileBytes.reading(target.path("b.mp4")).array
    #expect(written.starts(with: bytes.dropLast(table.count)) && written.suffix(24) == table[...])
    #expect(try PassthroughExport.inspect(target.path("b.mp4")).packet == Self.old)
    // A packet in the middle becomes padding of the same size.
    let packet = Self.box("uuid", ImageFile.packetIdentifier + Self.old)
    let whole = bytes.dropLast(table.count) + packet + Self.box("skip", [1, 2])
    try target.write(Array(whole), to: "c.mp4")
    try MoviePacket.write(Self.old, from: target.path("c.mp4"), to: target.path("d.mp4"))
    let moved = try FileBytes.reading(target.path("d.mp4")).array
    #expect(moved.count == bytes.count - table.count + 2 * packet.count + 10)
    #expect(
      moved.firstRange(of: Self.box("skip", [1, 2]))?.lowerBound == bytes.count - 24 + packet.count)
  }

  @Test(.enabled(if: Program.find("exiftool") != nil))
  func `ExifTool reads the lists of an exported MPEG-4 video`() throws {
    var movie = MovieFile()
    movie.brand = "mp42"
    let asset = try library.create([(.video, movie.bytes)])
    try describe(asset)
    let program = try #require(Program.find("exiftool"))
    let path = try export(asset).path
    let result = Program.run(
      program,
      [
        "-s3", "-sep", ";", "-p",
        "$XMP:Title|$XMP:Subject|$XMP:PersonInImage|$XMP:Rating|$XMP:Label", path,
      ], output: target.path("text"))
    let text = String(
      decoding: try FileBytes.reading(target.path("text")).array, as: UTF8.self)
    #expect(result == 0 && text == "The harbor|AC, DC;AC/DC;Lisbon;boat|Ada|4|Green\n")
  }
}
