// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage

/// Renders graphs: a pure function from an image and a graph to a JPEG.
public enum Renderer {
  /// The version of the rendering semantics; incremented when pixels change for a reason other than
  /// a filter's version.
  public static let semanticsVersion = 4

  /// Renders a graph on an image.
  ///
  /// The result is the same for any number of threads.
  ///
  /// - Throws: `RenderError`; nothing is written anywhere.
  public static func render(
    _ picture: Picture, _ graph: FilterGraph, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    let job = try RenderJob(picture, graph, options: options).adapted().withGainMap()
    if let rendering = try job.renderCoefficients() { return rendering }
    return try job.renderPixels()
  }

  /// Returns the losses of a rendering without filters; nothing is decoded.
  ///
  /// - Throws: `RenderError` if such a rendering is impossible.
  public static func losses(_ picture: Picture) throws(RenderError) -> [RenderLoss] {
    var job = try RenderJob(picture, FilterGraph(), options: RenderOptions())
    if picture.gainMap(limits: ImageLimits()) != nil { job.role = .carriesGainMap(byteCount: 0) }
    let isGray = picture.header.layout.channels.colorCount == 1
    // A placeholder for the thumbnail that the rendering would get.
    let thumbnail = RenderingFacts.Thumbnail(
      size: PixelSize(width: 1, height: 1), isGray: true, pixels: [0])
    let metadata = job.rendered(isGray: isGray, thumbnail: thumbnail)
    return metadata.losses.map { RenderLoss(kind: $0.kind.rawValue, detail: $0.detail) }
      + job.colorLosses(isGray: isGray) + job.pixelLosses
  }

  /// Renders a graph to the encoder's input.
  public static func raster(
    _ picture: Picture, _ graph: FilterGraph, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Raster {
    try RenderJob(picture, graph, options: options).adapted().renderRaster()
  }
}

/// One image, one graph, and the values derived from them.
struct RenderJob {
  var picture: Picture
  let graph: FilterGraph
  var options: RenderOptions
  /// The background of transparent pixels, in the color space of the filters' result.
  var background: SIMD3<Double>
  /// The role of a gain map in the rendering, and the gain map that follows it.
  var role = RenderingFacts.GainMapRole.none
  var gainMap: [UInt8]?
  /// The lowered graph: one chain that starts with the image as stored, or several that start with
  /// the image with its orientation applied; in each, rotations come before the operations that
  /// they need not wait for.
  var parts: [LoweredGraph.Part]
  /// Indicates whether there is only one chain.
  let isChain: Bool
  /// The handling of the source's color space.
  var treatment: ColorTreatment
  var outputSize: PixelSize
  /// The size in bytes of the images and tables that are part of the graph.
  var assetBytes = 0
  /// The scale at which the source is decoded.
  var decodingScale = DecodingScale.full
  /// Indicates whether many branches keep as few rows as they can.
  var isFrugal = false
  /// Indicates whether the operations determine where the pixels of the result come from.
  var isGeometryKnown = true
  /// The pixels to render instead of the source; with the orientation applied, like the result.
  var pixels: OwnPixels?

  init(_ picture: Picture, _ graph: FilterGraph, options: RenderOptions) throws(RenderError) {
    if let source = graph.source, source != picture.identity {
      throw .otherPicture(expected: source, found: picture.identity)
    }
    self.picture = picture
    self.graph = graph
    self.options = options
    let lowered: LoweredGraph
    do throws(GraphObstacle) {
      let assets = try AssetReader(graph, options).contents()
      assetBytes = assets.values.reduce(0) { $0 + $1.byteCount }
      lowered = try graph.lowered(
        size: picture.size, assets: assets, space: picture.workingSpace)
    } catch {
      throw .graph(error)
    }
    isChain = lowered.isChain
    treatment = try ColorTreatment(
      picture.color,
      changesColors: lowered.changesColors(
        channels: picture.header.layout.channels, source: picture.size)
        || (picture.header.layout.channels.hasAlpha && graph.hasColoredBackground))
    background = graph.background(of: picture, behind: treatment.keptCurves(of: picture.color))
    parts = Self.withCurves(treatment, in: lowered.parts)
    outputSize = picture.header.size
    if isChain {
      operations = operations.withTurnsFirst(
        after: picture.metadata.orientation, stored: picture.header.size)
      outputSize = operations.reduce(picture.header.size) { $1.outputSize(of: $0) }
    } else {
      let sizes = lowered.sizes(picture: picture.size)
      for index in parts.indices {
        parts[index].operations = parts[index].operations.withTurnsFirst(
          after: .up, stored: sizes.sources[index])
      }
      outputSize = sizes.results[parts.count - 1]
    }
    guard outputSize.longEdge <= 65_500 else { throw .tooLarge(outputSize) }
  }

