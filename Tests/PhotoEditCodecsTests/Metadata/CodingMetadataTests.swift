// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@testable import PhotoEditCodecs

@Suite("Metadata about the coding of the file, and settings that are not applied yet")
struct CodingMetadataTests {
  typealias Fixture = MetadataFixture

  private func rendered(
    _ segments: [JPEGSegment], _ change: (inout RenderedImageProperties) -> Void = { _ in }
  ) throws -> RenderedMetadata {
    var facts = RenderedImageProperties(size: PixelSize(width: 400, height: 300))
    change(&facts)
    return try Fixture.read(segments).rendered(facts)
  }

  private func text(_ metadata: RenderedMetadata) throws -> String {
    let payload = try #require(metadata.segments.first { $0.kind == .xmp }).payload
    return String(decoding: payload, as: UTF8.self)
  }

  private static let coding = Fixture.packet(
    """
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" dc:format="image/png" \
    photoshop:ColorMode="4" photoshop:ICCProfile="Some Press" tiff:SamplesPerPixel="4" \
    tiff:PhotometricInterpretation="5" tiff:Compression="5" tiff:PlanarConfiguration="2" \
    tiff:Predictor="2" tiff:YCbCrPositioning="2" xmlns:png="http://ns.adobe.com/png/1.0/" \
    png:BitDepth="16" exif:Compression="5"
    """, list("BitsPerSample", 16, 16, 16, 16) + list("YCbCrSubSampling", 2, 1))

  private static func list(_ name: String, _ values: Int...) -> String {
    "<tiff:\(name)><rdf:Seq>" + values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
      + "</rdf:Seq></tiff:\(name)>"
  }

