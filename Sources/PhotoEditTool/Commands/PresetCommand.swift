// SPDX-License-Identifier: Apache-2.0

/// A command that writes the edit of a photo as a preset, for `--preset` and `--graph`.
struct PresetCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "preset", "Save a photo's edit as a preset.",
    discussion: """
      A preset is an edit without its photo. Attachments of up to 48 KiB are embedded in the \
      preset. Larger ones are written next to it as files named after their digests, where \
      --preset and --graph find them.
      """,
    examples: [
      CommandExample("preset photo.jpg -o warm.json", "save the edit of a photo"),
      CommandExample(
        "apply --preset warm.json --preset crisp.json *.jpg", "apply two presets to each photo"),
    ],
    writesJSON: true,
    arguments: [
      .positional("INPUT", \.input, "Photo with the edit to save."),
      .group(\.output, OutputArguments.arguments),
    ])

  var input = ""
  var output = OutputArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try output.check(.preset)
    guard let outputPath = output.path(name: stem + ".json") else {
      throw .usage("no output specified", hint: "use -o FILE")
    }
    try output.createFolder()
    if outputPath != "-" {
      try Publishing.check(outputPath, replacesFiles: output.replacesFiles, notOver: input)
    }
    try Batch.run([input], environment) { input throws(CommandFailure) in
      try write(input, to: outputPath, environment)
    }
  }

  private var stem: String { FileSystem.splitName(FileSystem.lastName(of: input)).stem }

  private func write(
    _ input: String, to outputPath: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    var (graph, files) = try editing(PhotoEditor.storedGraph(of: SidecarStore(path: input)))
    graph.source = nil
    graph.emptyTexts()
    graph.removeUnusedAssets()
    let bytes = Array((graph.prettyPrinted + "\n").utf8)
    var companions: [String] = []
    if outputPath == "-" {
      if let (digest, _) = graph.externalAssets.first {
        throw CommandFailure(
          .badData, "\(input): attachment \(digest) is too large to embed in the preset",
          hint: "use -o FILE; the attachment is written next to it", code: "asset")
      }
      return try environment.writeFile(bytes)
    }
    for (digest, asset) in graph.externalAssets.sorted(by: { $0.key.hex < $1.key.hex }) {
      guard let data = files[digest] else { continue }
      let path = FileSystem.folder(of: outputPath) + "/" + asset.companionName
      companions.append(path)
      if let known = try? FileBytes.digest(of: path), known == digest { continue }
      try Publishing.write(
        Array(data), to: path, replacesFiles: output.replacesFiles, notOver: input)
    }
    try Publishing.write(
      bytes, to: outputPath, replacesFiles: output.replacesFiles, notOver: input)
    if environment.wantsJSON {
      return try environment.write([
        "input": .string(input), "output": .string(outputPath),
        "graph": .string(graph.digest.description), "files": .texts(companions),
      ])
    }
    environment.note(([outputPath] + companions).joined(separator: ", "))
  }
}
