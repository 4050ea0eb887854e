// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
import PhotoEditPixels

/// The quantization of a rendering and its relation to the source's own tables.
public struct RenderEncoding: Sendable, Hashable {
  /// The origin of the quantization tables.
  public enum Tables: String, Sendable, Hashable, CaseIterable {
    /// The source's own tables.
    case source
    /// The source's tables are coarser than quality 85; each entry is the finer of both.
    case floor
    /// The tables of the standard, at some quality.
    case standard
  }

  /// The expected number of bytes per pixel, compared with the source.
  public enum SizeClass: String, Sendable, Hashable, CaseIterable {
    /// Fewer bytes.
    case smaller
    /// About the same number; detail that a filter adds or removes is not predicted.
    case same
    /// More bytes.
    case larger
  }

  /// The tables and sampling.
  public let settings: JPEGSettings
  /// The origin of the tables.
  public let tables: Tables
  /// The expected size per pixel; nil if the source is not a JPEG to compare with.
  public let sizeClass: SizeClass?

  /// The IJG quality, 1 to 100, whose luma table has about the same sum.
  public var estimatedQuality: Int { settings.luma.estimatedQuality }
  /// The chroma sampling, such as 4:2:0; nil for one component.
  public var sampling: ChromaSampling? { settings.isGray ? nil : settings.sampling }

  /// Compares settings with the source's frame.
  init(_ settings: JPEGSettings, tables: Tables, source: JPEGFrame?) {
    self.settings = settings
    self.tables = tables
    sizeClass = source.flatMap { Self.sizeClass(settings, source: $0) }
  }

  private static func sizeClass(_ settings: JPEGSettings, source: JPEGFrame) -> SizeClass? {
    guard source.color == .ycbcr || source.color == .gray, let luma = source.tables.first
    else { return nil }
    if settings.isGray != (source.color == .gray) { return settings.isGray ? .smaller : .larger }
    // Transposed tables have the same sum.
    if settings.luma.sum != luma.sum { return settings.luma.sum < luma.sum ? .larger : .smaller }
    guard !settings.isGray, source.tables.count == 3 else { return .same }
    let own = settings.sampling.horizontal * settings.sampling.vertical
    let ratio = source.chromaRatio
    let original = max(1, ratio.horizontal * ratio.vertical)
    if own != original { return own < original ? .larger : .smaller }
    let chroma = source.tables[1].sum
    if settings.chroma.sum != chroma { return settings.chroma.sum < chroma ? .larger : .smaller }
    return .same
  }

  /// Creates the encoding of rearranged coefficients, which keep everything.
  init(keeping frame: JPEGFrame, isGray: Bool, swapsAxes: Bool) {
    let ratio = frame.chromaRatio
    let tables = frame.tables.map { swapsAxes ? $0.transposed : $0 }
    settings = JPEGSettings(
      isGray: isGray, luma: tables[0], chroma: tables[tables.count > 1 ? 1 : 0],
      sampling: ChromaSampling(
        horizontal: swapsAxes ? ratio.vertical : ratio.horizontal,
        vertical: swapsAxes ? ratio.horizontal : ratio.vertical))
    self.tables = .source
    sizeClass = isGray && frame.color != .gray ? .smaller : .same
  }
}

/// The JPEG whose tables and sampling a rendering has.
struct EncodingSource {
  /// The frame; nil for the defaults of the quality.
  var frame: JPEGFrame?
  /// Indicates whether rows of the frame are columns of the rendering.
  var swapsAxes = false
}

extension EncodingSource {
  /// The image of a job.
  init(_ job: RenderJob) {
    self.init(frame: job.image.frame, swapsAxes: job.rotation.swapsAxes)
  }
}

extension JPEGFrame {
  /// The number of luma samples per chroma sample, horizontally and vertically; 1 and 1 without
  /// chroma.
  var chromaRatio: (horizontal: Int, vertical: Int) {
    guard components.count >= 3 else { return (1, 1) }
    return (
      components[0].horizontalSampling / max(1, components[1].horizontalSampling),
      components[0].verticalSampling / max(1, components[1].verticalSampling)
    )
  }
}
