// SPDX-License-Identifier: Apache-2.0

/// The identifiers of computed collections: the same in every library and in every process.
///
/// They are version 8 UUIDs, whereas those of stored objects are version 4 or 5. The identifier of a
/// smart album or a year contains its number; that of a moment is derived from its first asset's.
enum ComputedIdentifier {
  private static let smartAlbums: [UInt8] = Array("PEdLSA".utf8)
  private static let years: [UInt8] = Array("PEdLMY".utf8)
  /// The XOR mask between the identifiers of a moment and its first asset, versions 8 and 4.
  private static let moment: [UInt8] = Array("moment".utf8) + [0xC0] + Array(repeating: 0, count: 9)

  static func smartAlbum(_ subtype: AssetCollection.Subtype) -> LocalIdentifier? {
    make(smartAlbums, subtype.rawValue, .assetCollection)
  }

  static func subtype(of identifier: LocalIdentifier) -> AssetCollection.Subtype? {
    number(identifier, smartAlbums, .assetCollection).map { AssetCollection.Subtype(rawValue: $0) }
  }

  static func momentList(year: Int) -> LocalIdentifier? {
    make(years, year, .collectionList)
  }

  static func year(of identifier: LocalIdentifier) -> Int? {
    number(identifier, years, .collectionList)
  }

  static func moment(first: LocalIdentifier) -> LocalIdentifier? {
    LocalIdentifier(bytes: zip(first.bytes, moment).map { $0 ^ $1 }, .assetCollection)
  }

  static func firstAsset(of moment: LocalIdentifier) -> LocalIdentifier? {
    guard moment.objectClass == .assetCollection else { return nil }
    return LocalIdentifier(bytes: zip(moment.bytes, Self.moment).map { $0 ^ $1 }, .asset)
  }

  private static func make(
    _ prefix: [UInt8], _ number: Int, _ objectClass: ObjectClass
  ) -> LocalIdentifier? {
    guard let number = Int32(exactly: number) else { return nil }
    let digits = withUnsafeBytes(of: UInt32(bitPattern: number).bigEndian) { Array($0) }
    return LocalIdentifier(
      bytes: prefix + [0x80, 0, 0x80, 0, 0, 0] + digits, objectClass)
  }

  private static func number(
    _ identifier: LocalIdentifier, _ prefix: [UInt8], _ objectClass: ObjectClass
  ) -> Int? {
    let bytes = identifier.bytes
    guard identifier.objectClass == objectClass,
      bytes.starts(with: prefix + [0x80, 0, 0x80, 0, 0, 0])
    else { return nil }
    let word = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int(Int32(bitPattern: word))
  }
}
