// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// An album, a smart album or a moment, as of the time it was fetched.
///
/// This is an immutable value. Two values are equal if they have the same identifier.
public struct AssetCollection: Sendable, Identifiable, Codable {
  /// The kinds of collections; the raw values match PhotoKit.
  public enum Kind: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Created and ordered by the user.
    case album = 1
    /// Filled by a rule.
    case smartAlbum = 2
    /// Photos of one time and location.
    case moment = 3
  }

  /// The subtype of an album; the raw values match PhotoKit.
  public struct Subtype: RawRepresentable, Sendable, Hashable, Codable {
    /// The stored number.
    public let rawValue: Int

    /// Creates a value from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A user-created album.
    public static let albumRegular = Subtype(rawValue: 2)
    /// Any subtype, for fetches.
    public static let any = Subtype(rawValue: Int.max)
  }

  /// The permanent, opaque identifier of the collection.
  public let localIdentifier: String
  /// The kind of collection.
  public let kind: Kind
  /// The subtype of the collection.
  public let subtype: Subtype
  /// The title; nil for moments.
  public let localizedTitle: String?
  /// The date of capture of the oldest asset.
  public let startDate: Date?
  /// The date of capture of the newest asset.
  public let endDate: Date?
  /// The seconds by which the clock at the place of a moment's first asset was ahead of UTC.
  package var startOffset: Int?
  /// The same for the last asset; nil if unknown, and for other collections.
  package var endOffset: Int?
  /// The number of assets that a default fetch of its members returns; exact despite the name.
  ///
  /// For `smartAlbumAllHidden` it is the number that a fetch with `includeHiddenAssets` returns.
  public let estimatedAssetCount: Int

  /// The database row; nil for computed and transient collections.
  let row: Int64?
  /// The members of a transient collection; nil for all others.
  var transientMembers: [Asset]? = nil
  /// Indicates whether this process may change the library.
  var isLibraryChangeable = true
}
