// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Manual pages", .runsPrograms)
struct ManualTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let result = try Tool.run(
      ["man", "pages"], in: folder.path, environment: ["SOURCE_DATE_EPOCH": "1763804800"])
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  private func page(_ name: String) throws -> String {
    String(decoding: try FileBytes.reading(folder.path("pages/" + name)).array, as: UTF8.self)
  }

  /// The commands of the program.
  private func commands() throws -> [JSONValue] {
    let result = try Tool.run(["--describe"], in: folder.path)
    let description = try JSONValue(
      parsing: result.outputBytes,
      limits: JSONLimits(maximumBytes: 16 << 20, maximumStringBytes: 1 << 20))
    return try #require(description["commands"]?.arrayValue)
  }

  @Test func `every command and topic has a page`() throws {
    let names = try commands().compactMap { $0["name"]?.stringValue }
    let expected =
      names.map { "photoedit-" + $0.replacing(" ", with: "-") + ".1" }
      + ["photoedit.1", "photoedit-filters.7", "photoedit-predicates.7"]
    #expect(try FileSystem.names(in: folder.path("pages")).sorted() == expected.sorted())
    let main = try page("photoedit.1")
    for name in names {
      #expect(main.contains(".It Xr photoedit-\(name.replacing(" ", with: "-")) 1"), "\(name)")
    }
  }

  @Test func `a page has every option, and no former or hidden one`() throws {
    for command in try commands() {
      let name = try #require(command["name"]?.stringValue)
      let text = try page("photoedit-\(name.replacing(" ", with: "-")).1")
      for argument in command["arguments"]?.arrayValue ?? []
      where argument["kind"]?.stringValue != "positional" {
        let option = try #require(argument["name"]?.stringValue)
        let isShown =
          argument["section"]?.stringValue != "Common options"
          && argument["isHidden"]?.boolValue != true
        #expect(
          (text.contains("Fl \\-\(option) ") || text.contains("Fl \\-\(option)\n")) == isShown,
          "\(name) --\(option)")
      }
    }
  }

  @Test func `the topics list every filter and every key`() throws {
    let filters = try page("photoedit-filters.7")
    for filter in FilterCatalog.descriptions {
      #expect(filters.contains(".Ss \(filter.name)\n"), "\(filter.name)")
    }
    let predicates = try page("photoedit-predicates.7")
    for key in ["creationDate", "favorite", "mediaType"] {
      #expect(predicates.contains(".It Cm \(key)\n"), "\(key)")
    }
  }

  @Test func `the same date gives the same pages, which replace the former ones`() throws {
    let first = try page("photoedit-apply.1")
    #expect(first.contains(".Dd November 22, 2025\n"))
    let again = try Tool.run(
      ["man", "pages"], in: folder.path, environment: ["SOURCE_DATE_EPOCH": "1763804800"])
    #expect(again.exitCode == 0)
    #expect(try page("photoedit-apply.1") == first)
    try folder.write([1], to: "file")
    #expect(try Tool.run(["man", "file"], in: folder.path).exitCode == 73)
  }

  @Test(.enabled(if: Program.find("mandoc") != nil, "mandoc is not installed"))
  func `mandoc has no findings and renders the pages`() throws {
    let result = try Tool.runScript(
      """
      for page in pages/*; do mandoc -T lint -W warning "$page" || echo "$page"; done
      mandoc -T ascii pages/photoedit-apply.1 | sed 's/.\\x08//g'
      """, in: folder.path)
    #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result.errors)")
    let text = result.output
    #expect(text.hasPrefix("PHOTOEDIT-APPLY(1)"), "\(text.prefix(2000))")
    #expect(text.contains("photoedit apply [options] [INPUT ...]"))
    #expect(text.contains("--filter NAME[:KEY=VALUE"))
    #expect(text.contains("photoedit apply --filter grayscale photo.jpg"))
  }
}
