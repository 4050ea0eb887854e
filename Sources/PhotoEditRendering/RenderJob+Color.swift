// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// What a job does about the space of its source.
///
/// Filters expect the curve of sRGB and take the lights as they come. So a picture of other curves
/// goes through `curves` in front of them and back behind; one whose colours only tables tell is
/// decoded as sRGB. Where no colour changes, neither is done, and numbers stay as they are. Curves
/// that eight bits are too coarse for, and that no profile demands, give way to sRGB's in any case.
enum ColorTreatment {
  /// Numbers are worked on as they are.
  case none
  /// Numbers get the curve of sRGB for as long as they are worked on, or for good.
  case curves(into: ChannelCurves, back: ChannelCurves?)
  /// The source is decoded as sRGB.
  case conversion(ColorConversion)

  /// Decides for a picture.
  ///
  /// - Parameter changesColors: Whether a graph does more than move pixels.
  init(_ color: PictureColor, changesColors: Bool) throws(RenderError) {
    self = .none
    let isForGood = color.handling == .converted || color.handling == .convertedCurve
    guard changesColors || isForGood else { return }
    switch color.conversion {
    case .ready(let conversion): self = .conversion(conversion)
    case .missing(let error): throw RenderError(error)
    case nil:
      guard !color.transfers.isEmpty else { return }
      self = .curves(
        into: ChannelCurves(color.transfers.map(\.curveIntoSRGB)),
        back: isForGood ? nil : ChannelCurves(color.transfers.map(\.curveFromSRGB)))
    }
  }

  /// The curves of the space that the rendering keeps, where filters saw the very numbers of the
  /// picture; nil where those have the curve of sRGB.
  func keptCurves(of color: PictureColor) -> ChannelCurves? {
    guard case .none = self, !color.transfers.isEmpty else { return nil }
    return ChannelCurves(color.transfers.map(\.curveFromSRGB))
  }

  /// Whether the source is decoded as sRGB.
  var conversion: ColorConversion? {
    if case .conversion(let conversion) = self { conversion } else { nil }
  }
}

extension WorkingSpace {
  /// Makes the space of rows that lead from its linear light to X, Y and Z under D65; nil is sRGB.
  init(lightsUnderD65 rows: [[Double]]?) {
    self = rows.map { WorkingSpace(toXYZ: ColorTransform(rows: $0)) } ?? .sRGB
  }
}

extension Picture {
  /// What the numbers mean that filters work on.
  var workingSpace: WorkingSpace {
    guard header.layout.channels.colorCount == 3 else { return .sRGB }
    return WorkingSpace(lightsUnderD65: color.lightsUnderD65(icc: metadata.icc))
  }
}

extension RenderJob {
  /// The same chains, with the curve of sRGB for as long as filters work on the source.
  ///
  /// The way back is added to the plan, for it depends on whether the result has colour.
  static func withCurves(
    _ treatment: ColorTreatment, in parts: [LoweredGraph.Part]
  ) -> [LoweredGraph.Part] {
    guard case .curves(let curves, _) = treatment else { return parts }
    return parts.map { part in
      var part = part
      if part.source == .picture { part.operations.insert(.curves(curves), at: 0) }
      return part
    }
  }

  /// The job with what lies between filters and encoder: curves that lead back to the numbers of
  /// the source, and dither; nil where nothing does.
  ///
  /// A picture without colour whose profile is for such pictures and to which a filter gave some
  /// stays sRGB.
  ///
  /// - Parameter plan: The plan without either.
  func finished(from plan: RenderPlan) -> RenderJob? {
    var ending: [FilterOperation] = []
    let gainsColor = picture.header.layout.channels.colorCount == 1 && plan.outputPlanes == 3
    var background = background
    if case .curves(_, let back?) = treatment, !gainsColor {
      ending.append(.curves(back))
      background = graph.background(of: picture, behind: back)
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

  /// Whether the profile describes colour, so that the file must have three components.
  var hasColorProfile: Bool {
    guard treatment.conversion == nil, picture.header.layout.channels.colorCount == 3 else {
      return false
    }
    return picture.color.statedProfile != nil || picture.metadata.iccColorSpace == "RGB "
  }

  /// The profile that takes the place of the source's, and whether that one fits the rendering.
  func profile(
    isGray: Bool
  ) -> (replacement: ICCProfile?, keepsOwn: Bool, colors: RenderingFacts.Colors) {
    let color = picture.color
    let isForGray = picture.header.layout.channels.colorCount == 1
    if treatment.conversion != nil { return (isGray ? nil : .sRGB, false, .sRGB) }
    // Inks were made RGB without a profile.
    if color.handling == .converted { return (nil, false, .sRGB) }
    if isForGray && !isGray {
      let isOther = color.origin != .nowhere
      return (
        isOther ? .sRGB : nil, picture.metadata.iccColorSpace != "GRAY", isOther ? .sRGB : .ofSource
      )
    }
    // What EXIF states goes on being true.
    let isStatedElsewhere = color.statedProfile != nil && color.origin != .stated("EXIF")
    if isStatedElsewhere, color.statedProfile?.isSRGB == true { return (.sRGB, true, .sRGB) }
    return (color.statedProfile, true, isStatedElsewhere ? .other : .ofSource)
  }

  /// What a conversion could not keep.
  func colorLosses(isGray: Bool) -> [RenderLoss] {
    guard let conversion = treatment.conversion else { return [] }
    var losses: [RenderLoss] = []
    if !isGray {
      losses.append(
        RenderLoss(
          kind: MetadataLoss.Kind.colorProfile.rawValue,
          detail: "The colours of \(picture.color.name) were converted to sRGB."))
    }
    if conversion.exceedsSRGB {
      losses.append(
        RenderLoss(
          kind: "gamut",
          detail: "Colours of \(picture.color.name) outside of sRGB, where there are any, were cut."
        ))
    }
    return losses
  }
}

extension FilterGraph {
  /// The numbers of the background behind the filters of a picture.
  ///
  /// - Parameter curves: What makes numbers of the picture of those with the curve of sRGB; nil
  ///   where they stay.
  func background(of picture: Picture, behind curves: ChannelCurves? = nil) -> SIMD3<Double> {
    let (numbers, hasCurveOfSRGB) = backgroundNumbers(in: picture.workingSpace)
    guard let curves, hasCurveOfSRGB else { return numbers }
    return SIMD3(
      curves.channels[0](numbers.x), curves.channels[1](numbers.y), curves.channels[2](numbers.z))
  }
}

extension LoweredGraph {
  /// Whether more is done than pixels moved.
  ///
  /// - Parameters:
  ///   - channels: What the decoder delivers.
  ///   - source: Size of the upright picture.
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
  /// Curves for three channels, or one for all of them.
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
