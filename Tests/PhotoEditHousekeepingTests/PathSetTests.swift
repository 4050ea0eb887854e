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
}
