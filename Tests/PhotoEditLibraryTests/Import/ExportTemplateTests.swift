// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditLibrary

@Suite("Export templates")
struct ExportTemplateTests {
  private func paths(
    _ pattern: String, _ values: [ExportTemplate.Field: [String]] = [:]
  ) throws -> [String] {
    try ExportTemplate(pattern).paths { values[$0] ?? [] }
  }

  @Test(arguments: [
    ("{created.year}/{created.month}/{name}", ["2024/05/IMG_1"]),
    ("{name}.{ext}", ["IMG_1"]), ("{original}", ["IMG_1"]), ("{title}", ["_"]),
    ("{title|name}", ["IMG_1"]), ("{title,none}/{name}", ["none/IMG_1"]),
    ("{title}/{name}", ["_/IMG_1"]), ("{seq:4} {name}", ["0007 IMG_1"]),
    ("{album}/{name}", ["Lake_Sea/IMG_1", "Town/IMG_1"]),
    ("{folder_album}/{name}", ["Trips/Lake_Sea/IMG_1", "Town/IMG_1"]),
    ("{title|album}", ["Lake_Sea", "Town"]), ("a b/{name} x", ["a b/IMG_1 x"]),
    ("{camera}/{name}", ["_..._/IMG_1"]), ("../{name}", ["photo/IMG_1"]),
  ])
  func `a template results in safe relative paths`(_ pattern: String, _ expected: [String]) throws {
    let found = try paths(
      pattern,
      [
        .year: ["2024"], .month: ["05"], .name: ["IMG_1"], .original: ["IMG_1.JPG"],
        .fileExtension: ["JPG"], .number: ["7"], .title: [""], .album: ["Lake/Sea", "Town"],
        .albumPath: ["Trips/" + ExportTemplate.escaped("Lake/Sea"), "Town"],
        .camera: [".../"],
      ])
    #expect(found == expected)
    for path in found {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      #expect(parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.count <= 200 })
    }
  }

  @Test func `a slash with a combining mark in a value begins no folder`() throws {
    let found = try paths("{title}/{name}", [.title: ["../\u{301}x"], .name: ["/\u{301}a"]])
    let path = try #require(found.first)
    #expect(path == "_.._\u{301}x/_\u{301}a")
  }

  @Test func `a long value is truncated at a character`() throws {
    let family = "👨‍👩‍👧‍👦"
    let long = String(repeating: family, count: 40)
    let found = try #require(try paths("{title}", [.title: [long]]).first)
    #expect(found.utf8.count <= 180 && found.allSatisfy { String($0) == family })
  }

  @Test(arguments: [
    "{titel}", "{name", "name}", "/{name}", "a//{name}", "{name}/", "", "{seq:0}", "{name:3}",
    "{a|b}",
  ])
  func `an invalid template is refused with the valid fields`(_ pattern: String) {
    let error = #expect(throws: LibraryError.self) { try ExportTemplate(pattern) }
    #expect(error?.code == .changeNotSupported && error?.hint?.isEmpty == false)
    if pattern == "{titel}" { #expect(error?.hint?.contains("title") == true) }
  }
}