  @Test func `XMP describes the coding of the rendering`() throws {
    let color = try text(
      rendered([Fixture.xmp(Self.coding)]) {
        ($0.keepsColorProfile, $0.sampling) = (false, .s420)
      })
    for word in [
      "dc:format=\"image/jpeg\"", "photoshop:ColorMode=\"3\"", "tiff:SamplesPerPixel=\"3\"",
      "tiff:PhotometricInterpretation=\"6\"", "tiff:Compression=\"6\"",
      "tiff:PlanarConfiguration=\"1\"", "tiff:YCbCrPositioning=\"1\"",
      "<rdf:li>8</rdf:li><rdf:li>8</rdf:li><rdf:li>8</rdf:li>  ",
      "<rdf:li>2</rdf:li><rdf:li>2</rdf:li>",
    ] { #expect(color.contains(word), "\(word)") }
    for word in ["Some Press", "Predictor", "BitDepth", "exif:Compression", ">16<"] {
      #expect(!color.contains(word), "\(word)")
    }
    let gray = try text(rendered([Fixture.xmp(Self.coding)]) { $0.isGray = true })
    for word in [
      "photoshop:ColorMode=\"1\"", "tiff:SamplesPerPixel=\"1\"",
      "tiff:PhotometricInterpretation=\"1\"", "<rdf:li>8</rdf:li> ",
    ] { #expect(gray.contains(word), "\(word)") }
    #expect(!gray.contains("YCbCr"))
    #expect(gray.contains("Some Press"))
  }

  @Test(arguments: [true, false])
  func `the compression and the components of the source are not those of the rendering`(
    isGray: Bool
  ) throws {
    let list =
      "<exif:ComponentsConfiguration><rdf:Seq><rdf:li>4</rdf:li><rdf:li>5</rdf:li>"
      + "<rdf:li>6</rdf:li><rdf:li>0</rdf:li></rdf:Seq></exif:ComponentsConfiguration>"
    let packet = Fixture.packet("exif:CompressedBitsPerPixel=\"4/1\"", list)
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreExif = [
      .init(tag: 0x9101, type: 7, bytes: [4, 5, 6, 0]),
      .init(tag: 0x9102, type: 5, bytes: fixture.long(777) + fixture.long(1)),
    ]
    let quality = Array("8BIM".utf8) + [4, 6, 0, 0] + Fixture.big32(2) + [0, 77]
    let segments = [
      Fixture.exif(fixture.build()), Fixture.xmp(packet),
      Fixture.app(13, "Photoshop 3.0\0", quality),
    ]
    let result = try rendered(segments) { $0.isGray = isGray }
    let xmp = try text(result)
    #expect(!xmp.contains("CompressedBits"))
    let items = (isGray ? [1, 0, 0, 0] : [1, 2, 3, 0]).map { "<rdf:li>\($0)</rdf:li>" }.joined()
    #expect(xmp.contains(items))
    let payload = try #require(result.segments.first { $0.kind == .exif }).payload
    let tiff = try #require(TIFFStructure(exif: Array(payload.dropFirst(6))))
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)
    #expect(exif?.entry(0x9102) == nil)
    #expect(payload.firstOffset(of: fixture.long(777)) == nil)
    let components = try #require(exif?.entry(0x9101)?.value)
    #expect(Array(tiff.bytes[components]) == (isGray ? [1, 0, 0, 0] : [1, 2, 3, 0]))
    #expect(!result.segments.contains { $0.kind == .photoshop })
    #expect(result.losses.isEmpty)
  }

  @Test func `values that hold for the rendering stay byte for byte`() throws {
    let packet = Fixture.packet(
      """
      dc:format="image/jpeg" tiff:PhotometricInterpretation="2" tiff:Compression="7" \
      tiff:SamplesPerPixel="3"
      """, Self.list("BitsPerSample", 8, 8, 8))
    #expect(try text(rendered([Fixture.xmp(packet)])).hasSuffix(packet))
  }

  @Test(arguments: [true, false])
  func `EXIF describes the samples of the rendering`(isGray: Bool) throws {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreMain = [
      .init(tag: 0x102, type: 3, bytes: [16, 16, 16].flatMap { fixture.short($0) }),
      fixture.field(0x103, short: 5), fixture.field(0x106, short: 5),
      fixture.field(0x115, short: 4), fixture.field(0x11C, short: 2),
    ]
    let result = try rendered([Fixture.exif(fixture.build())]) { $0.isGray = isGray }
    let payload = try #require(result.segments.first { $0.kind == .exif }).payload
    let tiff = try #require(TIFFStructure(exif: Array(payload.dropFirst(6))))
    let values = [0x103, 0x106, 0x115, 0x11C].map { tag in
      tiff.main?.entry(tag).flatMap { tiff.integer($0) }
    }
    #expect(values == (isGray ? [6, 1, 1, 1] : [6, 6, 3, 1]))
    let bits = try #require(tiff.main?.entry(0x102))
    #expect((0..<bits.count).map { tiff.integer(bits, at: $0) } == (isGray ? [8] : [8, 8, 8]))
  }

  @Test func `the kind of image in IPTC follows the number of components`() throws {
    let data: [UInt8] = [0x1C, 2, 130, 0, 2] + Array("4F".utf8)
    let block = Array("8BIM".utf8) + [4, 4, 0, 0] + Fixture.big32(data.count) + data + [0]
    let segments = [Fixture.app(13, "Photoshop 3.0\0", block)]
    for (isGray, expected) in [(true, "1W"), (false, "3F")] {
      let payload = try #require(try rendered(segments) { $0.isGray = isGray }.segments.last)
        .payload
      #expect(payload.firstOffset(of: Array(expected.utf8)) != nil)
    }
  }

  // MARK: Settings of Camera Raw

  private static let settings = """
    xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:HasSettings="True" \
    crs:HasCrop="True" crs:CropTop="0.1" crs:Exposure2012="+1.00"
    """

  @Test func `imported settings are marked as applied, or are left out`() throws {
    let marked = Fixture.packet(Self.settings + #" crs:AlreadyApplied="False""#)
    let result = try rendered([Fixture.xmp(marked)]) { $0.includesSettings = true }
    #expect(try text(result).contains(#"crs:AlreadyApplied="True""#))
    #expect(try text(result).contains("crs:Exposure2012=\"+1.00\""))
    let plain = try rendered([Fixture.xmp(Fixture.packet(Self.settings))]) {
      ($0.includesSettings, $0.geometry) = (true, .orientation(.right))
    }
    #expect(try !text(plain).contains("crs:Exposure") && !text(plain).contains("crs:HasCrop"))
    #expect(result.losses.isEmpty && plain.losses.isEmpty)
  }

  @Test func `a crop that is not applied yet is lost if pixels move`() throws {
    let local = """
      <crs:MaskGroupBasedCorrections><rdf:Seq><rdf:li>LOCAL</rdf:li></rdf:Seq>\
      </crs:MaskGroupBasedCorrections>
      """
    let segments = [
      Fixture.xmp(Fixture.packet(Self.settings + #" crs:AlreadyApplied="False""#, local))
    ]
    let stays = try rendered(segments)
    #expect(try text(stays).contains("crs:HasCrop") && text(stays).contains("LOCAL"))
    #expect(stays.losses.isEmpty)
    for geometry in [RenderingGeometry.orientation(.right), nil] {
      let moved = try rendered(segments) { $0.geometry = geometry }
      #expect(try !text(moved).contains("Crop") && !text(moved).contains("LOCAL"))
      #expect(try text(moved).contains("crs:Exposure2012"))
      #expect(moved.losses.map(\.kind) == [.xmp])
    }
    let applied = Fixture.xmp(Fixture.packet(Self.settings + #" crs:AlreadyApplied="True""#))
    let done = try rendered([applied]) { $0.geometry = nil }
    #expect(try text(done).contains("crs:CropTop") && done.losses.isEmpty)
  }

  // MARK: Edits of other programs

  private static let darktable = """
    xmlns:darktable="http://darktable.sf.net/" darktable:history_end="2" \
    darktable:iop_order_version="4" darktable:raw_params="0"
    """

  private static func history(_ operations: String...) -> String {
    "<darktable:history><rdf:Seq>"
      + operations.map { "<rdf:li darktable:operation=\"\($0)\" darktable:params=\"00\"/>" }
      .joined()
      + "</rdf:Seq></darktable:history>"
      + "<darktable:colorlabels><rdf:Seq><rdf:li>3</rdf:li></rdf:Seq></darktable:colorlabels>"
  }

  /// Edits that do not fit moved pixels.
  private static let edits = [
    Fixture.packet(darktable, history("exposure", "crop")),
    Fixture.packet(
      darktable,
      """
      <darktable:history_operation><rdf:Seq><rdf:li>clipping</rdf:li></rdf:Seq>\
      </darktable:history_operation>
      """),
    Fixture.packet(
      darktable,
      history("exposure") + "<darktable:masks_history><rdf:Seq/></darktable:masks_history>"),
    Fixture.packet(
      """
      xmlns:aas="http://ns.apple.com/adjustment-settings/1.0/" aas:CropX="1" aas:AffineA="1"
      """),
    Fixture.packet(
      "xmlns:nine=\"http://ns.nikon.com/nine/1.0/\"", "<nine:NineEdits>AAAA</nine:NineEdits>"),
    Fixture.packet("xmlns:acdsee=\"http://ns.acdsee.com/iptc/1.0/\" acdsee:dpp=\"1\""),
    Fixture.packet("xmlns:o=\"urn:o\" o:image_crop=\"0,0,5,5\""),
    Fixture.packet("xmlns:o=\"urn:o\" o:Rotation=\"crop\""),
    Fixture.packet("xmlns:o=\"urn:o\" o:Straighten=\"crop\""),
    Fixture.packet("xmlns:o=\"urn:o\" o:PerspectiveVertical=\"crop\""),
    Fixture.packet("xmlns:o=\"urn:o\" o:flipped=\"crop\""),
    Fixture.packet(
      "xmlns:o=\"urn:o\"",
      "<o:steps><rdf:Bag><rdf:li o:tool=\"x\" o:cropLeft=\"1\"/></rdf:Bag></o:steps>"),
    Fixture.packet(
      """
      xmlns:crss="http://ns.adobe.com/camera-raw-saved-settings/1.0/" \
      xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
      """,
      "<crss:SavedSettings><rdf:Bag><rdf:li crs:HasCrop=\"True\"/></rdf:Bag></crss:SavedSettings>"),
  ]

  @Test(arguments: edits)
  func `an edit of another program is lost if pixels move`(packet: String) throws {
    let segments = [Fixture.xmp(packet)]
    let stays = try rendered(segments)
    #expect(try text(stays).hasSuffix(packet) && stays.losses.isEmpty)
    for geometry in [RenderingGeometry.orientation(.right), nil] {
      let moved = try rendered(segments) { $0.geometry = geometry }
      let rest = try text(moved)
      for word in [
        "crop", "Crop", "clipping", "history", "mask", "iop", "raw_params", "Affine", "AAAA", "dpp",
      ] { #expect(!rest.contains(word), "\(word)") }
      #expect(rest.contains("colorlabels") == packet.contains("colorlabels"))
      #expect(moved.losses.map(\.kind) == [.xmp])
    }
  }

  @Test func `an edit without positions stays if pixels move`() throws {
    let packets = [
      Fixture.packet(Self.darktable, Self.history("exposure", "sharpen")),
      Fixture.packet("xmlns:o=\"urn:o\" o:CropFactor=\"1.5\" o:Microprocessor=\"x\""),
      Fixture.packet(
        "xmlns:aas=\"http://ns.apple.com/adjustment-settings/1.0/\" aas:Shadows=\"1\""),
    ]
    for packet in packets {
      let moved = try rendered([Fixture.xmp(packet)]) { $0.geometry = nil }
      #expect(try text(moved).hasSuffix(packet) && moved.losses.isEmpty)
    }
  }
}
