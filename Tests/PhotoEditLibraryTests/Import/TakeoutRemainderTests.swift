// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Google Takeout exports with damaged, truncated and late JSON files")
struct TakeoutRemainderTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private static let year = "Takeout/Google Photos/Photos from 2001/"
  private static let lake = "Takeout/Google Photos/Lake/"

  private func describe(_ json: String, title: String) throws {
    let text = #"{"title": "\#(title)", "photoTakenTime": {"timestamp": "981173106"}}"#
    try write(Array(text.utf8), json)
  }

  @Test(arguments: ["", "[]", "{}", "null", "\"x\"", "{\"title\": \"La", "\0\0\0\0"])
  func `an album file that says nothing is refused`(_ text: String) throws {
    try write(try ImageFile().jpeg(1), Self.lake + "a.jpg")
    try write(Array(text.utf8), Self.lake + "Metadaten.json")
    // The folder next to it shows that it is an export; that of the folders is none.
    try write(try ImageFile().jpeg(2), Self.year + "b.jpg")
    try describe(Self.year + "b.jpg.json", title: "b.jpg")
    try write(Array("{}".utf8), "Takeout/Google Photos/shared_album_comments.json")
    let report = run()
    let line = try #require(lines(report)[Self.lake + "Metadaten.json"])
    #expect(line.outcome == .refused && line.reason?.contains("damaged") == true)
    #expect(line.reason?.contains("UTF-16") == false)
    #expect(report.count(.refused) == 1 && report.takeout?.damaged == 1)
    #expect(report.assetCount == 2)
  }

  @Test(arguments: ["[]", "{}", "null", "\"x\"", "\0\0\0\0"])
  func `a JSON file of a photo that says nothing is refused`(_ text: String) throws {
    try write(try ImageFile().jpeg(1), "a/q.jpg")
    try write(Array(text.utf8), "a/q.jpg.supplemental-metadata.json")
    #expect(outcomes(run())["a/q.jpg.supplemental-metadata.json"] == .refused)
  }

  @Test func `JSON files of other programs are not those of an export`() throws {
    try write(try ImageFile().jpeg(1), "a/q.jpg")
    try write(Array("{}".utf8), "a/q.jpg.json")
    try write(Array("[{\"SourceFile\": \"q.jpg\"}]".utf8), "a/r.jpg.json")
    try write([], "a/settings.json")
    let report = run()
    #expect(report.count(.refused) == 0 && report.count(.skipped) == 3)
    #expect(report.takeout == nil)
  }

  private static let long = "123456789123456789123456789123456789_"

  @Test func `a JSON file is found by its title if it describes no other photo`() throws {
    let name = Self.long + "DSCN0091.JPG"
    try write(try ImageFile().jpeg(1), Self.year + name)
    try describe(Self.year + Self.long + "DSCN0091.JP.supplemental-meta.json", title: name)
    // This one has the title of a photo whose own file is missing.
    try write(try ImageFile().jpeg(2), Self.year + "b.jpg")
    try write(try ImageFile().jpeg(3), Self.year + "b(1).jpg")
    try describe(Self.year + "b.jpg(1).json", title: "b.jpg")
    // These have one title and different numbers.
    let numbered = Self.long + "DSCN0091(1).JPG"
    try write(try ImageFile().jpeg(4), Self.year + numbered)
    try describe(Self.year + Self.long + "DSCN0091.JP.supplemental-meta(1).json", title: name)
    let report = run()
    #expect(report.takeout?.used == 3 && report.takeout?.unmatched == 0)
    let dated = try library.assets().filter { $0.creationDate != nil }.map(\.originalFilename)
    #expect(Set(dated) == [name, numbered, "b(1).jpg"])
  }

  @Test func `a JSON file with the title of two photos describes neither`() throws {
    let name = Self.long + "DSCN0091.JPG"
    try write(try ImageFile().jpeg(1), Self.year + name)
    for ending in ["JP.supplemental-meta", "J.supplemental-metad"] {
      try describe(Self.year + Self.long + "DSCN0091." + ending + ".json", title: name)
    }
    #expect(run().takeout?.used == 0)
  }

  @Test func `an edited photo is one with its original if one truncated name fits both`() throws {
    let stem = Self.long + "DSCN0100"
    try write(try ImageFile().jpeg(1), Self.year + stem + ".JPG")
    try write(try ImageFile().jpeg(2), Self.year + stem + "-modifié.JPG")
    try describe(Self.year + stem + ".json", title: stem + ".JPG")
    #expect(run().assetCount == 1)
    let asset = try #require(try library.assets().first)
    #expect(asset.hasAdjustments && asset.originalFilename == stem + ".JPG")
    #expect(asset.creationDate?.timeIntervalSince1970 == 981_173_106)
  }

  @Test func `a JSON file that comes after its photo is counted as such`() throws {
    try write(try ImageFile().jpeg(1), "1/" + Self.year + "a.jpg")
    _ = run(folder: "1")
    try describe("2/" + Self.year + "a.jpg.json", title: "a.jpg")
    try describe("2/" + Self.year + "b.jpg.json", title: "b.jpg")
    let report = run(folder: "2")
    #expect(report.takeout?.unmatched == 2 && report.takeout?.stored == 1)
    let reason = lines(report)["2/" + Self.year + "a.jpg.json"]?.reason
    #expect(reason?.contains("in the library") == true)
  }
}
