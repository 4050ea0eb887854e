// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Metadata of custom pixels")
struct PixelMetadataTests {
  private static func file(_ attributes: String) throws -> ImageSource {
    var file = ImageFile()
    file.xmp = attributes
    return try ImageSource(FileBytes(file.jpeg()))
  }

  @Test func `different pixels get different instance IDs, and equal ones the same`() throws {
    let image = try Self.file(
      "xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\" xmpMM:InstanceID=\"xmp.iid:1\"")
    var pixels = try Renderer.pixels(of: image, as: UInt8.self)
    let instances = try [0, 0, 99].map { (level: UInt8) in
      pixels.samples[0] = level
      let segments = try ImageMetadata.read(
        FileBytes(Renderer.render(pixels, of: image).jpeg)
      ).segments
      return try #require(segments.first { $0.kind == .xmp }).payload
    }
    #expect(instances[0] == instances[1] && instances[0] != instances[2])
  }

  @Test func `regions are kept for the image's size and removed for another one`() throws {
    let marked = try ImageSource(FileBytes(Self.marked(Charts.source(named: "orientation-6.jpg"))))
    let same = try Renderer.render(Renderer.pixels(of: marked, as: UInt8.self), of: marked)
    #expect(!same.losses.contains { $0.kind == "regions" })
    OwnPixelsTests.check(same, try OwnPixelsTests.expected(marked))
    let other = PixelBuffer<UInt8>(
      size: PixelSize(width: 32, height: 32), channels: .rgb, colorSpace: .sRGB, filledWith: 9)
    let losses = try Renderer.render(other, of: marked).losses
    #expect(losses.map(\.kind).contains("regions"))
  }

  private static func marked(_ image: ImageSource) -> [UInt8] {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
      xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" \
      xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#">\
      <mwg-rs:Regions rdf:parseType="Resource">\
      <mwg-rs:AppliedToDimensions stDim:w="64" stDim:h="64" stDim:unit="pixel"/>\
      <mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">\
      <mwg-rs:Area stArea:x="0.25" stArea:y="0.5" stArea:w="0.25" stArea:h="0.25" \
      stArea:unit="normalized"/><mwg-rs:Type>Face</mwg-rs:Type></rdf:li></rdf:Bag>\
      </mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    return ProfiledFiles.jpeg(
      image.bytes.array,
      adding: [
        JPEGSegment(
          marker: 0xE1,
          payload: Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))
      ])
  }

  @Test func `a gain map is reported as a loss`() throws {
    let size = PixelSize(width: 128, height: 96)
    let map = try HDRFile.jpeg(
      HDRFile.ramp(PixelSize(width: 64, height: 48), channels: .gray), [HDRFile.gainMapXMP(false)])
    let photo = try HDRFile.jpeg(
      HDRFile.ramp(size, channels: .rgb), [HDRFile.primaryXMP(gainMapByteCount: map.count)])
    let image = try ImageSource(FileBytes(photo + map))
    let made = try Renderer.render(Renderer.pixels(of: image, as: UInt8.self), of: image)
    #expect(made.losses.contains { $0.kind == "gainMap" })
    #expect(made.jpeg.firstRange(of: Array("MPF\0".utf8)) == nil)
    #expect(
      try !Renderer.render(image, FilterGraph()).losses.contains { $0.kind == "gainMap" })
  }
}
