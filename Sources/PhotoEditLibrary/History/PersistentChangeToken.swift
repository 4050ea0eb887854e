// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// A place in the history of a library: behind one commit and before the next.
///
/// Opaque, and worth something to the library alone that gave it; keep it as text or as bytes
/// between two runs of a program. Damaged tokens, those of other libraries, and those of a history
/// that a restored backup has left behind are recognised; see
/// `PhotoLibrary.fetchPersistentChanges(since:)`.
public struct PersistentChangeToken: Sendable, Hashable {
  /// What stands for the library: the first bytes of its identifier's digest.
  let library: [UInt8]
  let mark: HistoryMark

  /// The first byte of every token; another layout has another number.
  private static let format: UInt8 = 1
  private static let libraryLength = 16
  private static let checksumLength = 6
  /// How many bytes a token has; divisible by three, so that the text needs no padding.
  private static let length = 1 + libraryLength + 8 + 8 + checksumLength

  init(_ mark: HistoryMark, in library: [UInt8]) {
    self.library = library
    self.mark = mark
  }

  /// What stands for a library in its tokens.
  static func name(ofLibrary identifier: String) -> [UInt8] {
    Array(Digest(of: Array(identifier.utf8)).bytes.prefix(libraryLength))
  }

  private static func checksum(_ bytes: some Sequence<UInt8>) -> ArraySlice<UInt8> {
    Digest(of: Array(bytes)).bytes.prefix(checksumLength)
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

  /// Reads a token from its bytes.
  ///
  /// - Throws: `LibraryError` with `persistentChangeTokenExpired` for anything else.
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

  /// Reads a token from its text.
  ///
  /// - Throws: `LibraryError` with `persistentChangeTokenExpired` for any other text.
  public init(_ text: String) throws(LibraryError) {
    guard text.utf8.count == Self.length / 3 * 4, !text.contains("+"), !text.contains("/"),
      let bytes = Data(
        base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/"))
    else { throw .noToken }
    try self.init(bytes: bytes)
  }

  /// Reads a token from its text.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the token as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
