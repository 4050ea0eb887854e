// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// An asset identifier derived from the bytes of the original, valid in every library.
///
/// PhotoKit's cloud identifiers serve the same purpose among one person's devices. Here no
/// identifiers are assigned: two libraries that imported the same file agree. Two assets of one
/// library may have the same identifier.
public struct PortableIdentifier: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// "sha256:" and 64 hexadecimal digits.
  public let rawValue: String

  /// Creates an identifier from a `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The same as `rawValue`.
  public var description: String { rawValue }
}

extension PhotoLibrary {
  private static let originals =
    "(\([AssetResourceType.photo, .video, .audio].map { "\($0.rawValue)" }.joined(separator: ", ")))"

  /// Returns the portable identifiers of assets.
  ///
  /// - Returns: One result for each identifier: `identifierNotFound` if no asset has it.
  public func portableIdentifiers(
    forLocalIdentifiers identifiers: [String]
  ) throws(LibraryError) -> [String: Result<PortableIdentifier, LibraryError>] {
    var results: [String: Result<PortableIdentifier, LibraryError>] = [:]
    let (canRead, visible) = (reader.canRead, reader.visibleAssets)
    try read { database throws(LibraryError) in
      for text in identifiers {
        results[text] = .failure(.noObject(text))
        guard canRead, let identifier = LocalIdentifier(text, as: .asset),
          visible?.contains("\(identifier)") != false
        else { continue }
        let digest = try database.first(
          """
          SELECT lower(hex(digest)) FROM asset JOIN resource ON resource.asset = asset.id
          WHERE uuid = ? AND state = 0 AND type IN \(Self.originals) ORDER BY type LIMIT 1
          """, [.blob(identifier.bytes)]
        ) { $0.text(0) }
        if let digest {
          results[text] = .success(PortableIdentifier(rawValue: "sha256:" + digest))
        }
      }
    }
    return results
  }

  /// Returns the local identifiers of the assets with the given portable identifiers.
  ///
  /// - Returns: One result for each: `identifierNotFound` if no asset has it,
  ///   `multipleIdentifiersFound` with all matches if several assets have it.
  public func localIdentifiers(
    for identifiers: [PortableIdentifier]
  ) throws(LibraryError) -> [PortableIdentifier: Result<String, LibraryError>] {
    var results: [PortableIdentifier: Result<String, LibraryError>] = [:]
    let (canRead, visible) = (reader.canRead, reader.visibleAssets)
    try read { database throws(LibraryError) in
      for identifier in identifiers {
        var found: [String] = []
        if canRead, let digest = SHA256Digest(identifier.rawValue) {
          found = try database.all(
            """
            SELECT DISTINCT uuid FROM resource JOIN asset ON resource.asset = asset.id
            WHERE digest = ? AND state = 0 AND type IN \(Self.originals) ORDER BY asset.id
            """, [.blob(digest.bytes)]
          ) { LocalIdentifier(bytes: $0.blob(0), .asset)?.description }
          .compactMap { $0 }.filter { visible?.contains($0) != false }
        }
        results[identifier] =
          switch found.count {
          case 0: .failure(.noObject(identifier.rawValue))
          case 1: .success(found[0])
          default: .failure(.severalObjects(identifier.rawValue, found))
          }
      }
    }
    return results
  }
}

extension LibraryError {
  static func severalObjects(_ identifier: String, _ found: [String]) -> LibraryError {
    LibraryError(
      .multipleIdentifiersFound,
      "\(identifier) matches \(found.count) assets: \(found.prefix(3).joined(separator: ", "))",
      hint: "use the local identifier of one of them", identifiers: found)
  }
}
