// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// An opened image in a process that another program owns, with the options of the commands.
package struct EmbeddedImage: Sendable {
  /// A file in memory and the report of the command.
  package struct Result {
    /// The encoded file; empty if it was written to a path.
    package let file: [UInt8]
    private let fields: () -> [String: JSONValue]

    fileprivate init(_ file: [UInt8], report: @escaping () -> [String: JSONValue]) {
      self.file = file
      fields = report
    }

    /// Returns one line of JSON, which takes as long as rendering a small image.
    package func report() throws(CommandFailure) -> String { try jsonLine(fields()) }
  }

  private let image: ImageSource
  private let name: String
  /// The path of the image; "-" if it has none.
  private let path: String
  private let rendering: RenderingArguments

  /// Opens an image file.
  ///
  /// - Parameter options: Limits, `--lenient` and `--sandbox`, which apply whenever the image is used.
  package init(path: String, options: [String]) throws(CommandFailure) {
    rendering = try Self.opening(options)
    // "-" would be standard input.
    name = path == "-" ? "./-" : path
    self.path = name
    image = try rendering.open(name, .embedded(arguments: options))
  }

  /// Opens an encoded image in memory.
  package init(bytes: FileBytes, options: [String]) throws(CommandFailure) {
    rendering = try Self.opening(options)
    (name, path) = ("bytes", "-")
    image = try inImage(
      name, ImageSource(bytes, limits: rendering.limits, sandbox: rendering.sandbox))
  }

  private static func opening(_ options: [String]) throws(CommandFailure) -> RenderingArguments {
    let (command, sandbox) = try ImageOpenOptions.parseConfined(options)
    var rendering = command.rendering
    rendering.sandbox = sandbox
    return rendering
  }

  /// Opens pixels, which have no metadata except their profile.
  ///
  /// - Parameter profile: The ICC profile; nil for sRGB.
  package init(
    pixels: ImageBuffer, profile: [UInt8]?, options: [String]
  ) throws(CommandFailure) {
    let file = try translating(
      { CommandFailure($0 as CodecError, input: "pixels") },
      PNGEncoder.encode(pixels, profile: profile, isFast: true))
    try self.init(bytes: FileBytes(file), options: options)
  }

  /// Returns the report of `inspect` as one line of JSON.
  package func inspect() throws(CommandFailure) -> String {
    try jsonLine(InspectCommand.report(on: image, named: name, rendering).json)
  }

  /// Renders a JPEG.
  ///
  /// - Parameters:
  ///   - graph: The JSON of a graph; nil for the one with which an edit begins.
  ///   - options: Those of `render` for one image; `-o` writes a file instead of returning it.
  package func render(
    graph: [UInt8]?, options: [String], cancellation: Cancellation
  ) throws(CommandFailure) -> Result {
    let clock = Stopwatch()
    let (copy, command, environment) = try copy(
      graph, ImageRenderOptions.parseConfined(options), options, cancellation)
    if let path = command.output.path(name: fileName), path != "-" {
      let report = try copy.write(
        to: path, replacesFiles: command.output.replacesFiles, notOver: self.path, clock,
        environment)
      return Result([]) { report.json }
    }
    let rendering = try copy.render(copy.options, environment)
    let report = copy.report(on: rendering, at: "-", clock)
    return Result(rendering.jpeg) { report.json }
  }

  /// Renders pixels before they are encoded.
  package func pixels<Sample: PixelSample>(
    _ type: Sample.Type, graph: [UInt8]?, options: [String], cancellation: Cancellation
  ) throws(CommandFailure) -> PixelBuffer<Sample> {
    let (copy, command, environment) = try copy(
      graph, ImageRenderOptions.parseConfined(options), options, cancellation)
    if command.output.isSpecified {
      throw .usage("--output: pixels are not written to a file", hint: "omit it")
    }
    let pixels: PixelBuffer<Sample> = try inImage(
      name, Renderer.pixels(of: image, copy.graph, options: copy.options))
    try environment.checkCancellation()
    return pixels
  }

  /// Encodes pixels that were derived from the image as a JPEG with its metadata.
  ///
  /// - Parameters:
  ///   - profile: The ICC profile of the pixels, which must be that of the image; nil for sRGB.
  ///   - options: Those of `render` that leave pixels as they are, such as `--quality` and `--strip`.
  package func encode<Sample: PixelSample>(
    _ samples: [Sample], _ size: PixelSize, _ channels: PixelChannels, profile: [UInt8]?,
    options: [String], cancellation: Cancellation
  ) throws(CommandFailure) -> Result {
    let clock = Stopwatch()
    let (encoding, sandbox) = try ImageEncodeOptions.parseConfined(options)
    let (copy, command, environment) = try copy(
      nil, (encoding.rendering, sandbox), options, cancellation)
    let own = try inImage(
      name,
      Renderer.colorSpace(of: image, isGray: channels == .gray, options: copy.options))
    let space =
      own.icc == profile ? own : PixelColorSpace(name: "another color space", icc: profile)
    let buffer = PixelBuffer(size: size, channels: channels, colorSpace: space, samples: samples)
    func render(_ options: RenderOptions) throws(CommandFailure) -> Rendering {
      try copy.shape.render(options, input: name) { options throws(CommandFailure) in
        let rendering = try inImage(name, Renderer.render(buffer, of: image, options: options))
        try environment.checkCancellation()
        return rendering
      }
    }
    if let path = command.output.path(name: fileName), path != "-" {
      let rendering = try Publishing.write(
        to: path, replacesFiles: command.output.replacesFiles, notOver: self.path, copy.options,
        rendering: render)
      let report = copy.report(on: rendering, at: path, clock)
      return Result([]) { report.json }
    }
    let rendering = try render(copy.options)
    let report = copy.report(on: rendering, at: "-", clock)
    return Result(rendering.jpeg) { report.json }
  }

  /// Creates a thumbnail in sRGB.
  ///
  /// - Parameter options: The options of `thumbnail` for its size and format.
  package func thumbnail(
    options: [String], cancellation: Cancellation
  ) throws(CommandFailure) -> Result {
    let clock = Stopwatch()
    let (command, sandbox) = try ImageThumbnailOptions.parseConfined(options)
    let thumbnail = command.thumbnail
    var rendering = rendering
    rendering.sandbox = sandbox ?? rendering.sandbox
    let environment = CommandEnvironment.embedded(arguments: options, cancellation: cancellation)
    let rendered = try thumbnail.create(
      of: image, named: name, rendering.options(environment))
    let file = try thumbnail.encode(rendered, named: name)
    try environment.checkCancellation()
    let report = ThumbnailCommand.json(rendered, byteCount: file.count, name, "-", clock)
    return Result(file) { report }
  }

  /// The name of a rendering in a folder.
  private var fileName: String {
    FileSystem.splitName(FileSystem.lastName(of: name)).stem + ".edited.jpg"
  }

  private func copy(
    _ graph: [UInt8]?, _ parsed: (command: ImageRenderOptions, sandbox: SandboxPolicy?),
    _ options: [String], _ cancellation: Cancellation
  ) throws(CommandFailure) -> (ImageCopy, ImageRenderOptions, CommandEnvironment) {
    var command = parsed.command
    command.rendering.sandbox = parsed.sandbox
    command.rendering.restrict(by: rendering)
    if graph != nil {
      if let other = command.graph.edit {
        throw .usage("--graph \(other): a graph is given already", hint: "omit --graph")
      }
      command.graph.edit = "-"
    }
    let environment = CommandEnvironment.embedded(
      arguments: options, input: graph ?? [], cancellation: cancellation)
    try environment.checkCancellation()
    try command.output.check(.photo)
    try command.output.createFolder()
    try command.shape.check(hasStrip: command.rendering.strip != nil)
    command.rendering.assets = command.graph.files
    try command.graph.readFiles()
    try command.graph.measureReference(command.rendering, environment)
    let copy = try ImageCopy(
      of: image, named: name, command.graph.edit(environment), command.graph, command.shape,
      command.rendering, environment)
    return (copy, command, environment)
  }
}

