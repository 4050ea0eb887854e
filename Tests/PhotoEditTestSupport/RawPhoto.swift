// SPDX-License-Identifier: Apache-2.0

/// Builds DNG files with Bayer samples of the colors that a test specifies.
///
/// The sensor has the colors of sRGB: a sample is the linear light of its color times the balance of
/// its channel.
package struct RawPhoto {
  package var width: Int
  package var height: Int
  /// The samples of white light in the three channels.
  package var balance = [0.5, 1, 0.625]
  package var orientation = 1
  package var preview: [UInt8]?
  /// The size of the preview.
  package var previewSize: (width: Int, height: Int)?
  /// The compression of the samples; only 1 describes what is written.
  package var compression = 1

  /// Creates a file with a size.
  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  private static let black = 512
  private static let white = 15_871

  /// Returns the file.
  ///
  /// - Parameter light: Returns the linear light of sRGB at a column and a row.
  package func bytes(_ light: (Int, Int) -> [Double]) -> [UInt8] {
    var samples: [UInt8] = []
    samples.reserveCapacity(2 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let channel = x % 2 + y % 2
        let share = min(1, light(x, y)[channel] * balance[channel])
        let level = Self.black + Int((share * Double(Self.white - Self.black)).rounded())
        samples += [UInt8(level >> 8), UInt8(level & 255)]
      }
    }
    let start = head(samples: 0, byteCount: samples.count).count
    return head(samples: start, byteCount: samples.count) + samples + (preview ?? [])
  }

  /// Returns the directories; their length does not depend on the offsets.
  private func head(samples: Int, byteCount: Int) -> [UInt8] {
    typealias Field = ImageFile.Field
    func fraction(_ value: Double) -> (Int, Int) { (Int((value * 10_000).rounded()), 10_000) }
    func signed(_ tag: Int, _ values: [Double]) -> Field {
      let bytes = values.map(fraction).flatMap { ImageFile.big($0.0, 4) + ImageFile.big($0.1, 4) }
      return Field(tag: tag, type: 10, count: values.count, bytes: bytes)
    }
    let fromXYZ = [
      [3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570],
    ]
    let matrix = zip(balance, fromXYZ).flatMap { scale, row in row.map { $0 * scale } }
    let camera: [Field] = [
      .text(271, "Photoedit"), .text(272, "Patches"), .short(274, orientation),
      .blob(50_706, [1, 4, 0, 0]), .text(50_708, "Photoedit Patches"), signed(50_721, matrix),
      .fractions(50_728, balance.map(fraction)), .short(50_778, 21),
    ]
    let sensor: [Field] = [
      .long(254, 0), .long(256, width), .long(257, height), .short(258, 16),
      .short(259, compression), .short(262, 32_803), .long(273, samples), .short(277, 1),
      .long(278, height), .long(279, byteCount),
      Field(tag: 33_421, type: 3, count: 2, bytes: [0, 2, 0, 2]),
      Field(tag: 33_422, type: 1, count: 4, bytes: [0, 1, 1, 2]), .short(50_714, Self.black),
      .short(50_717, Self.white),
    ]
    let start = Array("MM\0*".utf8) + ImageFile.big(8, 4)
    guard let preview else { return start + ImageFile.directory(sensor + camera, at: 8) }
    let size = previewSize ?? (width, height)
    func shown(_ sensorStart: Int) -> [UInt8] {
      ImageFile.directory(
        camera + [
          .long(254, 1), .long(256, size.width), .long(257, size.height),
          Field(tag: 258, type: 3, count: 3, bytes: [0, 8, 0, 8, 0, 8]), .short(259, 7),
          .short(262, 6), .long(273, samples + byteCount), .short(277, 3),
          .long(278, size.height), .long(279, preview.count), .long(330, sensorStart),
        ], at: 8)
    }
    let sensorStart = 8 + shown(0).count
    return start + shown(sensorStart) + ImageFile.directory(sensor, at: sensorStart)
  }
}
