// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditSQLite

/// A reader of the names in a library for completing command lines.
///
/// It migrates nothing, writes nothing and waits for no other process; a library that it cannot
/// read at once has no names.
package struct LibraryNameReader: Sendable {
  /// An asset as named on a command line.
  package struct AssetName: Sendable, Hashable {
    /// The shortest prefix that matches no other asset, or only the next characters if too many
    /// assets match.
    package let prefix: String
    /// The title or the file name; empty if several assets match.
    package let summary: String
  }

  private static let limit = 100
  /// The length of the identifiers in lists.
  private static let usualLength = 8

  private let reader: LibraryReader

  /// Opens the library in a folder; nil if it cannot be read, or not with this version.
  package init?(at url: URL) {
    let layout = LibraryLayout(at: url)
    var configuration = LibraryConfiguration()
    configuration.busyTimeout = 0
    guard PhotoLibrary.policyProblem(at: url) == nil,
      let state = try? LibraryFolder.inspect(layout, busyTimeout: 0), state == .current,
      let reader = try? LibraryReader(layout, configuration), reader.canRead
    else { return nil }
    self.reader = reader
  }

  /// Returns the titles of albums or folders, in the order of their names.
  package func titles(_ objectClass: ObjectClass) -> [String] {
    let found = try? reader.read { database throws(LibraryError) in
      try database.all(
        "SELECT DISTINCT title FROM collection WHERE class = ? AND state = 0 ORDER BY title",
        [.init(objectClass.rawValue)]
      ) { $0.text(0) }
    }
    return found ?? []
  }

  /// Returns the assets whose identifiers have a prefix, which may be empty.
  package func assets(startingWith prefix: String, isInTrash: Bool = false) -> [AssetName] {
    let found = matches(prefix, isInTrash: isInTrash, limit: Self.limit + 1)
    if found.count > Self.limit {
      return prefix.isEmpty
        ? []
        : "0123456789ABCDEF-".map { prefix + String($0) }.filter {
          !matches($0, isInTrash: isInTrash, limit: 1).isEmpty
        }.map { AssetName(prefix: $0, summary: "") }
    }
    let identifiers = found.map(\.identifier)
    return found.indices.map { index in
      let own = identifiers[index]
      let shared = [index - 1, index + 1].filter(identifiers.indices.contains).map { other in
        zip(own, identifiers[other]).prefix { $0 == $1 }.count
      }
      let length = max(Self.usualLength, prefix.count, 1 + (shared.max() ?? 0))
      // What was typed is kept, whatever its case.
      return AssetName(
        prefix: prefix + own.prefix(length).dropFirst(prefix.count), summary: found[index].summary)
    }
  }

  private func matches(
    _ prefix: String, isInTrash: Bool, limit: Int
  ) -> [(identifier: String, summary: String)] {
    let isAny = prefix.isEmpty
    guard let (first, last) = PhotoLibrary.bounds(isAny ? "0" : prefix, .asset) else { return [] }
    let found = try? reader.read { database throws(LibraryError) in
      try database.all(
        """
        SELECT uuid, coalesce(title, originalFilename) FROM asset
        WHERE uuid BETWEEN ? AND ? AND state = ? ORDER BY uuid LIMIT ?
        """,
        [
          .blob(first), .blob(isAny ? Array(repeating: 0xff, count: 16) : last),
          .init(isInTrash), .init(limit),
        ]
      ) { (LocalIdentifier(bytes: $0.blob(0), .asset), $0.text(1)) }
    }
    return (found ?? []).compactMap { identifier, summary in
      guard let identifier, reader.canSee(identifier),
        identifier.description.lowercased().hasPrefix(prefix.lowercased())
      else { return nil }
      return (identifier.description, summary)
    }
  }
}

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
