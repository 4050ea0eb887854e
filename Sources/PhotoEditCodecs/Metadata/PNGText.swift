// SPDX-License-Identifier: Apache-2.0

/// A text of a PNG, and the equivalent JPEG segment.
struct PNGText {
  let keyword: String
  let text: [UInt8]

  /// The keyword, safe to display.
  var shownKeyword: String { MetadataText.clean(keyword) ?? "" }

  /// Parses a tEXt, zTXt or iTXt chunk; nil if its fields are truncated.
  ///
  /// The text is converted to UTF-8.
  init?(
    _ type: String, _ body: Range<Int>, in buffer: UnsafeRawBufferPointer, chunks: inout PNGChunks
  ) throws(MetadataError) {
    func end(_ start: Int) -> Int? { buffer[start..<body.upperBound].firstIndex(of: 0) }
    guard let name = end(body.lowerBound), name > body.lowerBound, name - body.lowerBound <= 79
    else { return nil }
    keyword = MetadataText.latin1(buffer[body.lowerBound..<name])
    var start = name + 1
    var isCompressed = type == "zTXt"
    switch type {
    case "zTXt":
      guard start < body.upperBound, buffer[start] == 0 else { return nil }
      start += 1
    case "iTXt":
      guard start + 2 <= body.upperBound, buffer[start] <= 1, buffer[start + 1] == 0,
        let language = end(start + 2), let translation = end(language + 1)
      else { return nil }
      isCompressed = buffer[start] == 1
      start = translation + 1
    default: break
    }
    var raw = Array(buffer[start..<body.upperBound])
    if isCompressed {
      guard let inflated = try chunks.inflated(type, start..<body.upperBound) else { return nil }
      raw = inflated
    }
    text = type == "iTXt" ? raw : Array(MetadataText.latin1(raw).utf8)
  }

  /// The equivalent JPEG segment; nil if it would be too large.
  var segment: JPEGSegment? {
    if keyword == "XML:com.adobe.xmp" {
      return JPEGSegment(marker: 0xE1, payload: JPEGSegment.Signature.xmp + text)
    }
    if keyword.hasPrefix("Raw profile type "), let profile = rawProfile { return profile }
    let comment = Array("\(keyword): ".utf8) + text
    guard comment.count <= JPEGSegment.maximumPayloadCount else { return nil }
    return JPEGSegment(marker: 0xFE, payload: comment)
  }

  /// A profile that ImageMagick wrote as a text of hexadecimal digits.
  ///
  /// The text is a line with the name, a line with the number of bytes, and lines of digits.
  private var rawProfile: JPEGSegment? {
    let lines = text.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: true)
    guard lines.count == 3,
      let count = MetadataText.integer(String(decoding: lines[1], as: UTF8.self)),
      count > 0, count <= text.count / 2
    else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in lines[2] where character > 0x20 {
      guard let digit = Character(Unicode.Scalar(character)).hexDigitValue.map({ UInt8($0) }) else {
        return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard bytes.count == count else { return nil }
    switch keyword.dropFirst("Raw profile type ".count) {
    case "exif", "APP1":
      return bytes.has(JPEGSegment.Signature.exif, at: 0)
        || bytes.has(JPEGSegment.Signature.xmp, at: 0)
        ? JPEGSegment(marker: 0xE1, payload: bytes) : nil
    case "xmp": return JPEGSegment(marker: 0xE1, payload: JPEGSegment.Signature.xmp + bytes)
    case "iptc", "8bim":
      guard bytes.has(Array("8BIM".utf8), at: 0) else { return nil }
      return JPEGSegment(marker: 0xED, payload: JPEGSegment.Signature.photoshop + bytes)
    default: return nil
    }
  }
}
