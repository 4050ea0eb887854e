// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Comments and ratings of other programs")
struct CommentTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private func imported(_ change: (inout ImageFile) -> Void) throws -> Asset {
    var file = ImageFile()
    change(&file)
    try write(try file.jpeg(try library.assets().count + 1), "a.jpg")
    #expect(run().assetCount == 1)
    return try #require(try library.assets().last)
  }

  private static func unicode(_ text: String, isBig: Bool, marked: Bool = false) -> [UInt8] {
    var bytes = Array("UNICODE\0".utf8)
    for unit in (marked ? [0xFEFF] : []) + Array(text.utf16) {
      let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
      bytes += isBig ? pair : pair.reversed()
    }
    return bytes
  }

  /// A comment in EXIF and the caption that it is.
  struct Comment: Sendable {
    let value: [UInt8]
    let caption: String?

    init(_ value: [UInt8], _ caption: String?) { (self.value, self.caption) = (value, caption) }

    init(_ text: String, _ caption: String?) { self.init(Array(text.utf8), caption) }
  }

  private static let zeros = [UInt8](repeating: 0, count: 8)

  private static let comments: [Comment] = [
    Comment("ASCII\0\0\0At noon\0\0  ", "At noon"),
    Comment("\0\0\0\0\0\0\0\0Süß", "Süß"),
    Comment(unicode("At noon", isBig: true), "At noon"),
    Comment(unicode("At noon", isBig: false), "At noon"),
    Comment(unicode("正午に", isBig: true), "正午に"),
    Comment(unicode("正午に", isBig: false, marked: true), "正午に"),
    Comment("ASCII\0\0\0SANYO DIGITAL CAMERA", nil),
    Comment("ASCII\0\0\0      ", nil),
    Comment("ASCII\0\0\0a\u{1}b", nil),
    Comment("JIS\0\0\0\0\0At noon", nil),
    Comment(zeros + [0xFF, 0xFE, 0x41], nil),
    Comment(zeros, nil),
    Comment("ASCII", nil),
    Comment([0xFF], nil),
  ]

  @Test(arguments: comments)
  func `the comment in EXIF is the caption of a photo without another`(
    _ comment: Comment
  ) throws {
    let field = ImageFile.Field.blob(0x9286, comment.value)
    #expect(try imported { $0.exif = [field] }.caption == comment.caption)
    let described = try imported {
      $0.exif = [field]
      $0.main = [.text(0x010E, "Ferry")]
    }
    #expect(described.caption == "Ferry")
  }

  @Test func `a comment that was replaced or removed does not come back`() throws {
    let asset = try imported {
      $0.exif = [.blob(0x9286, Array("ASCII\0\0\0At noon".utf8)), .short(0x8827, 100)]
    }
    for caption in [nil, "Mine"] {
      try library.library.performChangesAndWait { try $0.change(asset).setCaption(caption) }
      let changed = try #require(try library.assets().first)
      var jpeg = try FileBytes.reading(source.path("a.jpg")).array
      #expect(MetadataEmbedding.embed(SidecarMetadata(changed), at: 0, into: &jpeg) == .changed)
      let image = try #require(try ImageProperties.reading(FileBytes(jpeg)))
      #expect(image.capture.tags[.caption] == caption && image.device.iso == 100)
    }
  }

  @Test func `the subject of Windows is a caption, and a percentage is stars`() throws {
    #expect(try imported { $0.main = [.windows(0x9C9F, "At noon")] }.caption == "At noon")
    let both = try imported { $0.main = [.windows(0x9C9F, "old"), .windows(0x9C9C, "At noon")] }
    #expect(both.caption == "At noon")
    for (percent, stars) in [(1, 1), (25, 2), (50, 3), (75, 4), (99, 5), (0, 0), (101, 0)] {
      #expect(try imported { $0.main = [.short(0x4749, percent)] }.rating == stars, "\(percent)")
    }
  }

  @Test func `ACDSee's caption and rating are read, and removed where they are changed`() throws {
    let acdSee = "xmlns:acdsee=\"http://ns.acdsee.com/iptc/1.0/\" "
    let asset = try imported { $0.xmp = acdSee + "acdsee:caption=\"Ferry\" acdsee:rating=\"3\"" }
    #expect(asset.caption == "Ferry" && asset.rating == 3)
    let other = try imported {
      $0.xmp =
        acdSee + "acdsee:caption=\"Ferry\" acdsee:rating=\"3\" dc:description=\"At noon\" "
        + "xmp:Rating=\"5\""
    }
    #expect(other.caption == "At noon" && other.rating == 5)
    for rating in [0, 9] {
      #expect(try imported { $0.xmp = acdSee + "acdsee:rating=\"\(rating)\"" }.rating == 0)
    }
    var metadata = SidecarMetadata(texts: PhotoProperties.textNames)
    metadata.tags.rating = 2
    var file = ImageFile()
    file.xmp = acdSee + "acdsee:caption=\"Ferry\" acdsee:rating=\"3\""
    var jpeg = try file.jpeg()
    #expect(MetadataEmbedding.embed(metadata, at: 0, into: &jpeg) == .changed)
    let image = try #require(try ImageProperties.reading(FileBytes(jpeg)))
    #expect(image.capture.tags[.caption] == nil && image.capture.tags.rating == 2)
  }

  @Test(arguments: [
    ("GE DIGITAL CAMERA", nil), ("SANYO DIGITAL CAMERA", nil), ("DCF 1.0", nil), ("hdr", nil),
    ("sdr", nil), ("exif_jpeg_420", nil), ("LEAD Technologies Inc. V1.01", nil),
    ("Digital StillCamera", nil), ("Created with GIMP", nil), ("default", nil),
    ("DCIM\\163GOPRO\\G0128330.JPG", nil), ("My digital camera", "My digital camera"),
    ("HDR of the harbor", "HDR of the harbor"),
  ])
  func `a default text of a camera or a program is no caption`(
    _ text: String, _ caption: String?
  ) throws {
    #expect(try imported { $0.main = [.text(0x010E, text)] }.caption == caption)
  }

  @Test func `the RAW file of a pair states the offset of the clock of both`() throws {
    var raw = ImageFile()
    raw.main = [.long(0x0100, 400), .long(0x0101, 300), .blob(50_706, [1, 4, 0, 0])]
    raw.exif = [.text(0x9003, "2020:01:02 03:04:05"), .text(0x9011, "-04:00")]
    try write(raw.tiff, "Q.DNG")
    _ = run()
    let alone = try #require(try library.assets().first)
    #expect(alone.creationDate?.timeIntervalSince1970 == 1_577_948_645)
    var file = ImageFile()
    file.exif = [.text(0x9003, "2020:01:02 03:04:05")]
    try write(try file.jpeg(), "Q.JPG")
    #expect(run().assetCount == 0)
    let pair = try #require(try library.assets().first)
    #expect(pair.originalFilename == "Q.JPG" && pair.creationDate == alone.creationDate)
    #expect(pair.utcOffset == -14_400)
    // A clock of another time is another one.
    file.exif = [.text(0x9003, "2020:01:02 03:04:09")]
    let other = try TestLibrary()
    try write(raw.tiff, "b/Q.DNG")
    try write(try file.jpeg(2), "b/Q.JPG")
    _ = Importer(other.library).run([source.path("b")])
    #expect(try other.assets().map(\.utcOffset) == [nil])
  }
}
