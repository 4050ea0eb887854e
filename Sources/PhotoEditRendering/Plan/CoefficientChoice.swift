// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The eligibility of a rendering for rearranging the coefficients of its source.
enum CoefficientChoice: Hashable {
  /// Eligible: nothing is rounded.
  case coefficients(JPEGCoefficientTransform)
  /// Not eligible, for the reason given in one clause.
  case pixels(String)
}

extension RenderJob {
  /// The eligibility, determined from headers and operations alone.
  var coefficientChoice: CoefficientChoice {
    guard isChain else { return .pixels("several pictures become one") }
    guard options.allowsCoefficients else { return .pixels("pixels are asked for") }
    guard treatment.conversion == nil else { return .pixels("colours are converted to sRGB") }
    guard let frame = picture.frame else { return .pixels("the source is no JPEG") }
    guard options.quality == .preserve else {
      return .pixels("quality \(options.quality) quantises anew")
    }
    let header = picture.header
    let joined = operations.joined(channels: header.layout.channels, source: header.size)
    guard let geometry = joined.losslessGeometry(stored: header.size) else {
      return .pixels("the graph changes more than places")
    }
    let dropsColor = geometry.isGray && frame.color != .gray
    let transform = JPEGCoefficientTransform(
      orientation: geometry.turn, crop: geometry.crop,
      chroma: !dropsColor ? .keep : hasColorProfile ? .zero : .drop)
    guard transform.isExact(for: frame) else {
      return .pixels(
        frame.color == .ycbcr || frame.color == .gray
          ? "an edge is off the grid of blocks" : "the source is not stored as luma and chroma")
    }
    return .coefficients(transform)
  }
}
