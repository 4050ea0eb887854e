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
