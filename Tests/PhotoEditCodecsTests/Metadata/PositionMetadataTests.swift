// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Positions, sizes, directions and resolutions follow the geometry")
struct PositionMetadataTests {
  typealias Fixture = MetadataFixture

  private static let stored = PixelSize(width: 400, height: 300)

  /// The rendering for a map that keeps the scale.
  private static func rendered(
    _ segments: [JPEGSegment], _ geometry: RenderingGeometry?, width: Int, height: Int
  ) throws -> RenderedMetadata {
    var facts = RenderedImageProperties(size: PixelSize(width: width, height: height))
    facts.storedSize = stored
    facts.geometry = geometry
    return try Fixture.read(segments).rendered(facts)
  }

  private static func rotated(_ segments: [JPEGSegment]) throws -> RenderedMetadata {
    try rendered(segments, .orientation(.right), width: 300, height: 400)
  }

  private static func rightHalf(_ segments: [JPEGSegment]) throws -> RenderedMetadata {
    let region = Region(x: 200, y: 0, width: 200, height: 300)
    return try rendered(
      segments, .identity.cropped(to: region, of: stored), width: 200, height: 300)
  }

  private static func payload(_ metadata: RenderedMetadata, _ kind: JPEGSegment.Kind) throws
    -> [UInt8]
  { try #require(metadata.segments.first { $0.kind == kind }).payload }

  private static func text(_ metadata: RenderedMetadata) throws -> String {
    String(decoding: try payload(metadata, .xmp), as: UTF8.self)
  }

  // MARK: EXIF

  @Test func `the subject and the related size of EXIF follow a turn`() throws {
    var fixture = ExifFixture(thumbnail: .none)
    let shorts = { (values: [Int]) in values.flatMap { fixture.short($0) } }
    fixture.moreExif = [
      .init(tag: 0x9214, type: 3, bytes: shorts([100, 75, 40, 20])),
      .init(tag: 0xA214, type: 3, bytes: shorts([100, 75])),
    ]
    let tiff = try Self.tiff(Self.rotated([Fixture.exif(fixture.build())]))
    let exif = try #require(tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main))
    let area = try #require(exif.entry(0x9214))
    let point = try #require(exif.entry(0xA214))
    // A clockwise 90° rotation: x' = height − y, y' = x.
    #expect((0..<4).map { tiff.integer(area, at: $0) } == [225, 100, 20, 40])
    #expect((0..<2).map { tiff.integer(point, at: $0) } == [225, 100])
  }

  /// Positions of subjects, and those after a crop to the right half; nil if they are lost.
  private static let subjects: [(values: [Int], expected: [Int]?)] = [
    ([300, 100, 40, 20], [100, 100, 40, 20]), ([100, 100, 40, 20], nil), ([100, 100, 60], nil),
    ([50, 50], nil), ([300, 100], [100, 100]), ([200, 150, 400, 300], [100, 150, 200, 300]),
    ([190, 100, 60, 20], [10, 100, 20, 20]), ([390, 10, 40], [185, 15, 30]),
    ([0, 0, 0, 0], [0, 0, 0, 0]),
  ]

  @Test(arguments: subjects.indices)
  func `a subject is limited to the rendering, and lost if outside`(index: Int) throws {
    let (values, expected) = Self.subjects[index]
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreExif = [.init(tag: 0x9214, type: 3, bytes: values.flatMap { fixture.short($0) })]
    let items = { (values: [Int]) in
      "<exif:SubjectArea><rdf:Seq>" + values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        + "</rdf:Seq></exif:SubjectArea>"
    }
    let result = try Self.rightHalf([
      Fixture.exif(fixture.build()), Fixture.xmp(Fixture.packet("", items(values))),
    ])
    let tiff = try Self.tiff(result)
    let exif = try #require(tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main))
    let area = exif.entry(0x9214)
    let found = area.map { entry in (0..<entry.count).compactMap { tiff.integer(entry, at: $0) } }
    #expect(found == expected)
    let text = try Self.text(result)
    if let expected {
      #expect(text.contains(items(expected)) && result.losses.isEmpty)
    } else {
      #expect(!text.contains("SubjectArea"))
      #expect(Set(result.losses.map(\.kind)) == [.regions])
    }
  }

  @Test func `the related size of the first directory is that of the rendering`() throws {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreMain = [fixture.field(0x1001, short: 400), fixture.field(0x1002, short: 300)]
    let tiff = try Self.tiff(Self.rightHalf([Fixture.exif(fixture.build())]))
    let sizes = [0x1001, 0x1002].map { tag in
      tiff.main?.entry(tag).flatMap { tiff.integer($0) }
    }
    #expect(sizes == [200, 300])
  }

  @Test(arguments: [false, true])
  func `the resolution of the focal plane follows the size of the pixels`(isRotated: Bool) throws {
    var fixture = ExifFixture(thumbnail: .none)
    let rational = { (value: Int) in fixture.long(value) + fixture.long(1) }
    fixture.moreExif = [
      .init(tag: 0xA20E, type: 5, bytes: rational(5000)),
      .init(tag: 0xA20F, type: 5, bytes: rational(4000)),
    ]
    let packet = Fixture.packet(
      #"exif:FocalPlaneXResolution="5000/1" exif:FocalPlaneYResolution="4000/1""#)
    var geometry = isRotated ? RenderingGeometry.orientation(.right) : .identity
    geometry.isResampled = true
    // Half the width and a third of the height.
    let result = try Self.rendered(
      [Fixture.exif(fixture.build()), Fixture.xmp(packet)], geometry,
      width: isRotated ? 100 : 200, height: isRotated ? 200 : 100)
    let tiff = try Self.tiff(result)
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)
    let values = [0xA20E, 0xA20F].map { tag in
      exif?.entry(tag).flatMap { tiff.fraction($0) }.map { Int($0.rounded()) }
    }
    #expect(values == (isRotated ? [1333, 2500] : [2500, 1333]))
    let text = try Self.text(result)
    let (x, y) = isRotated ? ("Y", "X") : ("X", "Y")
    #expect(text.contains("exif:FocalPlane\(x)Resolution=\"2500000/1000\""))
    #expect(text.contains("exif:FocalPlane\(y)Resolution=\"1333333333/1000000\""))
    #expect(result.losses.isEmpty)
  }

  private static func tiff(_ metadata: RenderedMetadata) throws -> TIFFStructure {
    try #require(TIFFStructure(exif: Array(payload(metadata, .exif).dropFirst(6))))
  }

  @Test func `the size in the interoperability directory is that of the rendering`() throws {
    let long = { (value: Int) in Fixture.big32(value) }
    let entry = { (tag: [UInt8], value: Int) in tag + [0, 4] + long(1) + long(value) }
    let tiff =
      Array("MM\0*".utf8) + long(8) + [0, 1] + entry([0x87, 0x69], 26) + long(0)
      + [0, 1] + entry([0xA0, 0x05], 44) + long(0)
      + [0, 2] + entry([0x10, 0x01], 400) + entry([0x10, 0x02], 300) + long(0)
    let result = try Self.tiff(Self.rightHalf([Fixture.exif(tiff)]))
    let exif = result.directory(pointedToBy: ExifTag.exifDirectory, in: result.main)
    let related = try #require(
      result.directory(pointedToBy: ExifTag.interoperabilityDirectory, in: exif))
    #expect(related.entries.map { result.integer($0) } == [200, 300])
  }

