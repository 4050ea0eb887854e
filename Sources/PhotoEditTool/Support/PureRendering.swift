// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage

/// A rendering without a sidecar: picture and graph in, JPEG out, nothing remembered.
struct PureRendering {
  var input: String
  /// What the recipe is added to.
  var given: FilterGraph
  var recipe: GraphArguments
  var edit: EditArguments
  /// Whether the result goes to standard output unless another place is named.
  var isPipe: Bool

  func run(_ clock: Stopwatch, _ environment: CommandEnvironment) throws(CommandFailure) {
    let output = isPipe && edit.output.output == nil ? "-" : edit.placeAlone(of: input)
    if output != "-" { try check(output) }
    let picture = try Self.open(input, edit.rendering, environment)
    let (start, from) = try recipe.translated(onto: given, for: picture, named: input)
    let graph = try recipe.applied(to: start)
    var options = edit.rendering.options(environment)
    options.threads = edit.rendering.threads(for: picture, graph)
    let now = Clock.now()
    options.modificationDate = .init(
      secondsSince1970: Int(now.date.timeIntervalSince1970), utcOffset: now.utcOffset)
    let rendering = try Self.render(input, picture, graph, options)
    try edit.requireNoLosses(
      rendering.losses.map { "\($0.kind) (\($0.detail))" }, input: input)
    try environment.checkCancellation()
    if edit.isDryRun {
      environment.note("dry run: nothing is written")
    } else if output == "-" {
      try environment.writeFile(rendering.jpeg)
    } else {
      try Publishing.write(
        rendering.jpeg, to: output, replacesFiles: edit.output.replacesFiles, notOver: input)
    }
    if output == "-" && environment.wantsJSON { return }
    try EditReport(
      input: input, output: output, sidecar: nil, base: "original", isResumed: false,
      formatIdentifier: nil, graph: graph, rendering: .still(rendering),
      milliseconds: clock.milliseconds, isDryRun: edit.isDryRun,
      from: from
    ).write(to: environment)
  }

  private func check(_ output: String) throws(CommandFailure) {
    try Publishing.check(output, replacesFiles: edit.output.replacesFiles, notOver: input)
    guard input != "-" else { return }
    // A rendering that a sidecar knows must not change behind its back.
    let state = try editing(SidecarStore(path: input).state())
    guard state.isEdited, state.current.path == output else { return }
    throw CommandFailure(
      .cannotCreate, "\(output): belongs to the edit of \(input)",
      hint: "use -o to write elsewhere, or leave out --no-sidecar", code: "exists")
  }

  /// Reads and opens a picture; "-" is standard input.
  static func open(
    _ input: String, _ arguments: RenderingArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Picture {
    let bytes: FileBytes
    if input == "-" {
      let all = try environment.input.readAll(limit: 1 << 30)
      if all.isEmpty { throw CommandFailure(.empty, input: "standard input") }
      bytes = FileBytes(all)
    } else {
      bytes = try filing(FileBytes.reading(input))
    }
    do throws(RenderError) {
      return try Picture(bytes, limits: arguments.limits)
    } catch {
      throw CommandFailure(error, input: input)
    }
  }

  static func render(
    _ input: String, _ picture: Picture, _ graph: FilterGraph, _ options: RenderOptions
  ) throws(CommandFailure) -> Rendering {
    do throws(RenderError) {
      return try Renderer.render(picture, graph, options: options)
    } catch {
      throw CommandFailure(error, input: input)
    }
  }
}
