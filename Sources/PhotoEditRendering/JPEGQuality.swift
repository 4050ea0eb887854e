// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// The JPEG quality of a rendering.
public enum JPEGQuality: Hashable, Sendable, CustomStringConvertible {
  /// The quality of the source, but never lower than 85; 92 for sources that are not JPEG.
  case preserve
  /// The scale of libjpeg, 1 to 100.
  case ijg(Int)

  /// The lowest quality of `preserve`.
  public static let floor = 85
  /// The quality of a rendering if the source has no JPEG quality.
  public static let fallback = 92

  /// "preserve", or the number.
  public var description: String {
    switch self {
    case .preserve: "preserve"
    case .ijg(let quality): "\(quality)"
    }
  }

  /// Parses "preserve" or a number from 1 to 100.
  public init?(_ text: String) {
    if text == "preserve" {
      self = .preserve
    } else if let quality = Int(text), (1...100).contains(quality) {
      self = .ijg(quality)
    } else {
      return nil
    }
  }

  /// Returns the tables and the sampling, and their relation to those of the source.
  ///
  /// - Parameters:
  ///   - frame: The source's frame; nil if it is not JPEG.
  ///   - swapsAxes: Whether rows of the source are columns of the rendering.
  func encoding(frame: JPEGFrame?, isGray: Bool, swapsAxes: Bool) -> RenderEncoding {
    switch self {
    case .ijg(let quality):
      let sampling = frame.map { $0.preservedSampling(swapsAxes: swapsAxes) }
      return RenderEncoding(
        Self.standard(quality, isGray: isGray, sampling: sampling), tables: .standard,
        source: frame)
    case .preserve:
      guard let frame, frame.color == .ycbcr || frame.color == .gray else {
        return RenderEncoding(
          Self.standard(Self.fallback, isGray: isGray, sampling: nil), tables: .standard,
          source: frame)
      }
      let luma = frame.tables[0]
      let chroma =
        frame.components.count == 3
        ? frame.tables[1] : .standardChroma(quality: max(frame.estimatedQuality, Self.floor))
      let settings = JPEGSettings(
        isGray: isGray,
        luma: Self.preserved(luma, floor: .standardLuma(quality: Self.floor), swapsAxes: swapsAxes),
        chroma: Self.preserved(
          chroma, floor: .standardChroma(quality: Self.floor), swapsAxes: swapsAxes),
        sampling: frame.preservedSampling(swapsAxes: swapsAxes))
      let keepsTables =
        settings.luma.sum == luma.sum && (isGray || settings.chroma.sum == chroma.sum)
      return RenderEncoding(settings, tables: keepsTables ? .source : .floor, source: frame)
    }
  }

  private static func standard(
    _ quality: Int, isGray: Bool, sampling: ChromaSampling?
  ) -> JPEGSettings {
    JPEGSettings(
      isGray: isGray, luma: .standardLuma(quality: quality),
      chroma: .standardChroma(quality: quality),
      sampling: sampling ?? (quality >= 90 ? .s444 : .s420))
  }

  /// Returns the source's own table; if it is coarser than the floor, the finer entry of both at
  /// each position.
  private static func preserved(
    _ table: QuantizationTable, floor: QuantizationTable, swapsAxes: Bool
  ) -> QuantizationTable {
    let sum = table.values.reduce(0) { $0 + Int($1) }
    let limit = floor.values.reduce(0) { $0 + Int($1) }
    let preserved = sum <= limit ? table : .elementwiseMinimum(table, floor)
    return swapsAxes ? preserved.transposed : preserved
  }
}

extension JPEGFrame {
  /// Returns the source's chroma sampling, rotated with the image, in a form that every viewer
  /// supports.
  fileprivate func preservedSampling(swapsAxes: Bool) -> ChromaSampling {
    guard components.count == 3, color == .ycbcr,
      components[1].horizontalSampling == components[2].horizontalSampling,
      components[1].verticalSampling == components[2].verticalSampling
    else { return .s444 }
    let ratio = (
      horizontal: components[0].horizontalSampling / max(1, components[1].horizontalSampling),
      vertical: components[0].verticalSampling / max(1, components[1].verticalSampling)
    )
    let rotated = swapsAxes ? (ratio.vertical, ratio.horizontal) : ratio
    switch rotated {
    case (1, 1): return .s444
    case (2, 1), (1, 2): return .s422
    default: return .s420
    }
  }
}
