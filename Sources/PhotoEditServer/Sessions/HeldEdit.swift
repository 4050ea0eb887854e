// SPDX-License-Identifier: Apache-2.0

/// An editing session of a browser: the input, and reduced pixels for its previews.
final class HeldEdit: Sendable {
  /// The largest side of a preview.
  static let maximumSide = 4096
  /// The number of previews of which statistics and clipped pixels can be requested.
  private static let keptPreviews = 16
  /// The number of sizes for which reduced pixels are kept.
  private static let keptSizes = 2

  /// A preview that was sent.
  struct Preview: Sendable {
    let id: String
    let graph: FilterGraph
    let box: PixelSize
    let precision: PreviewSession.Precision
    let levels: LevelCounts
  }

  private struct State {
    var editing: EditingSession
    var sessions: [(box: PixelSize, session: PreviewSession)] = []
    /// The bytes of the reduced pixels that the sessions kept after the latest preview.
    var keptBytes = 0
    var previews: [Preview] = []
    var previewCount = 0
    /// The pixels for small images of the photo in many looks.
    var looks: (box: PixelSize, session: PreviewSession)?
  }

  let id: String
  let asset: String
  let store: any EditingStore
  private let state: LockedValue<State>
  /// The size of the latest request, and the number of its preview; renderings of other sizes are
  /// canceled, and previews with other numbers are not begun.
  private let latest = LockedValue((box: PixelSize(width: 0, height: 0), preview: 0))
  let memory: PreviewMemory
  /// The files that filters need, before they are stored with the photo.
  let attachments: HeldAttachments

  init(
    id: String, asset: String, _ store: any EditingStore, _ attachments: HeldAttachments,
    _ memory: PreviewMemory
  ) throws(Problem) {
    (self.id, self.asset, self.store, self.attachments) = (id, asset, store, attachments)
    self.memory = memory
    let editing = try PhotoEditServer.editing(PhotoEditor(ofAnyMedium: store).begin())
    guard editing.input.media != .movie, editing.input.image != nil else {
      throw Problem(.notEditable, "videos cannot be edited in the browser")
    }
    state = LockedValue(State(editing: editing))
  }

  /// The edit as it began, or as it was saved last.
  var editing: EditingSession { state.withLock { $0.editing } }

  /// The image that filters are applied to.
  func image() throws(Problem) -> ImageSource {
    guard let image = editing.input.image else { throw Problem(.notEditable, "not an image") }
    return image
  }

  /// The key of the draft: the same photo at another place has drafts of its own.
  var draftKey: SHA256Digest {
    get throws(Problem) {
      SHA256Digest(of: Array("\(try image().digest.hex) \(store.assetName)".utf8))
    }
  }

  /// The losses of a rendering without filters.
  func losses() throws(Problem) -> [RenderLoss] { try rendering(editing.losses) }

  // MARK: Previews

  /// The JPEG quality of stills that are smaller than the rendering.
  private static let stillQuality = JPEGQuality.ijg(90)
  /// The JPEG quality of previews while a value is changing.
  private static let dragQuality = JPEGQuality.ijg(80)

  /// Renders a graph for display; cancels earlier requests.
  func preview(
    _ graph: FilterGraph, fitting box: PixelSize, precision: PreviewSession.Precision
  ) throws(Problem) -> (preview: Preview, rendering: Rendering, fullSize: PixelSize) {
    let graph = try prepared(graph)
    latest.withLock { $0.box = box }
    let session = try session(fitting: box)
    let number = latest.withLock { latest in
      latest.preview += 1
      return latest.preview
    }
    // Whatever is rendered for this edit releases its memory instead of finishing first.
    session.cancel()
    let (full, result) = try memory.holding(image().size, fitting: box) { () throws(RenderError) in
      guard latest.withLock({ $0.preview == number }) else { throw .cancelled }
      return (
        try session.outputSize(of: graph),
        try session.render(
          graph, quality: precision == .still ? Self.stillQuality : Self.dragQuality,
          precision: precision)
      )
    }
    guard let levels = result.levels else {
      throw Problem(.internalError, "the levels of the preview were not counted")
    }
    let preview = state.withLock { state in
      state.keptBytes = state.sessions.reduce(0) { $0 + $1.session.keptBytes }
      state.previewCount += 1
      let preview = Preview(
        id: "p\(state.previewCount)", graph: graph, box: box, precision: precision, levels: levels)
      state.previews.append(preview)
      if state.previews.count > Self.keptPreviews { state.previews.removeFirst() }
      return preview
    }
    return (preview, result, full)
  }

  /// Returns a graph with the fields of its texts filled in for the photo, and with fonts for them.
  private func prepared(_ graph: FilterGraph) throws(Problem) -> FilterGraph {
    var editing = editing
    editing.editor.options.assetFiles = attachments.finder(editing.state)
    let prepared = try PhotoEditServer.editing(editing.prepared(graph))
    for bytes in prepared.files.values { try attachments.add(bytes, for: prepared.graph) }
    return prepared.graph
  }

