// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The eligibility of a rendering for rearranging the coefficients of its source.
enum LosslessEligibility: Hashable {
  /// Eligible: nothing is rounded.
  case coefficients(JPEGCoefficientTransform)
  /// Not eligible, for the reason given in one clause.
  case pixels(String)
}

extension RenderJob {
  /// The eligibility, determined from headers and operations alone.
  var coefficientChoice: LosslessEligibility {
    guard isChain else { return .pixels("several images are combined") }
    guard options.allowsCoefficients else { return .pixels("pixel processing is requested") }
    guard treatment.conversion == nil else { return .pixels("colors are converted to sRGB") }
    guard let frame = image.frame else { return .pixels("the source is not a JPEG") }
    guard options.quality == .preserve else {
      return .pixels("quality \(options.quality) requires requantization")
    }
    let header = image.header
    let joined = operations.joined(channels: header.layout.channels, source: header.size)
    guard let geometry = joined.losslessGeometry(stored: header.size) else {
      return .pixels("the graph changes more than the geometry")
    }
    let dropsColor = geometry.isGray && frame.color != .gray
    let transform = JPEGCoefficientTransform(
      orientation: geometry.rotation, crop: geometry.crop,
      chroma: !dropsColor ? .keep : hasColorProfile ? .zero : .drop)
    guard transform.isExact(for: frame) else {
      return .pixels(
        frame.color == .ycbcr || frame.color == .gray
          ? "an edge is not on the block grid" : "the source is not stored as luma and chroma")
    }
    return .coefficients(transform)
  }
}
