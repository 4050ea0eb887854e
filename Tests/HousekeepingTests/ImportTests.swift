// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Imports")
struct ImportTests {
  private let rules: ImportRules

  init() throws {
    rules = ImportRules(manifest: try #require(Repository.manifest))
  }

  @Test func `imports point only downwards, at declared modules and small system ones`() {
    let files = ["Sources", "Tests"].flatMap { Repository.texts(under: $0, type: "swift") }
    #expect(files.count > 40)
    #expect(files.flatMap(rules.findings) == [])
  }

  @Test func `dependencies in the manifest point only downwards`() {
    #expect(rules.findingsInManifest() == [])
    #expect(rules.declared["Filters"]?.contains("Pixels") == true)
    #expect(rules.declared["PhotoEditTool"]?.contains("CommandLineKit") == true)
  }

  @Test func `every module has a level and every level its module`() {
    let folders = Set(Repository.texts(under: "Sources").compactMap(\.module))
    #expect(folders == Set(ImportRules.levels.keys))
    #expect(folders.isSubset(of: rules.declared.keys))
  }

  @Test(arguments: [
    ("Sources/Pixels/A.swift", "import Foundation"),
    ("Sources/Pixels/A.swift", "public import Codecs"),
    ("Sources/Codecs/A.swift", "internal import struct Rendering.Plan"),
    ("Sources/Filters/Graph/A.swift", "  @_exported import Codecs"),
    ("Sources/PhotoEdit/A.swift", "import PhotoEditMovies"),
    ("Sources/PhotoEdit/A.swift", "import CJPEG"),
    ("Sources/Storage/A.swift", "import Testing"),
    ("Sources/Nowhere/A.swift", "import Pixels"),
    ("Tests/PixelsTests/A.swift", "@testable import Filters"),
    ("Tests/PixelsTests/A.swift", "@preconcurrency import Foundation"),
    ("Tests/PixelsTests/A.swift", "import XCTest"),
  ])
  func `a forbidden import is found`(path: String, line: String) {
    let file = TextFile(path: path, text: "// SPDX\nimport Glibc\n\(line)\n")
    #expect(rules.findings(in: file).count == 1)
  }

  @Test(arguments: [
    ("Sources/Codecs/A.swift", "package import Pixels"),
    ("Sources/Filters/A.swift", "import FoundationEssentials"),
    ("Sources/Filters/A.swift", "// import Foundation"),
    ("Sources/PhotoEditTool/main.swift", "import CommandLineKit"),
    ("Tests/PixelsTests/A.swift", "import TestSupport"),
    ("Tests/PixelsTests/A.swift", "@testable import Pixels"),
  ])
  func `an allowed import is left alone`(path: String, line: String) {
    #expect(rules.findings(in: TextFile(path: path, text: line)) == [])
  }

  @Test func `a dependency that points up is found`() {
    let manifest = TextFile(
      path: "Package.swift",
      text: """
        .target(name: "CJPEG", linkerSettings: []),
        // module("Storage", ["Filters"]),
        module("Pixels"),
        module("Codecs", ["Pixels", "Rendering"]),
        .executableTarget(
          name: "PhotoEditTool",
          dependencies: [
            "Codecs", "PhotoEditTool",
          ]),
        """)
    let rules = ImportRules(manifest: manifest)
    #expect(
      rules.findingsInManifest() == [
        "Codecs (level 2) imports Rendering (level 4)",
        "PhotoEditTool (level 7) imports PhotoEditTool (level 7)",
      ])
    #expect(rules.declared["Storage"] == nil)
    #expect(rules.declared["CJPEG"] == [])
  }
}
