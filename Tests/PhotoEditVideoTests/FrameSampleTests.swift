// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import Testing

@Suite("Frame samples")
struct FrameSampleTests {
  private static let width = 70
  private static let height = 46

  /// A frame that is freed with the value.
  private final class Frame {
    let handle: OpaquePointer

    init(_ format: String) throws {
      var failure = pe_codec_failure()
      try #require(pe_codec_load(&failure) == PE_CODEC_OK)
      handle = try #require(
        pe_frame_make(format, Int32(FrameSampleTests.width), Int32(FrameSampleTests.height)))
    }

    deinit { pe_frame_free(handle) }

    func bytes(_ plane: Int32, rows: Int, count: Int) -> [[UInt8]] {
      var stride: Int32 = 0
      guard let base = pe_frame_plane(handle, plane, &stride) else { return [] }
      return (0..<rows).map { row in
        Array(UnsafeBufferPointer(start: base + row * Int(stride), count: count))
      }
    }
  }

  private func color(
    _ matrix: Int32, isFull: Bool = false, location: Int32 = 0
  ) -> pe_codec_color {
    pe_codec_color(
      primaries: 2, transfer: 2, matrix: matrix, is_full_range: isFull ? 1 : 0,
      chroma_location: location)
  }

  /// Writes planes of RGB or gray, and reads them back.
  private func roundTrip(
    _ format: String, _ color: pe_codec_color, planes: Int,
    _ value: (_ x: Int, _ y: Int, _ channel: Int) -> Float
  ) throws -> (sent: [Float], got: [Float], frame: Frame) {
    let frame = try Frame(format)
    var color = color
    var sent: [Float] = []
    for y in 0..<Self.height {
      for channel in 0..<planes { for x in 0..<Self.width { sent.append(value(x, y, channel)) } }
    }
    try #require(
      pe_frame_write(
        frame.handle, &color, 0, Int32(Self.height), Int32(planes), sent, Self.width)
        == PE_CODEC_OK)
    var got = [Float](repeating: 0, count: 3 * Self.width * Self.height)
    try #require(
      pe_frame_read(frame.handle, &color, 0, Int32(Self.height), &got) == PE_CODEC_OK)
    return (sent, got, frame)
  }

  @Test(arguments: ["yuv420p", "yuv420p10le", "yuv420p12le"], [false, true])
  func `gray keeps its levels and has no chroma`(format: String, isFull: Bool) throws {
    let (sent, got, frame) = try roundTrip(format, color(1, isFull: isFull), planes: 1) {
      x, y, _ in Float((x * 7 + y * 13) % 256) / 255
    }
    let step: Float = format == "yuv420p" ? 1 / 219 : 1 / 800
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let level = sent[y * Self.width + x]
        for channel in 0..<3 {
          #expect(abs(got[(y * 3 + channel) * Self.width + x] - level) <= step * 0.51)
        }
      }
    }
    guard format == "yuv420p" else { return }
    for plane: Int32 in [1, 2] {
      #expect(
        frame.bytes(plane, rows: Self.height / 2, count: Self.width / 2).allSatisfy { row in
          row.allSatisfy { $0 == 128 }
        })
    }
  }

  @Test(arguments: [1, 4, 5, 6, 7, 9] as [Int32], [false, true])
  func `uniform colors round-trip through every matrix`(matrix: Int32, isFull: Bool) throws {
    for value: [Float] in [
      [0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0.2, 0.7, 0.4],
    ] {
      for location: Int32 in [0, 2] {
        let (_, got, _) = try roundTrip(
          "yuv420p", color(matrix, isFull: isFull, location: location), planes: 3
        ) { _, _, channel in value[channel] }
        for index in got.indices {
          let channel = index / Self.width % 3
          // Half a level of luma, and as much of chroma times at most two.
          #expect(abs(got[index] - value[channel]) <= 2.0 / 219, "\(value)")
        }
      }
    }
  }

  @Test func `NaN and out-of-range values are clamped`() throws {
    let strange: [Float] = [.nan, -5, 7, .infinity, -.infinity, 0.5]
    let (_, got, frame) = try roundTrip("yuv420p", color(6), planes: 3) { x, y, channel in
      strange[(x + y + channel) % strange.count]
    }
    #expect(got.allSatisfy { $0 >= 0 && $0 <= 1 })
    #expect(
      frame.bytes(0, rows: Self.height, count: Self.width).allSatisfy { row in
        row.allSatisfy { (16...235).contains($0) }
      })
  }

  @Test(arguments: [
    "yuv410p", "yuv411p", "yuv422p", "yuv440p", "nv12", "yuyv422", "p010le", "rgb24", "bgra",
    "rgb565le", "gbrp10le", "gray", "gray16le", "yuva420p", "monob", "rgb48be",
  ])
  func `frames of every layout are read, and black stays black`(format: String) throws {
    let frame = try Frame(format)
    var failure = pe_codec_failure()
    #expect(pe_frame_is_readable(frame.handle, &failure) != 0)
    let isColored =
      format.hasPrefix("yuv") || format == "nv12" || format == "p010le" || format == "yuyv422"
    for plane: Int32 in 0..<4 {
      var stride: Int32 = 0
      guard let base = pe_frame_plane(frame.handle, plane, &stride), stride > 0 else { continue }
      let rows = plane == 0 || !isColored ? Self.height : format == "yuv410p" ? 12 : 23
      for byte in 0..<(rows * Int(stride)) {
        let isHigh = byte % 2 == 1
        switch format {
        case "p010le": base[byte] = isHigh ? (plane == 0 ? 16 : 128) : 0
        case "yuyv422": base[byte] = isHigh ? 128 : 16
        default: base[byte] = isColored ? (plane == 0 || plane == 3 ? 16 : 128) : 0
        }
      }
    }
    if ["yuv411p", "yuv422p"].contains(format) {
      for plane: Int32 in [1, 2] {
        var stride: Int32 = 0
        guard let base = pe_frame_plane(frame.handle, plane, &stride) else { continue }
        for byte in 0..<(Self.height * Int(stride)) { base[byte] = 128 }
      }
    }
    var color = color(6)
    var got = [Float](repeating: 1, count: 3 * Self.width * Self.height)
    #expect(pe_frame_read(frame.handle, &color, 0, Int32(Self.height), &got) == PE_CODEC_OK)
    #expect(got.allSatisfy { abs($0) < 0.01 }, "\(format)")
  }

  @Test func `unsupported frame formats are rejected`() throws {
    let frame = try Frame("gbrpf32le")
    var failure = pe_codec_failure()
    #expect(pe_frame_is_readable(frame.handle, &failure) == 0)
  }
}