/// The options with which an image is opened.
private struct ImageOpenOptions: Command {
  static let configuration = CommandConfiguration<Self>(
    "open", "Open an image.",
    arguments: [.group(\.rendering, RenderingArguments.decoding)])

  var rendering = RenderingArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {}
}

/// The options of `render` for one opened image.
private struct ImageRenderOptions: Command {
  static let configuration = CommandConfiguration<Self>(
    "render", "Render an opened image.",
    arguments: [
      .group(\.graph, GraphArguments.argumentsForImages),
      .group(\.output, OutputArguments.arguments),
      .group(\.shape, ShapeArguments.arguments),
      .group(\.rendering, RenderingArguments.arguments),
    ])

  var graph = GraphArguments()
  var output = OutputArguments()
  var shape = ShapeArguments()
  var rendering = RenderingArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {}
}

/// The options of `render` for pixels that are encoded as they are.
private struct ImageEncodeOptions: Command {
  static let configuration = CommandConfiguration<Self>(
    "encode", "Encode pixels that were derived from an opened image.",
    arguments: [
      .group(\.rendering.output, OutputArguments.arguments),
      .group(\.rendering.shape, ShapeArguments.encoding),
      .group(\.rendering.rendering, RenderingArguments.arguments),
    ])

  var rendering = ImageRenderOptions()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {}
}

/// The options of `thumbnail` for one opened image.
private struct ImageThumbnailOptions: Command {
  static let configuration = CommandConfiguration<Self>(
    "thumbnail", "Create a thumbnail of an opened image.",
    arguments: [.group(\.thumbnail, ThumbnailArguments.arguments)])

  var thumbnail = ThumbnailArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {}
}
