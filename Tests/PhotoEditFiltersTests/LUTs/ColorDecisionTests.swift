// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditFilters

private let correction = """
  <ColorCorrection id="shot1">
    <Description>warm <b>and</b> soft</Description>
    <SOPNode>
      <Slope>1.2 0.9 1.1</Slope>
      <Offset> -0.01
       0 .02 </Offset>
      <Power>1 1e0 0.8</Power>
    </SOPNode>
    <SATNode><Saturation>0.85</Saturation></SATNode>
  </ColorCorrection>
  """

private func file(_ text: String) throws(LUTFileError) -> CDLDocument {
  try CDLDocument(Array(text.utf8))
}

private func message(_ text: String) -> String {
  do throws(LUTFileError) {
    return "read \(try file(text).corrections.count)"
  } catch {
    return error.description
  }
}

@Suite("Color decision files")
struct ColorDecisionTests {
  @Test(arguments: [
    correction,
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + correction,
    "<ColorCorrectionCollection xmlns=\"urn:ASC:CDL:v1.2\">\(correction)</ColorCorrectionCollection>",
    """
    <cdl:ColorDecisionList xmlns:cdl="urn:ASC:CDL:v1.01"><!-- x --><ColorDecision>
    <MediaRef ref="a.dpx"/>\(correction)<ColorCorrectionRef ref="other"/></ColorDecision>
    </cdl:ColorDecisionList>
    """,
  ])
  func `each type of file is read`(_ text: String) throws {
    let decision = try file(text).correction()
    #expect(decision.slope == [1.2, 0.9, 1.1] && decision.offset == [-0.01, 0, 0.02])
    #expect(decision.power == [1, 1, 0.8] && decision.saturation == 0.85)
    #expect(try file(text).correction(id: "shot1") == decision)
  }

  @Test func `omitted values keep their identity value`() throws {
    #expect(try file("<ColorCorrection/>").correction() == ColorDecision())
    let text = "<ColorCorrection><SatNode><Saturation>2</Saturation></SatNode></ColorCorrection>"
    var expected = ColorDecision()
    expected.saturation = 2
    #expect(try file(text).correction() == expected)
  }

  @Test func `one of several corrections is selected by ID and never implicitly`() throws {
    let other = "<ColorCorrection><SOPNode><Slope>2 2 2</Slope></SOPNode></ColorCorrection>"
    let all = try file(
      "<ColorCorrectionCollection>\(correction)\(other)</ColorCorrectionCollection>")
    #expect(try all.correction(id: "shot1").saturation == 0.85)
    #expect(try all.correction(id: "#2").slope == [2, 2, 2])
    #expect(throws: LUTFileError.severalCorrections(["shot1", "#2"])) { try all.correction() }
    #expect(throws: LUTFileError.unknownCorrection("shot2", known: ["shot1", "#2"])) {
      try all.correction(id: "shot2")
    }
  }

  @Test func `other encodings are read`() throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><ColorCorrection id=\"ü\"/>"
    var wide: [UInt8] = [0xFE, 0xFF]
    for unit in text.utf16 { wide += [UInt8(unit >> 8), UInt8(unit & 255)] }
    #expect(try CDLDocument(wide).corrections[0].id == "ü")
  }

  private static func sop(_ inner: String) -> String {
    "<ColorCorrection>\n<SOPNode>\n\(inner)\n</SOPNode></ColorCorrection>"
  }

  @Test(arguments: [
    ("", "file is empty"), ("slope 1 1 1", "line 1: invalid color correction XML"),
    ("<ColorCorrection>", "line 1: invalid color correction XML"),
    ("<a/>", "line 1: found element 'a'"),
    ("<ColorCorrectionCollection/>", "file contains no ColorCorrection"),
    (
      sop("<Slope>1 1</Slope>"), "line 3: found Slope '1 1' (allowed: three numbers, each 0 or more"
    ),
    (sop("<Slope>1 1 -1</Slope>"), "line 3: found Slope '1 1 -1'"),
    (sop("<Slope>1 1 nan</Slope>"), "line 3: found Slope"),
    (sop("<Slope>1 1 0x1p4</Slope>"), "line 3: found Slope"),
    (sop("<Slope>1e999 1 1</Slope>"), "line 3: found Slope"),
    (sop("<Slope/>"), "line 3: found Slope ''"),
    (sop("<Offset>1 1 1 1</Offset>"), "allowed: three numbers"),
    (sop("<Power>1 0 1</Power>"), "allowed: three numbers, each above 0"),
    (sop("<Saturation>-1</Saturation>"), "allowed: one number, 0 or more"),
    (sop("<Slope>1 1 1</Slope>\n<Slope>1 1 1</Slope>"), "line 4: found a second Slope"),
    (sop("<ColorCorrection/>"), "line 3: found nested ColorCorrection elements"),
    (
      "<ColorCorrectionCollection><ColorCorrection id='a'/>\n<ColorCorrection id='a'/>"
        + "</ColorCorrectionCollection>", "line 2: found a second ColorCorrection with the id 'a'"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"EBCDIC-9\"?><ColorCorrection/>",
      "invalid color correction XML"
    ),
  ])
  func `an error names the line, the value found and the allowed values`(
    _ text: String, _ expected: String
  ) {
    #expect(message(text).contains(expected), "\(message(text))")
  }

  @Test(arguments: [
    "<!DOCTYPE ColorCorrection SYSTEM \"file:///etc/hostname\">",
    "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>",
    "<!DOCTYPE a [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>",
  ])
  func `a document type declaration is rejected`(_ doctype: String) {
    let text = doctype + "<ColorCorrection id=\"&x;\"><Slope>&b;</Slope></ColorCorrection>"
    #expect(message(text).contains("line 1: found a document type declaration"), "\(message(text))")
  }

  @Test func `depth, text and names are limited`() {
    let deep = String(repeating: "<a>", count: 40)
    #expect(message("<ColorCorrection>" + deep).contains("more than 32 nested elements"))
    let long = String(repeating: "1 ", count: 3000)
    #expect(message(Self.sop("<Slope>\(long)</Slope>")).contains("more than 4096 bytes in Slope"))
    let name = String(repeating: "x", count: 2000)
    #expect(message("<ColorCorrection id='\(name)'/>").contains("an id of 2000 bytes"))
  }
}
