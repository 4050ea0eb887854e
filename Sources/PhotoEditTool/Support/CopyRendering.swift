// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A copy of a photo, with its edit, for the web or for print; neither the photo nor its edit
/// changes.
struct CopyRendering {
  var input: String
  /// The graph that replaces the stored one.
  var initialGraph: FilterGraph?
  var existing: ExistingEdit
  var graphArguments: GraphArguments
  var edit: EditArguments
  var shape: ShapeArguments
  var library: LibraryArguments

  /// Writes the copy to a path, or to standard output for "-".
  func run(
    to path: String, _ clock: Stopwatch, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let mayReplace = edit.output.replacesFiles
    if path != "-" { try Publishing.check(path, replacesFiles: mayReplace, notOver: input) }
    let target = try library.target(input, environment, isDryRun: true) {
      // The path of the edit's own rendering is not written to.
      SidecarStore(
        path: $0, replacesExternalFiles: true, acceptsChangedOriginal: edit.acceptsChangedOriginal)
    }
    let session = try edit.begin(
      target, existing == .replace ? .startingOver : .resuming, isMovie: false, environment)
    guard let image = session.input.image else { throw .notCopied(input, isAsset: false) }
    let start =
      if let initialGraph { initialGraph } else {
        existing == .update ? try editing(session.newGraph()) : session.graph
      }
    var options = session.editor.options
    let (stored, files) = (session.assets, graphArguments.files)
    options.assetFiles = { digest in stored[digest].map { Array($0) } ?? files[digest] }
    options.threads = edit.rendering.threads(for: image, start)
    let measured = MeasuredImage(image: image, name: input, options: options)
    let (translated, from) = try graphArguments.translated(onto: start, for: image, named: input) {
      stored[$0].map { Array($0) }
    }
    let (adjusted, adjustment) = try graphArguments.adjusted(
      translated, for: measured, named: input)
    let filtered = try graphArguments.applied(to: adjusted, for: .image(measured))
    let prepared = try editing(session.prepared(filtered))
    for bytes in prepared.files.values { files.add(bytes) }
    let graph = try shape.shaped(prepared.graph, measured)
    options.includesSettings = from?.areSettingsOfMetadata ?? false
    shape.set(in: &options)
    options.setCurrentDate()
    func render(_ options: RenderOptions) throws(CommandFailure) -> Rendering {
      try edit.renderFile(image, graph, shape, options, input: input, environment)
    }
    let result: Rendering
    if edit.isDryRun {
      result = try render(options)
      environment.note("dry run: nothing was written")
    } else if path == "-" {
      result = try render(options)
      try environment.writeFile(result.jpeg)
      if environment.wantsJSON { return }
    } else {
      try CopyNames.createFolders(FileSystem.folder(of: path))
      result = try Publishing.write(
        to: path, replacesFiles: mayReplace, notOver: input, options, rendering: render)
    }
    try EditReport(
      input: input, output: path, sidecar: nil, base: EditReport.base(session.input.version),
      isResumed: session.input.kind == .resumed, formatIdentifier: nil, graph: graph,
      rendering: .still(result), blockingReasons: session.blockingReasons,
      milliseconds: clock.milliseconds, isDryRun: edit.isDryRun,
      notices: session.notices, from: from, adjustment: adjustment
    ).write(to: environment)
  }
}

extension CommandFailure {
  /// Returns the failure for an input that copies cannot be written of.
  static func notCopied(_ input: String, isAsset: Bool) -> CommandFailure {
    isAsset
      ? .usage(
        "\(input): copies for the web or print cannot be written of library assets",
        hint: "use the options with 'photoedit asset export'")
      : CommandFailure(
        .badData, "\(input): copies for the web or print are images, not videos", code: "movie")
  }
}
