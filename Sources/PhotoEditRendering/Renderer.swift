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
  public static let semanticsVersion = 6

  /// Renders a graph on an image.
  ///
  /// The result is the same for any number of threads.
  ///
  /// - Throws: `RenderError`; nothing is written anywhere.
  public static func render(
    _ image: ImageSource, _ graph: FilterGraph, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    let job = try RenderJob(image, graph, options: options).adapted().withGainMap()
    if let rendering = try job.renderCoefficients() { return rendering }
    return try job.renderPixels()
  }

  /// Returns the losses of a rendering without filters; nothing is decoded.
  ///
  /// - Throws: `RenderError` if such a rendering is impossible.
  public static func losses(_ image: ImageSource) throws(RenderError) -> [RenderLoss] {
    var job = try RenderJob(image, FilterGraph(), options: RenderOptions())
    if image.gainMap(limits: ImageLimits()) != nil { job.role = .carriesGainMap(byteCount: 0) }
    let isGray = image.header.layout.channels.colorCount == 1
    // A placeholder for the thumbnail that the rendering would get.
    let thumbnail = RenderedImageProperties.Thumbnail(
      size: PixelSize(width: 1, height: 1), isGray: true, pixels: [0])
    let metadata = job.rendered(isGray: isGray, thumbnail: thumbnail)
    return metadata.losses.map { RenderLoss(kind: $0.kind.rawValue, detail: $0.detail) }
      + job.colorLosses(isGray: isGray) + job.pixelLosses()
  }

  /// Renders a graph to the encoder's input.
  public static func raster(
    _ image: ImageSource, _ graph: FilterGraph, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Raster {
    try RenderJob(image, graph, options: options).adapted().renderRaster()
  }
}

/// One image, one graph, and the values derived from them.
struct RenderJob {
  var image: ImageSource
  /// The graph, with the fields of its texts filled in.
  let graph: FilterGraph
  var options: RenderOptions
  /// The background of transparent pixels, in the color space of the filters' result.
  var background: SIMD3<Double>
  /// The role of a gain map in the rendering, and the gain map appended to it.
  var role = RenderedImageProperties.GainMapRole.none
  var gainMap: [UInt8]?
  /// The lowered graph: one chain that starts with the image as stored, or several that start with
  /// the image with its orientation applied; in each, rotations are moved before operations
  /// they do not depend on.
  var parts: [LoweredGraph.Part]
  /// Indicates whether there is only one chain.
  let isChain: Bool
  /// The handling of the source's color space.
  var treatment: ColorManagement
  var outputSize: PixelSize
  /// The size in bytes of the images and tables that are part of the graph.
  var assetBytes = 0
  /// The scale at which the source is decoded.
  var decodingScale = DecodingScale.full
  /// Indicates whether graphs with many branches buffer as few rows as possible.
  var minimizesMemory = false
  /// Indicates whether the image will be read again after this job, which is a measurement.
  var readsAgain = false
  /// Indicates whether the operations determine the source position of each result pixel.
  var isGeometryKnown = true
  /// The source whose quality and chroma sampling the JPEG has; nil for the image's.
  var encodingSource: EncodingSource?
  /// The pixels to render instead of the source; with the orientation applied, like the result.
  var pixels: OwnPixels?
  /// The fields of texts that the image has no value for.
  private let missingFields: [TextField]

