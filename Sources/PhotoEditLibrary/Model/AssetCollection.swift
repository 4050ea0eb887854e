// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// An album, a smart album or a moment, as it was when it was fetched.
///
/// A value: it never changes. Two values are equal when they name the same collection.
public struct AssetCollection: Sendable, Identifiable, Codable {
  /// What a collection is; the numbers are PhotoKit's.
  public enum Kind: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Made and ordered by a person.
    case album = 1
    /// Filled by a rule.
    case smartAlbum = 2
    /// Photos of one time and place.
    case moment = 3
  }

  /// What an album is in particular; the numbers are PhotoKit's.
  public struct Subtype: RawRepresentable, Sendable, Hashable, Codable {
    /// The number by which it is stored.
    public let rawValue: Int

    /// Makes a value from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// An album that a person made.
    public static let albumRegular = Subtype(rawValue: 2)
    /// Every subtype, for fetches.
    public static let any = Subtype(rawValue: Int.max)
  }

  /// Names the collection for ever; opaque.
  public let localIdentifier: String
  /// What it is.
  public let kind: Kind
  /// What it is in particular.
  public let subtype: Subtype
  /// The title; moments have none.
  public let localizedTitle: String?
  /// When the oldest of its assets was taken.
  public let startDate: Date?
  /// When the newest of its assets was taken.
  public let endDate: Date?
  /// How many assets a default fetch of its members gives; exact, whatever the name says.
  ///
  /// For `smartAlbumAllHidden` it is what a fetch with `includeHiddenAssets` gives.
  public let estimatedAssetCount: Int

  /// Its row; nil for those that are computed or live in memory alone.
  let row: Int64?
  /// What is in it when it lives in memory alone; nil for all others.
  var transientMembers: [Asset]? = nil
  /// Whether this program may change the library.
  var isLibraryChangeable = true
}
