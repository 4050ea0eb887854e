// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The JSON files of a Takeout folder, for finding the one that describes a photo.
struct TakeoutIndex {
  /// The result of a search.
  enum Match: Hashable {
    case none
    case found(String)
    /// Several files could describe the photo.
    case ambiguous([String])
  }

  /// The files by lower-case name without ".json"; Swift compares the composed and the decomposed
  /// form of a name as equal.
  private var files: [String: [(path: String, file: TakeoutFile)]] = [:]

  /// Creates an index of files with their contents.
  init(_ files: [(path: String, file: TakeoutFile)]) {
    for (path, file) in files where file.album == nil {
      let name = FileSystem.splitName(FileSystem.lastName(of: path)).stem
      self.files[name.lowercased(), default: []].append((path, file))
    }
  }

  /// Returns the JSON file that describes a photo or video with this name.
  func match(_ photo: String) -> Match {
    for names in TakeoutNames.candidates(for: photo) {
      let match = match(photo, names) { TakeoutNames.verify(title: $0.title, photo: photo) }
      if match != .none { return match }
    }
    // The title of a photo may have been changed since, but its complete name is unique.
    return match(photo, TakeoutNames.completeNames(for: photo)) { _ in true }
  }

  private func match(
    _ photo: String, _ names: [String], _ isIncluded: (TakeoutFile) -> Bool
  ) -> Match {
    var seen: Set<String> = []
    let found = names.flatMap { files[$0.lowercased()] ?? [] }.filter {
      seen.insert($0.path).inserted && isIncluded($0.file)
    }
    guard let first = found.first else { return .none }
    if found.allSatisfy({ $0.file == first.file }) { return .found(first.path) }
    let named = found.filter { TakeoutNames.matches(title: $0.file.title, photo: photo) }
    return named.count == 1 ? .found(named[0].path) : .ambiguous(found.map(\.path))
  }
}
