// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCodecs

@Suite("Dates of capture")
struct CaptureDateTests {
  @Test(
    arguments: [
      ("2019:01:01 24:04:20", nil, "2019-01-01T00:04:20"),
      ("2019:01:01 24:00:00", nil, "2019-01-01T00:00:00"),
      ("2019:01:01 12:00:00+02:00", nil, "2019-01-01T12:00:00+02:00"),
      ("2019:01:01 12:00:00 -0330", nil, "2019-01-01T12:00:00-03:30"),
      ("2019:01:01 12:00:00.25Z", nil, "2019-01-01T12:00:00.25Z"),
      ("2019:01:01 12:00:00 GMT+1", nil, "2019-01-01T12:00:00+01:00"),
      ("2019:01:01 12:00:00 utc", "+05:00", "2019-01-01T12:00:00Z"),
      ("2019:01:01 12:00:00", "UTC+9", "2019-01-01T12:00:00+09:00"),
      ("2019:01:01 12:00:00", "+9:30", "2019-01-01T12:00:00+09:30"),
      ("2019:01:01 02:00:00 PM", nil, "2019-01-01T14:00:00"),
      ("2019:01:01 12:30:00AM", nil, "2019-01-01T00:30:00"),
      ("2003: 1: 5  3: 4: 5", nil, "2003-01-05T03:04:05"),
      ("2003:01:05 3:04:05", nil, "2003-01-05T03:04:05"),
      ("2003:01:05 3:4:05", nil, nil), ("2003:01:05 3", nil, nil),
      ("2021:01:02   :  :  ", "+02:00", "2021-01-02T00:00:00"),
      ("2021:01:02 : :", nil, "2021-01-02T00:00:00"),
      ("2021:05:     :  :  ", nil, "2021-05-01T00:00:00"),
      ("2021:  :     :  :  ", nil, "2021-01-01T00:00:00"),
      ("2021: : : :", nil, "2021-01-01T00:00:00"),
      ("    :  :     :  :  ", nil, nil), ("2021:01:02 :", nil, "2021-01-02T00:00:00"),
      ("2019.01.31 12:00:00", nil, "2019-01-31T12:00:00"),
      ("2019:05:00 00:00:00", nil, "2019-05-01T00:00:00"),
      ("2019:01:01 25:00:00", nil, nil), ("2019:01:01 12:00:00 CEST", nil, nil),
      ("2019:01:01 12:00:00+16:00", nil, nil), ("0001:01:01 00:00:00+14:00", nil, nil),
      ("2019", nil, nil), ("2019:01", nil, nil), ("2019:01:01", nil, "2019-01-01T00:00:00"),
      ("2007:06:30 18:45:  ", "+02:00", "2007-06-30T18:45:00+02:00"),
      ("2007:06:30 18:45", nil, "2007-06-30T18:45:00"), ("2007:06:30 18:  :  ", nil, nil),
      ("2023:02:30 18:45:00", nil, "2023-02-01T00:00:00"),
      ("2024:02:29 18:45:00", nil, "2024-02-29T18:45:00"),
    ] as [(String, String?, String?)])
  func `forms of EXIF`(text: String, offset: String?, expected: String?) {
    #expect(CaptureDate(exif: text, offset: offset)?.localISO == expected)
  }

  @Test(
    arguments: [
      ("2019", "2019-01-01T00:00:00", .year), ("2019-05", "2019-05-01T00:00:00", .month),
      ("2019-05-04", "2019-05-04T00:00:00", .day), ("2019-05-00", "2019-05-01T00:00:00", .month),
      ("2019-00-00T00:00:00", "2019-01-01T00:00:00", .year),
      ("2019-05-04T12:30", "2019-05-04T12:30:00", .time),
      ("2019-05-04T24:00:00", "2019-05-05T00:00:00", .time),
      ("2019-05-04T24:10:00+01:00", "2019-05-04T00:10:00+01:00", .time),
      ("2019-05-04T12:30 +02:00", "2019-05-04T12:30:00+02:00", .time),
      ("20190504", nil, nil), ("2019-13", nil, nil), ("19", nil, nil), ("0000", nil, nil),
      ("12019-05-04", nil, nil),
    ] as [(String, String?, CaptureDate.Precision?)])
  func `forms of ISO 8601`(text: String, expected: String?, precision: CaptureDate.Precision?) {
    let date = CaptureDate(iso: text)
    #expect(date?.localISO == expected && date?.precision == precision)
  }

