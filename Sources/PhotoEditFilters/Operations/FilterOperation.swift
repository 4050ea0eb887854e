// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// One step of a lowered filter: prepared numbers that the engine plans, fuses and runs.
///
/// Color values are unclamped floats, 0 black and 1 white, in the gamma-encoded values of the image
/// unless a `curves` step has changed that. Alpha, if present, follows geometry and blurs and is
/// unaffected by everything else.
public enum FilterOperation: Sendable, Hashable {
  /// Applies a curve to each channel.
  case curves(ChannelCurves)
  /// Applies a matrix to each pixel.
  case matrix(ColorTransform)
  /// Applies a color map to each pixel.
  case map(PixelMap)
  /// Sets all three channels to their largest or smallest.
  case extremum(ChannelExtremum)
  /// Multiplies each pixel by a position-dependent gain.
  case radialGain(RadialGain)
  /// Rotates or flips the image.
  case orient(Orientation)
  /// Crops to a rectangle inside the image.
  case crop(Region)
  /// Resamples to another size.
  case resample(Resampling)
  /// Blurs in both directions; at the edges the outermost pixels are extended.
  case blur(BlurKernel)
  /// Computes each pixel from others.
  case area(AreaOperation)
  /// Keeps a copy of the image for a later `sharpen` or `mix`.
  case save
  /// Takes the copy x and the blurred image g and computes x + a·(x − g).
  case sharpen(Sharpening)
  /// Takes the copy x and the image y and computes x + opacity·(y − x).
  case mix(opacity: Double)
  /// Multiplies alpha by a number; an image without alpha gets one.
  case fade(Double)
  /// Combines two images.
  case merge(Composite)
  /// Generates a layer and composites it over the image.
  case layer(Layer)
  /// Analyzes the whole image and is then replaced by other steps.
  case adapt(HistogramAdjustment)
}

extension [FilterOperation] {
  /// Returns the same operations in a transfer encoding, starting and ending gamma-encoded.
  public func inEncoding(_ encoding: TransferEncoding) -> [FilterOperation] {
    switch encoding {
    case .encoded: self
    case .linear:
      [.curves(.init(.init([.decode])))] + self + [.curves(.init(.init([.encode])))]
    }
  }
}

/// A curve for each color channel.
public struct ChannelCurves: Sendable, Hashable {
  /// Red, green and blue.
  public var channels: [ToneCurve]

  /// Creates curves for the three channels.
  public init(red: ToneCurve, green: ToneCurve, blue: ToneCurve) {
    channels = [red, green, blue]
  }

  /// Creates the same curve for every channel.
  public init(_ curve: ToneCurve) {
    channels = [curve, curve, curve]
  }

  /// Indicates whether gray stays gray.
  public var isUniform: Bool { channels[0] == channels[1] && channels[1] == channels[2] }
}

/// The larger or smaller of the channels.
public enum ChannelExtremum: Sendable, Hashable {
  /// max(R, G, B), the V of HSV.
  case maximum
  /// min(R, G, B).
  case minimum
}

/// The parameters of a sharpening step.
public struct Sharpening: Sendable, Hashable {
  /// The factor of the added difference.
  public var amount: Double
  /// Differences up to this value are ignored.
  public var threshold: Double
  /// Indicates whether only the luma of the difference is used, with the weights of BT.601.
  public var isLumaOnly: Bool

  /// Creates a sharpening step.
  public init(amount: Double, threshold: Double, isLumaOnly: Bool) {
    (self.amount, self.threshold, self.isLumaOnly) = (amount, threshold, isLumaOnly)
  }
}

/// The channels that a per-channel filter changes.
public enum Channel: String, Sendable, Hashable, CaseIterable {
  /// All three channels.
  case rgb
  /// Only red.
  case r
  /// Only green.
  case g
  /// Only blue.
  case b

  /// Returns the curve on these channels and identity on the others.
  func curves(_ curve: ToneCurve) -> ChannelCurves {
    let same = ToneCurve([])
    return ChannelCurves(
      red: self == .rgb || self == .r ? curve : same,
      green: self == .rgb || self == .g ? curve : same,
      blue: self == .rgb || self == .b ? curve : same)
  }
}
