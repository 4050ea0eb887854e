// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The handling of the source's color space by a job.
///
/// Filters expect the transfer function of sRGB and accept any primaries. An image with other
/// transfer functions is therefore converted by `curves` before and after the filters; one whose
/// colors are described only by tables is decoded as sRGB. If no color changes, neither happens,
/// and sample values stay unchanged. Curves for which eight bits are too coarse, and which no
/// profile requires, are replaced by those of sRGB in any case.
enum ColorManagement {
  /// Sample values are processed unchanged.
  case none
  /// Sample values are converted to the transfer function of sRGB while they are processed, or
  /// permanently.
  case curves(into: ChannelCurves, back: ChannelCurves?)
  /// The source is decoded as sRGB.
  case conversion(ColorConversion)

  /// Determines the handling of an image.
  ///
  /// - Parameter changesColors: Whether a graph does more than move pixels.
  init(_ color: ImageColorSpace, changesColors: Bool) throws(RenderError) {
    self = .none
    let isPermanent = color.handling == .converted || color.handling == .convertedCurve
    guard changesColors || isPermanent else { return }
    switch color.conversion {
    case .ready(let conversion): self = .conversion(conversion)
    case .missing(let error): throw RenderError(error)
    case nil:
      guard !color.transfers.isEmpty else { return }
      self = .curves(
        into: ChannelCurves(color.transfers.map(\.curveIntoSRGB)),
        back: isPermanent ? nil : ChannelCurves(color.transfers.map(\.curveFromSRGB)))
    }
  }

  /// Returns the curves of the color space that the rendering keeps, if filters work on the image's
  /// unconverted sample values; nil if those have the transfer function of sRGB.
  func outputCurves(of color: ImageColorSpace) -> ChannelCurves? {
    guard case .none = self, !color.transfers.isEmpty else { return nil }
    return ChannelCurves(color.transfers.map(\.curveFromSRGB))
  }

  /// The conversion if the source is decoded as sRGB; nil otherwise.
  var conversion: ColorConversion? {
    if case .conversion(let conversion) = self { conversion } else { nil }
  }
}

extension WorkingSpace {
  /// Creates the space from the rows that convert its linear light to X, Y and Z under D65; nil is
  /// sRGB.
  init(matrixToD65XYZ rows: [[Double]]?) {
    self = rows.map { WorkingSpace(toXYZ: ColorTransform(rows: $0)) } ?? .sRGB
  }
}

extension ImageSource {
  /// The color space of the sample values that filters process.
  var workingSpace: WorkingSpace {
    guard header.layout.channels.colorCount == 3 else { return .sRGB }
    return WorkingSpace(matrixToD65XYZ: color.matrixToD65XYZ(icc: metadata.icc))
  }

  /// Indicates whether renderings may have colors that are clearly outside of sRGB.
  package var exceedsSRGB: Bool {
    let matrix = color.matrixToSRGB(icc: metadata.icc) ?? []
    return matrix.joined().contains { $0 < -0.02 }
  }
}

extension RenderJob {
  /// Returns the same chains, with the transfer function of sRGB while filters process the source.
  ///
  /// The conversion back is added to the plan, because it depends on whether the result has color.
  static func withCurves(
    _ treatment: ColorManagement, in parts: [LoweredGraph.Part]
  ) -> [LoweredGraph.Part] {
    guard case .curves(let curves, _) = treatment else { return parts }
    return parts.map { part in
      var part = part
      if part.source == .image { part.operations.insert(.curves(curves), at: 0) }
      return part
    }
  }

  /// Returns the job with the steps between filters and encoder: curves that convert back to the
  /// sample values of the source, and dithering; nil if none is needed.
  ///
  /// A gray image with a gray profile that gains color through a filter stays sRGB.
  ///
  /// - Parameter plan: The plan without these steps.
  func finished(from plan: RenderPlan) -> RenderJob? {
    var ending: [FilterOperation] = []
    let gainsColor = image.header.layout.channels.colorCount == 1 && plan.outputPlanes == 3
    var background = background
    if isConvertedToSRGB {
      if let matrix = WorkingSpace.sRGB.matrix(from: image.workingSpace) {
        ending += [.matrix(matrix)].inEncoding(.linear)
      }
      background = graph.backgroundNumbers(in: .sRGB).numbers
    } else if case .curves(_, let back?) = treatment, !gainsColor {
      ending.append(.curves(back))
      background = graph.background(of: image, after: back)
    }
    if case .tpdf(let seed) = options.dither, bitsPerSample > 8 {
      ending.append(.map(PixelMap(DitherNoise(seed: seed))))
    }
    if ending.isEmpty { return nil }
    var job = self
    job.background = background
    job.operations += ending
    return job
  }

