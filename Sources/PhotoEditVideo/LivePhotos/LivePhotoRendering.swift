// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditRendering
import PhotoEditStorage

/// A rendering of the still image and the video of a Live Photo into two files that form a pair.
struct LivePhotoRendering {
  /// The Live Photo to edit.
  let source: LivePhotoSource
  let edit: LivePhotoEditingContext.Edit
  let options: LivePhotoEditingContext.Options
  /// The playback volume of the video; 0 removes its audio.
  let volume: Double
  /// The size that both parts must fit into; nil for full size.
  let box: PixelSize?
  let cancellation: Cancellation

  private var input: EditingInput { source.input }

  /// Writes both parts, or neither; blocks.
  func write(still: String, movie: String) throws(EditingError) -> Rendering {
    let identifier = UUID().uuidString
    do throws(EditingError) {
      for path in [still, movie] where FileSystem.itemExists(path) {
        try mapFileErrors(FileSystem.remove(path))
      }
      let rendering = try writeStill(still, identifier)
      try writeMovie(movie, identifier, around: rendering.size)
      if cancellation.isCancelled { throw .cancelled }
      return rendering
    } catch {
      // Errors are ignored: a missing file need not be removed.
      for path in [still, movie] { try? FileSystem.remove(path) }
      throw error
    }
  }

  // MARK: Still image

  private func writeStill(
    _ path: String, _ identifier: String
  ) throws(EditingError) -> Rendering {
    let rendering = try renderStill()
    var jpeg = rendering.jpeg
    guard ContentIdentifierPatch.write(identifier, into: &jpeg) else {
      throw EditingError(
        .changeNotSupported, path: input.assetName,
        "the still image has no space for the content identifier",
        hint: "edit only the still image; the asset becomes a plain photo until it is reverted")
    }
    try translating(EditingError.init) { () throws(FileError) in
      let file = try OpenFile(creating: path)
      try file.write(jpeg)
    }
    options.progress?(0.1)
    return rendering
  }

  private func renderStill() throws(EditingError) -> Rendering {
    let file = try input.requireImage()
    var render = options.still
    let (isCancelled, cancellation) = (render.isCancelled, cancellation)
    render.isCancelled = { isCancelled() || cancellation.isCancelled }
    switch edit {
    case .graph(let graph):
      var graph = graph.withoutAudio.graph
      graph.source = file.identity
      guard let box else {
        return try input.rendering(Renderer.render(file, graph, options: render))
      }
      return try input.rendering(Renderer.preview(file, graph, fitting: box, options: render))
    case .frames(let process):
      let depth = file.header.bitsPerSample > 8 ? 2 : 1
      let image = try input.still(render, bytesPerSample: depth, fitting: box)
      let processed: ImageBuffer
      do {
        processed = try process(frame(image, .photo, source.photoTime))
      } catch {
        throw EditingError(.invalidResource, path: input.assetName, "still image: \(error)")
      }
      return try input.rendering(Renderer.render(processed, of: file, options: render))
    }
  }

  /// Returns the input of the caller's code for an image with its orientation applied.
  private func frame(
    _ image: ImageBuffer, _ kind: LivePhotoFrame.Kind, _ time: Double
  ) throws(RenderError) -> LivePhotoFrame {
    let image = try image.fitted(into: box)
    return LivePhotoFrame(
      image: image, kind: kind, time: time,
      renderScale: Double(image.size.longEdge) / Double(max(1, input.size.longEdge)))
  }

  // MARK: Video

