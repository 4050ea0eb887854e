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
  var isLibraryChangeable = true

  /// Creates a list that exists only in memory and can be fetched from like any other.
  ///
  /// It cannot be changed, and results fetched from it have no change details. Duplicate albums and
  /// folders count once; a fetch omits those that were deleted and returns the others in their
  /// current state.
  public static func transient(
    title: String?, collections: some Sequence<PhotoCollection>
  ) -> CollectionList {
    var seen: Set<String> = []
    let members = collections.filter { seen.insert($0.localIdentifier).inserted }
    var list = CollectionList(
      localIdentifier: LocalIdentifier(new: .collectionList).description, kind: .folder,
      subtype: .any, localizedTitle: title,
      startDate: members.compactMap(\.startDate).min(),
      endDate: members.compactMap(\.endDate).max(), row: nil)
    list.transientMembers = members
    return list
  }

  /// Indicates whether the list exists only in memory.
  var isTransient: Bool { transientMembers != nil }
}

extension CollectionList {
  /// Creates a folder or list of moments that belongs to no library, for tests and previews of user
  /// interfaces.
  ///
  /// Its members cannot be fetched; those of a transient list can.
  ///
  /// - Parameter localIdentifier: The identifier; a new one if nil.
  public init(
    localIdentifier: String? = nil, kind: Kind = .folder, subtype: Subtype = .regularFolder,
    localizedTitle: String? = nil, startDate: Date? = nil, endDate: Date? = nil
  ) {
    self.init(
      localIdentifier: localIdentifier ?? LocalIdentifier(new: .collectionList).description,
      kind: kind, subtype: subtype, localizedTitle: localizedTitle, startDate: startDate,
      endDate: endDate, row: nil)
  }
}

extension AssetCollection {
  /// Creates a collection that exists only in memory and can be fetched from like any other.
  ///
  /// It cannot be changed, has no key assets, and results fetched from it have no change details.
  /// Duplicate assets count once; assets that are in the trash at the time of a fetch are omitted.
  public static func transient(
    title: String?, assets: some Sequence<Asset>
  ) -> AssetCollection {
    var seen: Set<String> = []
    let members = assets.filter { seen.insert($0.localIdentifier).inserted }
    let dates = members.compactMap(\.creationDate)
    var collection = AssetCollection(
      localIdentifier: LocalIdentifier(new: .assetCollection).description, kind: .album,
      subtype: .any, localizedTitle: title, startDate: dates.min(), endDate: dates.max(),
      estimatedAssetCount: members.count, row: nil)
    collection.transientMembers = members
    return collection
  }

  /// Indicates whether the collection exists only in memory.
  var isTransient: Bool { transientMembers != nil }
}

extension CollectionList {
  /// Returns whether a change block may perform an operation on the list.
  ///
  /// User-created folders allow every operation except `deleteContent`, since they contain no
  /// assets. Lists of moments and transient lists allow nothing.
  public func canPerform(_ operation: CollectionOperation) -> Bool {
    guard isLibraryChangeable, !isTransient, kind == .folder, subtype == .regularFolder else {
      return false
    }
    return operation != .deleteContent
  }
}
