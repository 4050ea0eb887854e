// SPDX-License-Identifier: Apache-2.0

/// An image with the graph and the options of a rendering that is not saved as an edit.
struct ImageCopy {
  let image: ImageSource
  /// The name of the image in messages.
  let name: String
  let graph: FilterGraph
  let options: RenderOptions
  let shape: ShapeArguments
  /// The translation of a third-party edit.
  let from: EditConversion?
  private let notices: [String]
  private let adjustment: AutomaticAdjustment?

  /// Determines the graph and the options from the arguments.
  ///
  /// - Parameter given: A whole graph; nil for the one with which an edit begins.
  init(
    of image: ImageSource, named name: String, _ given: FilterGraph?, _ arguments: GraphArguments,
    _ shape: ShapeArguments, _ rendering: RenderingArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    (self.image, self.name, self.shape) = (image, name, shape)
    var options = rendering.options(environment, for: name)
    let start: InitialGraph
    if let given {
      start = InitialGraph(given)
    } else {
      start = try inImage(name, Renderer.initialGraph(for: image, options: options))
    }
    notices = start.notices
    let translated: FilterGraph
    (translated, from) = try arguments.translated(onto: start.graph, for: image, named: name)
    let measured = MeasuredImage(image: image, name: name, options: options)
    let adjusted: FilterGraph
    (adjusted, adjustment) = try arguments.adjusted(translated, for: measured, named: name)
    graph = try shape.shaped(arguments.applied(to: adjusted, for: .image(measured)), measured)
    options.threads = rendering.threads(for: image, graph)
    options.includesSettings = from?.areSettingsOfMetadata ?? false
    shape.set(in: &options)
    self.options = options
  }

  /// Renders a JPEG.
  func render(
    _ options: RenderOptions, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Rendering {
    try shape.render(options, input: name) { options throws(CommandFailure) in
      let rendering = try inImage(name, Renderer.render(image, graph, options: options))
      try environment.checkCancellation()
      return rendering
    }
  }

  /// Renders a JPEG to a file, and returns the report.
  ///
  /// - Parameter source: The path of the image, or "-" if it has none.
  func write(
    to path: String, replacesFiles: Bool, notOver source: String, _ clock: Stopwatch,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> EditReport {
    let result = try Publishing.write(
      to: path, replacesFiles: replacesFiles, notOver: source, options
    ) { options throws(CommandFailure) in try render(options, environment) }
    return report(on: result, at: path, clock)
  }

  /// Returns the report on a rendering.
  func report(on result: Rendering, at path: String, _ clock: Stopwatch) -> EditReport {
    EditReport(
      input: name, output: path, sidecar: nil, base: "original", isResumed: false,
      formatIdentifier: nil, graph: graph, rendering: .still(result),
      milliseconds: clock.milliseconds, notices: notices, from: from, adjustment: adjustment)
  }
}
