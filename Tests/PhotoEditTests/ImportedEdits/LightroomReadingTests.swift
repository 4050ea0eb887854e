// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

@Suite("Reading Lightroom settings", .seeded)
struct LightroomReadingTests {
  private func error(_ bytes: [UInt8]) -> EditImportError? {
    do throws(EditImportError) {
      _ = try LightroomEdit(xmp: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func `attributes and elements are equivalent`() throws {
    let attributes = try LightroomEdit(
      xmp: LightroomFixture.xmp([
        "ProcessVersion": "11.0", "Exposure2012": "+0.50", "AlreadyApplied": "True",
      ]))
    let elements = try LightroomEdit(
      xmp: LightroomFixture.xmp(
        elements: """
          <crs:ProcessVersion>11.0</crs:ProcessVersion>
          <crs:Exposure2012> +0.50
          </crs:Exposure2012><crs:AlreadyApplied>True</crs:AlreadyApplied>
          """))
    #expect(attributes == elements)
    #expect(attributes.processVersion == "11.0" && attributes.isAlreadyApplied)
  }

  @Test func `prefixes are resolved by their namespace`() throws {
    let bytes = LightroomFixture.file(
      """
      <rdf:Description xmlns:a="http://ns.adobe.com/camera-raw-settings/1.0/" a:Tint="4"
       xmlns:crs="urn:other" crs:Exposure2012="3"/>
      <rdf:Description crs:Contrast2012="5"/>
      """)
    let edit = try LightroomEdit(xmp: bytes)
    #expect(edit.settings.map(\.name) == ["Tint", "Contrast2012"])
  }

  @Test func `settings inside saved states and looks are not those of the image`() throws {
    let edit = try LightroomEdit(
      xmp: LightroomFixture.xmp(
        ["Exposure2012": "+1"],
        elements: """
          <crs:Look><rdf:Description crs:Name="Vivid" crs:Exposure2012="3"><crs:Parameters>
          <rdf:Description crs:Contrast2012="9"/></crs:Parameters></rdf:Description></crs:Look>
          <crs:PaintBasedCorrections><rdf:Seq><rdf:li rdf:parseType="Resource">
          <crs:LocalExposure2012>1</crs:LocalExposure2012></rdf:li></rdf:Seq>
          </crs:PaintBasedCorrections><crs:RetouchInfo><rdf:Seq/></crs:RetouchInfo>
          """))
    #expect(
      edit.settings.map(\.name) == ["Exposure2012", "Look", "PaintBasedCorrections", "RetouchInfo"])
    #expect(edit.text("Exposure2012") == "+1")
    let found = edit.translation(for: .init(size: PixelSize(width: 8, height: 8)))
    #expect(found.unmapped.map(\.name) == ["Look", "PaintBasedCorrections"])
  }

  @Test func `curves are lists of points`() throws {
    let edit = try LightroomEdit(
      xmp: LightroomFixture.xmp(
        elements: LightroomFixture.list("ToneCurvePV2012", ["0, 0", "64, 80", "255, 255"])))
    #expect(edit.settings.map(\.value) == [.list(["0, 0", "64, 80", "255, 255"])])
  }

  @Test(arguments: [
    ("", "no element found"), ("<a/>", "contains no edit"), ("hello", "syntax error"),
    ("<!DOCTYPE x [<!ENTITY a \"b\">]><x/>", "document type declaration"),
    ("<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/>", "contains no edit"),
    (String(repeating: "<a>", count: 200), "nested elements"),
    ("<a>&undefined;</a>", "undefined entity"),
  ])
  func `invalid XMP is rejected with the reason`(text: String, reason: String) {
    let found = error(Array(text.utf8))
    #expect(found?.description.contains(reason) == true, "\(String(describing: found))")
  }

  @Test func `XMP without settings is rejected`() {
    #expect(error(LightroomFixture.file("<rdf:Description tiff:Make=\"x\"/>")) == .noSettings)
  }

  @Test func `too many properties are rejected`() {
    let settings = (0..<3000).map { ("K\($0)", "1") }
    #expect(error(LightroomFixture.xmp(settings))?.description.contains("2000") == true)
  }

  @Test func `zeros after a packet are padding`() throws {
    let bytes = LightroomFixture.xmp(["Tint": "4"]) + [0, 0, 0]
    #expect(try LightroomEdit(xmp: bytes).settings.count == 1)
  }

  @Test func `every truncation is rejected`() throws {
    let whole = LightroomFixture.xmp(
      ["Exposure2012": "+0.5", "CropAngle": "2"],
      elements: LightroomFixture.list("ToneCurvePV2012", ["0, 0", "255, 255"]))
    // Only processing instructions and spaces follow the last element.
    let mark = Array("</x:xmpmeta>".utf8)
    let end = try #require(
      whole.indices.last { whole[$0...].starts(with: mark) }.map { $0 + mark.count })
    for count in 0..<end {
      #expect(error(Array(whole.prefix(count))) != nil, "\(count) of \(whole.count) bytes")
    }
  }

  @Test func `modified bytes are read or rejected, and give graphs that can be rendered`() {
    var random = SeededNumbers()
    let size = PixelSize(width: 60, height: 40)
    let whole = LightroomFixture.xmp(
      [
        "ProcessVersion": "11.0", "Exposure2012": "+0.5", "CropAngle": "2", "CropTop": "0.1",
        "Temperature": "6100", "SplitToningShadowSaturation": "20", "GrainAmount": "20",
        "GrainSeed": "77", "PostCropVignetteAmount": "-9", "Sharpness": "40",
      ], elements: LightroomFixture.list("ToneCurvePV2012", ["0, 10", "255, 245"]), orientation: 6)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let edit = try? LightroomEdit(xmp: bytes) else { continue }
      let graph = edit.translation(for: .init(size: size)).graph
      #expect(throws: Never.self) { try graph.lowered(size: size) }
    }
  }
}
