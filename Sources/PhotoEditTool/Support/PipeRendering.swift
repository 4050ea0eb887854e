// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A rendering from standard input or to standard output, which is held in memory.
struct PipeRendering {
  /// The image; "-" is standard input.
  var input: String
  /// The graph that the arguments add to; nil is the one with which an edit begins.
  var initialGraph: FilterGraph?
  var graphArguments: GraphArguments
  var edit: EditArguments
  var shape = ShapeArguments()

  func run(_ clock: Stopwatch, _ environment: CommandEnvironment) throws(CommandFailure) {
    let output = edit.output.isSpecified ? edit.standalonePath(of: input) : "-"
    let mayReplace = edit.output.replacesFiles
    if output != "-" { try Publishing.check(output, replacesFiles: mayReplace, notOver: input) }
    let image = try edit.rendering.open(input, environment)
    var options = edit.rendering.options(environment, for: input)
    let initial = try inImage(input, Renderer.initialGraph(for: image, options: options))
    let (start, from) = try graphArguments.translated(
      onto: initialGraph ?? initial.graph, for: image, named: input)
    let measured = MeasuredImage(image: image, name: input, options: options)
    let (adjusted, adjustment) = try graphArguments.adjusted(start, for: measured, named: input)
    let graph = try shape.shaped(
      graphArguments.applied(to: adjusted, for: .image(measured)), measured)
    shape.set(in: &options)
    options.setCurrentDate()
    options.threads = edit.rendering.threads(for: image, graph)
    options.includesSettings = from?.areSettingsOfMetadata ?? false
    func render(_ options: RenderOptions) throws(CommandFailure) -> Rendering {
      try edit.renderFile(image, graph, shape, options, input: input, environment)
    }
    let result: Rendering
    if output == "-" || edit.isDryRun {
      result = try render(options)
      if edit.isDryRun {
        environment.note("dry run: nothing was written")
      } else {
        try environment.writeFile(result.jpeg)
      }
    } else {
      result = try Publishing.write(
        to: output, replacesFiles: mayReplace, notOver: input, options, rendering: render)
    }
    if output == "-" && environment.wantsJSON { return }
    try EditReport(
      input: input, output: output, sidecar: nil, base: "original", isResumed: false,
      formatIdentifier: nil, graph: graph, rendering: .still(result),
      milliseconds: clock.milliseconds, isDryRun: edit.isDryRun, notices: initial.notices,
      from: from, adjustment: adjustment
    ).write(to: environment)
  }
}

extension RenderOptions {
  /// Dates the rendering now.
  mutating func setCurrentDate() {
    let now = Clock.now()
    modificationDate = .init(
      secondsSince1970: Int(now.date.timeIntervalSince1970), utcOffset: now.utcOffset)
  }
}
