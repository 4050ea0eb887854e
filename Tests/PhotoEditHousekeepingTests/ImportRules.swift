// SPDX-License-Identifier: Apache-2.0

/// The rules for imports: only modules declared in the manifest, and only from lower levels.
struct ImportRules {
  /// The level of each module.
  static let levels: [String: Int] = [
    // The C target that other C targets may use.
    "CPhotoEditSystem": -1,
    "CPhotoEditJPEG": 0, "CPhotoEditPNG": 0, "CPhotoEditDigest": 0, "CPhotoEditKernels": 0,
    "CPhotoEditAVFormat": 0, "CPhotoEditAVCodec": 0, "CPhotoEditZlib": 0,
    "CPhotoEditExpat": 0, "CPhotoEditLCMS": 0, "CPhotoEditSQLite": 0, "CPhotoEditHEIF": 0,
    "CPhotoEditMicroHTTPD": 0, "CPhotoEditWebFiles": 0, "CPhotoEditWebP": 0, "CPhotoEditTIFF": 0,
    "CPhotoEditGIF": 0, "CPhotoEditRAW": 0, "CPhotoEditArchive": 0, "CPhotoEditText": 0,
    "CPhotoEditLens": 0, "CPhotoEditInterface": 0,
    "PhotoEditPlatform": 0, "PhotoEditNumbers": 0,
    "PhotoEditPixels": 1, "PhotoEditStorage": 1, "PhotoEditContainers": 1,
    "PhotoEditCodecs": 2, "PhotoEditCommandLine": 2, "PhotoEditSQLite": 2,
    "PhotoEditFilters": 3, "PhotoEditServeArguments": 3, "PhotoEditTesting": 3,
    "PhotoEditRendering": 4,
    "PhotoEdit": 5, "PhotoEditMovieFiles": 5,
    "PhotoEditVideo": 6, "PhotoEditLibrary": 6,
    "PhotoEditTool": 7, "PhotoEditFoundation": 7, "PhotoEditServer": 7,
    "PhotoEditServeTool": 8, "PhotoEditProgram": 8, "PhotoEditInterface": 8,
  ]

  /// System modules that may be imported; loading Foundation would cost several milliseconds.
  ///
  /// The standard library is imported by name for its Unicode normalization.
  static let system: Set = [
    platform, numbers, "FoundationEssentials", "Synchronization", "Dispatch", "Swift",
  ]

  /// The module that wraps the C library; the manifest gives it to every module.
  private static let platform = "PhotoEditPlatform"

  /// The module of saturating arithmetic; the manifest gives it to every module.
  static let numbers = "PhotoEditNumbers"

  /// The names of the dependencies in the manifest by target name.
  let declared: [String: Set<String>]

  init(manifest: TextFile) {
    let text = manifest.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      .joined(separator: "\n")
    var declared: [String: Set<String>] = [:]
    // Optional formats are listed once, by their names after the prefix.
    let inputs = text.firstMatch(of: /let inputs: [^=]*=\s*\[([^\]]*)\]/).map { Self.names($0.1) }
    for match in text.matches(
      of: /(?:module|tests)\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?(\s*\+\s*inputs)?\s*\)/)
    {
      declared[String(match.1)] = Self.names(match.2 ?? "")
      if match.3 != nil {
        declared[String(match.1), default: []].formUnion((inputs ?? []).map { "CPhotoEdit" + $0 })
      }
    }
    for match in text.matches(
      of: /[tT]arget\(\s*name:\s*"(\w+)"(?:,\s*dependencies:\s*\[([^\]]*)\])?/)
    {
      declared[String(match.1)] = Self.names(match.2 ?? "")
    }
    self.declared = declared
  }

  /// The forbidden imports of a Swift file.
  func findings(in file: TextFile) -> [String] {
    guard let module = file.module else { return [] }
    let isTest = file.path.hasPrefix("Tests/")
    return file.findings { line in
      guard let name = Self.imported(by: line) else { return nil }
      let isForTests = isTest || module == "PhotoEditTesting"
      if Self.system.contains(name) || (isForTests && name == "Testing") { return nil }
      if module == Self.platform { return nil }
      if name == "Foundation", module.hasPrefix("PhotoEditFoundation") { return nil }
      guard let declared = declared[module] else { return "\(module) is not in Package.swift" }
      guard declared.contains(name) || (isTest && name == "PhotoEditTestSupport") else {
        return "\(module) imports \(name), which Package.swift does not give it"
      }
      return isTest ? nil : complaint(about: name, in: module)
    }
  }

  /// The forbidden dependencies in the manifest.
  func findingsInManifest() -> [String] {
    declared.sorted { $0.key < $1.key }.flatMap { module, dependencies in
      Self.levels[module] == nil
        ? [] : dependencies.sorted().compactMap { complaint(about: $0, in: module) }
    }
  }

  /// The module named by an import declaration, with or without attributes and access level.
  static func imported(by line: Substring) -> String? {
    // The pattern is compiled at each call, and few lines are imports.
    guard line.containsBytes(of: "import") else { return nil }
    let pattern =
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |internal |fileprivate |private )?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
    return line.firstMatch(of: pattern).map { String($0.1) }
  }

  private func complaint(about name: String, in module: String) -> String? {
    guard let own = Self.levels[module] else { return "\(module) has no level" }
    guard let other = Self.levels[name] else { return "\(name) has no level" }
    return other < own ? nil : "\(module) (level \(own)) imports \(name) (level \(other))"
  }

  private static func names(_ list: Substring) -> Set<String> {
    Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
  }
}
