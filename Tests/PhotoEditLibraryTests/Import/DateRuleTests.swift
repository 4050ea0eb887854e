// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Dates without an offset from UTC, and names as dates")
struct DateRuleTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private func photo(_ name: String, _ date: String, offset: String? = nil, seed: Int) throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, date)] + (offset.map { [.text(0x9011, $0)] } ?? [])
    try write(try file.jpeg(seed), name)
  }

  /// - Parameter seconds: The date in the header, in seconds since 1970.
  private func movie(_ name: String, _ seconds: Int, seed: Int) throws {
    var file = MovieFile()
    (file.created, file.seed) = (seconds + 2_082_844_800, seed)
    try write(file.bytes, name)
  }

  /// The local dates by name.
  private func dates() throws -> [String: String] {
    Dictionary(
      try library.assets().map { ($0.originalFilename, $0.localDate ?? "none") }
    ) { first, _ in first }
  }

  private func zone(_ name: String) throws -> ClockZone { try ClockZone(name) }

  /// A time zone of central Europe in a folder of time zones.
  private func berlin() throws -> ClockZone {
    try write(ZoneFile.berlin, "zones/Europe/Berlin")
    return try #require(ClockZone("Europe/Berlin", in: source.path("zones")))
  }

  /// Writes a day with two cameras and a phone.
  private func writeDay() throws {
    try photo("1.jpg", "2019:07:01 12:00:00", seed: 1)
    // 12:30 and 13:30 in summer
    try movie("2.mov", 1_561_977_000, seed: 2)
    try photo("3.jpg", "2019:07:01 13:00:00", offset: "+02:00", seed: 3)
    try movie("4.mov", 1_561_980_600, seed: 4)
    try photo("5.jpg", "2019:12:01 12:00:00", seed: 5)
  }

  @Test func `a time zone puts photos and videos in the order of events`() throws {
    let zone = try berlin()
    try writeDay()
    let report = run(["1.jpg", "2.mov", "3.jpg", "4.mov", "5.jpg"].map { source.path($0) }) {
      $0.clocks = .zone(zone)
    }
    #expect(report.count(.imported) == 5)
    #expect(
      try dates() == [
        "1.jpg": "2019-07-01T12:00:00+02:00", "2.mov": "2019-07-01T12:30:00+02:00",
        "3.jpg": "2019-07-01T13:00:00+02:00", "4.mov": "2019-07-01T13:30:00+02:00",
        "5.jpg": "2019-12-01T12:00:00+01:00",
      ])
    let order = try library.assets().sorted { a, b in
      (a.creationDate ?? .distantPast) < (b.creationDate ?? .distantPast)
    }
    #expect(order.map(\.originalFilename) == ["1.jpg", "2.mov", "3.jpg", "4.mov", "5.jpg"])
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `the setting of the library holds for all imports but those that say otherwise`()
    throws
  {
    #expect(try library.library.timeZoneName() == nil)
    try library.library.setTimeZone(try zone("+02:00"))
    #expect(try library.library.timeZone() == (try zone("+02:00")))
    try writeDay()
    _ = run()
    #expect(try dates()["1.jpg"] == "2019-07-01T12:00:00+02:00")
    _ = run { ($0.clocks, $0.skipsDuplicates) = (.unknown, false) }
    let all = try library.assets().filter { $0.originalFilename == "1.jpg" }
    #expect(
      all.map(\.localDate) == ["2019-07-01T12:00:00+02:00", "2019-07-01T12:00:00Z"])
    try library.library.setTimeZone(nil)
    #expect(try library.library.timeZone() == nil)
  }

  @Test func `a time zone does not change what other files state`() throws {
    try photo("sidecar.jpg", "2019:07:01 12:00:00", seed: 1)
    let packet = "exif:DateTimeOriginal=\"2019-07-01T12:00:00-03:00\""
    try write(Array(ImageFile.packet(packet).utf8), "sidecar.jpg.xmp")
    try write(try ImageFile().jpeg(2), "taken.jpg")
    let json = #"{"title": "taken.jpg", "photoTakenTime": {"timestamp": "1561975200"}}"#
    try write(Array(json.utf8), "taken.jpg.json")
    try write(try ImageFile().jpeg(3), "none.jpg")
    _ = run { $0.clocks = .zone(ClockZone(offset: 7200)) }
    #expect(
      try dates() == [
        "sidecar.jpg": "2019-07-01T12:00:00-03:00", "taken.jpg": "2019-07-01T12:00:00+02:00",
        "none.jpg": "none",
      ])
  }

  @Test(
    arguments: [
      // Summer begins at 2:00, and ends at 3:00.
      (1_711_850_399, 3600), (1_711_852_200, 3600), (1_711_854_000, 7200), (1_729_994_399, 7200),
      (1_729_996_200, 7200), (1_729_998_000, 3600),
    ] as [(Double, Int)])
  func `a time that clocks skip or show twice has the offset before the change`(
    time: Double, offset: Int
  ) throws {
    #expect(try berlin().offset(onClock: time) == offset)
  }

  @Test func `old offsets are rounded to minutes`() throws {
    #expect(try berlin().offset(at: -1e11) == 3180)
  }

  @Test(arguments: [
    "../Europe/Berlin", "/etc/localtime", "Europe/../Europe/Berlin", "Europe//Berlin", "", ".",
    "Europe/Berlin\0", "Nowhere", "+25:00", "a/b/c/d/e",
  ])
  func `other names are no time zones`(name: String) throws {
    _ = try berlin()
    #expect(ClockZone(name, in: source.path("zones")) == nil)
  }

  @Test(
    arguments: [
      ("Z", 0), ("+02:00", 7200), ("-0330", -12_600), ("UTC+9", 32_400), ("+5", 18_000),
    ] as [(String, Int)])
  func `an offset is a time zone`(name: String, offset: Int) throws {
    let zone = try #require(ClockZone(name, in: "/nowhere"))
    #expect(zone.offset(at: 0) == offset && zone.offset(onClock: 1e9) == offset)
    #expect(zone.description == name)
  }

  @Test func `names date files that state no date, and no others`() throws {
    try write(try ImageFile().jpeg(1), "IMG-20190102-WA0003.jpg")
    try write(try ImageFile().jpeg(2), "PXL_20190102_030405678.jpg")
    try photo("IMG_20190102_030405.jpg", "2001:02:03 04:05:06", seed: 3)
    try photo("20190102_030405.jpg", "1970:01:01 00:00:00", seed: 4)
    try movie("VID_20190102_030405.mov", -2_082_844_800, seed: 5)
    try write(try ImageFile().jpeg(6), "other.jpg")
    _ = run { ($0.dateSource, $0.clocks) = (.name, .zone(ClockZone(offset: 3600))) }
    #expect(
      try dates() == [
        "IMG-20190102-WA0003.jpg": "2019-01-02T00:00:00+01:00",
        "PXL_20190102_030405678.jpg": "2019-01-02T04:04:05+01:00",
        "IMG_20190102_030405.jpg": "2001-02-03T04:05:06+01:00",
        "20190102_030405.jpg": "2019-01-02T03:04:05+01:00",
        "VID_20190102_030405.mov": "2019-01-02T03:04:05+01:00", "other.jpg": "none",
      ])
  }

  @Test func `without the option, names are no dates`() throws {
    try write(try ImageFile().jpeg(1), "IMG_20190102_030405.jpg")
    _ = run()
    #expect(try dates() == ["IMG_20190102_030405.jpg": "none"])
  }

  @Test(arguments: [
    ("2019", "2019-07-01T12:00:00Z"), ("2019-07", "2019-07-01T12:00:00Z"),
    ("2019-07-01", "2019-07-01T12:00:00Z"), ("2018", "2018-01-01T00:00:00Z"),
    ("2019-08", "2019-08-01T00:00:00Z"),
  ])
  func `a year, month or day in XMP does not replace a time in it`(
    stated: String, expected: String
  ) throws {
    try photo("a.jpg", "2019:07:01 12:00:00", seed: 1)
    let packet = ImageFile.packet("exif:DateTimeOriginal=\"\(stated)\"")
    try write(Array(packet.utf8), "a.jpg.xmp")
    _ = run()
    #expect(try dates() == ["a.jpg": expected])
  }

  @Test func `an XMP file only supplies the offset if the photo takes precedence`() throws {
    try photo("a.jpg", "2019:07:01 12:00:00", seed: 1)
    let packet = ImageFile.packet("exif:DateTimeOriginal=\"2019-07-01T12:00:00+02:00\"")
    try write(Array(packet.utf8), "a.jpg.xmp")
    _ = run { $0.metadataPreference = .file }
    #expect(try dates() == ["a.jpg": "2019-07-01T12:00:00+02:00"])
  }

  @Test func `the month of a video's date is used if its day is impossible, with a note`() throws {
    var movie = MovieFile()
    movie.tags = [("com.apple.quicktime.creationdate", "2019-02-30")]
    try write(movie.bytes, "a.mov")
    let report = run()
    #expect(report.files.first?.reason?.contains("first of the month is used") == true)
    #expect(try dates() == ["a.mov": "2019-02-01T00:00:00Z"])
  }

  @Test func `the most specific date of a video is used`() {
    func date(_ tags: [String: String], _ created: Double? = nil) -> String? {
      let media = MediaProperties(movie: tags, created: created, frameRate: nil, hasVideo: true)
      return media.creationDate.map { Clock.text($0, utcOffset: media.utcOffset) }
    }
    let muxed = ["creation_time": "2022-02-02T00:00:00.000000Z"]
    #expect(date(muxed) == "2022-02-02T00:00:00+00:00")
    #expect(
      date(muxed.merging(["DATE_RECORDED": "2019-05-04 12:00:00"]) { a, _ in a })
        == "2019-05-04T12:00:00Z")
    #expect(date(muxed.merging(["DATE_RECORDED": "2019"]) { a, _ in a }) == "2019-01-01T00:00:00Z")
    #expect(date(["©day": "2019"], 1_556_971_200) == "2019-05-04T12:00:00Z")
    #expect(date(["©day": "2018"], 1_556_971_200) == "2018-01-01T00:00:00Z")
    #expect(date(["date": "1970-01-01T00:00:00", "©day": "1904-01-01T00:00:00Z"]) == nil)
    #expect(date([:], 1e15) == nil)
    // The zero of Matroska.
    #expect(date(["creation_time": "2001-01-01T00:00:00.000000Z"]) == nil)
    #expect(date(["©day": "2001-01-01T00:00:00Z"]) == "2001-01-01T00:00:00+00:00")
    let zero = ["com.apple.quicktime.location.ISO6709": "+00.0000+000.0000/"]
    let media = MediaProperties(movie: zero, created: nil, frameRate: nil, hasVideo: true)
    #expect(media.location == nil)
  }
}

extension ClockZone {
  /// The zone of a constant offset in seconds.
  fileprivate init(offset: Int) {
    guard let zone = ClockZone(CaptureDate.text(offset: offset), in: "") else {
      preconditionFailure("no offset")
    }
    self = zone
  }
}
