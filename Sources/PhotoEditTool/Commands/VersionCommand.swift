// SPDX-License-Identifier: Apache-2.0

/// A command that shows the components of the program and the formats that it reads.
struct VersionCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "version", "Show version, libraries and supported formats.",
    discussion: """
      The engine version changes when rendered pixels change; the edit format version changes \
      when the stored data changes. Libraries for videos and optional image formats are listed \
      without loading them, unless --check is used, which also starts a confined decoder that \
      attempts what it must not be able to do.
      """,
    examples: [
      CommandExample("version --json", "print one JSON object, for bug reports"),
      CommandExample("version --check", "exit with code 69 if a library is not installed"),
    ],
    writesJSON: true,
    arguments: [
      .flag(
        "check", \.opensLibraries,
        "Check that optional codec libraries can be loaded and decoders are confined.")
    ])

  var opensLibraries = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let copied = VersionInfo.copiedMovies.map(\.rawValue)
    let remuxed = VersionInfo.remuxedMovies.map(\.rawValue)
    let refusals = opensLibraries ? self.refusals : [:]
    let sandbox = opensLibraries ? SandboxReport() : nil
    if environment.wantsJSON {
      let versions = VersionInfo.versions.map { ($0.name, JSONValue.string($0.version)) }
      let optional = OptionalInput.all.map { ($0.name, json($0, refusals)) }
      var report: [String: JSONValue] = [
        "name": "photoedit", "version": .string(Program.version),
        "components": .object(Dictionary(versions) { first, _ in first }),
        "kernels": .object([
          "chosen": .string(RowKernels.chosen), "available": .texts(RowKernels.available),
        ]),
        "pictures": .texts(VersionInfo.imageFormats),
        "optional": .object(Dictionary(optional) { first, _ in first }),
        "movies": .object([
          "copied": .texts(copied), "remuxed": .texts(remuxed),
          "library": .string(AVFormatLibrary.name),
          "frames": .string(AVCodecLibrary.name),
        ]),
        "archives": .object([
          "formats": .texts(ArchiveLibrary.formats), "library": .string(ArchiveLibrary.name),
          "package": .string(ArchiveLibrary.package),
        ]),
        "lenses": .object([
          "library": .string(LensDatabase.library.name), "package": .string(LensDatabase.packages),
        ]),
        "texts": .object([
          "libraries": .texts(FontLibraries.versions.map(\.name)),
          "package": .string(FontLibraries.packages),
        ]),
      ]
      if let placeIndex = PlaceIndex.installed {
        report["places"] = .object([
          "count": .whole(placeIndex.count), "source": .string(PlaceIndex.attribution),
        ])
      }
      if let sandbox { report["sandbox"] = sandbox.json }
      try environment.write(report)
      return try self.report(refusals, sandbox)
    }
    environment.print("photoedit \(Program.version)")
    for component in VersionInfo.versions {
      environment.print("  \(component.name) \(component.version)")
    }
    environment.print("kernels: \(RowKernels.chosen)")
    environment.print("images: " + VersionInfo.imageFormats.joined(separator: ", "))
    for input in OptionalInput.all {
      let state = input.isBuilt ? "with \(input.library)" : "not in this build"
      environment.print("  \(input.name): \(state)")
    }
    environment.print(
      "videos: \(copied.joined(separator: ", ")); "
        + "\(remuxed.joined(separator: ", ")) with \(AVFormatLibrary.name); "
        + "filters with \(AVCodecLibrary.name)")
    environment.print(
      "archives: \(ArchiveLibrary.formats.joined(separator: ", ")) with \(ArchiveLibrary.name)")
    environment.print(
      "texts: with " + FontLibraries.versions.map(\.name).joined(separator: ", "))
    environment.print("lenses: with \(LensDatabase.library.name)")
    if let placeIndex = PlaceIndex.installed {
      environment.print("places: \(placeIndex.count) from \(PlaceIndex.attribution)")
    }
    if let sandbox { environment.print("sandbox: \(sandbox.text)") }
    try report(refusals, sandbox)
  }

  /// The reasons why libraries of this build cannot be opened, by component.
  private var refusals: [String: String] {
    var refusals: [String: String] = [:]
    for input in OptionalInput.all + [.colorLibrary] where input.isBuilt {
      refusals[input.name] = input.refusal
    }
    refusals[ArchiveLibrary.name] = ArchiveLibrary.refusal
    refusals["lenses"] = LensDatabase.refusal
    refusals["texts"] = FontLibraries.drawingRefusal ?? FontLibraries.findingRefusal
    return refusals
  }

  private func json(_ input: OptionalInput, _ refusals: [String: String]) -> JSONValue {
    var object: [String: JSONValue] = [
      "built": .bool(input.isBuilt), "formats": .texts(input.formats.map(\.rawValue)),
      "library": .string(input.library), "package": .string(input.package),
    ]
    if let version = input.version { object["version"] = .string(version) }
    if opensLibraries, input.isBuilt {
      object["loads"] = .bool(refusals[input.name] == nil)
      if let reason = refusals[input.name] { object["reason"] = .string(reason) }
    }
    return .object(object)
  }

  private func report(
    _ refusals: [String: String], _ sandbox: SandboxReport?
  ) throws(CommandFailure) {
    let packages = (OptionalInput.all + [.colorLibrary]).map { ($0.name, $0.package) }
    let others = [
      (ArchiveLibrary.name, ArchiveLibrary.package), ("texts", FontLibraries.packages),
      ("lenses", LensDatabase.packages),
    ]
    let missing = (packages + others)
      .filter { refusals[$0.0] != nil }
    guard !missing.isEmpty else {
      guard let failure = sandbox?.failure else { return }
      throw CommandFailure(
        .unavailable, "decoders are not confined: \(failure)", code: "notConfined")
    }
    let reasons = missing.compactMap { refusals[$0.0] }.joined(separator: "; ")
    throw CommandFailure(
      .unavailable, "libraries cannot be loaded: \(reasons)",
      hint: "run 'apt-get install \(missing.map(\.1).joined(separator: " "))'",
      code: "libraryMissing")
  }
}

