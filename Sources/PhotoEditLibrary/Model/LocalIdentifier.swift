// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// The classes of objects in a library; the raw values match PhotoKit.
public enum ObjectClass: Int, Sendable, Hashable, CaseIterable {
  /// An `Asset`.
  case asset = 1
  /// An `AssetCollection`.
  case assetCollection = 2
  /// A `CollectionList`.
  case collectionList = 3

  fileprivate var suffix: String {
    switch self {
    case .asset: "/L0/001"
    case .assetCollection: "/L0/040"
    case .collectionList: "/L0/020"
    }
  }
}

/// The identifier of an object: a UUID and its class, in the familiar form "UUID/L0/001".
///
/// For callers it is an opaque string. It is never reused, not even after the object was deleted.
struct LocalIdentifier: Hashable, Sendable, CustomStringConvertible {
  let uuid: UUID
  let objectClass: ObjectClass

  init(_ uuid: UUID, _ objectClass: ObjectClass) {
    self.uuid = uuid
    self.objectClass = objectClass
  }

  init(new objectClass: ObjectClass) { self.init(UUID(), objectClass) }

  /// Parses an identifier; returns nil for any other text.
  ///
  /// A bare UUID is accepted if the class is known.
  init?(_ text: String, as expected: ObjectClass? = nil) {
    for objectClass in ObjectClass.allCases where text.hasSuffix(objectClass.suffix) {
      guard expected == nil || expected == objectClass,
        let uuid = UUID(uuidString: String(text.dropLast(objectClass.suffix.count)))
      else { return nil }
      self.init(uuid, objectClass)
      return
    }
    guard let expected, let uuid = UUID(uuidString: text) else { return nil }
    self.init(uuid, expected)
  }

  var description: String { uuid.uuidString + objectClass.suffix }

  /// The bytes that are stored in the database.
  var bytes: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }

  init?(bytes: [UInt8], _ objectClass: ObjectClass) {
    guard bytes.count == 16 else { return nil }
    let uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
    self.init(UUID(uuid: uuid), objectClass)
  }
}

/// The identifiers of albums and folders that an import creates for those of another library.
///
/// They are derived from the names by which the other library identifies them, so that a repeated
/// import finds them again, also in a rebuilt database. They are version 5 UUIDs.
extension LocalIdentifier {
  /// - Parameter number: The number of identifiers for the same source whose objects were deleted.
  init(source: String, _ number: Int, _ objectClass: ObjectClass) {
    var bytes = Array(SHA256Digest(of: Array("\(source)\n\(number)".utf8)).bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | Self.sourceVersion
    bytes[8] = bytes[8] & 0x3F | 0x80
    self.init(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }), objectClass)
  }

  /// Indicates whether an import has created the object for one of another library.
  var isFromSource: Bool { bytes[6] & 0xF0 == Self.sourceVersion }

  private static let sourceVersion: UInt8 = 0x50
}

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
