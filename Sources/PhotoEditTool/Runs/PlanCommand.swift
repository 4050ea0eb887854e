// SPDX-License-Identifier: Apache-2.0

/// A command that checks a list of images and divides it into shards for workers on any machines.
struct PlanCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "plan", "Divide the rendering of many images among machines.",
    discussion: """
      The manifest has one JSON object per line: id and src, and optionally bytes, sha256, etag, \
      out (the name of the result) and edit (the digest of a look, if there are several). src is \
      an s3:// or file:/// URL or a path relative to --root. The run folder receives a \
      description, the looks and the shards; 'photoedit-cluster' or any other engine renders \
      them, and 'photoedit collect' reports the results.

      Duplicate lines are removed, and contradictory lines are rejected. --resume plans the \
      images that have no result yet, in smaller shards. --estimate renders 20 images and writes \
      nothing.
      """,
    examples: [
      CommandExample(
        "plan photos.jsonl --graph look.json -o results --run runs/july", "plan a run"),
      CommandExample("plan --resume --run runs/july", "plan the missing results again"),
      CommandExample(
        "plan photos.jsonl --graph look.json --estimate --cores 160 --price core-hour=0.04",
        "estimate time and costs"),
    ],
    writesJSON: true,
    arguments: [
      .positional("MANIFEST", \.manifest, "Images as JSON Lines."),
      .option(
        "graph", \.looks, value: "FILE",
        "Filter graph to render; repeat it if lines name their look."
      ).renamed(from: "edit"),
      .option(
        "output", short: "o", \.output, value: "DIR",
        "Folder of the results, shared by all machines, or an s3:// URL."
      ).renamed(from: "out"),
      .option("run", \.run, value: "DIR", "Folder of the run."),
      .option("root", \.root, value: "DIR", "Folder of relative paths in the manifest."),
      .option(
        "shard-bytes", \.shardBytes, value: "SIZE", "Maximum size of the images of a shard."),
      .option(
        "shard-lines", \.shardLines, in: 1...1_000_000, value: "N",
        "Maximum number of images of a shard."),
      .flag("resume", \.resumes, "Plan the images that have no result yet."),
      .flag("retry-failed", \.retriesFailures, "With --resume, plan failed images again."),
      .flag("estimate", \.estimates, "Render 20 images and estimate the whole run."),
      .option(
        "cores", \.cores, in: 1...1_000_000, value: "N",
        "Number of cores for --estimate (default: those of this machine)."),
      .option(
        "price", \.prices, value: "KEY=PRICE,…",
        "Prices for --estimate: core-hour, put and get (for 1,000 requests), gb-month."),
      .group(\.rendering, RenderingArguments.results),
    ])

  var manifest: String?
  var looks: [String] = []
  var output: String?
  var run: String?
  var root = "."
  var shardBytes = ByteCount(256 << 20)
  var shardLines = 1000
  var resumes = false
  var retriesFailures = false
  var estimates = false
  var cores: Int?
  var prices: [Prices] = []
  var rendering = RenderingArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if resumes { return try resume(environment) }
    guard let manifest else {
      throw .usage("no manifest specified", hint: "specify MANIFEST, or continue with --resume")
    }
    guard !retriesFailures else {
      throw .usage("--retry-failed requires --resume", hint: "add --resume")
    }
    guard !looks.isEmpty else {
      throw .usage("no filter graph specified", hint: "specify --graph FILE")
    }
    var byDigest: [SHA256Digest: String] = [:]
    var graphs: [Look] = []
    for path in looks {
      let look = try Look(path)
      if byDigest.updateValue(path, forKey: look.digest) == nil { graphs.append(look) }
    }
    let root = try mapFileErrors(FileSystem.resolved(root))
    if estimates {
      let index = try ManifestIndex(manifest, looks: graphs.map(\.digest), environment)
      return try RunEstimate(index: index, looks: byDigest, root: root, rendering: rendering)
        .run(cores: cores ?? ThreadGroup.cores, Prices(prices), environment)
    }
    let folder = RunFolder(path: try localRun())
    let output = try preparedOutput()
    let index = try ManifestIndex(manifest, looks: graphs.map(\.digest), environment)
    let lock = try folder.begin()
    defer { withExtendedLifetime(lock) {} }
    try folder.write(graphs)
    var shards = ShardWriter(
      folder, level: 0, maximumBytes: shardBytes.bytes, maximumLines: shardLines)
    let reader = try LineAccess(manifest)
    for entry in index.entries {
      try shards.add(
        try reader.bytes(offset: entry.offset, length: Int(entry.length)), cost: entry.cost)
    }
    try shards.finish()
    try environment.checkCancellation()
    let counts: [String: JSONValue] = [
      "lines": .whole(index.lineCount), "unique": .whole(index.entries.count),
      "repeated": .whole(index.repeatedCount),
    ]
    let description = RunDescription(
      looks: graphs.map(\.digest), options: rendering.resultOptions,
      arguments: rendering.resultArguments, output: output, root: root, shards: shards.count,
      shardBytes: shardBytes.bytes, shardLines: shardLines,
      manifest: counts.merging([
        "sha256": .string(index.digest.hex), "bytes": .whole(index.byteCount),
      ]) { $1 })
    try folder.complete("run.json", description.json)
    if environment.wantsJSON {
      return try environment.write(
        counts.merging([
          "run": .string(folder.path), "level": 0, "shards": .whole(shards.count),
        ]) { $1 })
    }
    environment.note(
      "planned \(index.entries.count) images in \(shards.count) shards"
        + (index.repeatedCount > 0 ? "; \(index.repeatedCount) repeated lines removed" : ""))
  }

  private func localRun() throws(CommandFailure) -> String {
    guard let run else {
      throw .usage("no run folder specified", hint: "specify --run DIR")
    }
    guard !run.contains("://") else {
      throw .usage("--run: \(run) is not a folder", hint: "use photoedit-cluster for object stores")
    }
    return run
  }

  /// Returns the absolute path of the output after trying it, or its URL.
  private func preparedOutput() throws(CommandFailure) -> String {
    guard let output else {
      throw .usage("no output specified", hint: "specify a folder with -o DIR")
    }
    if output.hasPrefix("s3://") { return output }
    guard !output.contains("://") else {
      throw .usage("--output: \(output) is neither a folder nor an s3:// URL")
    }
    try ResultStore.tryPublishing(in: output)
    return try mapFileErrors(FileSystem.resolved(output))
  }

  // MARK: Resuming

  private func resume(_ environment: CommandEnvironment) throws(CommandFailure) {
    guard manifest == nil, looks.isEmpty, output == nil, !estimates else {
      throw .usage(
        "--resume continues the run as it was planned",
        hint: "omit MANIFEST, --graph, --output and --estimate")
    }
    let folder = RunFolder(path: try localRun())
    let description = try RunDescription(folder)
    guard description.engine == Renderer.semanticsVersion else {
      throw CommandFailure(
        .configuration,
        "\(folder.path): the run is for engine \(description.engine), "
          + "but this is engine \(Renderer.semanticsVersion)",
        hint: "use the version of photoedit that planned it", code: "otherEngine")
    }
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    try folder.checkFolders()
    let index = try RunIndex(folder, description, environment)
    let results = try RunResults(index, description, environment)
    let retries = retriesFailures
    let positions = results.positions { rank in
      rank >= .unfinished || retries && !rank.isDone
    }
    // Each level is cut in four: an image that ends its shard is alone in the end.
    let level = try folder.highestLevel() + 1
    var shards = ShardWriter(
      folder, level: level, maximumBytes: max(1, description.shardBytes >> (2 * level)),
      maximumLines: max(1, description.shardLines >> (2 * level)))
    for position in positions {
      let bytes = try index.bytes(position)
      let cost = try ManifestLine(bytes).byteCount ?? ManifestIndex.assumedBytes
      try shards.add(bytes, cost: cost)
    }
    try shards.finish()
    let facts: [String: JSONValue] = [
      "level": .whole(level), "lines": .whole(shards.total), "shards": .whole(shards.count),
    ]
    if shards.count > 0 {
      try folder.complete("levels/\(level).json", facts.merging(["format": 1]) { $1 })
    }
    if environment.wantsJSON {
      return try environment.write(facts.merging(["run": .string(folder.path)]) { $1 })
    }
    environment.note(
      shards.count == 0
        ? "nothing to do: every image has a result"
        : "planned \(shards.total) images in \(shards.count) shards of level \(level)")
  }
}
