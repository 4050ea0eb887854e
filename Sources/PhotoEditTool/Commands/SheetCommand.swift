// SPDX-License-Identifier: Apache-2.0

/// A command that writes a page with photos before and after their edits.
struct SheetCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "sheet", "Write a page that shows photos before and after their edits.",
    discussion: """
      The page is one HTML file for a web browser. It contains the images, the filters with their \
      parameters, and what each rendering has lost, and loads nothing from elsewhere. Photos \
      without an edit are shown as they are; photos that cannot be read are reported and left out.
      """,
    examples: [
      CommandExample("sheet *.jpg -o sheet.html", "show the edits of all photos"),
      CommandExample("sheet 3F25 --library Photos -o sheet.html", "show the edit of an asset"),
    ],
    stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.inputs, "Photos or videos."),
      .option("output", short: "o", \.output, value: "FILE", "Page to write (required)."),
      .flag("force", short: "f", \.replacesFiles, "Overwrite an existing page."),
      .option(
        "size", short: "s", \.thumbnail.box, value: "N|WxH",
        "Maximum size of each image in pixels: N or WxH."),
      .group(\.rendering, RenderingArguments.decoding),
      .group(\.library, LibraryArguments.editing),
    ])

  var inputs: [String] = []
  var output: String?
  var replacesFiles = false
  var thumbnail = Self.thumbnail
  var rendering = RenderingArguments()
  var library = LibraryArguments()

  /// The images of a page.
  static let thumbnail = {
    var arguments = ThumbnailArguments()
    arguments.box = ThumbnailBox(size: PixelSize(width: 640, height: 640))
    return arguments
  }()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard let output else { throw .usage("no output specified", hint: "use -o FILE") }
    try OutputArguments(output: output).check(.page)
    try Sheet.write(
      to: output, replacesFiles: replacesFiles, thumbnail, rendering, environment
    ) { sheet throws(CommandFailure) in
      try Batch.run(inputs, environment) { input throws(CommandFailure) in
        try sheet.add(entry(of: input, environment), environment)
      }
    }
  }

  private func entry(
    of input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Sheet.Entry {
    let target = try library.target(input, environment) { SidecarStore(path: $0) }
    var entry = try Sheet.Entry(target)
    if entry.after != nil, try !EditTarget.isMovie(entry.before) {
      let image = try rendering.open(entry.before, environment)
      entry.losses = try inImage(input, Renderer.losses(image)).map(\.detail)
    }
    return entry
  }
}

extension Sheet.Entry {
  /// Creates an entry for the stored edit of a photo.
  init(_ target: EditTarget) throws(CommandFailure) {
    let state = try target.state()
    let graph = state.record?.storedGraph
    self.init(
      name: target.input, before: state.original.path,
      after: state.isEdited ? state.current.path : nil, filters: graph?.nodes ?? [], losses: [])
  }
}
