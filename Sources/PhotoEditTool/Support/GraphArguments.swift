// SPDX-License-Identifier: Apache-2.0

/// The graph given on the command line: a whole graph, presets and filters to append, and their
/// files.
struct GraphArguments: Sendable {
  var filters: [String] = []
  var presets: [String] = []
  var edit: String?
  /// A file that contains a third-party edit.
  var from: String?
  var acceptsApproximation = false
  /// The properties to adjust automatically.
  var automatic: AutomaticKinds?
  /// A photo whose exposure and white balance are matched.
  var reference: String?
  var assets: [String] = []
  var background: String?
  /// The contents of attachments, for all inputs of a call.
  let files = AssetFiles()
  private var requests: [FilterRequest] = []
  private var stacked: [FilterGraph] = []
  private var importedEdit: ImportedEdit?
  /// Indicates whether the photos are a series whose exposures are evened out.
  var deflickers = false
  /// The measurement of `reference`.
  var match: SceneMatch?
  /// The adjustments of the photos of a series.
  var series: [PathKey: AutomaticAdjustment] = [:]

  static let arguments: [Argument<Self>] = [
    .option(
      "filter", \.filters, value: "NAME[:KEY=VALUE,…]",
      "Append a filter (see 'photoedit filters')."),
    .option(
      "preset", \.presets, value: "FILE",
      "Append the filters of a preset, before any --filter."),
    .option(
      "graph", \.edit, value: "FILE",
      "Read a complete filter graph as JSON (- for standard input)."
    ).renamed(from: "edit"),
    .option(
      "attachment", \.assets, value: "FILE",
      "File referenced by the edit, if not next to it."
    ).renamed(from: "asset"),
    .option(
      "background", \.background, value: "#RRGGBB", "Background color for transparent pixels."),
  ]

  /// The same arguments for images, on whose size and orientation a third-party edit depends.
  static let argumentsForImages: [Argument<Self>] =
    arguments + [
      .option(
        "auto", \.automatic, implied: "light,color,white-balance", value: "KINDS",
        "Measure the image and add filters that improve it, instead of those of an earlier --auto: "
          + "light, color, white-balance, straighten, lens or all (comma-separated)."),
      .option(
        "match", \.reference, value: "FILE",
        "Measure the image and add the exposure and white balance that match another photo."),
      .option(
        "import-edit", \.from, value: "FILE",
        "Import settings from a Lightroom XMP or an Apple AAE file."
      ).renamed(from: "from"),
      .flag(
        "allow-approximate", \.acceptsApproximation,
        "Apply imported settings that can only be approximated."
      ).renamed(from: "approximate"),
    ]

  var isEmpty: Bool {
    filters.isEmpty && presets.isEmpty && edit == nil && from == nil && background == nil
      && automatic == nil && reference == nil && !deflickers
  }

  /// Reads every file that filters and presets name, once for all inputs.
  mutating func readFiles() throws(CommandFailure) {
    if let from {
      let imported = try ImportedEdit(from)
      guard acceptsApproximation else { throw imported.refusal }
      importedEdit = imported
    } else if acceptsApproximation {
      throw .usage("--allow-approximate requires --import-edit", hint: "add --import-edit FILE")
    }
    let measures = [
      ("--auto", automatic != nil), ("--match", reference != nil), ("--deflicker", deflickers),
    ].filter(\.1).map(\.0)
    if measures.count > 1 {
      throw .usage(
        "\(measures[0]) and \(measures[1]) both set the exposure", hint: "use one of them")
    }
    for path in assets { files.add(try FilterRequest.read(path)) }
    for path in presets {
      stacked.append(try graph(inFile: path))
    }
    for argument in filters { requests.append(try FilterRequest(argument, files)) }
  }

  /// Returns the graph of `--graph`, without the source image recorded in it.
  func edit(_ environment: CommandEnvironment) throws(CommandFailure) -> FilterGraph? {
    guard let edit else { return nil }
    if edit == "-" {
      return try graph(
        try environment.input.readAll(limit: FilterGraph.maximumBytes + 1), named: edit)
    }
    return try graph(inFile: edit)
  }

  /// Reads a graph from a file; its attachments are added to `files`.
  func graph(inFile path: String) throws(CommandFailure) -> FilterGraph {
    let file = try mapFileErrors(FileBytes.reading(path, maximumBytes: 64 << 20))
    return try graph(file.array, named: path)
  }

  /// Reads a graph that embeds its attachments.
  func graph(embedded bytes: [UInt8], named name: String) throws(CommandFailure) -> FilterGraph {
    try graph(bytes, named: name, in: nil)
  }

