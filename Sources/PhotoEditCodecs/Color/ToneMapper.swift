// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform

/// Converts rows of an HDR image to Display P3 with the sRGB curve, by tables.
///
/// Deviates from the definition by at most a tenth of an 8-bit level.
final class ToneMapper {
  /// The memory of all tables.
  static let byteCount = (codes + 5 * (Table.steps + 1)) * 4

  private static let codes = 65_536

  private let memory: UnsafeMutablePointer<Float>
  /// The light of each code value of 16 bits.
  private let light: UnsafeMutablePointer<Float>
  private let toWide: Matrix?
  private let toResult = Matrix(HighDynamicRange.matrixToDisplayP3)
  private let weights = SIMD3(HighDynamicRange.weights.map { Float($0) })
  /// The gain of the system for the square root of a luminance; nil for PQ.
  private let gain: Table?
  /// The nonlinear value for the square root of light.
  private let root: Table
  /// The mapped luma for a luma.
  private let luma: Table
  /// The light of a nonlinear value.
  private let power: Table
  /// The value on the sRGB curve for the square root of light.
  private let curve: Table

  /// Values of a function of 0 to 1, between which it is linear.
  private struct Table {
    static let steps = 8192
    let values: UnsafeMutablePointer<Float>

    init(_ values: UnsafeMutablePointer<Float>, _ function: (Double) -> Double) {
      self.values = values
      for index in 0...Self.steps {
        values[index] = Float(function(Double(index) / Double(Self.steps)))
      }
    }

    /// Returns the value for an argument, which is clamped to 0…1.
    @inline(__always)
    func callAsFunction(_ x: Float) -> Float {
      let position = min(max(x, 0), 1) * Float(Self.steps)
      let index = min(Int(position), Self.steps - 1)
      let (low, high) = (values[index], values[index + 1])
      return low + (high - low) * (position - Float(index))
    }
  }

  init(_ range: HighDynamicRange) {
    memory = .allocate(capacity: Self.byteCount / 4)
    light = memory
    for code in 0..<Self.codes { light[code] = Float(range.light(Double(code) / 65_535)) }
    var next = memory + Self.codes
    func table(_ function: (Double) -> Double) -> Table {
      defer { next += Table.steps + 1 }
      return Table(next, function)
    }
    let sRGB = TransferFunction.sRGB.curve
    root = table { pow($0, 2 / HighDynamicRange.gamma) }
    luma = table { range.mapped($0) }
    power = table { pow($0, HighDynamicRange.gamma) }
    curve = table { sRGB.inverse($0 * $0) }
    let gain = table { range.systemGain($0 * $0) }
    self.gain = range.transfer == .perceptual ? nil : gain
    toWide = range.matrixToBT2020.map { Matrix($0) }
  }

  deinit { memory.deallocate() }

  /// Converts adjacent pixels in place; alpha is kept.
  func convert(_ count: Int, _ layout: RowLayout, at base: UnsafeMutableRawPointer) {
    let (channels, colors) = (layout.channels.rawValue, layout.channels.colorCount)
    if layout.bytesPerSample == 1 {
      convert(count, channels, colors, at: base.assumingMemoryBound(to: UInt8.self), scale: 257)
    } else {
      // Rows may start at odd addresses.
      var row = [UInt16](repeating: 0, count: count * channels)
      row.withUnsafeMutableBytes { row in
        guard let start = row.baseAddress else { return }
        start.copyMemory(from: base, byteCount: row.count)
        convert(
          count, channels, colors, at: start.assumingMemoryBound(to: UInt16.self), scale: 1)
        base.copyMemory(from: start, byteCount: row.count)
      }
    }
  }

  @inline(__always)
  private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
    _ count: Int, _ channels: Int, _ colors: Int, at row: UnsafeMutablePointer<Sample>, scale: Int
  ) {
    let most = Float(Sample.max)
    for pixel in 0..<count {
      let samples = row + pixel * channels
      let (g, b) = colors == 3 ? (samples[1], samples[2]) : (samples[0], samples[0])
      let mapped = map(
        SIMD3(light[Int(samples[0]) * scale], light[Int(g) * scale], light[Int(b) * scale]))
      for channel in 0..<colors { samples[channel] = Sample(mapped[channel] * most + 0.5) }
    }
  }

  /// Returns values of 0 to 1 on the sRGB curve.
  @inline(__always)
  private func map(_ light: SIMD3<Float>) -> SIMD3<Float> {
    var light = light
    if let toWide { light = toWide(light) }
    if let gain { light *= gain(max((weights * light).sum(), 0).squareRoot()) }
    light = light.clamped(lowerBound: .zero, upperBound: .one).squareRoot()
    let values = SIMD3(root(light[0]), root(light[1]), root(light[2]))
    let y = (weights * values).sum(), target = luma(y)
    // Saturated colors become less so where they become darker.
    let differences = (y > 1e-6 ? target / (1.1 * y) : 0) * (values - y)
    let result = differences + (target - max(0.1 * differences[0] / (2 * (1 - weights[0])), 0))
    var linear = toResult(SIMD3(power(result[0]), power(result[1]), power(result[2])))
    linear = linear.clamped(lowerBound: .zero, upperBound: .one).squareRoot()
    return SIMD3(curve(linear[0]), curve(linear[1]), curve(linear[2]))
  }

  /// A matrix by its columns.
  private struct Matrix {
    private let x, y, z: SIMD3<Float>

    init(_ rows: [[Double]]) {
      let columns = (0..<3).map { column in SIMD3(rows.map { Float($0[column]) }) }
      (x, y, z) = (columns[0], columns[1], columns[2])
    }

    @inline(__always)
    func callAsFunction(_ v: SIMD3<Float>) -> SIMD3<Float> { x * v[0] + y * v[1] + z * v[2] }
  }
}
