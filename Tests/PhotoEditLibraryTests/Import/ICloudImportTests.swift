// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Import of an iCloud Photos export")
struct ICloudImportTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private static let header =
    "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate\n"

  private func detail(_ name: String, _ flags: String, _ date: String) -> String {
    "\(name),AbC+/=,\(flags),\"\(date)\",10,\"\(date)\"\n"
  }

  @Test(
    arguments: [
      ("Saturday June 4,2022 12:11 PM GMT", 1_654_344_660),
      ("Saturday June 4,2022 1:11 PM GMT", 1_654_348_260),
      ("Saturday June 4,2022 13:11 PM GMT", 1_654_348_260),
      ("Saturday June 4,2022 12:11 AM GMT", 1_654_301_460), ("June", nil), ("", nil),
      ("Saturday Juny 4,2022 12:11 PM GMT", nil), ("Saturday June 44,2022 12:11 PM GMT", nil),
    ] as [(String, Int?)])
  func `dates with hours up to 12 and up to 24 are read`(_ text: String, _ seconds: Int?) {
    #expect(ICloudFile.seconds(text).map { Int($0) } == seconds)
  }

  @Test func `quoted values may contain commas, quotes and line ends`() {
    let text = "\u{FEFF}a,b\r\n\"x, \"\"y\"\"\n\",2\n\n,\n"
    #expect(ICloudFile.rows(text) == [["a", "b"], ["x, \"y\"\n", "2"], ["", ""]])
  }

  @Test func `dates, favorites and albums of several parts are imported`() throws {
    let date = "Saturday June 4,2022 12:11 PM GMT"
    for part in 1...2 {
      let photos = "Part \(part)/Photos/"
      try write(try ImageFile().jpeg(part), photos + "IMG_1.JPG")
      try write(try ImageFile().jpeg(part + 10), photos + "IMG_2.JPG")
      let text =
        Self.header + detail("IMG_1.JPG", part == 1 ? "yes,no,no" : "no,yes,no", date)
        + detail("IMG_2.JPG", "no,no,yes", date) + detail("IMG_9.JPG", "no,no,no", date)
      try write(Array(text.utf8), photos + "Photo Details.csv")
      try write(Array("imgName\nIMG_1.JPG\nIMG_7.JPG\n".utf8), "Part \(part)/Albums/Été.csv")
    }
    try write(Array("a,b\n1,2\n".utf8), "Part 1/other.csv")
    let report = run()
    #expect(report.assetCount == 2 && report.interruption == nil)
    let assets = try library.assets()
    #expect(assets.allSatisfy { $0.creationDate?.timeIntervalSince1970 == 1_654_344_660 })
    #expect(assets.map(\.isFavorite) == [true, false] && assets.map(\.isHidden) == [false, true])
    let outcomes = outcomes(report)
    #expect(outcomes["Part 1/Photos/IMG_2.JPG"] == .skipped, "deleted")
    #expect(outcomes["Part 1/Photos/Photo Details.csv"] == .read)
    #expect(outcomes["Part 2/Albums/Été.csv"] == .read)
    #expect(outcomes["Part 1/other.csv"] == .skipped)
    let album = try #require(try library.library.fetchAssetCollections(with: .album).first)
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    #expect(album.localizedTitle == "Été")
    #expect(try library.library.fetchAssets(in: album, options: options).count == 2)
    #expect(run().assetCount == 0)
    #expect(try library.library.fetchAssetCollections(with: .album).count == 1)
  }
}
