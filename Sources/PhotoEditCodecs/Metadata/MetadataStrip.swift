// SPDX-License-Identifier: Apache-2.0

/// Kinds of metadata that people leave out of pictures they share.
///
/// What is stripped is wiped byte by byte. MakerNotes are stripped with `device`, and with `location`
/// those of makers who put places there. Segments that nothing here reads are stripped with
/// `location`, for thermal and action cameras put places there; comments with `all` alone.
public struct MetadataStrip: OptionSet, Hashable, Sendable {
  /// One bit for each kind.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Where the picture was taken or what place it shows: GPS, cells of phone networks, the names
  /// of places, and properties of any namespace of XMP whose names are those of a place.
  public static let location = MetadataStrip(rawValue: 1)
  /// Who is in the picture: regions of faces, and names of persons shown.
  public static let people = MetadataStrip(rawValue: 2)
  /// Which very device took it: MakerNotes, serial numbers, owners, unique identifiers.
  public static let device = MetadataStrip(rawValue: 4)
  /// When it was taken, digitised and changed.
  public static let dates = MetadataStrip(rawValue: 8)
  /// Everything but the profile and the density of pixels.
  public static let all = MetadataStrip(rawValue: 16)

  /// Names as the command line writes them.
  public static let names: [(name: String, strip: MetadataStrip)] = [
    ("location", .location), ("people", .people), ("device", .device), ("dates", .dates),
    ("all", .all),
  ]

  /// Reads names separated by commas; nil when one of them is not known.
  public init?(_ text: String) {
    self = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let known = Self.names.first(where: { $0.name == word }) else { return nil }
      insert(known.strip)
    }
  }
}

/// Something that was left out of a rendering because somebody wanted it so.
public struct StrippedMetadata: Hashable, Sendable {
  /// What was asked for: a name of `MetadataStrip.names`.
  public var kind: String
  /// One sentence.
  public var detail: String

  /// Makes an entry.
  public init(kind: String, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
