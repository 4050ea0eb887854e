// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A folder of albums and folders, or a list of moments, as of the time it was fetched.
///
/// This is an immutable value. Two values are equal if they have the same identifier.
public struct CollectionList: Sendable, Identifiable, Codable {
  /// The kinds of lists; the raw values match PhotoKit.
  public enum Kind: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Moments of a year or of one trip.
    case momentList = 1
    /// Created by the user.
    case folder = 2
    /// Filled by a rule.
    case smartFolder = 3
  }

  /// The subtype of a list; the raw values match PhotoKit.
  public struct Subtype: RawRepresentable, Sendable, Hashable, Codable {
    /// The stored number.
    public let rawValue: Int

    /// Creates a value from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Moments close to each other.
    public static let momentListCluster = Subtype(rawValue: 1)
    /// Moments of one year.
    public static let momentListYear = Subtype(rawValue: 2)
    /// A user-created folder.
    public static let regularFolder = Subtype(rawValue: 100)
    /// Any subtype, for fetches.
    public static let any = Subtype(rawValue: Int.max)
  }

  /// The permanent, opaque identifier of the list.
  public let localIdentifier: String
  /// The kind of list.
  public let kind: Kind
  /// The subtype of the list.
  public let subtype: Subtype
  /// The title; nil for lists of moments.
  public let localizedTitle: String?
  /// The date of capture of the oldest asset of a list of moments; nil for folders.
  public let startDate: Date?
  /// The date of capture of the newest asset of a list of moments; nil for folders.
  public let endDate: Date?

  /// The database row; nil for computed and transient lists.
  let row: Int64?
  /// The members of a transient list; nil for all others.
  var transientMembers: [PhotoCollection]? = nil
  /// Indicates whether this process may change the library.
  var isLibraryChangeable = true
}

/// A member of a folder: an album or a folder.
public enum PhotoCollection: Sendable, Identifiable, Codable {
  /// An album.
  case assets(AssetCollection)
  /// A folder.
  case list(CollectionList)

  /// The permanent, opaque identifier of the album or folder.
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

  /// The date of capture of the oldest asset; nil for folders.
  public var startDate: Date? {
    switch self {
    case .assets(let album): album.startDate
    case .list(let folder): folder.startDate
    }
  }

  /// The date of capture of the newest asset; nil for folders.
  public var endDate: Date? {
    switch self {
    case .assets(let album): album.endDate
    case .list(let folder): folder.endDate
    }
  }

  /// The database row; nil for computed and transient objects.
  var row: Int64? {
    switch self {
    case .assets(let album): album.row
    case .list(let folder): folder.row
    }
  }
}
