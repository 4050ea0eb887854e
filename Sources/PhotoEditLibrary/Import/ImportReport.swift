// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The result of importing one file.
public struct ImportedFile: Sendable, Hashable {
  /// The possible outcomes.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The file is, or would be, part of a new asset.
    case imported
    /// The file was, or would be, added to an asset with the same original.
    case attached
    /// The file replaced, or would replace, the XMP file of an asset with the same original.
    case updated
    /// The library already has the same bytes, trashed or not.
    case duplicate
    /// The library had the same bytes in its trash, and the asset was, or would be, restored.
    case restored
    /// An asset with the same original has another file of this type, so the file was not imported.
    case keptOut
    /// The file describes an album or photos of the library and was read, but is not stored.
    case read
    /// The file was not examined, or is useless by itself.
    case skipped
    /// The file cannot be accepted.
    case refused
  }

  /// The path of the file; for an entry of an archive, that of the archive and the entry's name.
  public internal(set) var path: String
  /// The outcome.
  public let outcome: Outcome
  /// The role of the file; nil for a file that only describes another, and for omitted files.
  public let type: AssetResourceType?
  /// The local identifier of the new asset or of the one with the same original; nil if this
  /// process may not access it.
  public let asset: String?
  /// The reason why the file was omitted, or additional information; one sentence.
  public internal(set) var reason: String?
  /// Indicates whether something that the user may expect in the library is not there because the
  /// file was omitted, or is in its trash.
  public let isLoss: Bool
  /// The detailed reason why the file was rejected.
  public internal(set) var error: LibraryError?
  /// The path of the file that represents the asset; nil for files outside of any asset.
  ///
  /// Files with the same original are parts of one asset.
  public internal(set) var original: String?
  /// Indicates whether the source was to be moved and is still there; `reason` states why.
  public internal(set) var isSourceKept = false
  /// The identifier of the burst that the asset belongs to.
  public internal(set) var burstIdentifier: String?

  init(
    _ path: String, _ outcome: Outcome, type: AssetResourceType? = nil, asset: String? = nil,
    reason: String? = nil, isLoss: Bool = false, error: LibraryError? = nil
  ) {
    self.path = path
    self.outcome = outcome
    self.type = type
    self.asset = asset
    self.reason = reason ?? error?.message
    self.isLoss = isLoss || [.refused, .keptOut].contains(outcome)
    self.error = error
  }

  /// The entry of a file whose bytes an asset has.
  init(
    _ path: String, duplicateOf asset: String?, type: AssetResourceType? = nil, isTrashed: Bool,
    reason: String? = nil
  ) {
    self.init(
      path, .duplicate, type: type, asset: asset, reason: isTrashed ? .inTrash : reason,
      isLoss: isTrashed)
  }

  /// Indicates whether the reason only states how a file of its kind is imported.
  public var isRoutine: Bool { reason == .ofMotionPhoto }

  /// Returns whether two results are the same outcome of the same file.
  public static func == (first: ImportedFile, second: ImportedFile) -> Bool {
    first.path == second.path && first.outcome == second.outcome && first.type == second.type
      && first.asset == second.asset && first.reason == second.reason
  }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension String {
  /// The reason why a JSON file is not stored.
  static let superseded = "the photo in the library has its description from another file"
  /// The note on each photo with a video inside.
  static let ofMotionPhoto = "imported as a Live Photo with its video"
  /// The note on a video that is that of a Live Photo in another coding.
  static let ofOtherCoding = "the Live Photo has this video in another coding"
  /// The reason why a file was not examined.
  static let notReached = "the import ended before this file"
  /// The reason why a file that the library has is not shown.
  static let inTrash = "the photo is in the trash of the library"
}

/// The result of an import.
public struct ImportReport: Sendable {
  /// One entry for each file, in the order of the paths within each step.
  public internal(set) var files: [ImportedFile] = []
  /// The number of files and folders that were skipped because of `Importer.Options.exclusions`.
  public internal(set) var excludedCount = 0
  /// The number of assets that were, or would be, created.
  public internal(set) var assetCount = 0
  /// The numbers of the JSON files of Google Takeout; nil without such files.
  public internal(set) var takeout: TakeoutSummary?
  /// The reason why the import stopped early; nil if it completed.
  ///
  /// Files imported until then stay in the library; running the import again continues from there.
  public internal(set) var interruption: LibraryError?

  /// Removes the groups of trashed photos and adds an entry for each of their files.
  mutating func skipTrashed(_ groups: inout [ImportGroup], _ trashed: Set<PathKey>) {
    for group in groups where trashed.contains(group.original.key) {
      files += group.files.map {
        ImportedFile($0.path, .skipped, reason: "in the trash of the other program")
      }
    }
    groups.removeAll { trashed.contains($0.original.key) }
  }

  /// Removes the files that are not selected from the groups and adds an entry for each of them.
  mutating func skipUnselected(_ groups: inout [ImportGroup], _ selection: Set<PathKey>) {
    files += groups.flatMap { group in
      group.files.filter { $0 != group.packet && !selection.contains($0.key) }.map {
        ImportedFile($0.path, .skipped, reason: "not selected")
      }
    }
    groups = groups.flatMap { $0.selecting(selection) }
  }

  /// Counts the JSON files of Google Takeout as used whose photo or video was not rejected.
  mutating func countDescriptions(_ described: Set<PathKey>) {
    guard takeout != nil else { return }
    let used = Set(
      files.filter { ![.skipped, .refused].contains($0.outcome) }.map { PathKey($0.path) }
    ).intersection(described)
    takeout?.used = used.count
    takeout?.unused = described.count - used.count
  }

  /// Adds an entry for every file that the import did not reach.
  mutating func addRest(of groups: [ImportGroup]) {
    let reported = Set(files.map { PathKey($0.path) })
    for file in groups.flatMap(\.files) where !reported.contains(file.key) {
      files.append(ImportedFile(file.path, .skipped, reason: .notReached))
    }
  }

  /// Returns the number of files with an outcome.
  public func count(_ outcome: ImportedFile.Outcome) -> Int {
    files.count { $0.outcome == outcome }
  }
}
