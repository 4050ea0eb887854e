// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The names that a Matroska file gives to the codecs of its subtitles.
///
/// libavformat does not report those that it does not know, among them the usual form of WebVTT.
///
/// Source: RFC 9559, 5.1.4.
enum MatroskaCodecs {
  /// Returns the codecs of the subtitle tracks in order; empty if the tracks are not found.
  static func subtitles(in file: borrowing OpenFile) throws(MovieError) -> [String] {
    guard let segment = try element(of: file, at: 0)?.end,
      var offset = try element(of: file, at: segment)?.start
    else { return [] }
    for _ in 0..<maximumElements {
      guard let found = try element(of: file, at: offset), found.id != cluster else { break }
      if found.id == tracks {
        guard found.end - found.start <= maximumBytes else { break }
        return subtitles(
          in: try file.bytes(at: found.start, atMost: found.end - found.start))
      }
      offset = found.end
    }
    return []
  }

  private static func subtitles(in tracks: [UInt8]) -> [String] {
    elements(of: tracks).filter { $0.id == 0xae }.compactMap { entry in
      let bytes = Array(tracks[entry.content])
      let properties = elements(of: bytes)
      func value(_ id: Int) -> [UInt8]? {
        properties.first { $0.id == id }.map { Array(bytes[$0.content]) }
      }
      guard value(0x83) == [0x11], let codec = value(0x86) else { return nil }
      return String(untilZero: codec)
    }
  }

  private static func elements(of bytes: [UInt8]) -> [(id: Int, content: Range<Int>)] {
    var found: [(Int, Range<Int>)] = []
    var position = 0
    while let (id, size) = head(bytes, &position), size <= bytes.count - position {
      found.append((id, position..<(position + size)))
      position += size
    }
    return found
  }

  /// Returns an element of a file, whose end may be that of the file if it has no size.
  private static func element(
    of file: borrowing OpenFile, at offset: Int
  ) throws(MovieError) -> (id: Int, start: Int, end: Int)? {
    var position = 0
    let bytes = try file.bytes(at: offset, atMost: 12)
    guard let id = identifier(bytes, &position) else { return nil }
    let size = ContainerCompleteness.number(bytes, &position)
    let length = try file.movieSize()
    let start = offset + position
    guard start <= length else { return nil }
    return (id, start, start + min(size ?? length, length - start))
  }

  private static func head(_ bytes: [UInt8], _ position: inout Int) -> (Int, Int)? {
    guard let id = identifier(bytes, &position),
      let size = ContainerCompleteness.number(bytes, &position)
    else { return nil }
    return (id, size)
  }

  /// Reads an identifier of one to four bytes, which includes the bit that gives its length.
  private static func identifier(_ bytes: [UInt8], _ position: inout Int) -> Int? {
    guard position < bytes.count, bytes[position] >= 0x10 else { return nil }
    let end = position + bytes[position].leadingZeroBitCount + 1
    guard end <= bytes.count else { return nil }
    defer { position = end }
    return bytes[position..<end].reduce(0) { $0 << 8 | Int($1) }
  }

  private static let tracks = 0x1654_ae6b
  private static let cluster = 0x1f43_b675
  private static let maximumElements = 64
  private static let maximumBytes = 1 << 22
}
