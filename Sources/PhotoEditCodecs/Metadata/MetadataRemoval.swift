// SPDX-License-Identifier: Apache-2.0

/// Kinds of metadata that users remove from photos they share.
///
/// The bytes of stripped data are erased. MakerNotes are stripped with `device`, and those of
/// makers that store locations in them also with `location`. Segments that are not interpreted are
/// stripped with `location`, because thermal and action cameras store locations in them; comments
/// are stripped only with `all`.
public struct MetadataRemoval: OptionSet, Hashable, Sendable {
  /// One bit for each kind.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The location where the photo was taken or that it shows: GPS, cells of phone networks, place
  /// names, and XMP properties of any namespace whose names denote a location.
  public static let location = MetadataRemoval(rawValue: 1)
  /// The people in the photo: regions of faces, and names of persons shown.
  public static let people = MetadataRemoval(rawValue: 2)
  /// Identification of the device: MakerNotes, serial numbers, owners, unique identifiers.
  public static let device = MetadataRemoval(rawValue: 4)
  /// The dates of capture, digitization and modification.
  public static let dates = MetadataRemoval(rawValue: 8)
  /// Everything except the color profile and the pixel density.
  public static let all = MetadataRemoval(rawValue: 16)

  /// The names used on the command line.
  public static let names: [(name: String, strip: MetadataRemoval)] = [
    ("location", .location), ("people", .people), ("device", .device), ("dates", .dates),
    ("all", .all),
  ]

  /// Parses names separated by commas; nil if one of them is unknown.
  public init?(_ text: String) {
    self = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let match = Self.names.first(where: { $0.name == name }) else { return nil }
      insert(match.strip)
    }
  }
}

/// Metadata that was left out of a rendering on request.
public struct StrippedMetadata: Hashable, Sendable {
  /// The requested kind: a name of `MetadataRemoval.names`.
  public var kind: String
  /// A one-sentence description.
  public var detail: String

  /// Creates an entry.
  public init(kind: String, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
