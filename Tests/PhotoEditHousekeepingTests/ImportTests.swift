// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Imports")
struct ImportTests {
  private let rules: ImportRules

  init() throws {
    rules = ImportRules(manifest: try #require(Repository.manifest))
  }

  @Test func `imports refer only to lower, declared modules and small system modules`() {
    let files = ["Sources", "Tests"].flatMap { Repository.texts(under: $0, type: "swift") }
    #expect(files.count > 40)
    #expect(files.flatMap(rules.findings) == [])
  }

  @Test func `manifest dependencies refer only to lower levels`() {
    #expect(rules.findingsInManifest() == [])
    #expect(rules.declared["PhotoEditFilters"]?.contains("PhotoEditPixels") == true)
    #expect(rules.declared["PhotoEditTool"]?.contains("PhotoEditCommandLine") == true)
  }

  /// It links the library of Swift Testing, which no program needs.
  @Test func `no module depends on the one for tests`() {
    let dependents = rules.declared.filter { $0.value.contains("PhotoEditTesting") }.keys
    #expect(dependents.contains("PhotoEditTestSupport"))
    #expect(dependents.filter { ImportRules.levels[$0] != nil } == [])
  }

  @Test func `modules and levels correspond one to one`() {
    let folders = Set(Repository.texts(under: "Sources").compactMap(\.module))
    #expect(folders == Set(ImportRules.levels.keys))
    #expect(folders.isSubset(of: rules.declared.keys))
  }

  @Test(arguments: [
    ("Sources/PhotoEditPixels/A.swift", "import Foundation"),
    ("Sources/PhotoEditPixels/A.swift", "import Glibc"),
    ("Sources/PhotoEditPixels/A.swift", "public import PhotoEditCodecs"),
    ("Sources/PhotoEditCodecs/A.swift", "internal import struct PhotoEditRendering.Plan"),
    ("Sources/PhotoEditFilters/Graph/A.swift", "  @_exported import PhotoEditCodecs"),
    ("Sources/PhotoEdit/A.swift", "import PhotoEditMovieFiles"),
    ("Sources/PhotoEdit/A.swift", "import CPhotoEditJPEG"),
    ("Sources/PhotoEditStorage/A.swift", "import Testing"),
    ("Sources/Nowhere/A.swift", "import PhotoEditPixels"),
    ("Tests/PhotoEditPixelsTests/A.swift", "@testable import PhotoEditFilters"),
    ("Tests/PhotoEditPixelsTests/A.swift", "@preconcurrency import Foundation"),
    ("Tests/PhotoEditPixelsTests/A.swift", "import XCTest"),
  ])
  func `a forbidden import is reported`(path: String, line: String) {
    let file = TextFile(path: path, text: "// SPDX\nimport PhotoEditPlatform\n\(line)\n")
    #expect(rules.findings(in: file).count == 1)
  }

  @Test(arguments: [
    ("Sources/PhotoEditCodecs/A.swift", "package import PhotoEditPixels"),
    ("Sources/PhotoEditFilters/A.swift", "import FoundationEssentials"),
    ("Sources/PhotoEditFilters/A.swift", "// import Foundation"),
    ("Sources/PhotoEditTool/main.swift", "import PhotoEditCommandLine"),
    ("Tests/PhotoEditPixelsTests/A.swift", "import PhotoEditTestSupport"),
    ("Tests/PhotoEditPixelsTests/A.swift", "@testable import PhotoEditPixels"),
  ])
  func `an allowed import is accepted`(path: String, line: String) {
    #expect(rules.findings(in: TextFile(path: path, text: line)) == [])
  }

  @Test func `a dependency on the same or a higher level is reported`() {
    let manifest = TextFile(
      path: "Package.swift",
      text: """
        .target(name: "CPhotoEditJPEG", linkerSettings: []),
        // module("PhotoEditStorage", ["PhotoEditFilters"]),
        module("PhotoEditPixels"),
        module("PhotoEditCodecs", ["PhotoEditPixels", "PhotoEditRendering"]),
        .executableTarget(
          name: "PhotoEditTool",
          dependencies: [
            "PhotoEditCodecs", "PhotoEditTool",
          ]),
        """)
    let rules = ImportRules(manifest: manifest)
    #expect(
      rules.findingsInManifest() == [
        "PhotoEditCodecs (level 2) imports PhotoEditRendering (level 4)",
        "PhotoEditTool (level 7) imports PhotoEditTool (level 7)",
      ])
    #expect(rules.declared["PhotoEditStorage"] == nil)
    #expect(rules.declared["CPhotoEditJPEG"] == [])
  }
}
