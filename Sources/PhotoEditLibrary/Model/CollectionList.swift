// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A folder of albums and folders, or a list of moments, as it was when it was fetched.
///
/// A value: it never changes. Two values are equal when they name the same list.
public struct CollectionList: Sendable, Identifiable, Codable {
  /// What a list is; the numbers are PhotoKit's.
  public enum Kind: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Moments of a year or of one trip.
    case momentList = 1
    /// Made by a person.
    case folder = 2
    /// Filled by a rule.
    case smartFolder = 3
  }

  /// What a list is in particular; the numbers are PhotoKit's.
  public struct Subtype: RawRepresentable, Sendable, Hashable, Codable {
    /// The number by which it is stored.
    public let rawValue: Int

    /// Makes a value from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Moments close to each other.
    public static let momentListCluster = Subtype(rawValue: 1)
    /// Moments of one year.
    public static let momentListYear = Subtype(rawValue: 2)
    /// A folder that a person made.
    public static let regularFolder = Subtype(rawValue: 100)
    /// Every subtype, for fetches.
    public static let any = Subtype(rawValue: Int.max)
  }

  /// Names the list for ever; opaque.
  public let localIdentifier: String
  /// What it is.
  public let kind: Kind
  /// What it is in particular.
  public let subtype: Subtype
  /// The title; lists of moments have none.
  public let localizedTitle: String?
  /// When the oldest asset of a list of moments was taken; nil for folders.
  public let startDate: Date?
  /// When the newest asset of a list of moments was taken; nil for folders.
  public let endDate: Date?

  /// Its row; nil for those that are computed or live in memory alone.
  let row: Int64?
  /// What is in it when it lives in memory alone; nil for all others.
  var transientMembers: [PhotoCollection]? = nil
  /// Whether this program may change the library.
  var isLibraryChangeable = true
}

/// An album or a folder: what a folder holds.
public enum PhotoCollection: Sendable, Identifiable, Codable {
  /// An album.
  case assets(AssetCollection)
  /// A folder.
  case list(CollectionList)

  /// Names the object for ever; opaque.
  public var localIdentifier: String {
    switch self {
    case .assets(let album): album.localIdentifier
    case .list(let folder): folder.localIdentifier
    }
  }

  /// The title.
  public var localizedTitle: String? {
    switch self {
    case .assets(let album): album.localizedTitle
    case .list(let folder): folder.localizedTitle
    }
  }

  /// When the oldest asset in it was taken; nil for folders.
  public var startDate: Date? {
    switch self {
    case .assets(let album): album.startDate
    case .list(let folder): folder.startDate
    }
  }

  /// When the newest asset in it was taken; nil for folders.
  public var endDate: Date? {
    switch self {
    case .assets(let album): album.endDate
    case .list(let folder): folder.endDate
    }
  }

  /// Its row; nil for those that are computed or live in memory alone.
  var row: Int64? {
    switch self {
    case .assets(let album): album.row
    case .list(let folder): folder.row
    }
  }
}
