// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

@Suite("Apple adjustment data", .seeded)
struct AppleEditTests {
  private static let effect = """
    {"identifier":"Effect","formatVersion":1,"enabled":true,"settings":{"effectName":"3DNoir"}},\
    {"identifier":"SmartTone","enabled":false,"settings":{"inputLight":0.5},"auto":{"a":1}}
    """

  private func error(_ bytes: [UInt8]) -> EditImportError? {
    do throws(EditImportError) {
      _ = try AppleEdit(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func `adjustments of Photos are reported with their context`() throws {
    var file = AAEFixture(adjustments: Self.effect, master: (3024, 4032), orientation: 6)
    file.more = "<key>zz</key><array><string>kept</string></array>"
    let edit = try AppleEdit(file.xml)
    #expect(edit.formatIdentifier == "com.apple.photo" && edit.formatVersion == "1.11")
    #expect(edit.editor == "com.apple.Photos" && edit.isByApple)
    #expect(edit.baseVersion == 0 && edit.renderTypes == 24576)
    #expect(edit.timestamp == Date(timeIntervalSince1970: 1_717_280_370))
    #expect(Array(edit.data) == file.data)
    #expect(edit.otherKeys == ["zz": ["kept"]])
    guard case .adjustments(let record) = edit.contents else {
      Issue.record("\(edit.contents)")
      return
    }
    #expect(record.masterSize == PixelSize(width: 3024, height: 4032))
    #expect(record.masterOrientation == .right)
    #expect(record.adjustments.map(\.identifier) == ["Effect", "SmartTone"])
    #expect(record.adjustments.map(\.isEnabled) == [true, false])
    #expect(record.adjustments[0].settingsText == #"{"effectName":"3DNoir"}"#)
    #expect(record.adjustments[1].details == ["auto": ["a": 1]])
    #expect(record.details["versionInfo"]?["platform"] == "macOS")
  }

  @Test func `a binary property list is equivalent to XML`() throws {
    let file = AAEFixture(adjustments: Self.effect)
    #expect(try AppleEdit(file.binary).contents == AppleEdit(file.xml).contents)
  }

  @Test func `slow motion is reported as a list`() throws {
    let region: BinaryList.Object = .dictionary([
      ("timeRange", .dictionary([("start", .dictionary([("value", .number(1740))]))]))
    ])
    let list = BinaryList([
      .dictionary([
        ("slowMotion", .dictionary([("rate", .real(0.125)), ("regions", .array([region]))])),
        ("blob", .data([0, 1, 2])),
      ])
    ])
    let edit = try AppleEdit(AAEFixture("com.apple.video.slomo", data: list.bytes).xml)
    #expect(
      edit.contents
        == .propertyList(
          #"{"blob":{"bytes":3},"slowMotion":{"rate":0.125,"regions":"#
            + #"[{"timeRange":{"start":{"value":1740}}}]}}"#))
  }

  @Test(arguments: [
    "com.pixelmatorteam.pixelmator", "com.apple.Photos.externalEdit", "😀", "",
  ])
  func `proprietary data is named, and its size is reported`(identifier: String) throws {
    let edit = try AppleEdit(AAEFixture(identifier, data: [0xF3, 0xD0, 0xD5]).xml)
    #expect(edit.contents == .opaque && edit.data.count == 3)
    #expect(edit.formatIdentifier == identifier)
    let translation = edit.translation(for: .init(size: PixelSize(width: 8, height: 8)))
    #expect(translation.graph.nodes.isEmpty && translation.unmapped.count == 1)
  }

  @Test func `data that inflates over the limit is rejected before it is allocated`() {
    let whole = AAEFixture("com.apple.photo", data: AAEFixture.bomb(repetitions: 100))
    #expect(error(whole.xml)?.description.contains("invalid adjustments") == true)
    let bomb = AAEFixture("com.apple.photo", data: AAEFixture.bomb(repetitions: 70_000))
    #expect(error(bomb.xml) == .inflatesTooFar(maximum: 16 << 20))
  }

  @Test func `a decompression bomb of nested lists is rejected`() {
    var objects: [BinaryList.Object] = (0..<20).map {
      .references(Array(repeating: $0 + 1, count: 20))
    }
    objects.append(.flag(true))
    let bytes = AAEFixture("com.apple.video.slomo", data: BinaryList(objects).bytes).xml
    #expect(error(bytes)?.description.contains("too large") == true)
  }

  @Test(arguments: [
    (#"{"adjustments":{}}"#, "list of adjustments is missing"),
    (#"{"adjustments":[1]}"#, "no identifier"),
    (#"{"adjustments":[{"identifier":4}]}"#, "no identifier"), ("[", "unexpected end of JSON text"),
    ("", "JSON text is empty"), (String(repeating: "[", count: 5000), "too deeply"),
  ])
  func `adjustments that Photos does not write are rejected with the reason`(
    json: String, reason: String
  ) {
    let found = error(AAEFixture(json: json).xml)
    #expect(found?.description.contains(reason) == true, "\(String(describing: found))")
  }

  @Test func `deflated data with trailing bytes is rejected`() {
    let whole = AAEFixture(adjustments: Self.effect).data
    #expect(
      error(AAEFixture("com.apple.photo", data: whole + [0]).xml)
        == .notDeflated(bytes: whole.count + 1))
    #expect(error(AAEFixture("com.apple.photo", data: []).xml) == .notDeflated(bytes: 0))
  }

  @Test func `every truncation of a file and of its data is rejected`() {
    let file = AAEFixture(adjustments: Self.effect)
    for whole in [file.xml, file.binary] {
      for count in 0..<whole.count {
        #expect(error(Array(whole.prefix(count))) != nil, "\(count) of \(whole.count) bytes")
      }
    }
    for count in 0..<file.data.count {
      let truncated = AAEFixture("com.apple.photo", data: Array(file.data.prefix(count)))
      #expect(error(truncated.xml) == .notDeflated(bytes: count))
    }
  }

  @Test func `modified bytes are read or rejected without harm`() {
    var random = SeededNumbers()
    let file = AAEFixture(adjustments: Self.effect, master: (40, 30), orientation: 1)
    for whole in [file.xml, file.binary] {
      for _ in 0..<SeededNumbers.cases(1500) {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        guard let edit = try? AppleEdit(bytes) else { continue }
        let size = PixelSize(width: 40, height: 30)
        let graph = edit.translation(for: .init(size: size)).graph
        #expect(throws: Never.self) { try graph.lowered(size: size) }
      }
    }
  }

  @Test(.enabled(if: Corpora.path != nil, "no corpora on this machine"))
  func `real adjustment data is reported`() throws {
    let folder = "\(try #require(Corpora.path))/osxphotos-aae"
    var identifiers: Set<String> = []
    var opaque = 0
    for name in try FileSystem.names(in: folder) {
      let edit = try AppleEdit(try FileBytes.reading("\(folder)/\(name)").array)
      if case .adjustments(let record) = edit.contents {
        identifiers.formUnion(record.adjustments.map(\.identifier))
      }
      if edit.contents == .opaque { opaque += 1 }
      let size = PixelSize(width: 4284, height: 5712)
      let translation = edit.translation(for: .init(size: size))
      #expect(translation.graph.nodes.isEmpty && !translation.unmapped.isEmpty, "\(name)")
    }
    #expect(
      identifiers.isSuperset(of: [
        "LivePhotoKeyFrame", "SmartBlackAndWhite", "DepthEffect", "PortraitVideo",
      ]))
    #expect(opaque == 2)
  }
}
