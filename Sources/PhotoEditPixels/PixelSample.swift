// SPDX-License-Identifier: Apache-2.0

/// A sample type of a `PixelBuffer`: `UInt8`, `UInt16` or `Float`.
public protocol PixelSample: Hashable, Sendable, AdditiveArithmetic, BitwiseCopyable {
  /// The value of white, where 0 is black: 255, 65,535 or 1.
  static var white: Self { get }

  /// Converts samples to floats, 0 black and 1 white.
  ///
  /// - Parameter stride: The distance from each sample read to the next.
  static func load(
    _ count: Int, from samples: UnsafePointer<Self>, stride: Int,
    into floats: UnsafeMutablePointer<Float>)

  /// Converts floats to samples; integers are rounded half up and clamped to their range.
  ///
  /// - Parameter stride: The distance from each sample written to the next.
  static func store(
    _ count: Int, from floats: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Self>,
    stride: Int)
}

extension UInt8: PixelSample {}
extension UInt16: PixelSample {}

extension PixelSample where Self: FixedWidthInteger {
  /// The largest value.
  public static var white: Self { max }

  /// Divides by the largest value.
  @inlinable public static func load(
    _ count: Int, from samples: UnsafePointer<Self>, stride: Int,
    into floats: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<count { floats[i] = Float(samples[i * stride]) / Float(max) }
  }

  /// Multiplies by the largest value; NaN becomes black.
  @inlinable public static func store(
    _ count: Int, from floats: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Self>,
    stride: Int
  ) {
    for i in 0..<count {
      let level = floats[i] * Float(max) + 0.5
      // A NaN fails both comparisons and becomes black.
      samples[i * stride] = level > 0 ? (level < Float(max) ? Self(level) : max) : 0
    }
  }
}

extension Float: PixelSample {
  /// 1; samples may be brighter than that or darker than 0.
  public static var white: Float { 1 }

  /// Copies the samples.
  public static func load(
    _ count: Int, from samples: UnsafePointer<Float>, stride: Int,
    into floats: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<count { floats[i] = samples[i * stride] }
  }

  /// Copies the samples; nothing is clamped.
  public static func store(
    _ count: Int, from floats: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>,
    stride: Int
  ) {
    for i in 0..<count { samples[i * stride] = floats[i] }
  }
}
