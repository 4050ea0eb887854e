// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Arithmetic on numbers from outside")
struct NumberTests {
  /// The lines that may compute with such numbers, by file, each with the reason.
  ///
  /// Another line is either mended with `addingSaturated`, `multipliedSaturated` or a range check,
  /// or counted here.
  private static let allowed: [String: (count: Int, reason: String)] = [
    "Library/Editing/StagedVersion.swift": (1, "sizes of decoded files, which have limits"),
    "Library/Export/EmbeddedMetadata+Images.swift": (3, "floating point"),
    "Library/Export/EmbeddedMetadata+Movies.swift": (1, "floating point"),
    "Library/Export/ExportTemplate.swift": (1, "a width from 1 to 12"),
    "Library/Fetching/AlbumSummary.swift": (1, "a count of rows"),
    "Library/Fetching/MomentClustering.swift": (5, "floating point"),
    "Library/Export/ExportValues.swift": (1, "floating point"),
    "Library/Fetching/CalendarDay.swift": (1, "floating point"),
    "Library/Fetching/TextMatching.swift": (1, "texts"),
    "Library/Fetching/Timeline.swift": (5, "counts of rows"),
    "Library/Images/ThumbnailStore.swift": (1, "parts of a sum that did not exceed the range"),
    "Library/Import/ICloudExport.swift": (1, "an hour from 0 to 23"),
    "Library/Creation/LivePhotoPartners.swift": (2, "constants, and a query"),
    "Library/Library/LibraryConfiguration.swift": (1, "constants"),
    "Library/Maintenance/LibraryMaintenance+History.swift": (1, "floating point"),
    "Library/Recovery/LibraryRebuild.swift": (1, "lists"),
    "Library/Places/PlaceSearch.swift": (3, "floating point"),
    "Library/Properties/PhotoProperties+Precedence.swift": (3, "floating point"),
    "Library/Resources/AssetResourceManager.swift": (1, "a rest that was compared before"),
    "Server/Handlers/PreviewStatistics.swift": (2, "floating point, and constants"),
    "Tool/Commands/CompareReport.swift": (1, "texts"),
    "Tool/Runs/CollectCommand.swift": (1, "floating point"),
    "Tool/Runs/FileLines.swift": (3, "sizes of a buffer"),
    "Tool/Runs/RunFolder.swift": (1, "a count of lines"),
    "Tool/Support/EditArguments.swift": (1, "sizes of images in memory"),
    "Tool/Support/EditReport.swift": (1, "times of the clock"),
    "Tool/Support/ParallelBatch.swift": (2, "sizes of images in memory"),
  ]

  @Test func `numbers from outside are computed with only where that cannot trap`() {
    var found: [String: [String]] = [:]
    for module in NumberRules.scannedModules {
      let files = Repository.texts(under: "Sources/" + module, type: "swift")
      #expect(files.count > 3)
      for finding in NumberRules.findings(in: files) {
        let path = finding.prefix { $0 != ":" }.dropFirst("Sources/PhotoEdit".count)
        found[String(path), default: []].append(finding)
      }
    }
    for (path, lines) in found {
      #expect(lines.count == Self.allowed[path]?.count ?? 0, "\(lines.joined(separator: "\n"))")
    }
    #expect(Set(found.keys) == Set(Self.allowed.keys))
  }

  /// The sizes that are differences of numbers that were compared before.
  private static let checkedSizes = [
    "Sources/PhotoEditCodecs/CameraRawFormat.swift: width: right - left, height: bottom - top",
    "Sources/PhotoEditFilters/Text/TextDrawing.swift: "
      + "width: last.x - first.x, height: last.y - first.y",
  ]

  @Test func `a size is a difference only where that cannot be negative`() {
    let files = Repository.texts(under: "Sources", type: "swift")
    #expect(files.flatMap { NumberRules.sizesOfDifferences(in: $0) } == Self.checkedSizes)
    let text = "let a = PixelSize(width: (b + c - 1) / c, height: 1)\n  a = PixelSize(\n"
    let rounded = TextFile(path: "a.swift", text: text + "    width: b, height: 2)")
    #expect(NumberRules.sizesOfDifferences(in: rounded) == [])
    let difference = TextFile(
      path: "a.swift", text: text + "    width: b - 2 * (c + d), height: 2)")
    #expect(NumberRules.sizesOfDifferences(in: difference).count == 1)
  }

  @Test func `every source file sees the conversions that saturate`() {
    let files = Repository.texts(under: "Sources", type: "swift")
      .filter { $0.module != "PhotoEditPlatform" }
    #expect(files.count > 100)
    #expect(NumberRules.filesWithoutNumbers(files) == [])
  }

  @Test func `a file that sees no saturating conversions is reported`() {
    let files = [
      TextFile(path: "Sources/A/A.swift", text: "@_exported public import PhotoEditNumbers"),
      TextFile(path: "Sources/A/B.swift", text: "let a = Int(1e300)"),
      TextFile(path: "Sources/C/C.swift", text: "import A\nlet a = Int(1e300)"),
      TextFile(path: "Sources/C/D.swift", text: "let a = Int(1e300)"),
    ]
    #expect(NumberRules.filesWithoutNumbers(files) == ["Sources/C/D.swift"])
  }

  @Test(arguments: [
    "sum += json.size", "let a = sum + size", "let a = size * 2", "let a = 3 - entry?.size",
    "list.reserveCapacity(entry.size)", "Array(repeating: 0, count: size)", "let a = 7 / size",
    "total -= (size)", "let a = [1 + size]", "let a = 1 % file!.size",
  ])
  func `arithmetic on a number that the file reads is reported`(line: String) {
    for reading in [
      "let size = json[\"size\"]?.integerValue", "size = max(0, Int(row.int(3)))",
      "init(type: $0, size: Int(row.int(3)), digest: row.blob(1))",
      "var size: Int { manifest[\"size\"]?.integerValue ?? 0 }",
      "(name, size) = (row.text(1), row.int(2))", "guard let size: Int = row.optionalInt(1) else {",
    ] {
      let file = TextFile(path: "Sources/A/a.swift", text: reading + "\n" + line)
      #expect(NumberRules.findings(in: [file]) == ["Sources/A/a.swift:2: \(line)"], "\(reading)")
    }
  }

  @Test(arguments: [
    "let a = sum.addingSaturated(size)", "let a = \"1 + size\"", "let a = 1  // + size",
    "let a = Double(size) * 2", "let a = size", "f(1 + other, size: 3)", "let a = size / 2",
    "let (a, b) = size.addingReportingOverflow(1 + 1)",
  ])
  func `other uses of a number are accepted`(line: String) {
    let text = "let size = json[\"size\"]?.integerValue\n" + line
    #expect(NumberRules.findings(in: [TextFile(path: "Sources/A/a.swift", text: text)]) == [])
  }

  @Test func `a property is recognized in the other files of its module`() {
    let reader = TextFile(path: "Sources/A/a.swift", text: "byteCount = json.integerValue ?? 0")
    let user = TextFile(
      path: "Sources/A/b.swift", text: "sum += byteCount\nsum += state.byteCount\nsum += b.count")
    #expect(
      NumberRules.findings(in: [reader, user]) == ["Sources/A/b.swift:2: sum += state.byteCount"])
  }
}