  /// Indicates whether the result is converted to sRGB after the filters, because the source has
  /// other primaries or transfer functions.
  var isConvertedToSRGB: Bool {
    guard options.convertsToSRGB, treatment.conversion == nil, pixels == nil else { return false }
    if case .curves = treatment { return true }
    return WorkingSpace.sRGB.matrix(from: image.workingSpace) != nil
  }

  /// Indicates whether the profile describes color, so that the file must have three components.
  var hasColorProfile: Bool {
    guard treatment.conversion == nil, image.header.layout.channels.colorCount == 3 else {
      return false
    }
    return image.color.statedProfile != nil || image.metadata.iccColorSpace == "RGB "
  }

  /// Returns the profile that replaces the source's, and whether the source's own fits the
  /// rendering.
  func profile(
    isGray: Bool
  ) -> (replacement: ICCProfile?, keepsSourceProfile: Bool, colors: RenderedImageProperties.Colors)
  {
    let color = image.color
    let isForGray = image.header.layout.channels.colorCount == 1
    if treatment.conversion != nil || isConvertedToSRGB {
      return (isGray ? nil : .sRGB, false, .sRGB)
    }
    // CMYK components were converted to RGB without a profile.
    if color.handling == .converted { return (nil, false, .sRGB) }
    if isForGray && !isGray {
      let isOther = color.origin != .nowhere
      return (
        isOther ? .sRGB : nil, image.metadata.iccColorSpace != "GRAY", isOther ? .sRGB : .ofSource
      )
    }
    // The color space stated in EXIF stays valid.
    let isDeclaredOutsideEXIF = color.statedProfile != nil && color.origin != .stated("EXIF")
    if isDeclaredOutsideEXIF, color.statedProfile?.isSRGB == true { return (.sRGB, true, .sRGB) }
    return (color.statedProfile, true, isDeclaredOutsideEXIF ? .other : .ofSource)
  }

  /// Returns the losses of a color conversion.
  func colorLosses(isGray: Bool) -> [RenderLoss] {
    guard let conversion = treatment.conversion else {
      return image.color.handling == .converted
        ? [
          RenderLoss(
            kind: "cmyk",
            detail: "CMYK was converted to RGB without a profile; the colors are approximate.")
        ] : []
    }
    var losses: [RenderLoss] = []
    if !isGray {
      losses.append(
        RenderLoss(
          kind: MetadataLoss.Kind.colorProfile.rawValue,
          detail: "The colors were converted from \(image.color.name) to sRGB."))
    }
    if conversion.exceedsSRGB {
      losses.append(
        RenderLoss(
          kind: "gamut",
          detail: "Any colors of \(image.color.name) outside sRGB were clipped."
        ))
    }
    return losses
  }
}

extension FilterGraph {
  /// Returns the sample values of the background after the filters of an image.
  ///
  /// - Parameter curves: The curves that convert from the transfer function of sRGB to that of the
  ///   image; nil if there is no conversion.
  func background(of image: ImageSource, after curves: ChannelCurves? = nil) -> SIMD3<Double> {
    let (numbers, hasCurveOfSRGB) = backgroundNumbers(in: image.workingSpace)
    guard let curves, hasCurveOfSRGB else { return numbers }
    return SIMD3(
      curves.channels[0](numbers.x), curves.channels[1](numbers.y), curves.channels[2](numbers.z))
  }
}

extension LoweredGraph {
  /// Returns whether the graph does more than move pixels.
  ///
  /// - Parameters:
  ///   - channels: The channels that the decoder delivers.
  ///   - source: The size of the image with its orientation applied.
  func changesColors(channels: ChannelLayout, source: PixelSize) -> Bool {
    guard isChain else { return true }
    let isKnown = parts[0].operations.allSatisfy { operation in
      switch operation {
      case .layer, .adapt: false
      default: true
      }
    }
    guard isKnown else { return true }
    return !parts[0].operations.joined(channels: channels, source: source).allSatisfy {
      switch $0 {
      case .orient, .crop: true
      default: false
      }
    }
  }
}

extension ChannelCurves {
  /// Creates curves for three channels, or one for all of them.
  init(_ curves: [ToneCurve]) {
    self.init(red: curves[0], green: curves[curves.count / 2], blue: curves[curves.count - 1])
  }
}

extension ChannelTransfer {
  var curveIntoSRGB: ToneCurve { ToneCurve(curves.map { .transfer($0) } + [.encode]) }
  var curveFromSRGB: ToneCurve {
    ToneCurve([.decode] + curves.reversed().map { .inverseTransfer($0) })
  }
}