/// The result of a confined decoder that attempted all that it must not be able to do.
private struct SandboxReport {
  let confinement: DecoderProgram.Confinement?
  let permitted: [String]
  let refused: [String]
  /// The reason why decoders are not confined; nil if they are.
  let failure: String?

  init() {
    do throws(CodecError) {
      let found = try DecoderProgram.confinement()
      let attempts = try DecoderProgram.attempts()
      confinement = found
      permitted = attempts.filter { $0.error == nil }.map(\.action)
      refused = attempts.filter { $0.error != nil }.map(\.action)
      failure =
        permitted.isEmpty
        ? nil : "the kernel permits them to \(permitted.joined(separator: ", "))"
    } catch {
      (confinement, permitted, refused, failure) = (nil, [], [], "\(error)")
    }
  }

  var text: String {
    guard let confinement else { return "none" }
    let filter = confinement.filtersCalls ? "seccomp" : "no seccomp"
    let landlock = confinement.landlock > 0 ? "Landlock \(confinement.landlock)" : "no Landlock"
    return "\(filter), \(landlock); "
      + "\(refused.count) of \(refused.count + permitted.count) forbidden actions refused"
  }

  var json: JSONValue {
    .object([
      "seccomp": .bool(confinement?.filtersCalls == true),
      "landlock": .whole(confinement?.landlock ?? 0),
      "refused": .texts(refused), "permitted": .texts(permitted),
    ])
  }
}

/// The components of the program, for `version`; nothing is loaded to list them.
enum VersionInfo {
  /// The names and versions: photoedit's own version numbers first, then the libraries.
  static var versions: [(name: String, version: String)] {
    [
      ("engine", "\(Renderer.semanticsVersion)"),
      ("edit format", "\(FilterGraph.formatIdentifier) \(FilterGraph.formatVersion)"),
    ] + CodecLibraries.versions + [
      ("libcrypto", SHA256Digest.libraryVersion),
      ("libexpat", LUTFileError.expatVersion),
      ("libavformat", AVFormatLibrary.version),
      ("libavcodec", AVCodecLibrary.version),
      (ArchiveLibrary.name, ArchiveLibrary.version), LensDatabase.library,
    ] + FontLibraries.versions
  }

  /// The versions of the libraries, which do not change pixels as the engine's version does.
  static var libraries: JSONValue {
    .object(
      Dictionary(versions.dropFirst(2).map { ($0.name, .string($0.version)) }) { first, _ in
        first
      })
  }

  static var all: [ProgramDescription.Component] {
    versions.map { .init($0.name, $0.version) }
  }

  /// Rejects a variant of the row kernels that does not exist or that this machine cannot run.
  static func checkKernels() throws(CommandFailure) {
    guard let refusal = RowKernels.refusal else { return }
    throw .usage(
      refusal, hint: "use \(RowKernels.available.joined(separator: ", ")), or unset it")
  }

  /// The image formats that this build decodes.
  static var imageFormats: [String] {
    ImageFormat.allCases.filter(\.isReadable).map(\.rawValue)
  }

  /// The video containers that are copied as is, without any library.
  static let copiedMovies: [MovieContainer] = [.quickTime]

  /// The video containers that are remuxed to QuickTime, which requires libavformat.
  static let remuxedMovies: [MovieContainer] = [.mpeg4, .matroska, .avi]
}
