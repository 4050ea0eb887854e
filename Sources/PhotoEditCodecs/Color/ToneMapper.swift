// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPixels
import PhotoEditPlatform

/// Converts rows of an HDR image to Display P3 with the sRGB curve, by tables.
///
/// Deviates from the definition by at most a tenth of an 8-bit level.
final class ToneMapper {
  /// The memory of all tables.
  static let byteCount = (codes + 5 * (steps + 1)) * 4

  private static let codes = 65_536
  private static let steps = Int(PE_TONE_STEPS)
  /// The number of pixels that are converted together, as planes.
  private static let run = 512

  private let memory: UnsafeMutablePointer<Float>
  private let how: pe_tone_mapping

  init(_ range: HighDynamicRange) {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: Self.byteCount / 4)
    for code in 0..<Self.codes { memory[code] = Float(range.light(Double(code) / 65_535)) }
    var next = memory + Self.codes
    func table(_ function: (Double) -> Double) -> UnsafePointer<Float> {
      defer { next += Self.steps + 1 }
      for index in 0...Self.steps {
        next[index] = Float(function(Double(index) / Double(Self.steps)))
      }
      return UnsafePointer(next)
    }
    let gain = table { range.systemGain($0 * $0) }
    let sRGB = TransferFunction.sRGB.curve
    let toWide = range.matrixToBT2020
    func floats(_ rows: [[Double]]) -> [Float] { rows.joined().map { Float($0) } }
    let (w, m) = (
      floats(toWide ?? HighDynamicRange.matrixToDisplayP3),
      floats(HighDynamicRange.matrixToDisplayP3)
    )
    let weights = HighDynamicRange.weights.map { Float($0) }
    how = pe_tone_mapping(
      light: memory, gain: range.transfer == .perceptual ? nil : gain,
      root: table { pow($0, 2 / HighDynamicRange.gamma) }, luma: table { range.mapped($0) },
      power: table { pow($0, HighDynamicRange.gamma) }, curve: table { sRGB.inverse($0 * $0) },
      to_wide: (w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]),
      to_result: (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]),
      is_wide: toWide == nil ? 0 : 1, weights: (weights[0], weights[1], weights[2]))
    self.memory = memory
  }

  deinit { memory.deallocate() }

  /// Converts adjacent pixels in place; alpha is kept.
  ///
  /// Rows may start at odd addresses.
  func convert(_ count: Int, _ layout: RowLayout, at base: UnsafeMutableRawPointer) {
    var codes = [UInt16](repeating: 0, count: 3 * Self.run)
    var values = [Float](repeating: 0, count: 3 * Self.run)
    let pixelBytes = layout.channels.rawValue * layout.bytesPerSample
    codes.withUnsafeMutableBufferPointer { codes in
      values.withUnsafeMutableBufferPointer { values in
        guard let codes = codes.baseAddress, let values = values.baseAddress else { return }
        for first in stride(from: 0, to: count, by: Self.run) {
          let (pixels, start) = (min(Self.run, count - first), base + first * pixelBytes)
          convert(pixels, layout, at: start, codes, values)
        }
      }
    }
  }

  private func convert(
    _ count: Int, _ layout: RowLayout, at base: UnsafeMutableRawPointer,
    _ codes: UnsafeMutablePointer<UInt16>, _ values: UnsafeMutablePointer<Float>
  ) {
    let (size, colors) = (layout.bytesPerSample, layout.channels.colorCount)
    let pixelBytes = layout.channels.rawValue * size
    for channel in 0..<3 {
      let (source, target) = (base + min(channel, colors - 1) * size, codes + channel * Self.run)
      for pixel in 0..<count {
        let sample = source + pixel * pixelBytes
        target[pixel] =
          size == 1
          ? UInt16(sample.load(as: UInt8.self)) * 257 : sample.loadUnaligned(as: UInt16.self)
      }
    }
    withUnsafePointer(to: how) { how in
      pe_tone_map(
        how, count, codes, codes + Self.run, codes + 2 * Self.run, values, values + Self.run,
        values + 2 * Self.run)
    }
    for channel in 0..<colors {
      let (source, target) = (values + channel * Self.run, base + channel * size)
      for pixel in 0..<count {
        let sample = target + pixel * pixelBytes
        if size == 1 {
          sample.storeBytes(of: UInt8(source[pixel] * 255 + 0.5), as: UInt8.self)
        } else {
          sample.storeBytes(of: UInt16(source[pixel] * 65_535 + 0.5), as: UInt16.self)
        }
      }
    }
  }
}
