// SPDX-License-Identifier: Apache-2.0

/// The metadata of a Canon CRW file, which has records in nested heaps instead of EXIF.
///
/// - Source: Canon, "CIFF Specification on Image Data File", version 1.0, revision 4, 1997;
///   exiftool:lib/Image/ExifTool/CanonRaw.pm.
struct CanonHeapMetadata {
  /// An EXIF structure with the camera and the date.
  let exif: [UInt8]

  /// Reads a file; nil if it states neither.
  init?(_ file: UnsafeRawBufferPointer) {
    guard let start = file.unsigned32(at: 2, .little), start <= file.count else { return nil }
    let records = Self.records(of: file, start..<file.count)
    let names = records[Self.makeAndModel].map { file[$0].split(separator: 0).prefix(2) } ?? []
    // The clock of the camera, whose offset from UTC is not known.
    let seconds = records[Self.time].flatMap { file.unsigned32(at: $0.lowerBound, .little) } ?? 0
    guard !names.isEmpty || seconds > 0 else { return nil }
    let texts = zip([ExifTag.make, ExifTag.model], names).map { ($0, Array($1) + [0]) }
    let clock = CaptureDate(seconds: Double(seconds), offset: nil).localISO.prefix(19).map {
      $0 == "-" ? ":" : $0 == "T" ? " " : $0
    }
    exif = Self.structure(
      texts, exif: seconds > 0 ? [(ExifTag.dateTimeOriginal, Array(String(clock).utf8) + [0])] : [])
  }

  private static let makeAndModel = 0x080A
  private static let time = 0x180E
  /// The maximum numbers of heaps and of the records in each.
  private static let maximumCounts = (heaps: 32, records: 256)

  /// Returns the places of the records of a heap and of those inside, by their type.
  private static func records(
    of file: UnsafeRawBufferPointer, _ heap: Range<Int>
  ) -> [Int: Range<Int>] {
    var found: [Int: Range<Int>] = [:]
    var waiting = [heap]
    var count = 0
    while let heap = waiting.popLast(), count < maximumCounts.heaps {
      count += 1
      guard heap.count >= 4,
        let directory = file.unsigned32(at: heap.upperBound - 4, .little),
        let entries = file.unsigned16(at: heap.lowerBound + directory, .little)
      else { continue }
      for index in 0..<min(entries, maximumCounts.records) {
        let position = heap.lowerBound + directory + 2 + 10 * index
        guard let tag = file.unsigned16(at: position, .little),
          let size = file.unsigned32(at: position + 2, .little),
          let offset = file.unsigned32(at: position + 6, .little)
        else { break }
        // Records of at most eight bytes may be in the directory.
        let start = heap.lowerBound + offset
        let record =
          tag & 0xC000 == 0 ? start..<(start + size) : (position + 2)..<(position + 10)
        guard record.upperBound <= heap.upperBound else { continue }
        let isHeap = [0x2800, 0x3000].contains(tag & 0x3800)
        if isHeap { waiting.append(record) } else { found[tag & 0x3FFF] = record }
      }
    }
    return found
  }

  /// Returns a TIFF structure of texts, in a main and an EXIF directory.
  private static func structure(
    _ main: [(tag: Int, text: [UInt8])], exif: [(tag: Int, text: [UInt8])]
  ) -> [UInt8] {
    func size(_ count: Int) -> Int { 6 + 12 * count }
    let exifStart = 8 + size(main.count + 1)
    var values: [UInt8] = []
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      bytes(of: tag, 2) + bytes(of: type, 2) + bytes(of: count, 4) + bytes(of: value, 4)
    }
    func directory(_ texts: [(tag: Int, text: [UInt8])], _ pointer: [UInt8] = []) -> [UInt8] {
      var entries: [UInt8] = []
      for (tag, text) in texts {
        // Shorter texts are in the entry; zeros change none.
        let text = text + [UInt8](repeating: 0, count: max(0, 5 - text.count))
        entries += entry(tag, 2, text.count, exifStart + size(exif.count) + values.count)
        values += text
      }
      return bytes(of: texts.count + pointer.count / 12, 2) + entries + pointer + bytes(of: 0, 4)
    }
    let head = Array("II*\0".utf8) + bytes(of: 8, 4)
    let first = directory(main, entry(ExifTag.exifDirectory, 4, 1, exifStart))
    let second = directory(exif)
    return head + first + second + values
  }
}