  /// The operations of the chain that produces the result.
  var operations: [FilterOperation] {
    get { parts[parts.count - 1].operations }
    set { parts[parts.count - 1].operations = newValue }
  }

  var threads: Int { max(1, options.threads ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The number of strips that a pass computes before the next one needs them.
  var stripsAhead: Int { isFrugal ? 0 : threads }

  /// The total rotation of the source.
  var turn: Orientation {
    guard isChain, pixels == nil else { return picture.metadata.orientation }
    return if case .orient(let turn)? = operations.first { turn } else { .up }
  }

  /// Indicates whether only the Y plane of the source is needed.
  var decodesLumaOnly: Bool {
    isChain && treatment.conversion == nil && picture.frame?.color == .ycbcr
      && operations.beginsWithLuma
  }

  /// Indicates whether several threads share the decoding.
  var isReadInHalves: Bool {
    picture.frame?.isReadInHalves == true && treatment.conversion == nil && pixels == nil
  }

  func decoderOptions(lumaOnly: Bool) -> DecoderOptions {
    var result = DecoderOptions(
      limits: options.limits, isLenient: options.isLenient, decodesLumaOnly: lumaOnly,
      scale: decodingScale, isCancelled: options.isCancelled)
    result.deliversInks = treatment.conversion != nil
    return result
  }

  // MARK: Report

  /// Indicates whether the rendering gets a thumbnail, because the source has one.
  var drawsThumbnail: Bool {
    (picture.metadata.hasThumbnail || picture.metadata.hasPreviews)
      && !options.strip.contains(.all)
  }

  /// Returns the metadata of the rendering.
  ///
  /// - Parameters:
  ///   - sampling: The chroma sampling; nil if the source's chroma was not changed.
  ///   - scan: The digest of the encoded data if no graph describes the pixels.
  func rendered(
    isGray: Bool, sampling: ChromaSampling? = nil,
    thumbnail: RenderingFacts.Thumbnail? = nil, scan: Digest? = nil
  ) -> RenderedMetadata {
    let profile = profile(isGray: isGray)
    var facts = RenderingFacts(
      size: outputSize, isGray: isGray, modificationDate: options.modificationDate,
      keepsColorProfile: profile.keepsOwn, colors: profile.colors, sampling: sampling,
      thumbnail: thumbnail,
      instance: picture.metadata.hasInstanceIdentifier ? instance(of: scan) : nil,
      geometry: geometry, strip: options.strip)
    facts.profile = profile.replacement
    facts.storedSize = picture.header.size
    facts.gainMap = role
    return picture.metadata.rendered(facts)
  }

  var pixelLosses: [RenderLoss] {
    var losses: [RenderLoss] = []
    if picture.header.bitsPerSample > 8 {
      losses.append(
        RenderLoss(
          kind: "bitDepth",
          detail: "\(picture.header.bitsPerSample) bits per sample were reduced to 8"))
    }
    if picture.header.layout.channels.hasAlpha {
      losses.append(
        RenderLoss(kind: "alpha", detail: "transparency was composited over \(graph.background)"))
    }
    return losses
  }

  /// The coding properties of the source JPEG that are not kept.
  private var codingNotices: [String] {
    guard let frame = picture.frame else { return [] }
    let coding =
      switch (frame.isProgressive, frame.isArithmetic) {
      case (true, true): "progressive with arithmetic coding"
      case (true, false): "progressive"
      case (false, true): "arithmetic-coded"
      case (false, false): ""
      }
    return coding.isEmpty
      ? [] : ["The source is \(coding); the rendering is sequential with Huffman coding."]
  }

  func rendering(
    _ jpeg: consuming [UInt8], method: RenderMethod, encoding: RenderEncoding,
    metadata: RenderedMetadata, pixelLosses: [RenderLoss] = [], notices: [CodecNotice]
  ) -> Rendering {
    var file = jpeg
    if let gainMap, !MultiPictureIndex.append(gainMap, to: &file) {
      preconditionFailure("a rendering that carries a gain map has an index for it")
    }
    // Losses found while reading the metadata are already among its losses.
    let losses = metadata.losses.map { RenderLoss(kind: $0.kind.rawValue, detail: $0.detail) }
    return Rendering(
      jpeg: file, size: outputSize, method: method, encoding: encoding,
      losses: losses + pixelLosses, stripped: metadata.stripped,
      notices: notices.map(\.message) + picture.metadata.notices + picture.color.notices
        + metadata.notices + codingNotices)
  }
}

extension [FilterOperation] {
  /// Indicates whether the first color operation replaces the colors with their luma601.
  fileprivate var beginsWithLuma: Bool {
    for operation in self {
      switch operation {
      case .orient, .crop: continue
      case .matrix(let matrix): return matrix == .sum(LumaWeights.rec601)
      default: return false
      }
    }
    return false
  }
}
