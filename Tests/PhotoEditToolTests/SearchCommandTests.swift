// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("Search and timeline on the command line", .runsPrograms)
struct SearchCommandTests {
  private let library: ToolLibrary
  private let harbor: String
  private let other: String

  init() throws {
    library = try ToolLibrary()
    var file = ImageFile()
    file.main = [.text(0x010F, "FUJIFILM"), .text(0x0110, "X100V")]
    file.exif = [.text(0x9003, "2019:05:31 23:30:00"), .text(0x9011, "+09:00")]
    harbor = try library.add(try file.jpeg(), as: "harbor.jpg")
    other = try library.add(try ImageFile().jpeg(1), as: "other.jpg")
    _ = try library.json(
      "asset", "set", harbor, "--title", "The Harbour of Ålesund", "--rating", "5",
      "--keyword", "+Places/Norway")
    _ = try library.json("asset", "set", other, "--keyword", "+draft")
  }

  private func found(_ terms: String...) throws -> [String] {
    try library.run(["asset", "list", "--json"] + terms).jsonLines()
      .compactMap { $0["identifier"]?.stringValue }
  }

  @Test func `terms find assets by words, properties and dates`() throws {
    #expect(
      try found("harbour", "rating:4..", "camera:x100", "2019-05", "-keyword:draft") == [harbor])
    #expect(try found("alesund") == [harbor] && found("keyword:norway") == [harbor])
    #expect(try found("-keyword:norway") == [other] && found("keyword:draft") == [other])
    // Its first letters are flags; all letters of "-qv" are.
    #expect(try found("-harbour") == [other] && found("-qv") == [harbor, other])
    #expect(try found("is:undated") == [other] && found("2019-06") == [])
    #expect(try found("--where", "rating == 5", "place:x") == [])
    #expect(try found("--month", "2019-05") == [harbor])
    #expect(try found("jpg") == [harbor, other] && found("-jpg") == [])
  }

  @Test func `--explain prints a predicate that --where accepts`() throws {
    let explained = try library.run("asset", "list", "harbour", "-keyword:draft", "--explain")
    #expect(
      explained.output
        == "text MATCHES-WORDS \"harbour\" AND NOT (ANY keyword ==[cd] \"draft\")\n")
    let predicate = String(explained.output.dropLast())
    #expect(try found("--where", predicate) == [harbor])
    try library.expectRefusal(64, "did you mean \"rating:\"?", "asset", "list", "ratting:4")
    try library.expectRefusal(64, "did you mean \"date:<\"?", "asset", "list", "before:2020")
    try library.expectRefusal(64, "allowed: added, album,", "asset", "list", "zzzzzz:4")
    try library.expectRefusal(64, "invalid month", "asset", "list", "--month", "May")
  }

  @Test func `periods are listed with their counts`() throws {
    let months = try library.lines("asset", "list", "--group", "month")
    #expect(months.map { $0["period"]?.stringValue } == ["2019-05", "undated"])
    #expect(months.map { $0["count"]?.integerValue } == [1, 1])
    #expect(months[0]["start"]?.stringValue == "2019-05-01")
    let days = try library.run("asset", "list", "--group", "day")
    #expect(days.output.contains("2019-05-31  1  1 photo, 0 videos"))
    #expect(days.errors.contains("2 assets"))
    let info = try library.run("library", "info", "--by", "year")
    #expect(info.output.contains("2019        1  ####"))
    #expect(try library.lines("asset", "list", "harbour", "--group", "year").count == 1)
    let moments = try library.lines("moment", "list", "--year", "2019")
    #expect(moments.map { $0["count"]?.integerValue } == [1])
    #expect(moments[0]["start"]?.stringValue == "2019-05-31T14:30:00Z")
    #expect(moments[0]["startDay"]?.stringValue == "2019-05-31")
    let text = try library.run("moment", "list")
    #expect(text.output.hasPrefix("2019-05-31 23:30:00  2019-05-31 23:30:00  1 asset"))
    #expect(try library.lines("moment", "list", "--year", "2020") == [])
  }

  @Test func `a moment belongs to the year at the place of capture`() throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2020:01:01 03:00:00"), .text(0x9011, "+09:00")]
    _ = try library.add(try file.jpeg(2), as: "new-year.jpg")
    let moments = try library.lines("moment", "list", "--year", "2020")
    #expect(moments.map { $0["start"]?.stringValue } == ["2019-12-31T18:00:00Z"])
    #expect(moments.map { $0["startDay"]?.stringValue } == ["2020-01-01"])
    #expect(try library.lines("moment", "list", "--year", "2019").count == 1)
  }

  @Test func `reports name what they number`() throws {
    let json = try library.json("asset", "show", harbor)
    #expect(json["mediaType"]?.integerValue == 1 && json["mediaTypeName"]?.stringValue == "image")
    #expect(json["mediaSubtypeNames"]?.arrayValue?.isEmpty == true)
    #expect(json["sourceTypeNames"]?.arrayValue?.compactMap(\.stringValue) == ["userLibrary"])
    #expect(json["localIdentifier"] == json["identifier"])
    #expect(json["day"]?.stringValue == "2019-05-31")
    #expect(json["files"]?.arrayValue?.first?["typeName"]?.stringValue == "photo")
    let one = try library.run("asset", "list", "harbour")
    #expect(one.errors.contains("1 asset\n"))
  }
}
