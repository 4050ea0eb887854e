// SPDX-License-Identifier: Apache-2.0

/// A command that changes the stored edit of a photo and renders it again from its base.
struct AdjustCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "adjust", "Change, reorder or remove filters of an existing edit.",
    discussion: """
      Changes are applied in the given order. NODE is the ID of a filter in the edit or, if it \
      occurs only once, its name; 'photoedit show' lists them.
      """,
    examples: [
      CommandExample("adjust photo.jpg --set exposure.ev=0.7", "change one parameter"),
      CommandExample(
        "adjust photo.jpg --disable n2 --move n3:0", "disable a node, move another to the front"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.input, "Photo or video to edit."),
      .option(
        "set", \.changes, value: "NODE.KEY=VALUE",
        "Set a parameter, opacity, mask, blend mode, the inputs or the file of an attachment.",
        as: Change.set),
      .option("remove", \.changes, value: "NODE", "Remove a node.", as: Change.remove),
      .option(
        "move", \.changes, value: "NODE:POSITION", "Move a node to a position.", as: Change.move),
      .option("disable", \.changes, value: "NODE", "Disable a node.", as: Change.disable),
      .option("enable", \.changes, value: "NODE", "Enable a node.", as: Change.enable),
      .option(
        "upgrade", \.changes, value: "NODE",
        "Upgrade a node to the latest version of its filter; the result may change.",
        as: Change.upgrade),
      .group(\.library, LibraryArguments.editing),
      .group(\.edit, EditArguments.arguments),
    ])

  /// One change of the graph, in command-line syntax.
  enum Change: Sendable {
    case set(String)
    case remove(String)
    case move(String)
    case disable(String)
    case enable(String)
    case upgrade(String)
  }

  var input = ""
  var changes: [Change] = []
  var library = LibraryArguments()
  var edit = EditArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if changes.isEmpty, !edit.acceptsChangedOriginal {
      throw .usage("nothing to change", hint: "specify a change, such as --set NODE.KEY=VALUE")
    }
    try Batch.run([input], environment) { input throws(CommandFailure) in
      let clock = Stopwatch()
      let isAsset = library.isAsset(input, environment)
      let isMovie = isAsset ? false : try EditTarget.isMovieToEdit(input)
      if !isAsset {
        try edit.output.check(isMovie ? .video : .photo)
        if !edit.isDryRun { try edit.output.createFolder() }
      }
      if isMovie { try edit.checkForMovie(input) }
      let target = try library.target(input, environment, isDryRun: edit.isDryRun) {
        edit.store($0, isMovie: isMovie)
      }
      if isAsset { try edit.checkForLibrary() }
      let session = try edit.begin(target, .adjusting, isMovie: isMovie, environment)
      try edit.render(
        session, target, try changed(session.graph), outcome: .adjusted, clock, environment
      ).run()
    }
  }

  private func changed(_ stored: FilterGraph) throws(CommandFailure) -> FilterGraph {
    var graph = stored
    for change in changes { try apply(change, to: &graph) }
    return graph
  }

  private func apply(
    _ change: Change, to graph: inout FilterGraph
  ) throws(CommandFailure) {
    if case .set(let text) = change, try attaches(text, to: &graph) { return }
    try translating({ CommandFailure.usage("\($0)") }) { () throws(GraphEditError) in
      switch change {
      case .set(let text):
        let (node, parameter, value) = try Self.assignment(text)
        try graph.set(node: node, parameter: parameter, argument: value)
      case .remove(let node): try graph.remove(node: node)
      case .move(let text):
        let (node, position) = try Self.move(text)
        try graph.move(node: node, to: position)
      case .disable(let node): try graph.setEnabled(false, node: node)
      case .enable(let node): try graph.setEnabled(true, node: node)
      case .upgrade(let node): try graph.upgrade(node: node)
      }
    }
  }

  /// Replaces the attachment of a node if the text is "NODE.file=PATH" and its filter draws one.
  private func attaches(
    _ text: String, to graph: inout FilterGraph
  ) throws(CommandFailure) -> Bool {
    var changed = graph
    guard let (node, parameter, path) = try? Self.assignment(text), parameter == "file",
      let kind = try? graph.attachmentKind(ofNode: node)
    else { return false }
    let (name, file) = try FilterRequest.attachment(
      path, as: kind, for: node, edit.rendering.assets)
    try translating({ CommandFailure.usage("\($0)") }) { () throws(GraphEditError) in
      try changed.set(node: node, attachment: file, named: name)
    }
    graph = changed
    return true
  }

  private static func assignment(
    _ text: String
  ) throws(GraphEditError) -> (node: String, parameter: String, value: String) {
    guard let equals = text.firstIndex(of: "="),
      let dot = text[..<equals].lastIndex(of: "."), dot != text.startIndex
    else { throw .parameter(.malformed(argument: text)) }
    return (
      String(text[..<dot]), String(text[text.index(after: dot)..<equals]),
      String(text[text.index(after: equals)...])
    )
  }

  private static func move(
    _ text: String
  ) throws(GraphEditError) -> (node: String, position: Int) {
    guard let colon = text.lastIndex(of: ":"),
      let position = Int(text[text.index(after: colon)...])
    else { throw .parameter(.malformed(argument: text)) }
    return (String(text[..<colon]), position)
  }
}
