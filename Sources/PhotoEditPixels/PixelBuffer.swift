// SPDX-License-Identifier: Apache-2.0

/// The channels of a `PixelBuffer`; there is no alpha.
public enum PixelChannels: Int, Sendable, Hashable, CaseIterable {
  /// One channel of brightness.
  case gray = 1
  /// Red, green and blue.
  case rgb = 3

  /// The number of channels.
  public var count: Int { rawValue }
}

/// The order of the samples of a `PixelBuffer`.
public enum PixelArrangement: Sendable, Hashable, CaseIterable {
  /// The samples of a pixel are adjacent: red, green, blue, red, green, blue.
  case interleaved
  /// The samples of a channel are adjacent: all of red, all of green, all of blue.
  case planar
}

/// A whole image in memory, for code that processes pixels itself.
///
/// The orientation has been applied. Rows run from the top and pixels from the left, without
/// padding. Black is 0 and white `Sample.white`; floats may be outside that range. Values are the
/// gamma-encoded values of the color space, as files store them; they are not linear.
public struct PixelBuffer<Sample: PixelSample>: Sendable, Hashable {
  /// Width and height.
  public let size: PixelSize
  /// Gray, or red, green and blue.
  public let channels: PixelChannels
  /// The order of the samples.
  public let arrangement: PixelArrangement
  /// The color space of the samples.
  public let colorSpace: PixelColorSpace
  /// All samples, one for each pixel and channel; their number must not change.
  public var samples: [Sample]

  /// Creates a buffer from its samples, whose number must match.
  public init(
    size: PixelSize, channels: PixelChannels, arrangement: PixelArrangement = .interleaved,
    colorSpace: PixelColorSpace, samples: [Sample]
  ) {
    (self.size, self.channels, self.arrangement) = (size, channels, arrangement)
    (self.colorSpace, self.samples) = (colorSpace, samples)
    checkCount()
  }

  /// Creates a buffer with the same value for all samples.
  public init(
    size: PixelSize, channels: PixelChannels, arrangement: PixelArrangement = .interleaved,
    colorSpace: PixelColorSpace, filledWith sample: Sample
  ) {
    self.init(
      size: size, channels: channels, arrangement: arrangement, colorSpace: colorSpace,
      samples: [Sample](repeating: sample, count: size.pixelCount * channels.count))
  }

  /// The distance in samples from a pixel to the next one of its row, in one channel.
  @inlinable public var stride: Int { arrangement == .interleaved ? channels.count : 1 }

  /// Returns the index of a sample in `samples`.
  ///
  /// Samples of the same row and channel follow at distances of `stride`.
  @inlinable public func index(x: Int, y: Int, channel: Int) -> Int {
    precondition(
      x >= 0 && x < size.width && y >= 0 && y < size.height && channel >= 0
        && channel < channels.count, "outside the image")
    let pixel = y * size.width + x
    return arrangement == .interleaved
      ? pixel * channels.count + channel : channel * size.width * size.height + pixel
  }

  /// One sample.
  @inlinable public subscript(x x: Int, y y: Int, channel channel: Int) -> Sample {
    get { samples[index(x: x, y: y, channel: channel)] }
    set { samples[index(x: x, y: y, channel: channel)] = newValue }
  }

  /// Checks that no samples were added or removed.
  package func checkCount() {
    precondition(
      samples.count == size.pixelCount * channels.count, "the samples do not fill the image")
  }

  /// Converts a row of a channel to floats.
  package func load(row y: Int, channel: Int, into floats: UnsafeMutablePointer<Float>) {
    let first = index(x: 0, y: y, channel: channel)
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      Sample.load(size.width, from: base + first, stride: stride, into: floats)
    }
  }

  /// Converts floats to a row of a channel.
  package mutating func store(row y: Int, channel: Int, from floats: UnsafePointer<Float>) {
    let (first, width, stride) = (index(x: 0, y: y, channel: channel), size.width, stride)
    samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      Sample.store(width, from: floats, into: base + first, stride: stride)
    }
  }
}

/// A color space, identified by its name and its ICC profile.
public struct PixelColorSpace: Sendable, Hashable, CustomStringConvertible {
  /// The name of the color space, such as "sRGB" or "Display P3".
  public let name: String
  /// The profile, for color management by the caller; nil for sRGB, which needs none.
  public let icc: [UInt8]?

  /// sRGB; for gray, its transfer curve.
  public static let sRGB = PixelColorSpace(name: "sRGB", icc: nil)

  /// Creates a color space from its name and profile.
  public init(name: String, icc: [UInt8]?) { (self.name, self.icc) = (name, icc) }

  /// The name.
  public var description: String { name }
}

/// A sample type of a `PixelBuffer`: `UInt8`, `UInt16` or `Float`.
public protocol PixelSample: Hashable, Sendable, AdditiveArithmetic, BitwiseCopyable {
  /// The value of white, where 0 is black: 255, 65,535 or 1.
  static var white: Self { get }

  /// Creates a sample from a number in its range, toward zero.
  init(_ value: Float)

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
    let white = Float(max)
    for i in 0..<count {
      let level = floats[i] * white + 0.5
      // A NaN fails both comparisons and becomes black.
      samples[i * stride] = level > 0 ? (level < white ? Self(level) : max) : 0
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
