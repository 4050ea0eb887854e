// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs

/// How finely a rendering is quantised, and what became of the source's own tables.
public struct RenderEncoding: Sendable, Hashable {
  /// Where the quantization tables come from.
  public enum Tables: String, Sendable, Hashable, CaseIterable {
    /// They are the source's own.
    case source
    /// The source's are coarser than quality 85; each entry is the finer of both.
    case floor
    /// They are the standard's, at some quality.
    case standard
  }

  /// How many bytes a pixel is expected to take, against the source's.
  public enum SizeClass: String, Sendable, Hashable, CaseIterable {
    /// Fewer.
    case smaller
    /// About as many; detail that a filter adds or takes away is not foreseen.
    case same
    /// More.
    case larger
  }

  /// Tables and sampling.
  public let settings: JPEGSettings
  /// Where the tables come from.
  public let tables: Tables
  /// What a pixel is expected to take; nil where the source is no JPEG to compare with.
  public let sizeClass: SizeClass?

  /// The quality 1 to 100 of the IJG's scale whose luma table has about the same sum.
  public var estimatedQuality: Int { settings.luma.estimatedQuality }
  /// "4:2:0" and the like; nil for one component.
  public var sampling: ChromaSampling? { settings.isGray ? nil : settings.sampling }

  /// Judges settings against the source's frame.
  init(_ settings: JPEGSettings, tables: Tables, source: JPEGFrame?) {
    self.settings = settings
    self.tables = tables
    sizeClass = source.flatMap { Self.sizeClass(settings, source: $0) }
  }

  private static func sizeClass(_ settings: JPEGSettings, source: JPEGFrame) -> SizeClass? {
    guard source.color == .ycbcr || source.color == .gray, let luma = source.tables.first
    else { return nil }
    if settings.isGray != (source.color == .gray) { return settings.isGray ? .smaller : .larger }
    // Turned tables have the same sum.
    if settings.luma.sum != luma.sum { return settings.luma.sum < luma.sum ? .larger : .smaller }
    guard !settings.isGray, source.tables.count == 3 else { return .same }
    let own = settings.sampling.horizontal * settings.sampling.vertical
    let ratio = source.chromaRatio
    let kept = max(1, ratio.horizontal * ratio.vertical)
    if own != kept { return own < kept ? .larger : .smaller }
    let chroma = source.tables[1].sum
    if settings.chroma.sum != chroma { return settings.chroma.sum < chroma ? .larger : .smaller }
    return .same
  }

  /// What rearranged coefficients keep: everything.
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

extension JPEGFrame {
  /// Luma samples across and down for one chroma sample; 1 and 1 without chroma.
  var chromaRatio: (horizontal: Int, vertical: Int) {
    guard components.count >= 3 else { return (1, 1) }
    return (
      components[0].horizontalSampling / max(1, components[1].horizontalSampling),
      components[0].verticalSampling / max(1, components[1].verticalSampling)
    )
  }
}
