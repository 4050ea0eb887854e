// SPDX-License-Identifier: Apache-2.0

/// What became of a file that was to be imported.
public struct ImportedFile: Sendable, Hashable {
  /// How it ended.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// It is part of a new asset, or would be.
    case imported
    /// It was added to an asset that has the same original, or would be.
    case attached
    /// The library has the same bytes, in the trash or outside of it.
    case duplicate
    /// An asset has the same original and another file in its place, so the file was left where it
    /// is.
    case keptOut
    /// It was not looked at, or is of no use by itself.
    case skipped
    /// It cannot be accepted.
    case refused
  }

  /// Where it is.
  public let path: String
  /// How it ended.
  public let outcome: Outcome
  /// What it is to its asset; nil for a file that only describes another, and for those left out.
  public let type: AssetResourceType?
  /// The local identifier of the new asset, or of the one that has the same original; nil where this
  /// program may not see it.
  public let asset: String?
  /// Why it was left out, or what is worth knowing; one sentence.
  public let reason: String?
  /// Why it was refused, in detail.
  public let error: LibraryError?

  init(
    _ path: String, _ outcome: Outcome, type: AssetResourceType? = nil, asset: String? = nil,
    reason: String? = nil, error: LibraryError? = nil
  ) {
    self.path = path
    self.outcome = outcome
    self.type = type
    self.asset = asset
    self.reason = reason ?? error?.message
    self.error = error
  }

  /// Two lines are equal when they say the same of the same file.
  public static func == (first: ImportedFile, second: ImportedFile) -> Bool {
    first.path == second.path && first.outcome == second.outcome && first.type == second.type
      && first.asset == second.asset && first.reason == second.reason
  }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

/// What became of all files that were to be imported.
public struct ImportReport: Sendable {
  /// One line for each file, in the order of their paths within each step.
  public internal(set) var files: [ImportedFile] = []
  /// How many assets were made, or would be.
  public internal(set) var assetCount = 0
  /// Why the import stopped before its end; nil when it did not.
  ///
  /// What was imported until then stays; running the import again goes on from there.
  public internal(set) var interruption: LibraryError?

  /// Adds a line for every file that the import did not come to.
  mutating func addRest(of groups: [ImportGroup]) {
    let told = Set(files.map(\.path))
    for file in groups.flatMap(\.files) where !told.contains(file.path) {
      files.append(ImportedFile(file.path, .skipped, reason: "the import ended before it"))
    }
  }

  /// How many files ended in some way.
  public func count(_ outcome: ImportedFile.Outcome) -> Int {
    files.count { $0.outcome == outcome }
  }
}
