// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@Suite("PixelBuffer")
struct PixelBufferTests {
  private static let size = PixelSize(width: 3, height: 2)

  @Test(arguments: PixelChannels.allCases, PixelArrangement.allCases)
  func `every sample has its own index, and rows are a stride apart`(
    _ channels: PixelChannels, _ arrangement: PixelArrangement
  ) {
    var buffer = PixelBuffer<UInt16>(
      size: Self.size, channels: channels, arrangement: arrangement, colorSpace: .sRGB,
      filledWith: 7)
    #expect(buffer.samples == Array(repeating: 7, count: 6 * channels.count))
    var value: UInt16 = 100
    for y in 0..<2 {
      for channel in 0..<channels.count {
        let first = buffer.index(x: 0, y: y, channel: channel)
        for x in 0..<3 {
          buffer[x: x, y: y, channel: channel] = value
          #expect(buffer.samples[first + x * buffer.stride] == value)
          value += 1
        }
      }
    }
    #expect(buffer.samples.sorted() == Array(100..<value))
    #expect(buffer.index(x: 0, y: 0, channel: 0) == 0)
    let isInterleaved = arrangement == .interleaved
    #expect(
      buffer.index(x: 1, y: 1, channel: channels.count - 1)
        == (isInterleaved ? 5 * channels.count - 1 : 6 * channels.count - 2))
  }

  private static func stored<Sample: PixelSample>(_ floats: [Float], as: Sample.Type) -> [Sample] {
    var buffer = PixelBuffer<Sample>(
      size: PixelSize(width: floats.count, height: 1), channels: .rgb, colorSpace: .sRGB,
      filledWith: .white)
    buffer.store(row: 0, channel: 1, from: floats)
    #expect(
      stride(from: 0, to: buffer.samples.count, by: 3).allSatisfy { buffer.samples[$0] == .white })
    return (0..<floats.count).map { buffer[x: $0, y: 0, channel: 1] }
  }

  @Test func `floats are rounded half up to integers and clamped`() {
    let floats: [Float] = [-3, -0.0, 0.5 / 255, 0.49 / 255, 254.5 / 255, 1, 9, .infinity, .nan]
    #expect(Self.stored(floats, as: UInt8.self) == [0, 0, 1, 0, 255, 255, 255, 255, 0])
    #expect(
      Self.stored([-.infinity, 0.5, 65_534.4 / 65_535, 2], as: UInt16.self)
        == [0, 32_768, 65_534, 65_535])
    #expect(Self.stored([-3, 0.25, 9], as: Float.self) == [-3, 0.25, 9])
  }

  private static func levelsComeBack<Sample: PixelSample & FixedWidthInteger>(
    _ type: Sample.Type
  ) -> Bool {
    let levels = Array(Sample.min...Sample.max)
    let buffer = PixelBuffer(
      size: PixelSize(width: levels.count, height: 1), channels: .gray, colorSpace: .sRGB,
      samples: levels)
    var floats = [Float](repeating: -1, count: levels.count)
    buffer.load(row: 0, channel: 0, into: &floats)
    return floats.first == 0 && floats.last == 1 && stored(floats, as: Sample.self) == levels
  }

  @Test func `every level survives a conversion to float and back`() {
    #expect(Self.levelsComeBack(UInt8.self))
    #expect(Self.levelsComeBack(UInt16.self))
  }
}
