// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Metadata of imported files")
struct AssetFactsTests {
  private typealias Field = ImageFile.Field

  private func facts(_ change: (inout ImageFile) -> Void) throws -> ImageProperties {
    var file = ImageFile()
    change(&file)
    return try #require(try ImageProperties.reading(FileBytes(try file.jpeg())))
  }

  // MARK: Dates

  @Test(.requirement("asset-properties"))
  func `a date with fraction and time zone offset is exact`() throws {
    let facts = try facts {
      $0.exif = [
        .text(0x9003, "2024:02:29 23:30:00"), .text(0x9291, "250"), .text(0x9011, "+05:30"),
      ]
    }
    // 2024-02-29T18:00:00.25Z
    #expect(facts.media.creationDate?.timeIntervalSince1970 == 1_709_229_600.25)
  }

  @Test(.requirement("asset-properties"))
  func `a missing time zone offset is derived from the GPS time`() throws {
    let facts = try facts {
      $0.exif = [.text(0x9003, "2024:03:01 00:10:00")]
      // The GPS time is 70 seconds old.
      $0.gps = [.text(29, "2024:02:29"), .fractions(7, [(18, 1), (38, 1), (50, 1)])]
    }
    #expect(facts.media.creationDate?.timeIntervalSince1970 == 1_709_232_000)
  }

  @Test(.requirement("asset-properties"))
  func `a local time without an offset is read as UTC`() throws {
    let facts = try facts {
      $0.exif = [.text(0x9003, "2024:02:29 18:00:00")]
      // The GPS time of another day is ignored.
      $0.gps = [.text(29, "2024:02:20"), .fractions(7, [(18, 1), (38, 1), (50, 1)])]
    }
    #expect(facts.media.creationDate?.timeIntervalSince1970 == 1_709_229_600)
    #expect(facts.capture.date?.hasOffset == false)
  }

