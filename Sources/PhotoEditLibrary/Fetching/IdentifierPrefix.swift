// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension PhotoLibrary {
  /// Returns the first identifiers of a class with a given prefix, for abbreviated input.
  ///
  /// - Parameters:
  ///   - prefix: Hexadecimal digits with or without hyphens, or a complete identifier.
  ///   - isInTrash: Whether to search the trash instead of the other objects.
  /// - Returns: Up to `limit` identifiers; none if the string is not a prefix of any.
  package func identifiers(
    _ objectClass: ObjectClass, startingWith prefix: String, isInTrash: Bool = false,
    limit: Int = 3
  ) throws(LibraryError) -> [String] {
    guard reader.canRead, let (first, last) = Self.bounds(prefix, objectClass) else { return [] }
    let table = objectClass == .asset ? "asset" : "collection"
    let kind = objectClass == .asset ? "" : "AND class = \(objectClass.rawValue)"
    let sql = """
      SELECT uuid FROM \(table) WHERE uuid BETWEEN ? AND ? AND state = ? \(kind)
      ORDER BY uuid LIMIT ?
      """
    let found = try read { database throws(LibraryError) in
      try database.all(
        sql, [.blob(first), .blob(last), .init(isInTrash), .init(limit)]
      ) { LocalIdentifier(bytes: $0.blob(0), objectClass)?.description }
    }.compactMap { $0 }
    guard objectClass == .asset, let visibleAssets = reader.visibleAssets else { return found }
    return found.filter { visibleAssets.contains($0) }
  }

  /// Returns the smallest and the greatest UUID with a prefix.
  static func bounds(
    _ prefix: String, _ objectClass: ObjectClass
  ) -> (first: [UInt8], last: [UInt8])? {
    if let whole = LocalIdentifier(prefix, as: objectClass) { return (whole.bytes, whole.bytes) }
    let digits = prefix.utf8.filter { $0 != UInt8(ascii: "-") }
    guard !digits.isEmpty, digits.count <= 32 else { return nil }
    func bytes(filledWith filler: UInt8) -> [UInt8]? {
      let filled = digits + Array(repeating: filler, count: 32 - digits.count)
      var bytes: [UInt8] = []
      for i in stride(from: 0, to: 32, by: 2) {
        guard let byte = UInt8(String(decoding: filled[i..<i + 2], as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(byte)
      }
      return bytes
    }
    guard let first = bytes(filledWith: UInt8(ascii: "0")),
      let last = bytes(filledWith: UInt8(ascii: "f"))
    else { return nil }
    return (first, last)
  }
}
