// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditMovieFiles
import PhotoEditRendering

/// A command that reports on files: format, coding, color, metadata, and the losses of a rendering.
struct InspectCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "inspect", "Shows what pictures and movies are, and what a rendering of them would lose.",
    discussion: """
      Headers and metadata are read, pixels are not, unless --verify asks for that. Files are \
      judged by content and never by name. A file that fails is reported and the others go on. An \
      AAE and an XMP file with settings of Lightroom are shown too.
      """,
    examples: [
      CommandExample("inspect photo.jpg", "format, size, coding, camera, losses"),
      CommandExample("inspect --json photo.jpg clip.mov", "one object per file, with all details"),
      CommandExample("inspect --verify photo.jpg", "exit code 65 when a pixel is damaged"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.inputs, "Pictures or movies; '-' is stdin, for a picture."),
      .flag("verify", \.verifiesPixels, "Decodes every pixel of pictures, to find damage."),
      .group(\.limits, RenderingArguments.limiting),
    ])

  var inputs: [String] = []
  var verifiesPixels = false
  var limits = RenderingArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw .usage("stdin can be read once only; '-' is given more often")
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
    if let edit = try ForeignInspection(input) { return edit }
    let picture = try limits.open(input, environment)
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(
        picture.bytes, options: DecoderOptions(limits: limits.limits))
      if verifiesPixels { try decoder.readToEnd(limits: limits.limits) }
      return PictureReport(input: input, picture: picture, codecNotices: decoder.notices)
    } catch {
      var failure = CommandFailure(error, input: input)
      if case .damaged = error { failure.hint = "without --verify it is inspected all the same" }
      throw failure
    }
  }
}