  /// Returns a graph whose rendering is a part of another one's.
  func cropping(
    _ graph: FilterGraph, to region: NormalizedRect
  ) throws(Problem) -> FilterGraph {
    let crop = Crop(x: region.x, y: region.y, width: region.width, height: region.height)
    return try translating(
      { Problem(.invalidGraph, "\($0 as ParameterError)") }, graph.appending([crop]))
  }

  /// Renders a graph for comparison; does not cancel other requests.
  func comparison(
    _ graph: FilterGraph, fitting box: PixelSize
  ) throws(Problem) -> (rendering: Rendering, fullSize: PixelSize) {
    let (image, graph) = (try image(), try prepared(graph))
    let session = PreviewSession(image, fitting: box, options: options(of: editing))
    return try memory.holding(image.size, fitting: box) { () throws(RenderError) in
      (
        try session.render(graph, quality: Self.stillQuality, precision: .still),
        try session.outputSize(of: graph)
      )
    }
  }

  /// Renders a graph as one of many small images, which are made of the same pixels; does not cancel
  /// other requests.
  func look(
    _ graph: FilterGraph, fitting box: PixelSize
  ) throws(Problem) -> (rendering: Rendering, fullSize: PixelSize) {
    let (image, graph) = (try image(), try prepared(graph))
    let session = state.withLock { state in
      if let looks = state.looks, looks.box == box { return looks.session }
      let session = PreviewSession(image, fitting: box, options: options(of: state.editing))
      state.looks = (box, session)
      return session
    }
    return try memory.holding(image.size, fitting: box) { () throws(RenderError) in
      (
        try session.independentRendering(graph, quality: Self.dragQuality),
        try session.outputSize(of: graph)
      )
    }
  }

  /// The bytes of the reduced pixels that are kept for the next preview.
  var keptBytes: Int { state.withLock { $0.keptBytes } }

  /// Discards the reduced pixels; the next preview decodes the image again.
  func discardPixels() {
    state.withLock { ($0.sessions, $0.keptBytes, $0.looks) = ([], 0, nil) }
  }

  /// Returns a preview that was sent.
  func preview(_ id: String) throws(Problem) -> Preview {
    guard let preview = state.withLock({ $0.previews.first { $0.id == id } }) else {
      throw Problem(.notFound, "the preview has expired; render it again")
    }
    return preview
  }

  /// Returns the pixels of a preview before encoding; does not cancel other requests.
  func raster(of preview: Preview) throws(Problem) -> Raster {
    let session = try session(fitting: preview.box)
    return try memory.holding(image().size, fitting: preview.box) { () throws(RenderError) in
      try session.independentRaster(preview.graph, precision: preview.precision)
    }
  }

  private func session(fitting box: PixelSize) throws(Problem) -> PreviewSession {
    let image = try image()
    return state.withLock { state in
      if let index = state.sessions.firstIndex(where: { $0.box == box }) {
        let found = state.sessions.remove(at: index)
        state.sessions.append(found)
        return found.session
      }
      var options = options(of: state.editing)
      options.isCancelled = { [latest] in latest.withLock { $0.box != box } }
      options.countsLevels = true
      let session = PreviewSession(image, fitting: box, options: options)
      state.sessions.append((box, session))
      if state.sessions.count > Self.keptSizes { state.sessions.removeFirst() }
      return session
    }
  }

  func options(of editing: EditingSession) -> RenderOptions {
    var options = RenderOptions()
    options.assetFiles = attachments.finder(editing.state)
    options.attachments = attachments.decoded
    return options
  }

  // MARK: Saving

  /// Renders a graph at full size and commits it.
  ///
  /// - Parameter revision: The revision that the client has seen; a later one is not replaced.
  func save(
    _ graph: FilterGraph, expecting revision: String
  ) throws(Problem) -> EditingSession.Outcome {
    let identity = try image().identity
    var current = editing
    if current.state.revision != revision {
      current = try PhotoEditServer.editing(PhotoEditor(ofAnyMedium: store).begin())
      guard current.state.revision == revision, current.input.image?.identity == identity else {
        throw Problem(.staleEdit, "the photo was changed by another program")
      }
    }
    let (date, utcOffset) = Clock.now()
    current.editor.date = date
    current.editor.utcOffset = utcOffset
    current.state.record?.renderSettings?.setForNextEdit(in: &current.editor.options)
    current.editor.options.assetFiles = attachments.finder(current.state)
    let outcome = try PhotoEditServer.editing(current.commit(graph))
    try refresh()
    return outcome
  }

  /// Reads the stored edit again, after it was changed here.
  func refresh() throws(Problem) {
    let next = try PhotoEditServer.editing(PhotoEditor(ofAnyMedium: store).begin())
    state.withLock { state in
      // Reduced pixels stay valid as long as the input is the same image.
      if next.input.image?.identity != state.editing.input.image?.identity {
        (state.sessions, state.keptBytes, state.looks) = ([], 0, nil)
      }
      state.editing = next
    }
  }
}