  @Test(
    arguments: [
      ("Fri, 02 Jul 2021 03:04:05 +0200", "2021-07-02T03:04:05+02:00"),
      ("2 Jul 2021 03:04:05 GMT", "2021-07-02T03:04:05Z"),
      ("Fri 02 Jul 2021 03:04:05 PM CEST", "2021-07-02T15:04:05"),
      ("Fri Jul  2 03:04:05 2021", "2021-07-02T03:04:05"),
      ("Jul 2 3:04:05 2021", "2021-07-02T03:04:05"), ("2 July 2021 03:04", "2021-07-02T03:04:00"),
      ("02 Jul 21 03:04:05 GMT", nil), ("2 Foo 2021 03:04:05", nil), ("Fri, 02 Jul 2021", nil),
      ("32 Jul 2021 03:04:05", nil), ("-2 Jul 2021 03:04:05", nil), ("", nil),
    ] as [(String, String?)])
  func `forms of mail`(text: String, expected: String?) {
    #expect(CaptureDate(mail: text)?.localISO == expected)
  }

  @Test func `a day of IPTC may be unknown`() {
    #expect(CaptureDate(iptcDate: "20190500", time: nil)?.precision == .month)
    #expect(CaptureDate(iptcDate: "20190000", time: "120000+0100")?.precision == .year)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00", true), ("1970-01-01T00:00:00Z", true),
    ("1970-01-01T00:00:00.9+02:00", true), ("1970-01-01T02:00:00+02:00", true),
    ("1904-01-01T00:00:00", true), ("1970", false), ("1970-01-01", false),
    ("1970-01-01T00:00:01", false), ("2000-01-01T00:00:00", false),
    ("1980-01-01T00:00:00", false),
  ])
  func `the zero of a clock is no date`(text: String, isZero: Bool) throws {
    #expect(try #require(CaptureDate(iso: text)).isClockZero == isZero)
  }

  @Test(arguments: [
    ("2019-05-04T12:30:10", "2019-05-04T12:30:10+02:00", "2019-05-04T12:30:10+02:00"),
    ("2019-05-04T12:30:10.5", "2019-05-04T12:30:10-05:00", "2019-05-04T12:30:10.5-05:00"),
    ("2019-05-04T12:30:10", "2019-05-04T12:30+02:00", "2019-05-04T12:30:10+02:00"),
    ("2019-05-04T12:30:10", "2019-05-04T12:30:11+02:00", "2019-05-04T12:30:10"),
    ("2019-05-04T12:30:10", "2019-05-04T10:30:10Z", "2019-05-04T12:30:10"),
    ("2019-05-04T12:30:10", "2019-05-04T12:30:10", "2019-05-04T12:30:10"),
    ("2019-05-04T12:30:10Z", "2019-05-04T12:30:10+02:00", "2019-05-04T12:30:10Z"),
    ("2019-05-04", "2019-05-04T00:00:00+02:00", "2019-05-04T00:00:00"),
  ])
  func `the offset of the same clock time is used`(text: String, other: String, expected: String)
    throws
  {
    var date = try #require(CaptureDate(iso: text))
    date.adoptOffset(of: try #require(CaptureDate(iso: other)))
    #expect(date.localISO == expected)
  }

  @Test(arguments: [
    ("2019", "2019-12-31T23:00:00-05:00", true), ("2019", "2020-01-01T00:00:00", false),
    ("2019", "2019-05", true), ("2019-05", "2019-05-04", true), ("2019-05", "2019-06-01", false),
    ("2019-05-04", "2019-05-04T12:00:00", true), ("2019-05-04", "2019-05-03T12:00:00", false),
    ("2019-05-04", "2019-05-04", false), ("2019-05-04T12:00:00", "2019-05-04T12:00:00", false),
  ])
  func `a year, month or day includes more precise dates`(
    text: String, other: String, expected: Bool
  )
    throws
  {
    let date = try #require(CaptureDate(iso: text))
    #expect(date.includes(try #require(CaptureDate(iso: other))) == expected)
  }
}
