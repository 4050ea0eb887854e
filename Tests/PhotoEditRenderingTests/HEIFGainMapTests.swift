// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

#if HEIF
  @Suite(
    "Gain maps of HEIC photos",
    .enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
  struct HEIFGainMapTests {
    private static let smaller = PixelSize(width: 64, height: 48)
    private static let versions: [UInt8] = [0, 0, 0, 0]
    /// Three fractions for each channel, and the flags before them; any bytes will do.
    private static let parameters: [UInt8] = [0x40] + (1...57).map { UInt8($0) }

    /// The kinds of description that cameras write.
    enum Kind: CaseIterable { case apple, standard, both }

    /// A photo with a gain map of the same content at half the size.
    private static func photo(
      _ kind: Kind, steps: UInt8? = nil, isHidden: Bool = false,
      _ change: (inout CodedPicture.Settings) -> Void = { _ in }
    ) throws -> [UInt8] {
      var settings = CodedPicture.Settings().with { ($0.width, $0.height) = (128, 96) }
      let turn = steps.map { [HEIFFile.box("irot", [$0])] } ?? []
      var file = HEIFFile(try CodedPicture.make(settings.with(change)), properties: turn)
      (settings.width, settings.height, settings.chroma) = (64, 48, nil)
      let ramp = HDRFile.ramp(smaller, channels: .gray)
      let map = try CodedPicture(settings, planes: [ramp.bytes.map { Int($0) }])
      let type = HEIFFile.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap")
      file.items.append(HEIFFile.item(2, map, properties: turn + (kind == .standard ? [] : [type])))
      file.items[1].isHidden = isHidden
      if kind != .standard {
        var packet = HEIFFile.Item(3, "mime", packet)
        packet.contentType = "application/rdf+xml"
        file.items.append(packet)
        file.references += [("auxl", 2, [1]), ("cdsc", 3, [2])]
      }
      if kind != .apple {
        file.brands.append("tmap")
        let size = HEIFFile.size(128, 96)
        file.items.append(
          HEIFFile.Item(4, "tmap", [0] + versions + parameters, properties: [size]))
        file.references.append(("dimg", 4, [1, 2]))
      }
      return file.bytes
    }

    private static let packet = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
      xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" \
      HDRGainMap:HDRGainMapVersion="131072" HDRGainMap:HDRGainMapHeadroom="3.25"/></rdf:RDF>\
      </x:xmpmeta>
      """.utf8)

    @Test(arguments: Kind.allCases, [nil, 1, 3] as [UInt8?])
    func `a turned photo has its gain map with its description`(
      kind: Kind, steps: UInt8?
    ) throws {
      for isHidden in [false, true] {
        let bytes = try Self.photo(kind, steps: steps, isHidden: isHidden)
        let rendering = try GainMapTests.render(bytes, [Rotate90(turns: 1)])
        #expect(!rendering.losses.contains { $0.kind == "gainMap" })
        let parts = try GainMapTests.images(rendering.jpeg)
        let map = try ImageDecoders.decode(FileBytes(parts[1]))
        let turns = (5 - Int(steps ?? 0)) % 4
        let expected = HDRFile.ramp(Self.smaller, channels: .gray)
          .rotated(Orientation(clockwiseRotations: turns))
        #expect(HDRFile.distance(map, expected) <= 4)
        let words = [
          "apdi:AuxiliaryImageType=\"urn:com:apple:photo:2020:aux:hdrgainmap\"",
          "HDRGainMap:HDRGainMapVersion=\"131072\"", "HDRGainMap:HDRGainMapHeadroom=\"3.25\"",
        ]
        for word in words {
          #expect((parts[1].firstRange(of: Array(word.utf8)) != nil) == (kind != .standard))
          #expect(parts[0].firstRange(of: Array(word.utf8)) == nil)
        }
        let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + Self.versions
        #expect((parts[0].firstRange(of: name) != nil) == (kind != .apple))
        let whole = name + Self.parameters
        #expect(parts[0].firstRange(of: whole) == nil)
        #expect((parts[1].firstRange(of: whole) != nil) == (kind != .apple))
        // The rendering is an HDR photo again.
        let again = try GainMapTests.render(rendering.jpeg, [Rotate90(turns: 1)])
        #expect(!again.losses.contains { $0.kind == "gainMap" })
      }
    }

    @Test(arguments: Kind.allCases)
    func `a tone change removes the gain map and reports it`(kind: Kind) throws {
      let rendering = try GainMapTests.render(Self.photo(kind), [Exposure(ev: 0.5)])
      #expect(rendering.losses.contains { $0.kind == "gainMap" })
      for word in ["MPF\0", "hdrgainmap", "21496"] {
        #expect(rendering.jpeg.firstRange(of: Array(word.utf8)) == nil)
      }
    }

    @Test func `an HDR image loses its gain map, which leads to standard range`() throws {
      let bytes = try Self.photo(.standard) { ($0.bits, $0.color) = (10, [9, 16, 9]) }
      let rendering = try GainMapTests.render(bytes, [Rotate90(turns: 1)])
      #expect(Set(rendering.losses.map(\.kind)).isSuperset(of: ["hdr", "gainMap"]))
      #expect(rendering.jpeg.firstRange(of: Array("MPF\0".utf8)) == nil)
    }

    @Test func `a gain map that cannot be decoded leaves the photo as it is`() throws {
      var bytes = try Self.photo(.apple)
      // The gain map is the last coded image.
      for index in (bytes.count - Self.packet.count - 40)..<(bytes.count - Self.packet.count) {
        bytes[index] = 0
      }
      let rendering = try GainMapTests.render(bytes, [Rotate90(turns: 1)])
      #expect(rendering.losses.contains { $0.kind == "gainMap" })
      #expect(try ImageDecoders.decode(FileBytes(rendering.jpeg)).size.width == 96)
    }
  }
#endif
