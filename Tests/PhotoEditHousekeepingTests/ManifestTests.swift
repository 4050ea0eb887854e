// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Package manifest")
struct ManifestTests {
  @Test func `the package uses language mode 6 and can be used as a dependency`() throws {
    #expect(Self.findings(in: try #require(Repository.manifest)) == [])
  }

  @Test(arguments: [
    ("swiftLanguageModes: [.v5]", 1), ("swiftLanguageModes: [.v5, .v6]", 1), ("let a = 1", 1),
    ("// swiftLanguageModes: [.v6]", 1), ("swiftLanguageModes: [.v6]", 0),
    ("swiftLanguageModes: [.v6], settings: [.swiftLanguageMode(.v5)]", 1),
    ("swiftLanguageModes: [.v6], settings: [.unsafeFlags([])]", 1),
    ("swiftLanguageModes: [.v6], dependencies: [.package(url: \"\", from: \"1\")]", 1),
    ("swiftLanguageModes: [.v6], dependencies: [.package(path: \"..\")]", 1),
  ])
  func `a manifest that violates the rules is reported`(text: String, count: Int) {
    #expect(Self.findings(in: TextFile(path: "Package.swift", text: text)).count == count)
  }

  private static func findings(in manifest: TextFile) -> [String] {
    let lines = manifest.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    let forbidden = [".unsafeFlags", ".swiftLanguageMode(", ".package("]
      .filter { word in lines.contains { $0.contains(word) } }
    let isMode6 = lines.contains { $0.contains("swiftLanguageModes: [.v6]") }
    return forbidden + (isMode6 ? [] : ["swiftLanguageModes is not [.v6]"])
  }
}
