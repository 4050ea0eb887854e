// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("Metadata of GIF, WebP and animated PNG")
struct AnimationMetadataTests {
  private var gif: GIFFixture {
    GIFFixture(
      width: 4, height: 4, palette: [0, 0, 0, 255, 255, 255],
      frames: [.init(width: 4, height: 4, indices: [UInt8](repeating: 1, count: 16))])
  }

  private static let packet =
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'>"
    + "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    + "<rdf:Description xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='3'/>"
    + "</rdf:RDF></x:xmpmeta>"

  private static let profile: [UInt8] = {
    var bytes = [UInt8](repeating: 7, count: 300)
    bytes.store32(300, at: 0)
    bytes.replaceSubrange(16..<20, with: Array("RGB ".utf8))
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return bytes
  }()

  @Test func `comments, XMP and profile of a GIF are converted for a JPEG`() throws {
    var fixture = gif
    let long = String(repeating: "long ", count: 100)
    fixture.extensions =
      GIFFixture.block(0xFE, Array("first".utf8)) + GIFFixture.xmp(Self.packet)
      + GIFFixture.application("ICCRGBG1012", Self.profile)
      + GIFFixture.application("NETSCAPE2.0", [1, 0, 0]) + GIFFixture.block(0xFE, Array(long.utf8))
    let metadata = try ImageMetadata.read(FileBytes(fixture.build()))
    #expect(metadata.losses.isEmpty && metadata.notices.isEmpty)
    #expect(metadata.orientation == .down)
    #expect(metadata.icc == Self.profile)
    let comments = metadata.segments.filter { $0.kind == .comment }.map(\.payload)
    #expect(comments == [Array("first".utf8), Array(long.utf8)])
    let xmp = metadata.segments.first { $0.kind == .xmp }?.payload
    #expect(xmp == JPEGSegment.Signature.xmp + Array(Self.packet.utf8))
  }

  @Test func `GIF features that a JPEG lacks are reported`() throws {
    var fixture = gif
    fixture.frames += [fixture.frames[0], fixture.frames[0]]
    fixture.extensions =
      GIFFixture.application("MAGICKTM1.0", [1])
      + GIFFixture.block(1, [UInt8](repeating: 1, count: 12))
    let losses = try ImageMetadata.read(FileBytes(fixture.build() + [1, 2])).losses
    #expect(losses.map(\.kind) == [.frames, .text, .unknownChunks, .trailingData])
    #expect(losses.first?.detail.contains("3 frames") == true)
    let short = try ImageMetadata.read(FileBytes(Array(gif.build().dropLast())))
    #expect(short.notices.contains { $0.contains("truncated") })
  }

  @Test func `comments over the limit are rejected`() {
    var fixture = gif
    fixture.extensions = GIFFixture.block(0xFE, [UInt8](repeating: 65, count: 5000))
    let file = FileBytes(fixture.build())
    #expect(throws: MetadataError.tooManyBytes(limit: 4000)) {
      try ImageMetadata.read(file, limits: ImageLimits(maximumMetadataBytes: 4000))
    }
  }

  #if WebP
    @Test func `EXIF, XMP and profile of a WebP are converted for a JPEG`() throws {
      var camera = ExifFixture()
      let exif = camera.build()
      let image = TestImage.make(8, 8)
      let bits = WebPFixture.bitstream(WebPFixture.simple(image))
      for prefix in [[], Array("Exif\0\0".utf8)] as [[UInt8]] {
        let file = WebPFixture.extended(
          image.size, flags: 0x2C,
          [
            WebPFixture.chunk("ICCP", Self.profile), bits,
            WebPFixture.chunk("EXIF", prefix + exif),
            WebPFixture.chunk("XMP ", Array(Self.packet.utf8)),
          ])
        let metadata = try ImageMetadata.read(FileBytes(file))
        #expect(metadata.losses.isEmpty && metadata.notices.isEmpty)
        // EXIF takes precedence over XMP.
        #expect(metadata.orientation.rawValue == camera.orientation)
        #expect(metadata.icc == Self.profile)
        let segment = metadata.segments.first { $0.kind == .exif }?.payload
        #expect(segment == Array("Exif\0\0".utf8) + exif)
        #expect(metadata.summary.model == "Model")
      }
    }

    @Test func `WebP features that a JPEG lacks are reported`() throws {
      let image = TestImage.make(8, 8)
      let file = WebPFixture.extended(
        image.size, flags: 2,
        [
          WebPFixture.chunk("prvt", [1]), WebPFixture.frame(image, x: 0, y: 0),
          WebPFixture.frame(image, x: 0, y: 0), WebPFixture.chunk("EXIF", [1]),
          WebPFixture.chunk("EXIF", [2]),
        ])
      let metadata = try ImageMetadata.read(FileBytes(file + [9]))
      #expect(metadata.losses.map(\.kind) == [.unknownChunks, .frames, .trailingData])
      #expect(metadata.losses.contains { $0.detail.contains("2 frames") })
      #expect(metadata.notices.contains { $0.contains("duplicate chunks (EXIF") })
    }
  #endif

  @Test func `an animated PNG reports whether the kept image is one of its frames`() throws {
    func losses(_ chunks: [(String, [UInt8])]) throws -> [MetadataLoss] {
      let file = PNGFixture.file(
        width: 2, height: 1, depth: 8, color: 0, rows: [0, 1, 2], before: chunks)
      return try ImageMetadata.read(FileBytes(file)).losses
    }
    let control = [UInt8](repeating: 0, count: 26)
    func animation(_ frames: UInt8) -> (String, [UInt8]) {
      ("acTL", [0, 0, 0, frames, 0, 0, 0, 0])
    }
    let shown = try losses([animation(5), ("fcTL", control)])
    #expect(shown.map(\.kind) == [.frames] && shown[0].detail.contains("only the first is kept"))
    let hidden = try losses([animation(1)])
    #expect(hidden.map(\.kind) == [.frames] && hidden[0].detail.contains("still image"))
    // One frame, which is the image itself: nothing is lost.
    #expect(try losses([animation(1), ("fcTL", control)]).isEmpty)
  }
}
