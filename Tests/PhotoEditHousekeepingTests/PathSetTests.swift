// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Sets and dictionaries of paths")
struct PathSetTests {
  /// The members whose names are chosen by photoedit, or must differ as texts, or that only list
  /// what is compared elsewhere.
  private static let known: Set<String> = [
    "AssetVersions.swift: files", "TransactionFiles.swift: folders",
    "FolderExport.swift: paths", "TakeoutFile.swift: files", "Uploads.swift: files",
    "SidecarStore+Sweeping.swift: folders", "ResultEdits.swift: sweptFolders",
    "PhotoFiles.swift: paths", "PhotosLibraryScan.swift: namesByFolder",
  ]

  /// Swift's texts are equal if they look the same; names of files are bytes.
  @Test func `paths are compared as bytes`() {
    var found: Set<String> = []
    for file in Repository.texts(under: "Sources", type: "swift") {
      let declaration =
        /(?:var|let) (\w*(?:[pP]ath|[fF]ile|[fF]older)s?)(?:: | = )(?:\[String: |Set<String>)/
      for match in file.lines.flatMap({ $0.matches(of: declaration) }) {
        found.insert("\(file.path.split(separator: "/").last ?? ""): \(match.1)")
      }
    }
    #expect(found == Self.known, "use PathKey for paths of the user")
  }

  /// The expressions about names that photoedit chooses, or that only count what must not be equal
  /// on any file system.
  private static let knownExpressions: Set<String> = [
    "AssetFolder.swift: AssetFolder", "AssetFolder.swift: folder", "Exporter.swift: paths",
    "LibraryBackup.swift: folders", "LibraryRebuild.swift: folder",
    "SidecarStore+ChangeTransaction.swift: folder", "SidecarStore+Sweeping.swift: paths",
    "TakeoutPlan.swift: folder", "TakeoutPlan.swift: path",
  ]

  @Test func `no expression compares paths as texts`() {
    var found: Set<String> = []
    for file in Repository.texts(under: "Sources", type: "swift") {
      let expression = /\b(?:Set|Dictionary)(?:\.init)?\(.*?\b(\w*(?:[pP]ath|[fF]older)s?)\b/
        .wordBoundaryKind(.simple)
      for line in file.lines where !line.contains("PathKey") {
        for match in line.matches(of: expression) {
          found.insert("\(file.path.split(separator: "/").last ?? ""): \(match.1)")
        }
      }
    }
    #expect(found == Self.knownExpressions, "use PathKey for paths of the user")
  }
}
