// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import Testing

/// A decoded image, or the error that prevented decoding.
enum Decoding: Equatable {
  case image(ImageBuffer, notices: [DecoderWarning])
  case refusal(CodecError)

  var image: ImageBuffer? { if case .image(let image, _) = self { image } else { nil } }
  var notices: [DecoderWarning] { if case .image(_, let notices) = self { notices } else { [] } }
  var error: CodecError? { if case .refusal(let error) = self { error } else { nil } }

  /// Limits that keep invalid header values from costing time.
  static let small = ImageLimits(maximumPixels: 1 << 20, maximumSide: 4096, maximumScans: 50)

  /// Compares two images or two errors, fast enough for large tables.
  static func == (a: Decoding, b: Decoding) -> Bool {
    switch (a, b) {
    case (.refusal(let a), .refusal(let b)): a == b
    case (.image(let a, let notices), .image(let b, let others)):
      a.size == b.size && a.layout == b.layout && notices == others
        && memcmp(a.bytes, b.bytes, a.bytes.count) == 0
    default: false
    }
  }

  /// Decodes into rows that are longer than needed and filled with a poison value.
  ///
  /// Records an issue if a byte after a row changes or if rows are missing.
  static func decode(
    _ bytes: [UInt8], options: DecoderOptions = DecoderOptions(limits: small),
    rowsAtOnce: Int = 24, poison: UInt8 = 0xA5
  ) -> Decoding {
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(FileBytes(bytes), options: options)
      let header = decoder.header
      let row = header.layout.bytesPerRow(width: header.size.width)
      let stride = row + 5
      var memory = [UInt8](repeating: poison, count: stride * (header.size.height + rowsAtOnce))
      var done = 0
      try memory.withUnsafeMutableBufferPointer { memory throws(CodecError) in
        guard let first = memory.baseAddress else { return }
        let base = UnsafeMutableRawPointer(first)
        while case let count = try decoder.readRows(
          rowsAtOnce, into: base + done * stride, bytesPerRow: stride), count > 0
        {
          done += count
          #expect(count <= rowsAtOnce && done <= header.size.height)
        }
      }
      #expect(done == header.size.height)
      var image = ImageBuffer(size: header.size, layout: header.layout)
      // Uses memcmp because tests run unoptimized and decode thousands of files.
      let untouched = [UInt8](repeating: poison, count: stride * rowsAtOnce)
      memory.withUnsafeBytes { memory in
        image.bytes.withUnsafeMutableBytes { image in
          for y in 0..<done {
            memcpy(image.baseAddress! + y * row, memory.baseAddress! + y * stride, row)
            #expect(memcmp(untouched, memory.baseAddress! + y * stride + row, stride - row) == 0)
          }
        }
        let rest = memory[(done * stride)...]
        #expect(memcmp(untouched, memory.baseAddress! + done * stride, rest.count) == 0)
      }
      return .image(image, notices: decoder.notices)
    } catch {
      return .refusal(error)
    }
  }

  static func lenient(_ bytes: [UInt8]) -> Decoding {
    decode(bytes, options: DecoderOptions(limits: small, isLenient: true))
  }

  /// The number of rows that a lenient decoder reports as recovered; all if it reports no damage.
  var recoveredRows: Int? {
    guard case .image(let image, let notices) = self else { return nil }
    guard let notice = notices.first(where: { $0.kind == .filled }) else {
      return image.size.height
    }
    return notice.recoveredRows
  }
}

extension ImageBuffer {
  /// The bytes of the first `count` rows.
  func rows(_ count: Int) -> Data {
    Data(bytes.prefix(count * layout.bytesPerRow(width: size.width)))
  }

  /// The largest difference from another image of the same size and layout.
  func largestDifference(to other: ImageBuffer) -> Int {
    guard size == other.size, layout == other.layout else { return .max }
    return zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }
}
