// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import Testing

@Suite("XMP provenance of a rendering")
struct XMPProvenanceTests {
  private static let mm = "xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\""
  private static let event = "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
  private static let name = "xmp.iid:00010203-0405-8607-8809-0a0b0c0d0e0f"

  private var facts: RenderedImageProperties {
    var facts = ExifMetadataTests.facts
    facts.instance = Array(0..<16)
    return facts
  }

  private func rendered(_ packet: String, _ facts: RenderedImageProperties) throws -> String {
    let metadata = try MetadataFixture.read([MetadataFixture.xmp(packet)])
    let segments = metadata.segments(forRendering: facts).segments
    let payload = try #require(segments.first { $0.kind == .xmp }).payload
    let again = try MetadataFixture.read(segments)
    #expect(again.notices.isEmpty, "the written packet is well-formed")
    return String(decoding: payload.dropFirst(29), as: UTF8.self)
  }

  @Test func `a packet without provenance gets none`() throws {
    let packet = MetadataFixture.packet("dc:identifier=\"a\"")
    #expect(try rendered(packet, facts) == packet)
  }

  @Test func `an existing creator tool is replaced by photoedit`() throws {
    let result = try rendered(
      MetadataFixture.packet("xmp:CreatorTool=\"Camera &amp; Co\"", padding: 40), facts)
    #expect(result.contains("xmp:CreatorTool=\"photoedit 0.1\""))
  }

  @Test(arguments: [
    // Attributes, and items as attributes.
    (
      "xmpMM:InstanceID=\"xmp.iid:old\" xmpMM:DocumentID=\"xmp.did:doc\"",
      "<xmpMM:History><rdf:Seq><rdf:li stEvt:action=\"created\"/></rdf:Seq></xmpMM:History>"
    ),
    // Elements, and items as elements; DerivedFrom has another value.
    (
      "",
      """
      <xmpMM:InstanceID>xmp.iid:old</xmpMM:InstanceID><xmpMM:DocumentID>xmp.did:doc\
      </xmpMM:DocumentID><xmpMM:DerivedFrom rdf:parseType="Resource"><stRef:instanceID>older\
      </stRef:instanceID></xmpMM:DerivedFrom><xmpMM:History><rdf:Seq><rdf:li \
      rdf:parseType="Resource"><stEvt:action>created</stEvt:action></rdf:li></rdf:Seq>\
      </xmpMM:History>
      """
    ),
    // An empty list, and no list.
    (
      "xmpMM:InstanceID=\"xmp.iid:old\" xmpMM:DocumentID=\"xmp.did:doc\"",
      "<xmpMM:History><rdf:Seq/></xmpMM:History>"
    ), ("xmpMM:InstanceID='xmp.iid:old' xmpMM:DocumentID='xmp.did:doc'", ""),
  ])
  func `a history is continued in its existing form`(attributes: String, elements: String) throws {
    let declarations =
      "\(Self.mm) xmlns:stEvt=\"\(Self.event)\" "
      + "xmlns:stRef=\"http://ns.adobe.com/xap/1.0/sType/ResourceRef#\" "
    let packet = MetadataFixture.packet(declarations + attributes, elements, padding: 2000)
    let result = try rendered(packet, facts)
    #expect(result.contains(Self.name))
    #expect(result.contains("xmp.did:doc"), "the document is still the same")
    #expect(
      result.contains("stRef:instanceID=\"xmp.iid:old\" stRef:documentID=\"xmp.did:doc\""))
    #expect(!result.contains(">older<"))
    let isElement = elements.contains("<stEvt:action>")
    let saved = isElement ? "<stEvt:action>saved</stEvt:action>" : "stEvt:action=\"saved\""
    let when =
      isElement
      ? "<stEvt:when>2026-05-01T12:00:00+02:00<" : "stEvt:when=\"2026-05-01T12:00:00+02:00\""
    #expect(result.contains(saved) && result.contains(when))
    #expect(result.contains("created") == elements.contains("created"))
    #expect(result.components(of: "<xmpMM:History") == 1)
    #expect(result.components(of: "<xmpMM:DerivedFrom") == 1)
    #expect(result.utf8.count == packet.utf8.count, "padding pays")
  }

  @Test func `equal facts give equal bytes, and different facts another instance ID`() throws {
    let packet = MetadataFixture.packet("\(Self.mm) xmpMM:InstanceID=\"xmp.iid:old\"")
    var other = facts
    other.instance = Array(1..<17)
    #expect(try rendered(packet, facts) == rendered(packet, facts))
    #expect(try rendered(packet, facts) != rendered(packet, other))
  }

  @Test func `a self-closing description is opened to add provenance`() throws {
    let packet = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
      \(Self.mm) xmpMM:DocumentID="d"/></rdf:RDF>
      """
    let result = try rendered(packet, facts)
    #expect(result.hasSuffix("</rdf:Description></rdf:RDF>"))
    #expect(result.contains("<xmpMM:InstanceID") && result.contains(Self.name))
  }
}

extension String {
  /// The number of occurrences of a text.
  fileprivate func components(of text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let start = rest.firstIndex(of: "<") {
      if rest[start...].hasPrefix(text) { count += 1 }
      rest = rest[start...].dropFirst()
    }
    return count
  }
}
