// SPDX-License-Identifier: Apache-2.0

/// Something that is not as it should be in a library.
public struct LibraryFinding: Sendable, Hashable, CustomStringConvertible {
  /// What is wrong; the words are those of the JSON.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The database cannot be read, or SQLite finds it damaged.
    case damagedDatabase
    /// A row refers to one that is not there.
    case danglingReference
    /// A file that a version needs is gone.
    case missingFile
    /// A file has other bytes than it came with.
    case changedFile
    /// A picture cannot be decoded, though it is what came in.
    case undecodableFile
    /// An image that was damaged when it came in, and is unchanged since.
    case knownDamage
    /// The record of an edit is not of the version beside it, or cannot be read.
    case mismatchedRecord
    /// A file that no version needs.
    case orphanedFile
    /// A symbolic link in the place of a folder; nothing is written or removed behind it.
    case linkedFolder
    /// A symbolic link in the place of a file; what it leads to is neither read nor copied.
    case linkedFile
    /// Unfinished work of a program that died; the next one that writes removes it.
    case litter
    /// A manifest that says less than the database; the next program that writes follows up.
    case staleManifest
    /// A manifest that is gone or cannot be read, without which a lost database could not be made
    /// again whole; a repair writes it.
    case missingManifest
    /// A manifest that says something else than the database; a repair adopts the later of the two.
    case differingManifest
    /// The database is of an older version; the next program that opens the library brings it up to
    /// date.
    case olderDatabase
    /// An asset that could not be made again.
    case lostAsset
  }

  /// What is wrong.
  public let kind: Kind
  /// The file, relative to the library, where there is one.
  public let file: String?
  /// The asset or collection, where it is known.
  public let identifier: String?
  /// One sentence with the facts.
  public let detail: String

  init(_ kind: Kind, file: String? = nil, identifier: String? = nil, _ detail: String) {
    self.kind = kind
    self.file = file
    self.identifier = identifier
    self.detail = detail
  }

  /// Whether something is lost or wrong, and not only to be tidied up.
  public var isError: Bool {
    switch kind {
    case .litter, .staleManifest, .orphanedFile, .olderDatabase, .knownDamage: false
    default: true
    }
  }

  /// "missingFile assets/…/photo-….jpg: the file is gone".
  public var description: String {
    kind.rawValue + ((file ?? identifier).map { " " + $0 } ?? "") + ": " + detail
  }
}

/// What a check or a repair came to.
public struct LibraryReport: Sendable, Hashable {
  /// What was found, in the order of the files.
  public internal(set) var findings: [LibraryFinding] = []
  /// What a repair did, one sentence each.
  public internal(set) var actions: [String] = []
  /// How many assets were looked at.
  public internal(set) var assetCount = 0
  /// How many files were looked at.
  public internal(set) var fileCount = 0

  init() {}

  /// Whether nothing is lost or wrong.
  public var isSound: Bool { !findings.contains(where: \.isError) }
}
