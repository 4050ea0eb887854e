// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("Albums and folders on the command line", .runsPrograms)
struct LibraryCollectionTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  private func members(_ album: String) throws -> [String] {
    let lines = try library.lines("album", "show", album)
    #expect(lines.map { $0["index"]?.integerValue } == Array(lines.indices))
    return lines.compactMap { $0["identifier"]?.stringValue }
  }

  private func titles(_ command: String...) throws -> [String?] {
    let result = try library.run(command + ["--json"])
    try #require(result.exitCode == 0, "\(result.errors)")
    return try result.jsonLines().map { $0["title"]?.stringValue }
  }

  private func create(_ noun: String, _ title: String, _ more: String...) throws -> String {
    let result = try library.run([noun, "create", title, "--json"] + more)
    try #require(result.exitCode == 0, "\(result.errors)")
    let report = try #require(try result.jsonLines().first)
    #expect(report.keys == ["schemaVersion", "identifier", "title"])
    #expect(report["title"]?.stringValue == title)
    return try #require(report["identifier"]?.stringValue)
  }

  // MARK: Albums

  @Test func `assets are added to an album, reordered and removed`() throws {
    let all = try library.addPhotos(5)
    let album = try create("album", "Lisbon", all[0], all[1])
    #expect(try members("Lisbon") == [all[0], all[1]])
    let added = try library.json("album", "add", "Lisbon", all[2], all[0])
    #expect(added["album"]?.stringValue == album)
    #expect(added["added"] == .strings(all[2], all[0]))
    #expect(try members(album) == [all[0], all[1], all[2]])
    _ = try library.json("album", "insert", album, all[3], all[4], "--index", "1")
    #expect(try members(album) == [all[0], all[3], all[4], all[1], all[2]])
    _ = try library.json("album", "move", album, all[1], all[0], "--index", "2")
    #expect(try members(album) == [all[3], all[4], all[0], all[1], all[2]])
    _ = try library.json("album", "remove", album, all[4], all[2])
    #expect(try members(String(album.prefix(13))) == [all[3], all[0], all[1]])
    #expect(try library.list().count == 5)
    let text = try library.run("album", "show", album).output
    #expect(text.hasPrefix("0  \(all[3].prefix(8))  "))
    try library.expectOrder()
  }

  @Test func `album list prints the fields scripts need`() throws {
    let all = try library.addPhotos(1)
    let album = try create("album", "Lisbon", all[0])
    let line = try library.json("album", "list")
    #expect(
      line.keys == [
        "schemaVersion", "identifier", "title", "kind", "kindName", "subtype", "count",
        "startDate", "endDate",
      ])
    #expect(line["identifier"]?.stringValue == album && line["count"]?.integerValue == 1)
    #expect(
      try library.run("album", "list").output == "\(album.prefix(8))  Lisbon  (1)\n")
    let smart = try library.lines("album", "list", "--smart")
    #expect(smart.count > 3 && smart.allSatisfy { $0["identifier"]?.stringValue != album })
  }

  @Test func `albums are renamed and deleted without deleting their assets`() throws {
    let all = try library.addPhotos(1)
    let album = try create("album", "Old", all[0])
    let renamed = try library.json("album", "rename", "Old", "New")
    #expect(renamed["identifier"]?.stringValue == album && renamed["title"]?.stringValue == "New")
    #expect(try titles("album", "list") == ["New"])
    try library.expectRefusal(66, "no such album", "album", "show", "Old")
    try library.expectRefusal(64, "--yes", "album", "delete", "New")
    #expect(try titles("album", "list") == ["New"])
    #expect(try library.json("album", "delete", "-y", "New")["deleted"] == .strings(album))
    #expect(try titles("album", "list") == [] && library.list() == all)
    try library.expectOrder()
  }

  @Test func `an ambiguous album title or a title prefix is rejected`() throws {
    let first = try create("album", "Twin")
    let second = try create("album", "Twin")
    let result = try library.run("album", "show", "Twin")
    #expect(result.exitCode == 66)
    #expect(result.errors.contains(first) && result.errors.contains(second))
    try library.expectRefusal(66, "no such album", "album", "show", "Twi")
    try library.expectRefusal(66, "no such album", "album", "show", "twin")
    #expect(try members(first) == [])
  }

  @Test func `an invalid album operation is rejected without partial changes`() throws {
    let all = try library.addPhotos(3)
    _ = try create("album", "A", all[0], all[1])
    try library.expectRefusal(65, "0–2", "album", "insert", "A", all[2], "--index", "3")
    try library.expectRefusal(65, "already", "album", "insert", "A", all[2], all[0], "--index", "0")
    try library.expectRefusal(65, "out of range", "album", "move", "A", all[2], "--index", "0")
    try library.expectRefusal(64, "--index", "album", "insert", "A", all[2], "--index", "-1")
    try library.expectRefusal(66, "no such asset", "album", "add", "A", all[2], "ffffffff")
    try library.expectRefusal(66, "no such asset", "album", "create", "B", "ffffffff")
    try library.expectRefusal(66, "no such album", "album", "create", "B", "--folder", "none")
    for command in ["add", "remove", "insert", "move"] {
      #expect(try library.run("album", command, "A").exitCode == 64)
    }
    #expect(try library.run("album", "rename", "A").exitCode == 64)
    #expect(try members("A") == [all[0], all[1]])
    #expect(try titles("album", "list") == ["A"])
  }

  // MARK: Folders

  @Test func `folders hold albums and folders, and list shows the hierarchy`() throws {
    let outer = try create("folder", "Travel")
    let inner = try create("folder", "2024", "--folder", "Travel")
    let album = try create("album", "Lisbon", "--folder", "2024")
    let top = try create("album", "Top")
    #expect(
      try library.run("folder", "list").output == """
        \(outer.prefix(8))  Travel  (folder)
        \(inner.prefix(8))    2024  (folder)
        \(album.prefix(8))      Lisbon  (0)
        \(top.prefix(8))  Top  (0)

        """)
    let line = try #require(try library.lines("folder", "list").first)
    #expect(line.keys == ["schemaVersion", "identifier", "title", "kind", "kindName", "subtype"])
    #expect(line["kind"]?.numberValue == 2 && line["kindName"]?.stringValue == "folder")
    #expect(try titles("folder", "list", "2024") == ["Lisbon"])
    #expect(
      try library.json("folder", "add", "Travel", "Top", "Lisbon")["added"] == .strings(top, album))
    #expect(try titles("folder", "list", "Travel") == ["2024", "Top", "Lisbon"])
    #expect(try library.json("folder", "remove", "Travel", "Top")["removed"] == .strings(top))
    #expect(try titles("folder", "list") == ["Travel", "2024", "Lisbon", "Top"])
    try library.expectOrder()
  }

  @Test func `deleting a folder deletes its albums and keeps the assets`() throws {
    let all = try library.addPhotos(1)
    let folder = try create("folder", "Old")
    _ = try create("album", "A", all[0], "--folder", "Old")
    #expect(try library.json("folder", "rename", "Old", "New")["title"]?.stringValue == "New")
    try library.expectRefusal(64, "--yes", "folder", "delete", "New")
    #expect(try library.json("folder", "delete", "--yes", "New")["deleted"] == .strings(folder))
    #expect(try titles("album", "list") == [] && titles("folder", "list") == [])
    #expect(try library.list() == all)
  }

  @Test func `invalid folder operations are rejected`() throws {
    _ = try create("folder", "Outer")
    _ = try create("folder", "Inner", "--folder", "Outer")
    _ = try create("album", "A")
    try library.expectRefusal(65, "inside itself", "folder", "add", "Inner", "Outer")
    try library.expectRefusal(66, "an album, not a folder", "folder", "add", "A", "Inner")
    try library.expectRefusal(66, "a folder, not an album", "album", "show", "Inner")
    try library.expectRefusal(66, "a folder, not an album", "album", "delete", "--yes", "Inner")
    try library.expectRefusal(66, "an album, not a folder", "folder", "rename", "A", "B")
    try library.expectRefusal(66, "no such album or folder", "folder", "add", "Outer", "none")
    #expect(try library.run("folder", "add", "Outer").exitCode == 64)
    #expect(try titles("folder", "list") == ["Outer", "Inner", "A"])
  }
}
