// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import Testing

@Suite("Regions in XMP")
struct XMPRegionTests {
  private static let group = """
    xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
    xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" \
    xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
    """

  /// A left face and a right one; as attributes or as elements.
  private func packet(usesElements: Bool) -> String {
    func area(_ x: String, _ name: String) -> String {
      let values = [("x", x), ("y", "0.25"), ("w", "0.2"), ("h", "0.1")]
      if usesElements {
        let fields = values.map { "<stArea:\($0.0)>\($0.1)</stArea:\($0.0)>" }.joined()
        return """
          <rdf:li rdf:parseType="Resource"><mwg-rs:Area rdf:parseType="Resource">\(fields)\
          <stArea:unit>normalized</stArea:unit></mwg-rs:Area><mwg-rs:Name>\(name)</mwg-rs:Name>\
          </rdf:li>
          """
      }
      let fields = values.map { "stArea:\($0.0)=\"\($0.1)\"" }.joined(separator: " ")
      return """
        <rdf:li><rdf:Description mwg-rs:Name="\(name)"><mwg-rs:Area \(fields) \
        stArea:unit="normalized"/></rdf:Description></rdf:li>
        """
    }
    return MetadataFixture.packet(
      Self.group,
      """
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="4000" \
      stDim:h="2000" stDim:unit="pixel"/><mwg-rs:RegionList><rdf:Bag>\
      \(area("0.2", "Left"))\(area("0.7", "Right"))</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
      """, padding: 500)
  }

  private func rendered(
    _ packet: String, _ geometry: RenderingGeometry?,
    _ size: PixelSize = PixelSize(width: 2000, height: 2000)
  ) throws -> (text: String, losses: [MetadataLoss.Kind]) {
    let metadata = try MetadataFixture.read([MetadataFixture.xmp(packet)])
    var facts = RenderedImageProperties(size: size)
    facts.geometry = geometry
    let result = metadata.segments(forRendering: facts)
    let payload = try #require(result.segments.first { $0.kind == .xmp }).payload
    #expect(try MetadataFixture.read(result.segments).notices.isEmpty)
    return (String(decoding: payload, as: UTF8.self), result.losses.map(\.kind))
  }

  private func has(_ text: String, _ name: String, _ value: String) -> Bool {
    text.contains("stArea:\(name)=\"\(value)\"")
      || text.contains("<stArea:\(name)>\(value)</stArea:\(name)>")
  }

  private let stored = PixelSize(width: 4000, height: 2000)

  @Test(arguments: [true, false])
  func `a crop moves the faces inside it and removes those outside`(usesElements: Bool) throws {
    let right = Region(x: 2000, y: 0, width: 2000, height: 2000)
    let (text, losses) = try rendered(
      packet(usesElements: usesElements), .identity.cropped(to: right, of: stored))
    #expect(!text.contains("Left") && text.contains("Right"))
    for (name, value) in [("x", "0.4"), ("y", "0.25"), ("w", "0.4"), ("h", "0.1")] {
      #expect(has(text, name, value), "\(name) is not \(value)")
    }
    #expect(text.contains("stDim:w=\"2000\"") && text.contains("stDim:h=\"2000\""))
    #expect(losses.isEmpty)
  }

  @Test func `a face cut by the edge is kept if its center is inside, and is clipped`() throws {
    // The right face extends from 0.6 to 0.8; the crop ends at 0.75.
    let crop = Region(x: 0, y: 0, width: 3000, height: 2000)
    let (text, _) = try rendered(
      packet(usesElements: false), .identity.cropped(to: crop, of: stored))
    #expect(has(text, "x", "0.9") && has(text, "w", "0.2"))
  }