  private func graph(_ bytes: [UInt8], named path: String) throws(CommandFailure) -> FilterGraph {
    try graph(bytes, named: path, in: path == "-" ? "." : FileSystem.folder(of: path))
  }

  /// Reads a stored edit and finds the attachments that it needs.
  ///
  /// - Parameter folder: Where attachments are that the edit does not embed; nil for nowhere.
  private func graph(
    _ bytes: [UInt8], named path: String, in folder: String?
  ) throws(CommandFailure) -> FilterGraph {
    var graph = try translating(
      { CommandFailure($0 as GraphError, input: path) },
      FilterGraph(json: bytes))
    // The graph was given for the current input, so its recorded source is ignored.
    graph.source = nil
    graph.emptyTexts()
    graph.writeDefaults()
    if let unsupported = graph.blockingReasons.first {
      throw CommandFailure(
        .badData, "\(path): \(unsupported)",
        hint: "list available filters with 'photoedit filters'",
        code: "graph")
    }
    if let folder { findAssets(of: graph, in: folder) }
    var options = RenderOptions()
    let files = files
    options.assetFiles = { files[$0] }
    _ = try translating(
      {
        CommandFailure(
          .badData, "\(path): \($0 as UnsupportedNode)",
          hint: "specify the file with --attachment FILE, or put it next to the edit", code: "asset"
        )
      }, AssetReader(graph, options).contents())
    try attachFonts(to: &graph, for: .none)
    return graph
  }

  /// Finds attachments by their length and digest.
  private func findAssets(of graph: FilterGraph, in folder: String) {
    let missing = graph.externalAssets.filter { files[$0.key] == nil }
    guard !missing.isEmpty else { return }
    let lengths = Set(missing.values.map(\.byteCount))
    for name in (try? FileSystem.names(in: folder)) ?? [] {
      let path = folder + "/" + name
      guard let length = FileVersion(path)?.size, lengths.contains(length),
        let bytes = try? FileBytes.reading(path, maximumBytes: length)
      else { continue }
      if missing[bytes.digest()] != nil { files.add(bytes.array) }
    }
  }

  /// Returns a graph with the third-party edit added, and a report on its settings.
  ///
  /// - Parameters:
  ///   - image: The image that the graph is applied to.
  ///   - input: The name of the input.
  ///   - original: The input, if the image is another program's rendering of it.
  ///   - storedAssets: Attachments that the graph needs in addition to those of this call.
  func translated(
    onto graph: FilterGraph, for image: ImageSource, named input: String,
    original: ImageSource? = nil,
    storedAssets: @escaping @Sendable (SHA256Digest) -> [UInt8]? = { _ in nil }
  ) throws(CommandFailure) -> (graph: FilterGraph, from: EditConversion?) {
    guard let importedEdit else { return (graph, nil) }
    var graph = graph
    let files = files
    var options = RenderOptions()
    options.assetFiles = { storedAssets($0) ?? files[$0] }
    let translation = try importedEdit.translation(
      for: image, of: original ?? image, after: graph, named: input, options)
    try translating(
      { CommandFailure($0 as GraphEditError, input: importedEdit.path) },
      graph.append(translation.graph))
    return (graph, translation)
  }

  /// Returns a graph with the presets, the filters, and the background added.
  ///
  /// - Parameter target: The image whose pixels some filters are derived from.
  func applied(
    to graph: FilterGraph, for target: MeasurementTarget = .none
  ) throws(CommandFailure) -> FilterGraph {
    var graph = graph
    for (path, preset) in zip(presets, stacked) {
      try translating({ CommandFailure($0 as GraphEditError, input: path) }, graph.append(preset))
    }
    for request in requests { try request.append(to: &graph, for: target) }
    try translating({ CommandFailure($0 as GraphEditError) }, graph.checkCount())
    if let background {
      guard let color = Background(background) else {
        throw .usage("--background: invalid color '\(background)' (expected #rrggbb)")
      }
      graph.background = color
    }
    try attachFonts(to: &graph, for: target)
    return graph
  }

  /// Attaches fonts to the texts of a graph, which are filled in for an image.
  private func attachFonts(
    to graph: inout FilterGraph, for target: MeasurementTarget
  ) throws(CommandFailure) {
    var values: [TextField: String] = [:]
    var stored: @Sendable (SHA256Digest) -> [UInt8]? = { _ in nil }
    if case .image(let measured) = target {
      if !graph.openFields.isEmpty { values = measured.image.textFields }
      stored = measured.options.assetFiles
    }
    let added = try translating({ CommandFailure($0 as UnsupportedNode) }) {
      () throws(UnsupportedNode) in
      try graph.attachFonts(values) { files[$0] ?? stored($0) }
    }
    for bytes in added { files.add(bytes) }
  }
}
