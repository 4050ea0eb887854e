// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Writes a packet of XMP into an MPEG-4 file, whose media and header stay where they are.
///
/// - Source: XMP specification, part 3, "MPEG-4".
package enum MoviePacket {
  /// A part of the new file.
  private enum Part {
    case copy(Range<Int>)
    case bytes([UInt8])
  }

  /// Writes a copy of a file with a packet instead of those that it has.
  ///
  /// - Parameter staged: The file to create. It must not exist; afterwards it is synced, or absent.
  package static func write(
    _ packet: [UInt8], from path: String, to staged: String
  ) throws(MovieError) {
    let source = try OpenedMovie(path)
    guard let layout = source.layout else {
      throw .impossibleEdit(edit: "metadata", reason: "it is not in boxes")
    }
    let parts = try parts(of: source.file, layout.size, packet)
    let output = try translating(MovieError.file, OpenFile(creating: staged))
    do throws(MovieError) {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
      defer { memory.deallocate() }
      for part in parts {
        switch part {
        case .bytes(let bytes): try translating(MovieError.file, output.write(bytes))
        case .copy(let range):
          for start in stride(from: range.lowerBound, to: range.upperBound, by: memory.count) {
            let piece = start..<min(start + memory.count, range.upperBound)
            let bytes = try source.file.fill(memory, with: piece)
            try translating(MovieError.file, output.write(bytes))
          }
        }
      }
      try translating(MovieError.file, output.sync())
    } catch {
      unlink(staged)
      throw error
    }
  }

  /// Returns the parts of a file with a packet behind the boxes, but before the table of fragments,
  /// which players find from the end.
  private static func parts(
    of file: borrowing OpenFile, _ size: Int, _ packet: [UInt8]
  ) throws(MovieError) -> [Part] {
    var boxes = try boxes(of: file, size)
    let end = boxes.last?.whole.upperBound ?? 0
    var followers: [Range<Int>] = []
    while let last = boxes.last, last.isPacket || last.type == "mfra" {
      if !last.isPacket { followers.insert(last.whole, at: 0) }
      boxes.removeLast()
    }
    var parts: [Part] = []
    for box in boxes {
      if box.isPacket {
        // The offsets of what follows stay right, and nothing of the old values does.
        parts.append(.bytes(try padding(file, box.whole)))
      } else if box.type == "moov", let header = try withoutPacket(file, box.whole) {
        parts.append(.bytes(header))
      } else {
        parts.append(.copy(box.whole))
      }
    }
    var bytes: [UInt8] = []
    try BoxTree("uuid", packetIdentifier + packet).write(to: &bytes)
    parts.append(.bytes(bytes))
    return parts + (followers + [end..<size]).map { .copy($0) }
  }

  /// A box at the top level.
  private struct TopBox {
    let type: FourCC
    let whole: Range<Int>
    let isPacket: Bool
  }

  private static func boxes(
    of file: borrowing OpenFile, _ size: Int
  ) throws(MovieError) -> [TopBox] {
    var boxes: [TopBox] = []
    var offset = 0
    while size - offset >= 8, boxes.count < MovieLimits.maximumBoxes {
      let head = try file.bytes(at: offset, atMost: 24)
      var reader = BoxReader(head, name: "")
      let isOpen = head.prefix(4).allSatisfy { $0 == 0 }
      guard let (type, length) = try? reader.boxHeader(capacity: size - offset),
        length >= reader.position, length <= size - offset
      else { break }
      // Zeros fill the last block of some files; a box without a length cannot be followed.
      if isOpen, type.value == 0 { break }
      guard !isOpen else {
        throw .impossibleEdit(edit: "metadata", reason: "its last box has no length")
      }
      boxes.append(
        TopBox(
          type: type, whole: offset..<(offset + length),
          isPacket: type == "uuid" && length <= MovieLimits.maximumPacketBytes
            && head.dropFirst(8).elementsEqual(packetIdentifier)))
      offset += length
    }
    return boxes
  }

  /// Returns the bytes of a box that is to be passed over, without its content.
  private static func padding(
    _ file: borrowing OpenFile, _ box: Range<Int>
  ) throws(MovieError) -> [UInt8] {
    let size = try file.bytes(at: box.lowerBound, atMost: 4)
    return size + Array("free".utf8) + [UInt8](repeating: 0, count: box.count - 8)
  }

  /// Returns a header with padding instead of a packet in its user data; nil if it has none.
  private static func withoutPacket(
    _ file: borrowing OpenFile, _ box: Range<Int>
  ) throws(MovieError) -> [UInt8]? {
    guard box.count <= MovieLimits.maximumHeaderBytes else { return nil }
    var bytes = try file.bytes(at: box.lowerBound, atMost: box.count)
    let whole = BoxReader(bytes, name: "")
    var packets: [Box] = []
    for header in try whole.boxes() {
      let reader = whole.reader(header)
      for data in try reader.boxes() where data.type == "udta" {
        // Not all writers follow the rules for user data.
        packets += ((try? reader.reader(data).boxes()) ?? []).filter { $0.type == "XMP_" }
      }
    }
    guard !packets.isEmpty else { return nil }
    for packet in packets {
      bytes.replaceSubrange((packet.start + 4)..<(packet.start + 8), with: "free".utf8)
      for position in packet.body { bytes[position] = 0 }
    }
    return bytes
  }
}