  @Test(.requirement("asset-properties"))
  func `dates are taken by precedence of their tags`() throws {
    let all: [Field] = [
      .text(0x9003, "2001:07:01 00:00:00"), .text(0x9004, "2002:07:01 00:00:00"),
    ]
    let packet = "xmp:CreateDate=\"2003-07-01T00:00:00Z\""
    let last: Field = .text(0x0132, "2004:07:01 00:00:00")
    func year(_ change: (inout ImageFile) -> Void) throws -> Int? {
      try facts(change).media.creationDate.map { 1970 + Int($0.timeIntervalSince1970 / 31_556_952) }
    }
    #expect(
      try year {
        ($0.exif, $0.main, $0.xmp) = (all, [last], packet)
      } == 2001)
    #expect(
      try year {
        ($0.exif, $0.main, $0.xmp) = ([all[1]], [last], packet)
      } == 2002)
    #expect(try year { ($0.main, $0.xmp) = ([last], packet) } == 2003)
    #expect(try year { $0.main = [last] } == 2004)
    #expect(try year { _ in } == nil, "no date without tags")
  }

  @Test(
    .requirement("asset-properties"),
    arguments: [
      "0000:00:00 00:00:00", "2024:13:01 00:00:00", "    :  :     :  :  ", "2024:01", "",
      "2024:01:01 25:00:00", "99999:01:01 00:00:00", "2024:01:01 00:00:0",
    ])
  func `a malformed date parses as nil`(_ text: String) throws {
    #expect(try facts { $0.exif = [.text(0x9003, text)] }.media.creationDate == nil)
  }

  @Test(
    .requirement("asset-properties"),
    arguments: [
      ("2024-05-01T12:00:00+02:00", 1_714_557_600.0), ("2024-05-01T10:00:00.5Z", 1_714_557_600.5),
      ("2024-05-01T12:00+0200", 1_714_557_600), ("2024-05-01", 1_714_521_600),
      ("1969-12-31T23:59:59Z", -1), ("2000-03-01T00:00:00Z", 951_868_800),
    ])
  func `ISO 8601 dates are parsed`(_ text: String, _ seconds: Double) {
    #expect(CaptureDate(iso: text)?.seconds == seconds)
  }

  @Test(arguments: ["1970:01:01 00:00:00", "1904:01:01 00:00:00"])
  func `the zero of a clock is no date`(_ text: String) throws {
    let zero = [Field.text(0x9003, text)]
    #expect(try facts { $0.exif = zero }.media.creationDate == nil)
    let other = try facts {
      ($0.exif, $0.xmp) = (zero, "exif:DateTimeOriginal=\"2005-12-25T21:52:48\"")
    }
    #expect(other.media.creationDate?.timeIntervalSince1970 == 1_135_547_568)
  }

  @Test(
    arguments: [
      ("exif:DateTimeOriginal=\"2005-12-25T21:52:48-05:00\"", -18_000),
      ("photoshop:DateCreated=\"2005-12-25T21:52-05:00\"", -18_000),
      (
        "exif:DateTimeOriginal=\"2005-12-25T21:52:48\" xmp:CreateDate=\"2005-12-25T21:52:48-05:00\"",
        -18_000
      ),
      ("exif:DateTimeOriginal=\"2005-12-25T22:52:48-05:00\"", nil),
      ("exif:DateTimeOriginal=\"2005-12-25\"", nil),
    ] as [(String, Int?)])
  func `an offset that only XMP has is used for the same clock time`(
    packet: String, offset: Int?
  ) throws {
    let media = try facts {
      ($0.exif, $0.xmp) = ([.text(0x9003, "2005:12:25 21:52:48")], packet)
    }.media
    #expect(media.utcOffset == offset)
    #expect(media.creationDate?.timeIntervalSince1970 == 1_135_547_568 - Double(offset ?? 0))
  }

  // MARK: Locations

  @Test func `zero degrees north and east are no location`() throws {
    let zero: [Field] = [
      .text(1, "N"), .fractions(2, [(0, 1), (0, 1), (0, 1)]), .text(3, "E"),
      .fractions(4, [(0, 1), (0, 1), (0, 1)]),
    ]
    #expect(try facts { $0.gps = zero }.media.location == nil)
    let packet = "exif:GPSLatitude=\"0,0.0N\" exif:GPSLongitude=\"0,0.0E\""
    #expect(try facts { $0.xmp = packet }.media.location == nil)
    let equator = try facts {
      $0.gps = Array(zero.dropLast()) + [.fractions(4, [(6, 1), (30, 1), (0, 1)])]
    }
    #expect(equator.media.location == LocationCoordinate(latitude: 0, longitude: 6.5))
  }

  @Test(.requirement("asset-properties"))
  func `a GPS location has its signs and altitude`() throws {
    let gps: [Field] = [
      .text(1, "S"), .fractions(2, [(33, 1), (30, 1), (36, 1)]), .text(3, "W"),
      .fractions(4, [(70, 1), (15, 1), (0, 1)]), .fractions(6, [(1234, 10)]),
    ]
    #expect(
      try facts { $0.gps = gps }.media.location
        == LocationCoordinate(latitude: -33.51, longitude: -70.25, altitude: 123.4))
    let below = try facts { $0.gps = gps + [.byte(5, 1)] }
    #expect(below.media.location?.altitude == -123.4)
    #expect(try facts { $0.gps = [gps[0], gps[1]] }.media.location == nil, "incomplete location")
  }

  @Test(.requirement("asset-properties"))
  func `the XMP location is used if EXIF has none`() throws {
    let facts = try facts {
      $0.xmp =
        "exif:GPSLatitude=\"51,30.5S\" exif:GPSLongitude=\"0,7,30E\" exif:GPSAltitude=\"35/2\""
    }
    let location = try #require(facts.media.location)
    #expect(abs(location.latitude + 51.508333333) < 1e-8 && location.longitude == 0.125)
    #expect(location.altitude == 17.5)
  }

  @Test(
    .requirement("asset-properties"),
    arguments: [
      ("+37.3318-122.0312+010.00/", 37.3318, -122.0312, 10.0),
      ("+4852.5+00217.4/", 48.875, 2.29, nil),
      ("-334512+1511530+3/", -33.753333333, 151.258333333, 3),
      ("+00-025+2321CRSWGS_84/", 0, -25, 2321),
    ] as [(String, Double, Double, Double?)])
  func `ISO 6709 locations are parsed`(
    _ text: String, _ latitude: Double, _ longitude: Double, _ altitude: Double?
  ) throws {
    let coordinate = try #require(LocationCoordinate(iso6709: text))
    #expect(
      abs(coordinate.latitude - latitude) < 1e-6 && abs(coordinate.longitude - longitude) < 1e-6)
    #expect(coordinate.altitude == altitude)
  }

  @Test(
    .requirement("asset-properties"),
    arguments: ["", "+", "++", "+12", "+95+10/", "a+1+1/", "+1..2+3/", "+1+2+3+4+", "1+2/"])
  func `malformed ISO 6709 text gives nil or valid coordinates`(_ text: String) {
    if let coordinate = LocationCoordinate(iso6709: text) {
      #expect(abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180)
    }
  }

  // MARK: Sizes

  @Test(.requirement("asset-properties"), arguments: 1...8)
  func `images report the size with their orientation applied`(_ orientation: Int) throws {
    let facts = try facts { $0.main = [.short(0x0112, orientation)] }
    let plain = try self.facts { _ in }
    let isRotated = orientation >= 5
    #expect(facts.size.width == (isRotated ? plain.size.height : plain.size.width))
    #expect(facts.size.height == (isRotated ? plain.size.width : plain.size.height))
  }

  @Test(.requirement("asset-properties"), arguments: 0...3)
  func `rotated videos report the size with their rotation applied`(_ turns: Int) throws {
    let folder = try TestLibrary()
    var movie = MovieFile()
    movie.clockwiseRotations = turns
    let asset = try folder.create([(.video, movie.bytes)])
    #expect(asset.mediaType == .video && asset.playbackStyle == .video)
    #expect(asset.pixelWidth == (turns % 2 == 0 ? 64 : 48))
    #expect(asset.pixelHeight == (turns % 2 == 0 ? 48 : 64))
    #expect(asset.duration == 1)
  }

  // MARK: Kinds

  @Test func `panorama, screenshot, depth and HDR subtypes are read from metadata`() throws {
    #expect(try facts { _ in }.media.subtypes == [])
    #expect(
      try facts { $0.xmp = "GPano:ProjectionType=\"cylindrical\"" }.media.subtypes == .photoPanorama
    )
    #expect(try facts { $0.exif = [.short(0xA401, 6)] }.media.subtypes == .photoPanorama)
    #expect(try facts { $0.exif = [.short(0xA401, 3)] }.media.subtypes == .photoHDR)
    #expect(
      try facts { $0.exif = [.short(0xA401, 7)] }.media.subtypes == [.photoHDR, .photoDepthEffect])
    #expect(
      try facts { $0.exif = [ImageFile.appleNote(isHDR: true)] }.media.subtypes == .photoHDR)
    let comment = Array("ASCII\0\0\0Screenshot".utf8)
    #expect(try facts { $0.exif = [.blob(0x9286, comment)] }.media.subtypes == .photoScreenshot)
    #expect(
      try facts { $0.xmp = "exif:UserComment=\"Screenshot\"" }.media.subtypes == .photoScreenshot)
  }

  @Test func `a front camera lens marks a self-portrait`() throws {
    let front = try facts { $0.exif = [.text(0xA434, "iPhone 15 front camera 2.69mm f/1.9")] }
    #expect(front.traits == .selfPortrait)
    let back = try facts { $0.exif = [.text(0xA434, "iPhone 15 back camera 6mm f/1.6")] }
    #expect(back.traits == [])
  }

  @Test func `an image with several frames is animated`() throws {
    let folder = try TestLibrary()
    let still = try folder.create([(.photo, ImageFile.gif(frames: 1))])
    #expect(still.playbackStyle == .image && still.traits == [])
    let moving = try folder.create([(.photo, ImageFile.gif(frames: 3))])
    #expect(moving.playbackStyle == .imageAnimated && moving.traits == .animated)
  }

  @Test func `a RAW file is marked as RAW, alone or with a JPEG`() throws {
    let folder = try TestLibrary()
    let alone = try folder.create([(.photo, ImageFile.dng())])
    #expect(alone.traits == .raw && alone.pixelWidth == 400 && alone.pixelHeight == 300)
    let pair = try folder.create([
      (.photo, try ImageFile().jpeg()), (.alternatePhoto, ImageFile.dng(1)),
    ])
    #expect(pair.traits == .raw && pair.pixelWidth == 64)
  }

  /// RAW files of 600 by 400 pixels that are not TIFF files.
  private static func otherRaws() throws -> [[UInt8]] {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2019:07:14 12:00:00"), .text(0x9011, "+02:00")]
    file.gps = [
      .text(1, "N"), .fractions(2, [(387, 10), (0, 1), (0, 1)]), .text(3, "W"),
      .fractions(4, [(91, 10), (0, 1), (0, 1)]),
    ]
    file.main = [.text(0x0110, "X100V")]
    file.xmp = "xmp:Rating=\"4\" dc:title=\"Harbor\""
    let previews = [
      try file.fujifilmRaw(width: 600, height: 400), try file.panasonicRaw(width: 600, height: 400),
    ]
    file.main = [.long(0x0100, 600), .long(0x0101, 400), .text(0x0110, "X100V")]
    return previews + [file.canonRaw]
  }

  @Test func `RAW files that are not TIFF files have date, location, camera and size`() throws {
    let folder = try TestLibrary()
    for raw in try Self.otherRaws() {
      let asset = try folder.create([(.photo, raw)])
      #expect(asset.traits == .raw && asset.pixelWidth == 600 && asset.pixelHeight == 400)
      #expect(asset.creationDate?.timeIntervalSince1970 == 1_563_098_400)
      #expect(asset.utcOffset == 7200 && asset.camera == "X100V")
      #expect(asset.rating == 4 && asset.title == "Harbor", "\(asset.originalFilename)")
      #expect(asset.location.map { abs($0.latitude - 38.7) < 1e-6 } == true)
    }
  }

  @Test(
    arguments: [
      (30, nil, MediaSubtype()), (120, nil, .videoHighFrameRate), (30, "240", .videoHighFrameRate),
      (30, "1.0", .videoTimelapse), (30, "29.97", []),
    ] as [(Int, String?, MediaSubtype)])
  func `slow motion and time lapses are detected by frame rate`(
    _ rate: Int, _ captured: String?, _ expected: MediaSubtype
  ) throws {
    let folder = try TestLibrary()
    var movie = MovieFile()
    (movie.rate, movie.frames) = (rate, rate)
    if let captured { movie.tags = [("com.android.capture.fps", captured)] }
    #expect(try folder.create([(.video, movie.bytes)]).mediaSubtypes == expected)
  }

  @Test(.requirement("asset-properties"))
  func `video tags give date and location, the header is the fallback for the date`() throws {
    let folder = try TestLibrary()
    var movie = MovieFile()
    movie.created = 2_082_844_800 + 1_000_000
    #expect(
      try folder.create([(.video, movie.bytes)]).creationDate
        == Date(timeIntervalSince1970: 1_000_000))
    movie.tags = [
      ("com.apple.quicktime.creationdate", "2019-10-23T16:00:00+0200"),
      ("com.apple.quicktime.location.ISO6709", "+48.8577+002.2950+035.0/"),
      ("com.apple.quicktime.title", "A title"), ("com.apple.quicktime.description", "A caption"),
    ]
    let asset = try folder.create([(.video, movie.bytes)])
    #expect(asset.creationDate == Date(timeIntervalSince1970: 1_571_839_200))
    #expect(asset.location == LocationCoordinate(latitude: 48.8577, longitude: 2.295, altitude: 35))
    #expect(asset.title == "A title" && asset.caption == "A caption")
  }

  @Test func `an audio file becomes an audio asset`() throws {
    let folder = try TestLibrary()
    var audioTrack = MovieFile()
    audioTrack.handler = "soun"
    let asset = try folder.create([(.audio, audioTrack.bytes)])
    #expect(asset.mediaType == .audio && asset.pixelWidth == 0 && asset.duration == 1)
    #expect(throws: LibraryError.self) { try folder.create([(.video, audioTrack.bytes)]) }
    #expect(throws: LibraryError.self) { try folder.create([(.audio, MovieFile().bytes)]) }
  }

  // MARK: Hostile files

  @Test func `truncated or corrupted maker notes are read without a crash`() throws {
    var file = ImageFile()
    file.main = [.text(0x010F, "Apple")]
    file.exif = [
      .text(0x9003, "2024:02:29 18:00:00"), ImageFile.appleNote(burst: "B-1", content: "C-1"),
    ]
    file.gps = [.text(29, "2024:02:29"), .fractions(7, [(18, 1), (0, 0), (1, 1)])]
    let whole = try file.jpeg()
    let facts = try #require(try ImageProperties.reading(FileBytes(whole)))
    #expect(facts.capture.apple?.burstIdentifier == "B-1")
    #expect(facts.capture.apple?.contentIdentifier == "C-1")
    let head = 2 + 4 + 6 + file.tiff.count
    for length in 1..<head {
      _ = try? ImageProperties.reading(FileBytes(Array(whole.prefix(length))))
    }
    for position in 2..<head {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var damaged = whole
        damaged[position] ^= mask
        _ = try? ImageProperties.reading(FileBytes(damaged))
      }
    }
  }

  @Test func `truncated or corrupted RAW files are read without a crash`() throws {
    let canon = ImageFile.canonHeapRaw("C", "Model of some length", seconds: 1_105_787_045)
    var minolta = ImageFile()
    minolta.main = [.text(0x0110, "DiMAGE 7")]
    for whole in try [ImageFile.dng(), canon, minolta.minoltaRaw] + Self.otherRaws() {
      for length in (1..<whole.count).some(0) {
        _ = try? ImageProperties.reading(FileBytes(Array(whole.prefix(length))))
      }
      for position in whole.indices.some(0) {
        for mask in [0x01, 0x80, 0xFF] as [UInt8] {
          var damaged = whole
          damaged[position] ^= mask
          _ = try? ImageProperties.reading(FileBytes(damaged))
        }
      }
    }
  }
}
