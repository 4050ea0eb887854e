// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// One step of a lowered filter: prepared numbers that the engine plans, fuses and runs.
///
/// Colour values are unclamped floats, 0 black and 1 white, in the picture's encoded light unless
/// a `curves` step has changed that. Alpha, where there is any, follows geometry and blurs and is
/// left alone by everything else.
public enum FilterOperation: Sendable, Hashable {
  /// Each channel through its curve.
  case curves(ChannelCurves)
  /// Each pixel through a matrix.
  case matrix(ColorTransform)
  /// Each pixel through a map of colours.
  case map(PixelMap)
  /// All three channels become their largest or smallest.
  case extremum(ChannelExtremum)
  /// Each pixel multiplied by a factor that depends on where it lies.
  case shade(Shade)
  /// Turned or mirrored.
  case orient(Orientation)
  /// Cut to a rectangle that lies inside the picture.
  case crop(Region)
  /// Sampled anew at another size.
  case resample(Resampling)
  /// Blurred in both directions; beyond the edge the outermost pixels go on.
  case blur(BlurKernel)
  /// Each pixel made of others.
  case area(AreaOperation)
  /// Keeps a copy of the picture for a later `sharpen` or `mix`.
  case save
  /// Takes the copy x and the blurred picture g and gives x + a·(x − g).
  case sharpen(Sharpening)
  /// Takes the copy x and the picture y and gives x + opacity·(y − x).
  case mix(opacity: Double)
  /// Alpha is multiplied by a number; a picture without alpha gets one.
  case fade(Double)
  /// Two pictures become one.
  case merge(Merge)
  /// A layer is made and laid over the picture.
  case layer(Layer)
  /// Looks at the whole picture, and becomes other steps.
  case adapt(Adaptation)
}

extension [FilterOperation] {
  /// The same operations done in a form of light, starting and ending in encoded light.
  package func inLight(_ light: Light) -> [FilterOperation] {
    switch light {
    case .encoded: self
    case .linear:
      [.curves(.init(.init([.decode])))] + self + [.curves(.init(.init([.encode])))]
    }
  }
}

/// A curve for each colour channel.
public struct ChannelCurves: Sendable, Hashable {
  /// Red, green and blue.
  public var channels: [ToneCurve]

  /// Makes curves for the three channels.
  public init(red: ToneCurve, green: ToneCurve, blue: ToneCurve) {
    channels = [red, green, blue]
  }

  /// Makes the same curve for every channel.
  public init(_ curve: ToneCurve) {
    channels = [curve, curve, curve]
  }

  /// Whether gray stays gray.
  public var isUniform: Bool { channels[0] == channels[1] && channels[1] == channels[2] }
}

/// The larger or smaller of the channels.
public enum ChannelExtremum: Sendable, Hashable {
  /// max(R, G, B), the V of HSV.
  case maximum
  /// min(R, G, B).
  case minimum
}

/// The strength of a sharpening and where it applies.
public struct Sharpening: Sendable, Hashable {
  /// How much of the difference is added.
  public var amount: Double
  /// Differences no larger than this are left alone.
  public var threshold: Double
  /// Whether only the luma of the difference counts, with the weights of BT.601.
  public var isLumaOnly: Bool

  /// Makes a sharpening.
  public init(amount: Double, threshold: Double, isLumaOnly: Bool) {
    self.amount = amount
    self.threshold = threshold
    self.isLumaOnly = isLumaOnly
  }
}
