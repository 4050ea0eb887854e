// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage

/// A rendering from standard input or to standard output, which is held in memory.
struct PipeRendering {
  /// The image; "-" is standard input.
  var input: String
  /// The graph that the arguments add to.
  var given: FilterGraph
  var recipe: GraphArguments
  var edit: EditArguments

  func run(_ clock: Stopwatch, _ environment: CommandEnvironment) throws(CommandFailure) {
    let output = edit.output.isGiven ? edit.placeAlone(of: input) : "-"
    let mayReplace = edit.output.replacesFiles
    if output != "-" { try Publishing.check(output, replacesFiles: mayReplace, notOver: input) }
    let picture = try edit.rendering.open(input, environment)
    let (start, from) = try recipe.translated(onto: given, for: picture, named: input)
    let graph = try recipe.applied(to: start)
    var options = edit.rendering.options(environment)
    options.threads = edit.rendering.threads(for: picture, graph)
    let now = Clock.now()
    options.modificationDate = .init(
      secondsSince1970: Int(now.date.timeIntervalSince1970), utcOffset: now.utcOffset)
    let result = try inPicture(input, Renderer.render(picture, graph, options: options))
    try edit.requireNoLosses(
      result.losses.map { "\($0.kind) (\($0.detail))" }, input: input)
    try environment.checkCancellation()
    if edit.isDryRun {
      environment.note("dry run: nothing was written")
    } else if output == "-" {
      try environment.writeFile(result.jpeg)
    } else {
      try Publishing.write(result.jpeg, to: output, replacesFiles: mayReplace, notOver: input)
    }
    if output == "-" && environment.wantsJSON { return }
    try EditReport(
      input: input, output: output, sidecar: nil, base: "original", isResumed: false,
      formatIdentifier: nil, graph: graph, rendering: .still(result),
      milliseconds: clock.milliseconds, isDryRun: edit.isDryRun,
      from: from
    ).write(to: environment)
  }
}