  @Test(arguments: [(RenderingGeometry.orientation(.right), true), (.orientation(.down), false)])
  func `resolutions change places after a 90° rotation`(
    geometry: RenderingGeometry, isExchanged: Bool
  ) throws {
    var fixture = ExifFixture(thumbnail: .none)
    let rational = { (value: Int) in fixture.long(value) + fixture.long(1) }
    fixture.moreMain = [
      .init(tag: 0x11A, type: 5, bytes: rational(300)),
      .init(tag: 0x11B, type: 5, bytes: rational(150)),
    ]
    fixture.moreExif = [
      .init(tag: 0xA20E, type: 5, bytes: rational(5000)),
      .init(tag: 0xA20F, type: 5, bytes: rational(4000)),
    ]
    let packet = Fixture.packet(
      """
      tiff:XResolution="300/1" tiff:YResolution="1500/10" exif:FocalPlaneXResolution="5000/1" \
      exif:FocalPlaneYResolution="4000/1"
      """)
    let resolution: [UInt8] = [1, 44, 0, 0, 0, 1, 0, 1, 0, 150, 0, 0, 0, 2, 0, 2]
    var jfif = JFIF.plain
    jfif.replaceSubrange(7..<12, with: [1, 1, 44, 0, 150])
    let result = try Self.rendered(
      [
        JPEGSegment(marker: 0xE0, payload: jfif), Fixture.exif(fixture.build()),
        Fixture.xmp(packet), Self.photoshop(1005, resolution),
      ], geometry, width: 300, height: 300)
    func ordered<Value>(_ x: Value, _ y: Value) -> [Value] { isExchanged ? [y, x] : [x, y] }
    let tiff = try Self.tiff(result)
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)
    func rationals(_ tags: [Int], _ directory: TIFFStructure.Directory?) -> [Int?] {
      tags.map { tag in
        (directory?.entry(tag)?.value).flatMap { tiff.bytes.unsigned32(at: $0.lowerBound) }
      }
    }
    #expect(rationals([0x11A, 0x11B], tiff.main) == ordered(300, 150))
    #expect(rationals([0xA20E, 0xA20F], exif) == ordered(5000, 4000))
    let density = try Self.payload(result, .jfif)
    #expect([density.unsigned16(at: 8), density.unsigned16(at: 10)] == ordered(300, 150))
    let text = try Self.text(result)
    let dots = ordered("300/1", "1500/10")
    #expect(text.contains("tiff:XResolution=\"\(dots[0])\""))
    #expect(text.contains("tiff:YResolution=\"\(dots[1])\""))
    let plane = ordered("5000/1", "4000/1")
    #expect(text.contains("exif:FocalPlaneXResolution=\"\(plane[0])\""))
    let halves = ordered(resolution[..<8], resolution[8...])
    #expect(Self.resource(1005, result).map { Array($0) } == Array(halves[0] + halves[1]))
    #expect(result.losses.isEmpty)
  }

  // MARK: XMP

  @Test func `the subject in XMP follows a turn, or is lost`() throws {
    func seq(_ name: String, _ values: String...) -> String {
      "<exif:\(name)><rdf:Seq>" + values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        + "</rdf:Seq></exif:\(name)>"
    }
    let packet = Fixture.packet(
      "", seq("SubjectArea", "100", "75", "40", "20") + seq("SubjectLocation", "100", "75"))
    let rotated = try Self.rotated([Fixture.xmp(packet)])
    let text = try Self.text(rotated)
    #expect(text.contains(seq("SubjectArea", "225", "100", "20", "40")))
    #expect(text.contains(seq("SubjectLocation", "225", "100")))
    #expect(rotated.losses.isEmpty)
    let lost = try Self.rotated([Fixture.xmp(Fixture.packet("exif:SubjectArea=\"100 75\""))])
    #expect(try !Self.text(lost).contains("SubjectArea"))
    #expect(lost.losses.map(\.kind) == [.regions])
  }

  @Test(arguments: [
    "<r:Regions xmlns:r=\"http://ns.acdsee.com/regions/\"><r:List>REGION</r:List></r:Regions>",
    "<r:Faces xmlns:r=\"http://ns.apple.com/faceinfo/1.0/\"><r:List>REGION</r:List></r:Faces>",
  ])
  func `regions of other programs are lost if pixels move`(element: String) throws {
    let segments = [Fixture.xmp(Fixture.packet("", element))]
    let rotated = try Self.rotated(segments)
    #expect(try !Self.text(rotated).contains("REGION"))
    #expect(rotated.losses.map(\.kind) == [.regions])
    #expect(
      try Self.text(Self.rendered(segments, .identity, width: 400, height: 300)).contains("REGION"))
  }

  // MARK: Photoshop and IPTC

  private static func photoshop(_ number: UInt16, _ data: [UInt8]) -> JPEGSegment {
    Fixture.app(13, "Photoshop 3.0\0", block(number, data))
  }

  private static func block(_ number: UInt16, _ data: [UInt8]) -> [UInt8] {
    let padding: [UInt8] = data.count % 2 == 0 ? [] : [0]
    return Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 255), 0, 0]
      + Fixture.big32(data.count) + data + padding
  }

  private static func resource(_ number: Int, _ metadata: RenderedMetadata) -> ArraySlice<UInt8>? {
    PhotoshopResources.content(
      of: number, in: metadata.segments.filter { $0.kind == .photoshop }.map(\.payload))
  }

  /// A closed path with one knot, whose three points are equal.
  private static func path(x: Double, y: Double) -> [UInt8] {
    let fixed = { (value: Double) in Fixture.big32(Int(value * Double(1 << 24))) }
    let length: [UInt8] = [0, 0, 0, 1] + [UInt8](repeating: 0, count: 22)
    let point = fixed(y) + fixed(x)
    return length + [0, 1] + point + point + point
  }

  @Test func `paths follow a crop and a turn`() throws {
    let segments = [Self.photoshop(2000, Self.path(x: 0.75, y: 0.25))]
    let cropped = try Self.rightHalf(segments)
    #expect(Self.resource(2000, cropped).map { Array($0) } == Self.path(x: 0.5, y: 0.25))
    let rotated = try Self.rotated(segments)
    #expect(Self.resource(2000, rotated).map { Array($0) } == Self.path(x: 0.75, y: 0.75))
    #expect(cropped.losses.isEmpty && rotated.losses.isEmpty)
    let warped = try Self.rendered(segments, nil, width: 400, height: 300)
    #expect(Self.resource(2000, warped) == nil)
    #expect(warped.losses.map(\.kind) == [.regions])
  }

  @Test func `guides follow a crop, and those outside are removed`() throws {
    let head = Fixture.big32(1) + Fixture.big32(576) + Fixture.big32(576)
    func guides(_ guides: (Int, UInt8)...) -> [UInt8] {
      head + Fixture.big32(guides.count) + guides.flatMap { Fixture.big32($0.0 * 32) + [$0.1] }
    }
    let segments = [Self.photoshop(1032, guides((300, 0), (100, 0), (60, 1)))]
    let cropped = try Self.rightHalf(segments)
    #expect(Self.resource(1032, cropped).map { Array($0) } == guides((100, 0), (60, 1)))
    let rotated = try Self.rotated(segments)
    #expect(
      Self.resource(1032, rotated).map { Array($0) } == guides((300, 1), (100, 1), (240, 0)))
  }

  @Test(arguments: [1038, 1050, 1073, 1080])
  func `slices, color samplers and counted points are lost if pixels move`(
    number: Int
  ) throws {
    let rotated = try Self.rotated([Self.photoshop(UInt16(number), [1, 2, 3, 4])])
    #expect(Self.resource(number, rotated) == nil)
    #expect(rotated.losses.map(\.kind) == [.regions])
  }

  @Test func `the record about the source's samples in IPTC goes if pixels move`() throws {
    let text: [UInt8] = [0x1C, 2, 5, 0, 2] + "OK".utf8
    let size: [UInt8] = [0x1C, 3, 20, 0, 2, 1, 144]
    let rotated = try Self.rotated([Self.photoshop(1028, text + size)])
    #expect(Self.resource(1028, rotated).map { Array($0) } == text)
  }

  @Test(arguments: [
    "xmpDM:videoFrameSize", "m:FaceRect", "m:BoundingBox", "m:focus_point_x",
    "drone-dji:CalibratedOpticalCenterX", "m:ReferencePixel", "m:ImageSize",
  ])
  func `positions of other programs in XMP are lost if pixels move`(name: String) throws {
    let packet = Fixture.packet(
      """
      xmlns:xmpDM="http://ns.adobe.com/xmp/1.0/DynamicMedia/" xmlns:m="urn:m" \
      xmlns:drone-dji="http://www.dji.com/drone-dji/1.0/" \(name)="12" dc:format="image/jpeg"
      """)
    let rotated = try Self.rotated([Fixture.xmp(packet)])
    let text = String(
      decoding: try #require(rotated.segments.first { $0.kind == .xmp }).payload, as: UTF8.self)
    #expect(!text.contains(name + "=") && text.contains("dc:format"))
    #expect(rotated.losses.map(\.kind) == [.regions])
    let same = try Self.rendered([Fixture.xmp(packet)], .orientation(.up), width: 400, height: 300)
    #expect(same.losses.isEmpty)
  }

  /// Slices of version 6 of an image of 400 × 300 pixels, each by its left and right edge.
  private static func webAreas(_ edges: [(Int, Int)], hasLayer: Bool = false) -> [UInt8] {
    func numbers(_ values: Int...) -> [UInt8] { values.flatMap { Fixture.big32($0) } }
    let areas = edges.map { left, right in
      numbers(0, 0, hasLayer ? 1 : 0) + (hasLayer ? numbers(9) : []) + numbers(1) + [0, 0x61]
        + numbers(1, left, 0, right, 300) + [UInt8](repeating: 0, count: 30)
    }
    return numbers(6, 0, 0, 300, 400, 2) + [0, 0x61, 0, 0x62] + numbers(areas.count)
      + areas.flatMap { $0 }
  }

  /// The members of a later version that have areas: of the image, and of one slice.
  private static func laterWebAreas(right: Int) -> [UInt8] {
    func area(_ right: Int) -> [UInt8] {
      [("Top ", 0), ("Left", 0), ("Btom", 300), ("Rght", right)].flatMap { side, value in
        [0, 0, 0, 0] + Array("\(side)long".utf8) + Fixture.big32(value)
      }
    }
    return Fixture.big32(8) + area(400) + Array("slicesVlLs".utf8) + Fixture.big32(1) + area(right)
  }

  @Test(arguments: [
    (webAreas([(0, 400)]), true), (webAreas([(0, 400)], hasLayer: true), true),
    (webAreas([(0, 200)]), false), (webAreas([(0, 200), (200, 400)]), false), (webAreas([]), false),
    (laterWebAreas(right: 400), true), (laterWebAreas(right: 200), false),
    (Array(webAreas([(0, 400)]).prefix(60)), false),
  ])
  func `a single slice of the whole image is no loss`(data: [UInt8], isWhole: Bool) throws {
    let cropped = try Self.rightHalf([Self.photoshop(1050, data)])
    #expect(Self.resource(1050, cropped) == nil)
    #expect(cropped.losses.map(\.kind) == (isWhole ? [] : [.regions]))
  }

  @Test func `the shape in IPTC is that of the rendering, and its digest stays valid`() throws {
    func iptc(_ shape: String) -> [UInt8] {
      [0x1C, 2, 131, 0, 1] + shape.utf8 + [0x1C, 2, 5, 0, 2] + "OK".utf8
    }
    let old = iptc("L")
    let segment = Fixture.app(
      13, "Photoshop 3.0\0", Self.block(1061, MD5.digest(of: old)) + Self.block(1028, old))
    let rotated = try Self.rotated([segment])
    #expect(Self.resource(1028, rotated).map { Array($0) } == iptc("P"))
    #expect(Self.resource(1061, rotated).map { Array($0) } == MD5.digest(of: iptc("P")))
    #expect(rotated.losses.isEmpty)
  }

  // MARK: Segments of camera makers

  /// Samples of two bytes that are no text.
  private static func samples(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { [UInt8($0 & 15), 0x20] }
  }

  private static let sensorImages: [[JPEGSegment]] = [
    [
      Fixture.app(1, "FLIR\0", [1, 0, 1] + samples(50)),
      Fixture.app(1, "FLIR\0", [1, 1, 1] + samples(50)),
    ],
    [Fixture.app(11, "HDR_RI ver=11\0", samples(50))],
    [Fixture.app(3, "", samples(30_000)), Fixture.app(3, "", samples(1000))],
    [Fixture.app(4, "DEPTH\0", samples(4800))],
  ]

  @Test(arguments: sensorImages.indices)
  func `an image of another sensor is lost if pixels move`(index: Int) throws {
    let segments = Self.sensorImages[index]
    let same = try Self.rendered(segments, .identity, width: 400, height: 300)
    #expect(same.segments.suffix(segments.count) == segments[...])
    #expect(same.losses.isEmpty)
    for result in [
      try Self.rightHalf(segments), try Self.rotated(segments),
      try Self.rendered(segments, nil, width: 400, height: 300),
    ] {
      #expect(result.segments.map(\.kind) == [.jfif])
      #expect(result.losses.map(\.kind) == [.auxiliaryImages])
    }
  }

  @Test func `other segments of camera makers stay if pixels move`() throws {
    let segments = [
      Fixture.app(6, "GoPro\0", Self.samples(10_000)),
      Fixture.app(7, "Log\0", [UInt8](repeating: 0x41, count: 20_000)),
      Fixture.app(8, "Small\0", Self.samples(1000)),
    ]
    let result = try Self.rightHalf(segments)
    #expect(result.segments.suffix(3) == segments[...])
    #expect(result.losses.isEmpty)
  }
}
