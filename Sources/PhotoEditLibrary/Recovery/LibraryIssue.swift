// SPDX-License-Identifier: Apache-2.0

/// A defect found in a library.
public struct LibraryIssue: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of defects; the raw values are used in JSON.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The database cannot be read, or SQLite reports damage.
    case damagedDatabase
    /// A row refers to a missing row.
    case danglingReference
    /// A file that a version needs is missing.
    case missingFile
    /// The bytes of a file differ from those at import.
    case changedFile
    /// An image cannot be decoded, and its bytes are unchanged since import.
    case undecodableFile
    /// An image was damaged at import and is unchanged since.
    case knownDamage
    /// The adjustment data of an edit does not match its version or cannot be read.
    case mismatchedRecord
    /// A file is not needed by any version.
    case orphanedFile
    /// A symbolic link is at the path of a folder; nothing is written or removed through it.
    case linkedFolder
    /// A symbolic link is at the path of a file; its target is neither read nor copied.
    case linkedFile
    /// Unfinished files of a terminated process; the next writing process removes them.
    case litter
    /// A manifest is out of date; the next writing process updates it.
    case staleManifest
    /// A manifest is missing or unreadable, so a lost database could not be rebuilt completely; a
    /// repair writes it.
    case missingManifest
    /// A manifest differs from the database; a repair adopts the later of the two.
    case differingManifest
    /// The tables for searching differ from the assets; a repair fills them again.
    case differingSearch
    /// The database has an older version; the next process that opens the library migrates it.
    case olderDatabase
    /// An asset could not be restored.
    case lostAsset
  }

  /// The kind of defect.
  public let kind: Kind
  /// The file, relative to the library, if known.
  public let file: String?
  /// The asset or collection, if known.
  public let identifier: String?
  /// The details, in one sentence.
  public let detail: String

  init(_ kind: Kind, file: String? = nil, identifier: String? = nil, _ detail: String) {
    self.kind = kind
    self.file = file
    self.identifier = identifier
    self.detail = detail
  }

  /// Indicates whether there is a loss or an error, as opposed to pending maintenance.
  public var isError: Bool {
    switch kind {
    case .litter, .staleManifest, .orphanedFile, .olderDatabase, .knownDamage,
      .undecodableFile:
      false
    default: true
    }
  }

  /// The text "missingFile assets/…/photo-….jpg: the file is missing".
  public var description: String {
    kind.rawValue + ((file ?? identifier).map { " " + $0 } ?? "") + ": " + detail
  }
}

/// The result of a check or a repair.
public struct LibraryReport: Sendable, Hashable {
  /// The findings, in the order of the files.
  public internal(set) var findings: [LibraryIssue] = []
  /// The actions of a repair, one sentence each.
  public internal(set) var actions: [String] = []
  /// The number of checked assets.
  public internal(set) var assetCount = 0
  /// The number of checked files.
  public internal(set) var fileCount = 0

  init() {}

  /// Indicates whether there are no losses or errors.
  public var isSound: Bool { !findings.contains(where: \.isError) }
}
