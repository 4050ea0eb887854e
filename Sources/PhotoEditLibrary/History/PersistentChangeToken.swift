// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// A position in the history of a library: after one commit and before the next.
///
/// A token is opaque and valid only for the library that created it; store it as text or as bytes
/// between two runs of a program. Damaged tokens, those of other libraries, and those of a history
/// that was replaced by a restored backup are detected; see
/// `PhotoLibrary.fetchPersistentChanges(since:)`.
public struct PersistentChangeToken: Sendable, Hashable {
  /// The library in the token: the first bytes of its identifier's digest.
  let library: [UInt8]
  let mark: HistoryMark

  /// The first byte of every token, a format version.
  private static let format: UInt8 = 1
  private static let libraryLength = 16
  private static let checksumLength = 6
  /// The number of bytes in a token; divisible by three, so that the text needs no padding.
  private static let length = 1 + libraryLength + 8 + 8 + checksumLength

  init(_ mark: HistoryMark, in library: [UInt8]) {
    self.library = library
    self.mark = mark
  }

  /// Returns the bytes that identify a library in its tokens.
  static func name(ofLibrary identifier: String) -> [UInt8] {
    Array(SHA256Digest(of: Array(identifier.utf8)).bytes.prefix(libraryLength))
  }

  private static func checksum(_ bytes: some Sequence<UInt8>) -> ArraySlice<UInt8> {
    SHA256Digest(of: Array(bytes)).bytes.prefix(checksumLength)
  }

  // MARK: Bytes

  /// The token as 39 bytes, for files and databases.
  public var bytes: [UInt8] {
    var bytes = [Self.format] + library
    for word in [UInt64(bitPattern: mark.number), mark.date] {
      withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
    }
    return bytes + Self.checksum(bytes)
  }

  /// Creates a token from its bytes.
  ///
  /// - Throws: `LibraryError` with `persistentChangeTokenExpired` for invalid bytes.
  public init(bytes: some Sequence<UInt8>) throws(LibraryError) {
    let bytes = Array(bytes.prefix(Self.length + 1))
    let body = bytes.dropLast(Self.checksumLength)
    guard bytes.count == Self.length, bytes[0] == Self.format,
      Self.checksum(body) == bytes.suffix(Self.checksumLength)
    else { throw .noToken }
    func word(at offset: Int) -> UInt64 {
      body[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    library = Array(body[1...Self.libraryLength])
    mark = HistoryMark(
      number: Int64(bitPattern: word(at: 1 + Self.libraryLength)),
      date: word(at: 9 + Self.libraryLength))
    guard mark.number >= 0 else { throw .noToken }
  }
}

// MARK: Text

extension PersistentChangeToken: CustomStringConvertible, Codable {
  /// The token as 52 letters, digits, hyphens and underscores.
  public var description: String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }

  /// Creates a token from its text.
  ///
  /// - Throws: `LibraryError` with `persistentChangeTokenExpired` for invalid text.
  public init(_ text: String) throws(LibraryError) {
    guard text.utf8.count == Self.length / 3 * 4, !text.contains("+"), !text.contains("/"),
      let bytes = Data(
        base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/"))
    else { throw .noToken }
    try self.init(bytes: bytes)
  }

  /// Decodes a token from its text.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the token as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
