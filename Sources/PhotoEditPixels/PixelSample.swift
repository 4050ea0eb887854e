// SPDX-License-Identifier: Apache-2.0

/// A type of samples in a `PixelBuffer`: `UInt8`, `UInt16` or `Float`.
public protocol PixelSample: Hashable, Sendable, AdditiveArithmetic, BitwiseCopyable {
  /// What stands for white, as 0 stands for black: 255, 65,535 or 1.
  static var white: Self { get }

  /// Makes floats, 0 black and 1 white, of samples.
  ///
  /// - Parameter stride: How many samples lie from each one that is read to the next.
  static func load(
    _ count: Int, from samples: UnsafePointer<Self>, stride: Int,
    into floats: UnsafeMutablePointer<Float>)

  /// Makes samples of floats; whole numbers are rounded half up and cut to their range.
  ///
  /// - Parameter stride: How many samples lie from each one that is written to the next.
  static func store(
    _ count: Int, from floats: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Self>,
    stride: Int)
}

extension UInt8: PixelSample {}
extension UInt16: PixelSample {}

extension PixelSample where Self: FixedWidthInteger {
  /// The largest number.
  public static var white: Self { max }

  /// Divides by the largest number.
  public static func load(
    _ count: Int, from samples: UnsafePointer<Self>, stride: Int,
    into floats: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<count { floats[i] = Float(samples[i * stride]) / Float(max) }
  }

  /// Multiplies by the largest number; what is not a number becomes black.
  public static func store(
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
  /// 1; brighter than that and darker than 0 is possible.
  public static var white: Float { 1 }

  /// Copies.
  public static func load(
    _ count: Int, from samples: UnsafePointer<Float>, stride: Int,
    into floats: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<count { floats[i] = samples[i * stride] }
  }

  /// Copies; nothing is cut.
  public static func store(
    _ count: Int, from floats: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>,
    stride: Int
  ) {
    for i in 0..<count { samples[i * stride] = floats[i] }
  }
}
