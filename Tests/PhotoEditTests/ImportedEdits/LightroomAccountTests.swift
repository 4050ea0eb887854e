// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

@Suite("Completeness of the Lightroom translation", .seeded)
struct LightroomAccountTests {
  private static let size = PixelSize(width: 600, height: 400)

  private func translation(_ settings: [(String, String)]) throws -> EditConversion {
    try LightroomEdit(xmp: LightroomFixture.xmp(settings))
      .translation(for: .init(size: Self.size))
  }

  private func names(_ translation: EditConversion) -> [String] {
    (translation.mapped + translation.approximated + translation.unmapped).map(\.name)
  }

  /// A known setting with a value that has an effect, and the settings it depends on.
  private func settings(_ name: String, _ value: String) -> [(String, String)] {
    if name == "ProcessVersion" { return [(name, value)] }
    var settings = [("ProcessVersion", LightroomCatalog.legacy.contains(name) ? "5.7" : "11.0")]
    if case .detail(let parents, _)? = LightroomCatalog.entry(name) {
      settings += parents.map { ($0, "33") }
    }
    return settings + [(name, value)]
  }

  @Test(arguments: LightroomCatalog.names)
  func `a known setting with an effect is in exactly one list`(name: String) throws {
    for value in ["17.25", "-3", "yes", "1e300", "nan"] {
      let found = names(try translation(settings(name, value))).filter { $0 == name }
      if case .descriptive? = LightroomCatalog.entry(name) {
        #expect(found.isEmpty, "\(value)")
      } else {
        #expect(found.count == 1, "\(value)")
      }
    }
  }

  @Test(arguments: LightroomCatalog.names)
  func `a known setting without an effect is in no list`(name: String) throws {
    let identity: [String] =
      switch LightroomCatalog.entry(name) {
      case .translated(let values), .missing(let values, _), .detail(_, let values): values
      case .descriptive, nil: ["x"]
      }
    for value in identity.filter({ !$0.contains(";") }) + [""] {
      let found = try translation(settings(name, value))
      #expect(!names(found).contains(name), "\(value)")
    }
  }

  @Test func `unknown settings are listed for any value`() throws {
    var random = SeededNumbers()
    for _ in 0..<SeededNumbers.cases(200) {
      let letters = (0..<Int.random(in: 3...20, using: &random)).map { _ in
        "abcdefghijklmnop".randomElement(using: &random) ?? "a"
      }
      let name = "Z" + String(letters)
      let value = ["0", "False", "", "12", "\u{202E}x"].randomElement(using: &random) ?? ""
      let found = try translation([(name, value), ("Tint", "0")])
      #expect(found.unmapped.filter { $0.name == name }.count == 1)
    }
  }

  @Test func `any combination of settings is accounted for and can be rendered`() throws {
    var random = SeededNumbers()
    let values = ["0", "-1e308", "nan", "1e999", "", "True", "250, 3", "50", "-100", "3.5", "+7"]
    for _ in 0..<SeededNumbers.cases(150) {
      let chosen = LightroomCatalog.names.filter { _ in Bool.random(using: &random) }
      let settings = chosen.map { ($0, values.randomElement(using: &random) ?? "0") }
      let found = try translation(settings)
      let listed = names(found)
      #expect(Set(listed).count == listed.count)
      #expect(throws: Never.self) { try found.graph.lowered(size: Self.size) }
      for (name, value) in settings where Set(listed).contains(name) {
        #expect(!value.isEmpty, "\(name)")
      }
    }
  }

  @Test func `a duplicate setting is used once, and the other is listed`() throws {
    let bytes = LightroomFixture.file(
      """
      <rdf:Description crs:Exposure2012="1" crs:Vibrance="5"/>
      <rdf:Description crs:Exposure2012="2" crs:Vibrance="5"/>
      """)
    let found = try LightroomEdit(xmp: bytes).translation(for: .init(size: Self.size))
    #expect(found.approximated.map(\.name) == ["Exposure2012", "Vibrance"])
    #expect(found.approximated.first?.note == "exposure:ev=1")
    #expect(
      found.unmapped.map(\.description) == [
        "Exposure2012 2: duplicate setting; the first one is used"
      ])
  }

  @Test func `each process version uses its own settings`() throws {
    let settings = [("Exposure", "1"), ("Exposure2012", "2")]
    let old = try translation([("ProcessVersion", "5.7")] + settings)
    #expect(old.approximated.map(\.name) == ["Exposure"])
    #expect(
      old.unmapped.map(\.description) == [
        "Exposure2012 2: not used by process version 5.7"
      ])
    let new = try translation([("ProcessVersion", "6.7")] + settings)
    #expect(new.approximated.map(\.name) == ["Exposure2012"])
    #expect(new.unmapped.map(\.name) == ["Exposure"])
    #expect(try translation([("Exposure", "1")]).approximated.map(\.name) == ["Exposure"])
  }

  @Test func `settings of a disabled group are listed and not used`() throws {
    let found = try translation([("HasSettings", "False"), ("Exposure2012", "1"), ("Tint", "")])
    #expect(found.graph.nodes.isEmpty && found.approximated.isEmpty)
    #expect(found.unmapped.map(\.name) == ["Exposure2012"])
    let crop = try translation([("HasCrop", "False"), ("CropTop", "0.5"), ("Vibrance", "5")])
    #expect(crop.unmapped.map(\.name) == ["CropTop"] && crop.graph.nodes.count == 1)
  }
}