  private func writeMovie(
    _ path: String, _ identifier: String, around still: PixelSize
  ) throws(EditingError) {
    var encoding = options.video
    encoding.stillSize = input.size
    let rendered = path + ".rendered"
    // A temporary file until the pair is complete.
    defer { try? FileSystem.remove(rendered) }
    try translating({ EditingError($0, path: source.movie) }) { () throws(VideoError) in
      _ = try VideoRenderer.run(
        from: source.movie, try videoEdit(around: still), to: rendered, options: encoding,
        assetFiles: options.still.assetFiles, sandbox: options.still.sandbox,
        isCancelled: { cancellation.isCancelled || options.still.isCancelled() }
      ) { progress in
        if let fraction = progress.fraction { options.progress?(0.1 + 0.85 * fraction) }
      }
      _ = try movie(
        MovieRewriter.run(
          from: rendered, to: path, edits: edits(identifier), digestsStreams: false,
          isCancelled: { cancellation.isCancelled }))
    }
    options.progress?(1)
  }

  private func edits(_ identifier: String) -> [MovieEdit] {
    var edits: [MovieEdit] = [.contentIdentifier(identifier)]
    var volume = volume
    if case .graph(let graph) = edit { volume *= graph.withoutAudio.volume }
    if volume == 0 {
      edits.append(.mute)
    } else if volume < 1 {
      edits.append(.volume(volume))
    }
    if source.isPhotoTimeWrong { edits.append(.stillImageTime(source.photoTime)) }
    return edits
  }

  private func videoEdit(around still: PixelSize) throws(VideoError) -> VideoEdit {
    switch edit {
    case .graph(let graph):
      let graph = graph.withoutAudio.graph
      guard box != nil else { return .graph(graph) }
      // Sizes in integer pixels are those of the still image, and are scaled down with the frames.
      let side = source.movieSize.longEdge
      let size = still.fitted(into: PixelSize(width: side, height: side))
      let factor = Double(input.size.longEdge) / Double(max(1, side))
      let resize = Resize(
        width: Int((Double(size.width) * factor).rounded()),
        height: Int((Double(size.height) * factor).rounded()))
      return .graph(
        try translating(
          { VideoError.unsupported("cannot create the preview: \($0 as ParameterError)") },
          graph.appending([resize])))
    case .frames(let process):
      return .frames { try process(frame($0.image, .video, $0.time)) }
    }
  }
}

extension FilterGraph {
  /// The graph for images, and the fraction of its volume that the audio keeps.
  fileprivate var withoutAudio: (graph: FilterGraph, volume: Double) {
    var (graph, volume) = (self, 1.0)
    for node in nodes where node.isPlain {
      // Nodes that cannot be resolved or removed stay, and are rejected with the reason given for
      // images.
      guard let filter = try? node.resolved(), let share = filter.volumeFactor,
        (try? graph.remove(node: node.id)) != nil
      else { continue }
      if node.isEnabled { volume *= share }
    }
    return (graph, volume)
  }
}

extension Filter {
  /// The fraction of the volume that an audio operation leaves; nil for any other filter.
  fileprivate var volumeFactor: Double? {
    switch self {
    case is Mute: 0
    case let filter as Volume: filter.amount
    default: nil
    }
  }
}

extension ImageBuffer {
  /// Returns the same image, reduced to fit into a box; unchanged if it fits, or if there is no
  /// box.
  fileprivate func fitted(into box: PixelSize?) throws(RenderError) -> ImageBuffer {
    guard let target = box.map({ size.fitted(into: $0) }), target != size else { return self }
    let graph = try translating(
      { RenderError.graph(UnsupportedNode(node: "preview", .parameter($0))) },
      FilterGraph([Resize(width: target.width, height: target.height)]))
    return try FrameRenderer(graph, size: size, layout: layout).render(self)
  }
}

extension EditingInput {
  /// Returns the still image with its orientation applied, at full size or reduced to fit into a
  /// box.
  func still(
    _ options: RenderOptions, bytesPerSample: Int, fitting box: PixelSize? = nil
  ) throws(EditingError) -> ImageBuffer {
    let image = try requireImage()
    let raster =
      if let box {
        try rendering(
          Renderer.previewRaster(image, FilterGraph(), fitting: box, options: options))
      } else { try rendering(Renderer.raster(image, FilterGraph(), options: options)) }
    return raster.image(bytesPerSample: bytesPerSample)
  }
}
