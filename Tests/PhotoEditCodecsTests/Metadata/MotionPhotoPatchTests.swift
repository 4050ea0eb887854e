// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Motion photo metadata")
struct MotionPhotoPatchTests {
  private let movie: [UInt8] = MovieFile().bytes
  private let camera = "http://ns.google.com/photos/1.0/camera/"

  private func announced(_ jpeg: [UInt8], time: Double? = 0.5) -> [UInt8]? {
    var result = jpeg
    let type = "video/quicktime"
    let isDone = MotionPhotoPatch.announce(movieOf: movie.count, type, photoTime: time, in: &result)
    if !isDone { #expect(result == jpeg) }
    return isDone ? result : nil
  }

  private func packet(_ jpeg: [UInt8]) throws -> XMPPacket {
    XMPPacket(try #require(try ImageMetadata.read(jpeg: FileBytes(jpeg)).xmpPacket))
  }

  /// Packets as written by various programs.
  private func stills() throws -> [[UInt8]] {
    var plain = ImageFile()
    var stated = ImageFile()
    stated.xmp =
      "xmlns:GCamera=\"\(camera)\" GCamera:MicroVideo=\"1\" GCamera:MicroVideoOffset=\"9\" "
      + "GCamera:MotionPhoto=\"0\" dc:format=\"image/jpeg\""
    var exif = ImageFile()
    exif.main = [.text(0x010F, "Maker")]
    plain.xmp = nil
    return [try plain.jpeg(), try stated.jpeg(), try exif.jpeg()]
  }

  @Test func `a still image states the length and the time of the video that follows`() throws {
    for still in try stills() {
      let jpeg = try #require(announced(still))
      let metadata = try ImageMetadata.read(jpeg: FileBytes(jpeg + movie))
      #expect(metadata.motionPhotoRange == jpeg.count..<(jpeg.count + movie.count))
      #expect(metadata.motionPhotoTime == 0.5)
      let packet = try packet(jpeg)
      #expect(packet.scan.isWellFormed && packet.announcesMotionPhoto)
      #expect(packet.text(.camera, "MotionPhoto") == "1")
      #expect(packet.text(.camera, "MotionPhotoVersion") == "1")
      #expect(packet.property(.camera, "MicroVideo") == nil)
      let directory = try #require(packet.property(.container, "Directory"))
      let tree = try #require(XMPTree(packet.bytes, directory.whole))
      let items = tree.items(in: 0)
      #expect(items.map { tree.text("Semantic", in: $0) } == ["Primary", "MotionPhoto"])
      #expect(items.map { tree.text("Mime", in: $0) } == ["image/jpeg", "video/quicktime"])
      #expect(tree.text("Length", in: items[1]) == "\(movie.count)")
      // Metadata not related to the video stays.
      let before = try ImageMetadata.read(jpeg: FileBytes(still))
      #expect(metadata.summary.make == before.summary.make)
      let format = before.xmpPacket.flatMap { XMPPacket($0).text(.dublinCore, "format") }
      #expect(packet.text(.dublinCore, "format") == format)
    }
  }

  @Test func `writing the video information again replaces it`() throws {
    for still in try stills() {
      let first = try #require(announced(still, time: nil))
      let metadata = try ImageMetadata.read(jpeg: FileBytes(first))
      #expect(metadata.motionPhotoTime == nil)
      #expect(try packet(first).text(.camera, "MotionPhotoPresentationTimestampUs") == "-1")
      let second = try #require(announced(first))
      let packet = try packet(second)
      for name in ["MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs"] {
        let count = packet.scan.properties.count { $0.isNamed(.camera, name) }
        #expect(count == 1, "\(name)")
      }
      #expect(packet.scan.properties.count { $0.namespace == .container } == 1)
    }
  }

  @Test func `a gain map stays first, and the video follows it`() throws {
    var file = ImageFile()
    file.xmp = "xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" hdrgm:Version=\"1.0\""
    let map = try file.jpeg()
    var still = try ImageFile().jpeg()
    let index = MultiPictureIndex.blank
    still.insert(contentsOf: [0xFF, 0xE2, 0, UInt8(index.count + 2)] + index, at: 2)
    #expect(MultiPictureIndex.append(map, to: &still))
    let jpeg = try #require(announced(still))
    let metadata = try ImageMetadata.read(jpeg: FileBytes(jpeg + movie))
    let range = try #require(metadata.gainMapRange)
    #expect(range.count == map.count && range.upperBound == jpeg.count)
    #expect(metadata.motionPhotoRange?.lowerBound == jpeg.count)
    let packet = try packet(jpeg)
    let directory = try #require(packet.property(.container, "Directory"))
    let tree = try #require(XMPTree(packet.bytes, directory.whole))
    let lengths = tree.items(in: 0).map { tree.text("Length", in: $0) }
    #expect(lengths == [nil, "\(map.count)", "\(movie.count)"])
    // The index has the new length of the image and the offset of the map.
    let position = try #require(JPEGHeaderSegments(jpeg)?.payload(.mpf))
    let header = position.lowerBound + 4
    #expect(jpeg.unsigned32(at: header + 54, .big) == range.lowerBound)
    #expect(jpeg.unsigned32(at: header + 74, .big).map { header + $0 } == range.lowerBound)
  }

  @Test func `a broken, full or unrelated packet is left unchanged`() throws {
    var broken = ImageFile()
    broken.xmp = "><"
    var external = ImageFile()
    external.xmp = "xmlns:GCamera=\"http://example.org/other/\" GCamera:Lens=\"a\""
    var full = ImageFile()
    full.xmp = "dc:format=\"\(String(repeating: "x", count: 64_700))\""
    for file in [broken, external, full] { #expect(announced(try file.jpeg()) == nil) }
    #expect(announced(try TestImages.bytes("png-gray-1.png")) == nil)
  }
}
