// SPDX-License-Identifier: Apache-2.0

/// An editing session of a browser: the input, and reduced pixels for its previews.
final class HeldEdit: Sendable {
  /// The largest side of a preview.
  static let maximumSide = 4096
  /// The number of previews of which statistics can be requested.
  private static let keptPreviews = 4
  /// The number of sizes for which reduced pixels are kept.
  private static let keptSizes = 2

  /// A preview that was sent.
  struct Preview: Sendable {
    let id: String
    let graph: FilterGraph
    let box: PixelSize
  }

  private struct State {
    var editing: EditingSession
    var sessions: [(box: PixelSize, session: PreviewSession)] = []
    var previews: [Preview] = []
    var previewCount = 0
  }

  let id: String
  let asset: String
  let store: any EditingStore
  private let state: LockedValue<State>
  /// The size of the latest request; renderings of other sizes are canceled.
  private let latestBox = LockedValue(PixelSize(width: 0, height: 0))
  /// The files that filters need, before they are stored with the photo.
  let attachments: HeldAttachments

  init(
    id: String, asset: String, _ store: any EditingStore, _ attachments: HeldAttachments
  ) throws(Problem) {
    (self.id, self.asset, self.store, self.attachments) = (id, asset, store, attachments)
    let editing = try PhotoEditServer.editing(PhotoEditor(store).begin())
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

  /// The losses of a rendering without filters.
  func losses() throws(Problem) -> [RenderLoss] {
    let image = try image()
    return try rendering(Renderer.losses(image))
  }

  // MARK: Previews

  /// The JPEG quality of stills that are smaller than the rendering.
  private static let stillQuality = JPEGQuality.ijg(90)
  /// The JPEG quality of previews while a value is changing.
  private static let dragQuality = JPEGQuality.ijg(80)

  /// Renders a graph for display; cancels earlier requests.
  func preview(
    _ graph: FilterGraph, fitting box: PixelSize, precision: PreviewSession.Precision
  ) throws(Problem) -> (preview: Preview, rendering: Rendering, fullSize: PixelSize) {
    let session = try session(fitting: box)
    let (full, result) = try rendering(
      (
        try session.outputSize(of: graph),
        try session.render(
          graph, quality: precision == .still ? Self.stillQuality : Self.dragQuality,
          precision: precision)
      ))
    let preview = state.withLock { state in
      state.previewCount += 1
      let preview = Preview(id: "p\(state.previewCount)", graph: graph, box: box)
      state.previews.append(preview)
      if state.previews.count > Self.keptPreviews { state.previews.removeFirst() }
      return preview
    }
    return (preview, result, full)
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
    let session = PreviewSession(try image(), fitting: box, options: options(of: editing))
    return try rendering(
      (
        try session.render(graph, quality: Self.stillQuality, precision: .still),
        try session.outputSize(of: graph)
      ))
  }

  /// Returns the pixels of a preview that was sent, before encoding.
  func raster(of id: String) throws(Problem) -> Raster {
    guard let preview = state.withLock({ $0.previews.first { $0.id == id } }) else {
      throw Problem(.notFound, "the preview has expired; render it again")
    }
    let session = try session(fitting: preview.box)
    return try rendering(session.raster(preview.graph))
  }

  private func session(fitting box: PixelSize) throws(Problem) -> PreviewSession {
    latestBox.withLock { $0 = box }
    let image = try image()
    return state.withLock { state in
      if let index = state.sessions.firstIndex(where: { $0.box == box }) {
        let found = state.sessions.remove(at: index)
        state.sessions.append(found)
        return found.session
      }
      var options = options(of: state.editing)
      options.isCancelled = { [latestBox] in latestBox.withLock { $0 != box } }
      let session = PreviewSession(image, fitting: box, options: options)
      state.sessions.append((box, session))
      if state.sessions.count > Self.keptSizes { state.sessions.removeFirst() }
      return session
    }
  }

  private func options(of editing: EditingSession) -> RenderOptions {
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
      current = try PhotoEditServer.editing(PhotoEditor(store).begin())
      guard current.state.revision == revision, current.input.image?.identity == identity else {
        throw Problem(.staleEdit, "the photo was changed by another program")
      }
    }
    let (date, utcOffset) = Clock.now()
    current.editor.date = date
    current.editor.utcOffset = utcOffset
    current.editor.options.assetFiles = attachments.finder(current.state)
    let outcome = try PhotoEditServer.editing(current.commit(graph))
    try refresh()
    return outcome
  }

  /// Reads the stored edit again, after it was changed here.
  func refresh() throws(Problem) {
    let next = try PhotoEditServer.editing(PhotoEditor(store).begin())
    state.withLock { state in
      // Reduced pixels stay valid as long as the input is the same image.
      if next.input.image?.identity != state.editing.input.image?.identity { state.sessions = [] }
      state.editing = next
    }
  }
}
