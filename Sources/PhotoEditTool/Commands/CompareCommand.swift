// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A command that compares the pixels of two images and reports whether they are similar enough.
struct CompareCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "compare", "Compare the pixels of two images.",
    discussion: """
      The orientation of both images is applied, so an image equals its rotated copy. Grayscale is \
      compared as RGB, 16-bit samples as fractional 8-bit levels, and transparent pixels over \
      white. Color profiles are not applied.

      Without --tolerance, the exit code is 0 if all pixels are equal and 1 otherwise. Classes: E1 \
      no difference; T1 one level, without bias; T2 two levels, and half a level on average; P no \
      visible difference (ΔE2000). Images of different sizes always differ; nothing is scaled.
      """,
    examples: [
      CommandExample(
        "compare before.png after.png", "print all metrics; exit code 0 if equal, 1 if not"),
      CommandExample(
        "compare a.jpg b.jpg --tolerance P --diff d.png",
        "check the difference and write a difference image"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("A", \.first, "Reference image, or - for standard input."),
      .positional("B", \.second, "Image to compare, or - for standard input."),
      .option("tolerance", \.tolerance, value: "CLASS", "Largest acceptable difference.").renamed(
        from: "class"),
      .option("diff", \.map, value: "FILE", "Write a difference image (amplified 16×) as PNG."),
      .flag("force", short: "f", \.replacesFiles, "Overwrite the --diff file."),
      .group(\.decoding, RenderingArguments.decoding),
    ])

  /// The tolerance classes that are meaningful for image files.
  enum Tolerance: String, CaseIterable, ArgumentValue {
    case E1, T1, T2, P

    var toleranceClass: ToleranceClass {
      switch self {
      case .E1: .E1
      case .T1: .T1
      case .T2: .T2
      case .P: .P
      }
    }
  }

  var first = ""
  var second = ""
  var tolerance: Tolerance?
  var map: String?
  var replacesFiles = false
  var decoding = RenderingArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if first == "-" && second == "-" {
      throw .usage("standard input cannot be used for both images")
    }
    if let map { try check(map) }
    let first = try open(first, environment)
    let second = try open(second, environment)
    for image in [first, second] {
      for notice in image.notices { environment.warn("\(image.name): \(notice)") }
    }
    if first.profile != second.profile {
      environment.warn("the images have different color profiles, which are not applied")
    }
    let report = CompareReport(
      first: first, second: second, tolerance: tolerance?.toleranceClass,
      difference: try Self.difference(first, second, environment), map: map)
    if let map, let difference = report.difference {
      try environment.checkCancellation()
      try write(difference, to: map)
    }
    try report.write(to: environment)
    if report.failure != nil { throw .reported(.someFailed) }
  }

  /// Decodes one of the images; a failure is reported with its name.
  private func open(
    _ name: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> OrientedImage {
    do throws(CommandFailure) {
      return try OrientedImage(name, decoding, environment)
    } catch {
      try environment.checkCancellation()
      if error.exitCode == .usage { throw error }
      environment.report(error, input: name)
      throw .reported(error.exitCode)
    }
  }

  /// Returns the difference of two images of the same size; nil if the sizes differ.
  private static func difference(
    _ first: OrientedImage, _ second: OrientedImage, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> ImageDifference? {
    guard first.image.size == second.image.size else { return nil }
    let (cancellation, isEmbedded) = (environment.cancellation, environment.isEmbedded)
    return try translating(
      { CommandFailure($0, input: first.name) }
    ) { () throws(ComparisonError) in
      // Nothing is open for writing yet, so a signal may terminate the process during the
      // computation.
      try cancellation.withHandler(
        {
          guard !isEmbedded else { return }
          _exit(cancellation.exitCode?.rawValue ?? ExitCode.interrupted.rawValue)
        },
        { () throws(ComparisonError) in try ImageDifference(first.image, second.image) })
    }
  }

  private func check(_ map: String) throws(CommandFailure) {
    if map == "-" { throw .usage("--diff: requires a file name, not '-'") }
    try publishing(map) { () throws(CommandFailure) in
      for input in [first, second] {
        try Publishing.check(map, replacesFiles: replacesFiles, notOver: input)
      }
    }
    let folder = FileSystem.folder(of: map)
    guard FileSystem.isFolder(folder) else {
      throw CommandFailure(
        .cannotCreate, "\(map): destination folder \(folder) does not exist",
        hint: "create it first",
        code: "noPlace")
    }
  }

  private func write(_ difference: ImageDifference, to map: String) throws(CommandFailure) {
    let bytes = try translating(
      { CommandFailure($0 as CodecError, input: map) },
      PNGEncoder.encode(difference.differenceImage()))
    try publishing(map) { () throws(CommandFailure) in
      try Publishing.write(
        bytes, to: map, replacesFiles: replacesFiles, like: [first, second].filter { $0 != "-" })
    }
  }

  /// Runs a body; the hint of a failure names the option of this command.
  private func publishing(
    _ map: String, _ body: () throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    do throws(CommandFailure) {
      try body()
    } catch {
      var failure = error
      if failure.exitCode == .cannotCreate {
        let isFile = failure.code == "exists" && !FileSystem.isFolder(map)
        failure.hint =
          (isFile ? "use --force to overwrite it, or " : "") + "choose another path with --diff"
      }
      throw failure
    }
  }
}
