// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEditStorage

/// A file that a graph needs in addition to the image: a lookup table, an overlay, a mask, a font.
public struct GraphAttachment: Sendable, Hashable {
  /// The maximum number of bytes that a graph embeds; larger files are referenced by digest only.
  ///
  /// In base 64 that is 64 KiB, the longest string in a graph.
  public static let maximumInlineBytes = 48 << 10
  /// The maximum number of bytes of an attachment.
  public static let maximumBytes = 16 << 20

  /// The media type, such as "image/png".
  public var mediaType: String
  /// SHA-256 of the file.
  public var digest: SHA256Digest
  /// The length of the file in bytes.
  public var byteCount: Int
  /// The contents of the file, if the graph embeds it.
  public var data: [UInt8]?
  /// Keys that are unknown to this version; kept byte for byte.
  var unknown: [String: JSONValue] = [:]

  /// Describes a file; small files are embedded.
  public init(_ bytes: [UInt8], mediaType: String) {
    self.mediaType = mediaType
    digest = SHA256Digest(of: bytes)
    byteCount = bytes.count
    data = bytes.count <= Self.maximumInlineBytes ? bytes : nil
  }

  init(json: JSONValue, name: String) throws(GraphError) {
    let path = "assets.\(name)"
    guard case .object(var fields) = json else {
      throw .malformed(key: path, expected: "an object")
    }
    guard case .string(let type)? = fields.removeValue(forKey: "type") else {
      throw .malformed(key: path + ".type", expected: "a media type")
    }
    guard case .string(let text)? = fields.removeValue(forKey: "digest"),
      let digest = SHA256Digest(text)
    else { throw .malformed(key: path + ".digest", expected: "sha256: and 64 hexadecimal digits") }
    guard let count = fields.removeValue(forKey: "bytes")?.integerValue,
      (0...Self.maximumBytes).contains(count)
    else {
      throw .malformed(key: path + ".bytes", expected: "a number up to \(Self.maximumBytes)")
    }
    mediaType = type
    self.digest = digest
    byteCount = count
    if let value = fields.removeValue(forKey: "data") {
      guard case .string(let text) = value, let data = Data(base64Encoded: text),
        data.count == count, count <= Self.maximumInlineBytes,
        SHA256Digest(of: [UInt8](data)) == digest
      else {
        throw .malformed(
          key: path + ".data",
          expected: "at most 48 KiB in base64 that match the digest"
        )
      }
      self.data = [UInt8](data)
    }
    unknown = fields
  }

  var json: JSONValue {
    var fields = unknown
    fields["type"] = .string(mediaType)
    fields["digest"] = .string(digest.description)
    fields["bytes"] = .number(Double(byteCount))
    if let data { fields["data"] = .string(Data(data).base64EncodedString()) }
    return .object(fields)
  }

  /// The name of the file next to a preset that does not embed the attachment.
  package var companionName: String {
    let fileExtension =
      switch mediaType {
      case "text/x-cube": "cube"
      case "image/png": "png"
      case "font/sfnt": "ttf"
      default: "bin"
      }
    return digest.hex.prefix(16) + "." + fileExtension
  }
}