  /// Creates a job.
  ///
  /// - Parameter scale: The scale of this image relative to the one that pixel lengths in
  ///   the graph refer to.
  init(
    _ image: ImageSource, _ graph: FilterGraph, scale: Double = 1, options: RenderOptions
  ) throws(RenderError) {
    if let source = graph.source, !source.isSameImage(as: image.identity) {
      throw .sourceMismatch(expected: source, found: image.identity)
    }
    self.image = image
    var graph = graph
    missingFields = graph.openFields.isEmpty ? [] : graph.fillTexts(image.textFields)
    self.graph = graph
    self.options = options
    let lowered: LoweredGraph
    do throws(UnsupportedNode) {
      let assets = try AssetReader(graph, options).contents()
      assetBytes = assets.values.reduce(0) { $0 + $1.byteCount }
      lowered = try graph.lowered(
        size: image.size, assets: assets, coordinateScale: scale, space: image.workingSpace
      ) { _ in scale }
    } catch {
      throw .graph(error)
    }
    isChain = lowered.isChain
    treatment = try ColorManagement(
      image.color,
      changesColors: options.convertsToSRGB
        || lowered.changesColors(channels: image.header.layout.channels, source: image.size)
        || (image.header.layout.channels.hasAlpha && graph.hasColoredBackground))
    background = graph.background(of: image, after: treatment.outputCurves(of: image.color))
    parts = Self.withCurves(treatment, in: lowered.parts)
    outputSize = image.header.size
    if isChain {
      operations = operations.withRotationsFirst(
        after: image.metadata.orientation, stored: image.header.size)
      outputSize = operations.reduce(image.header.size) { $1.outputSize(of: $0) }
    } else {
      let sizes = lowered.sizes(image: image.size)
      for index in parts.indices {
        parts[index].operations = parts[index].operations.withRotationsFirst(
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
  var stripsAhead: Int { minimizesMemory ? 0 : threads }

  /// The total rotation of the source.
  var rotation: Orientation {
    guard isChain, pixels == nil else { return image.metadata.orientation }
    return if case .orient(let rotation)? = operations.first { rotation } else { .up }
  }

  /// Indicates whether only the Y plane of the source is needed.
  var decodesLumaOnly: Bool {
    isChain && treatment.conversion == nil && image.frame?.color == .ycbcr
      && operations.startsWithLuma
  }

  /// Indicates whether several threads share the decoding.
  var usesSplitDecoding: Bool {
    image.frame?.usesSplitDecoding == true && treatment.conversion == nil && pixels == nil
  }

  func decoderOptions(lumaOnly: Bool) -> DecoderOptions {
    var result = DecoderOptions(
      limits: options.limits, isLenient: options.isLenient, decodesLumaOnly: lumaOnly,
      scale: decodingScale, sandbox: options.sandbox, isCancelled: options.isCancelled)
    result.deliversCMYK = treatment.conversion != nil
    result.readsAgain = readsAgain && !options.isOnlyMeasured
    return result
  }

  // MARK: Report

  /// Indicates whether the rendering gets a thumbnail, because the source has one.
  var drawsThumbnail: Bool {
    (image.metadata.hasThumbnail || image.metadata.hasPreviews)
      && !options.strip.contains(.all)
  }

  /// Returns the metadata of the rendering.
  ///
  /// - Parameters:
  ///   - sampling: The chroma sampling; nil if the source's chroma was not changed.
  ///   - scan: The digest of the encoded data if no graph describes the pixels.
  func rendered(
    isGray: Bool, sampling: ChromaSampling? = nil,
    thumbnail: RenderedImageProperties.Thumbnail? = nil, scan: SHA256Digest? = nil
  ) -> RenderedMetadata {
    let profile = profile(isGray: isGray)
    var facts = RenderedImageProperties(
      size: outputSize, isGray: isGray, modificationDate: options.modificationDate,
      keepsColorProfile: profile.keepsSourceProfile, colors: profile.colors, sampling: sampling,
      thumbnail: thumbnail,
      instance: image.metadata.hasInstanceIdentifier ? instance(of: scan) : nil,
      geometry: geometry, strip: options.strip)
    facts.profile = profile.replacement
    facts.keepsCopyright = options.keepsCopyright
    facts.storedSize = image.header.size
    facts.gainMap = role
    facts.includesSettings = options.includesSettings
    return image.metadata.rendered(facts)
  }

  /// The losses of writing eight bits without transparency.
  ///
  /// - Parameter isOpaque: Whether an alpha channel is known to have no effect.
  func pixelLosses(isOpaque: Bool = false) -> [RenderLoss] {
    var losses: [RenderLoss] = []
    // The samples of a raw file are developed, not those of an image yet.
    if image.header.bitsPerSample > 8, image.header.format != .raw {
      losses.append(
        RenderLoss(
          kind: "bitDepth",
          detail: "\(image.header.bitsPerSample) bits per sample were reduced to 8"))
    }
    if image.header.layout.channels.hasAlpha, !isOpaque {
      losses.append(
        RenderLoss(kind: "alpha", detail: "transparency was composited over \(graph.background)"))
    }
    return losses
  }

  /// The coding properties of the source JPEG that are not kept.
  private var codingNotices: [String] {
    guard let frame = image.frame, !options.isProgressive else { return [] }
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

  /// Returns the file to write while the JPEG grows; nil if its first bytes depend on the last ones.
  ///
  /// Called at the start of each attempt, which may follow one that was given up.
  ///
  /// - Parameter metadata: The metadata, if it is known before the pixels.
  func growingFile(_ metadata: RenderedMetadata?) -> StagedFile? {
    options.staged?.restart()
    // The position of a gain map is written to the metadata.
    return metadata == nil || gainMap != nil || options.isProgressive ? nil : options.staged
  }

  func rendering(
    _ jpeg: consuming [UInt8], method: RenderMethod, encoding: RenderEncoding,
    metadata: RenderedMetadata, pixelLosses: [RenderLoss] = [], notices: [DecoderWarning]
  ) throws(RenderError) -> Rendering {
    var file = jpeg
    if options.isProgressive {
      let sequential = file
      file = try codec { () throws(CodecError) in try JPEGProgression.progressive(sequential) }
    }
    if let gainMap, !MultiPictureIndex.append(gainMap, to: &file) {
      preconditionFailure("rendering with a gain map has no image index")
    }
    // Losses found while reading the metadata are already among its losses.
    let losses = metadata.losses.map { RenderLoss(kind: $0.kind.rawValue, detail: $0.detail) }
    return Rendering(
      jpeg: file, size: outputSize, method: method, encoding: encoding,
      losses: losses + pixelLosses + notices.compactMap { $0.loss(of: image.header.size.height) },
      stripped: metadata.stripped,
      notices: notices.filter { [.harmless, .unrefined].contains($0.kind) }.map(\.message)
        + image.metadata.notices + image.color.notices
        + metadata.notices + missingFields.notices + codingNotices)
  }
}

extension DecoderWarning {
  /// Returns the loss of pixels that are missing.
  fileprivate func loss(of rows: Int) -> RenderLoss? {
    guard kind == .filled else { return nil }
    let extent = recoveredRows.map { " (\($0) of \(rows) rows could be decoded)" } ?? ""
    return RenderLoss(kind: "damaged", detail: "\(message)\(extent)")
  }
}

extension [FilterOperation] {
  /// Indicates whether the first color operation replaces the colors with their BT.601 luma.
  fileprivate var startsWithLuma: Bool {
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
