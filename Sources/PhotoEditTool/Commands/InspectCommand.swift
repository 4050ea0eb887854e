// SPDX-License-Identifier: Apache-2.0

/// A command that reports on files: format, coding, color, metadata, and the losses of a rendering.
struct InspectCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "inspect", "Show format and metadata, and the data that an edit would lose.",
    discussion: """
      Only headers and metadata are read unless --verify is used. The format is detected from the \
      content, not from the file name. A failure is reported and does not stop the remaining \
      files. AAE files and XMP files with Lightroom settings can also be inspected.
      """,
    examples: [
      CommandExample("inspect photo.jpg", "show format, size, encoding, camera and losses"),
      CommandExample(
        "inspect --json photo.jpg clip.mov", "print one JSON object per file, with all details"),
      CommandExample("inspect --verify photo.jpg", "exit with code 65 if pixel data is damaged"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.inputs, "Images or videos, or - for standard input (images only)."),
      .flag("verify", \.verifiesPixels, "Decode all pixels to detect corruption."),
      .group(\.limits, RenderingArguments.limiting),
    ])

  var inputs: [String] = []
  var verifiesPixels = false
  var limits = RenderingArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw .usage("standard input can only be read once")
    }
    var isFirst = true
    try Batch.run(inputs, environment) { input throws(CommandFailure) in
      let report = try report(input, environment)
      if environment.wantsJSON { return try environment.write(report.json) }
      if !isFirst { environment.print() }
      isFirst = false
      report.lines.print(in: environment)
    }
  }

  private func report(
    _ input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> any InspectReport {
    if input != "-", try EditTarget.isMovie(input) {
      return try MovieInspection(input, environment)
    }
    if let edit = try EditFileInspection(input) { return edit }
    return try Self.report(
      on: limits.open(input, environment), named: input, limits, verifiesPixels: verifiesPixels)
  }

  /// Returns the report on an opened image.
  static func report(
    on image: ImageSource, named input: String, _ limits: RenderingArguments,
    verifiesPixels: Bool = false
  ) throws(CommandFailure) -> ImageReport {
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(
        image.bytes, options: DecoderOptions(limits: limits.limits, sandbox: limits.sandbox))
      if verifiesPixels { try decoder.readToEnd(limits: limits.limits) }
      return ImageReport(input: input, image: image, codecNotices: decoder.notices)
    } catch {
      var failure = CommandFailure(error, input: input)
      if case .damaged = error { failure.hint = "omit --verify to inspect it anyway" }
      throw failure
    }
  }
}

/// The report on an inspected file, for display and for scripts.
protocol InspectReport {
  var lines: LabelledLines { get }
  var json: [String: JSONValue] { get }
}

/// The limits of a report, so that a malicious file cannot fill the screen.
enum InspectLimits {
  /// The maximum number of segments of an image that are listed; all of them are counted.
  static let segments = 256
  /// The maximum number of tags of a video that are listed.
  static let tags = 100
  /// The maximum length of a tag's name or value, in Unicode scalars.
  static let tagLength = 500

  /// Returns the beginning of a text in whole scalars, because a single character may have
  /// thousands.
  static func shortened(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > tagLength else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(tagLength))) + "…"
  }
}