  @Test(arguments: [
    (Orientation.right, "0.75", "0.2"), (.left, "0.25", "0.8"), (.down, "0.8", "0.75"),
    (.upMirrored, "0.8", "0.25"), (.leftMirrored, "0.25", "0.2"), (.rightMirrored, "0.75", "0.8"),
  ])
  func `a rotation also rotates the faces`(orientation: Orientation, x: String, y: String) throws {
    let (text, losses) = try rendered(packet(usesElements: true), .orientation(orientation))
    #expect(has(text, "x", x) && has(text, "y", y))
    #expect(has(text, "w", orientation.swapsAxes ? "0.1" : "0.2"))
    #expect(losses.isEmpty)
  }

  @Test func `the list is removed if no face is inside the crop`() throws {
    let corner = Region(x: 3900, y: 1900, width: 100, height: 100)
    let (text, losses) = try rendered(
      packet(usesElements: false), .identity.cropped(to: corner, of: stored))
    #expect(!text.contains("mwg-rs:Region") && losses.isEmpty)
  }

  @Test func `an edit that does not move pixels keeps every byte`() throws {
    let packet = packet(usesElements: true)
    #expect(try rendered(packet, .identity, stored).text.hasSuffix(packet))
  }

  @Test func `a warp or invalid numbers remove the faces and report a loss`() throws {
    let packet = packet(usesElements: false)
    for (text, geometry) in [
      (packet, nil), (packet.replacing("0.25", with: "abcd"), RenderingGeometry.orientation(.down)),
    ] {
      let (result, losses) = try rendered(text, geometry)
      #expect(!result.contains("mwg-rs:Region") && !result.contains("Left"))
      #expect(losses == [.regions])
    }
  }

  @Test func `Microsoft regions are adjusted as well`() throws {
    let packet = MetadataFixture.packet(
      """
      xmlns:MP="http://ns.microsoft.com/photo/1.2/" \
      xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#" \
      xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#"
      """,
      """
      <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag><rdf:li \
      MPReg:Rectangle="0.1, 0.2, 0.2, 0.1" MPReg:PersonDisplayName="A"/><rdf:li \
      MPReg:PersonDisplayName="B"/></rdf:Bag></MPRI:Regions></MP:RegionInfo>
      """, padding: 100)
    let (text, losses) = try rendered(packet, .orientation(.down))
    #expect(text.contains("MPReg:Rectangle=\"0.7, 0.7, 0.2, 0.1\""))
    #expect(text.contains("\"B\"") && losses.isEmpty)
  }

  @Test(arguments: [true, false])
  func `panorama metadata is kept only if pixels do not move`(isMoved: Bool) throws {
    let packet = MetadataFixture.packet(
      """
      xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" \
      GPano:ProjectionType="equirectangular"
      """)
    var map = RenderingGeometry.identity
    map.isResampled = isMoved
    let (text, losses) = try rendered(packet, map)
    #expect(text.contains("equirectangular") != isMoved)
    #expect(losses == (isMoved ? [.panorama] : []))
  }

  @Test func `rotations and crops are applied in order`() {
    let stored = PixelSize(width: 40, height: 20)
    for orientation in Orientation.allCases {
      let size = orientation.applied(to: stored)
      let region = Region(x: 3, y: 2, width: 10, height: 12)
      let map = RenderingGeometry.identity.rotated(by: orientation).cropped(to: region, of: size)
      for (x, y) in [(0, 0), (9, 11), (4, 7)] {
        let point = orientation.storedPosition(x: region.x + x, y: region.y + y, stored: stored)
        let (u, v) = (
          (Double(point.x) + 0.5) / Double(stored.width),
          (Double(point.y) + 0.5) / Double(stored.height)
        )
        let (mx, my) = (map.xx * u + map.xy * v + map.x0, map.yx * u + map.yy * v + map.y0)
        #expect(abs(mx * 10 - Double(x) - 0.5) < 1e-9, "\(orientation)")
        #expect(abs(my * 12 - Double(y) - 0.5) < 1e-9, "\(orientation)")
      }
    }
  }
}

extension String {
  fileprivate func replacing(_ word: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(word) {
        result += other
        rest = rest.dropFirst(word.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}
