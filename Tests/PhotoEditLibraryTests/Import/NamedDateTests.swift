// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import Testing

@testable import PhotoEditLibrary

@Suite("Dates in names of files")
struct NamedDateTests {
  @Test(arguments: NamedDate.rows.flatMap { row in row.examples.map { ($0.name, $0.date) } })
  func `each example of the table has its date`(name: String, date: String) throws {
    let found = try #require(NamedDate(name)).date
    let expected = try #require(CaptureDate(iso: date))
    #expect(found.seconds == expected.seconds && found.offset == expected.offset)
  }

  @Test func `each row reads its own examples first`() {
    for row in NamedDate.rows {
      #expect(!row.examples.isEmpty, "\(row.pattern)")
      for example in row.examples {
        #expect(NamedDate.row(of: example.name)?.pattern == row.pattern, "\(example.name)")
      }
    }
  }

  @Test(arguments: [
    "IMG_0001.jpg", "DSC_0001.JPG", "P1000123.jpg", "IMG_20191302_030405.jpg",
    "IMG_20190230_030405.jpg", "IMG_20190102_250405.jpg", "IMG_2019010_030405.jpg",
    "IMG_120190102_030405.jpg", "IMG_20190102_0304051234567.jpg", "IMG_18990102_030405.jpg",
    "12345678_123456.jpg", "Screen Shot 2019-01-02 at 13.04.05 PM.png", "mmexport1546398.jpg",
    "FB_IMG_99999999999999.jpg", "20190102.jpg", "2019-01-02.jpg", "", "-", ".jpg",
    "IMG-20190102-WA.jpg", String(repeating: "a", count: 255),
    "IMG-20190102-WA0001", "DJI_0001.JPG", "GOPR0123.MP4",
  ])
  func `other names have no date`(name: String) {
    #expect((NamedDate(name) == nil) == (name != "IMG-20190102-WA0001"))
  }

  @Test(arguments: [
    ("img-20190102-wa0001.JPG", "2019-01-02"), ("PANO_20190102_030405.vr.jpg", clock),
    ("20190102_030405_HDR.jpg", clock), ("20190102_030405_001.jpg", clock),
    ("Screenshot_20190102-030405_One UI Home.png", clock),
    ("Capture d\u{2019}écran 2019-01-02 à 03.04.05.png", clock),
    ("Screenshot 2019-01-02 at 12.00.00 AM (2).png", "2019-01-02T00:00:00"),
    ("スクリーンショット 2019-01-02 3.04.05.png", clock),
    ("WhatsApp Video 2019-01-02 at 03.04.05.mp4", clock),
    ("video_2019-01-02_03-04-05.mp4", clock), ("PXL_20190102_030405678~2.jpg", clock + "Z"),
  ])
  func `variants of names are read`(name: String, date: String) throws {
    let found = try #require(NamedDate(name)).date
    #expect(found == CaptureDate(iso: date))
  }

  private static let clock = "2019-01-02T03:04:05"
}
