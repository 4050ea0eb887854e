// SPDX-License-Identifier: Apache-2.0

/// A command that renders the images requested on standard input, one after another.
struct WorkerCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "worker", "Render images requested by JSON lines on standard input.",
    discussion: """
      A request has the fields id (any JSON), input, output, look (the file of a filter graph) or \
      graph (the graph itself), and optionally sha256, the expected digest of the input, and \
      options, an object such as {"quality":90,"max-pixels":1000000}. Instead of input, library \
      and asset name the original of an asset. With the input '-', payload is the number of bytes \
      that follow the line; with the output '-', the answer has such a number, and the JPEG \
      follows it. Each line is answered by one line, in order; the first line of the output \
      describes the worker. {"ping":1} is answered with the same description.

      The output is complete or absent, and never replaces a file; it is not synced to disk. The \
      limits apply to each image. The process exits if an image exceeds the limit of processor \
      time or memory in a way that its header did not reveal. It also exits when its input ends, \
      when the reader of its output exits, and when the thread that started it ends.
      """,
    examples: [
      CommandExample("worker < requests.jsonl", "render the images of a list"),
      CommandExample("worker --max-memory 1G --max-seconds 30", "limit each image"),
    ],
    stopsCleanly: true,
    arguments: [
      .group(\.rendering, RenderingArguments.arguments),
      .option(
        "max-seconds", \.maximumSeconds, in: 1...86_400, value: "N",
        "Maximum processor time per image, in seconds."),
    ])

  var rendering = RenderingArguments()
  var maximumSeconds = 120

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try environment.requireProcess(for: "worker")
    ProcessLimits.endWithParent()
    ProcessLimits.limitMemory(to: rendering.maximumMemory.bytes)
    var worker = try ImageWorker(rendering, environment)
    var lines = LineReader(environment, limit: Self.maximumLineBytes)
    try answer(description, [], environment)
    var number = 0
    while let line = try lines.next() {
      number += 1
      if line == .bytes([]) { continue }
      ProcessLimits.limitProcessorTime(toSeconds: maximumSeconds)
      var fields = ["line": JSONValue.whole(number)]
      var payload: [UInt8] = []
      var mayPrecedeBytes = false
      do throws(CommandFailure) {
        (fields, payload) = try reply(to: line, &fields, &lines, &worker)
      } catch {
        try environment.checkCancellation()
        fields["status"] = "failed"
        fields.merge(error.lineFields) { $1 }
        mayPrecedeBytes = Self.mayPrecedeBytes(line)
      }
      try answer(fields, payload, environment)
      // The bytes are an image, and must not become requests.
      if mayPrecedeBytes {
        throw CommandFailure(
          .badData, "line \(number) cannot be read, nor the bytes that may follow it",
          hint: "start another worker for the other requests")
      }
    }
    try environment.checkCancellation()
  }

  /// The maximum number of bytes of a line with a graph.
  private static let maximumLineBytes = LineFields.maximumBytes + FilterGraph.maximumBytes

  /// Indicates whether a line cannot be read, and may be followed by bytes.
  private static func mayPrecedeBytes(_ line: LineReader.Line) -> Bool {
    guard case .bytes(let bytes) = line else { return true }
    guard (try? LineFields(bytes)) == nil else { return false }
    return String(decoding: bytes, as: UTF8.self).contains("payload")
  }

  private func reply(
    to line: LineReader.Line, _ known: inout [String: JSONValue], _ lines: inout LineReader,
    _ worker: inout ImageWorker
  ) throws(CommandFailure) -> ([String: JSONValue], payload: [UInt8]) {
    guard case .bytes(let bytes) = line else {
      throw .badLine("the line is longer than \(Self.maximumLineBytes) bytes")
    }
    var fields = try LineFields(bytes)
    if fields.all == ["ping": 1] { return (description.merging(["ping": 1]) { $1 }, []) }
    // A client that matches answers by their ids must find that of a request that cannot be read.
    if let id = fields.all["id"] { known["id"] = id }
    let before = Self.usage.processorTime
    let payload = try payload(&fields, &lines)
    guard bytes.count <= LineFields.maximumBytes || fields.all["graph"] != nil else {
      throw .badLine("the line is longer than \(LineFields.maximumBytes) bytes")
    }
    let request = try ImageWorker.Request(&fields, payload)
    known = ["id": request.id]
    let result = try worker.render(request)
    let after = Self.usage
    var answer = result.json.merging([
      "id": request.id, "status": "rendered",
      "cpuMs": .number(Double((after.processorTime - before) / 10) / 100),
      "peakKiB": .whole(after.peakKiB),
    ]) { $1 }
    guard request.output == .bytes else { return (answer, []) }
    answer["payload"] = .whole(result.rendering.jpeg.count)
    return (answer, result.rendering.jpeg)
  }

  /// Reads the bytes after a line before anything else can fail, so that the next line is found.
  private func payload(
    _ fields: inout LineFields, _ lines: inout LineReader
  ) throws(CommandFailure) -> FileBytes? {
    guard let count = try fields.count("payload") else { return nil }
    let limit = ImageWorker.maximumInputBytes(rendering)
    let bytes = try lines.bytes(count, isKept: count <= limit)
    guard count <= limit else {
      throw CommandFailure(
        .badData, "payload: has \(count) bytes (allowed: \(limit))", code: "limitExceeded")
    }
    guard bytes.count == count else {
      throw .badLine("payload: the input ended after \(bytes.count) of \(count) bytes")
    }
    return FileBytes(bytes)
  }

  /// The usage of this process and of those that decode for it.
  private static var usage: (processorTime: Int, peakKiB: Int) {
    let (own, confined) = (ProcessLimits.usage, DecoderProgram.usage)
    return (own.processorTime + confined.processorTime, own.peakKiB + confined.peakKiB)
  }

  private func answer(
    _ fields: [String: JSONValue], _ payload: [UInt8], _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    environment.output.write(try JSONValue.object(fields).canonicalText() + "\n")
    environment.output.write(bytes: payload)
    environment.output.flush()
  }

  /// The versions and options that a caller compares before it sends requests.
  private var description: [String: JSONValue] {
    [
      "worker": 1, "version": .string(Program.version),
      "engine": .whole(Renderer.semanticsVersion), "components": VersionInfo.libraries,
      "options": .object(rendering.resultOptions),
    ]
  }
}

extension CommandFailure {
  /// The failure as fields of a result line; hints name options that a worker may lack.
  var lineFields: [String: JSONValue] {
    [
      "exit": .whole(Int(exitCode.rawValue)), "code": .string(code), "message": .string(message),
    ]
  }
}

/// The rendering of one image after another with looks that are kept.
struct ImageWorker {
  struct Request {
    var id: JSONValue = .null
    var input: Input
    var output = Output.bytes
    var look: LookSource
    /// The expected digest of the input.
    var digest: SHA256Digest?
    /// The options of this image, which replace those of the process.
    var options = RenderingArguments()
  }

  enum Output: Equatable {
    case file(String)
    /// The result has the rendering.
    case bytes
  }

  enum Input {
    case file(String)
    case bytes(FileBytes)
    /// The original of an asset.
    case asset(String, library: String)
  }

  enum LookSource {
    case file(String)
    case graph([UInt8])
  }

  /// A finished rendering and its identity.
  struct Result {
    let original: SHA256Digest
    let look: SHA256Digest
    let key: SHA256Digest
    let rendering: Rendering
    let digest: SHA256Digest
  }

  private let rendering: RenderingArguments
  private let environment: CommandEnvironment
  private var looks = LookCache()

  init(_ rendering: RenderingArguments, _ environment: CommandEnvironment) throws(CommandFailure) {
    self.rendering = rendering
    self.environment = environment
  }

  /// Renders an image and publishes the rendering, which never replaces a file.
  mutating func render(_ request: Request) throws(CommandFailure) -> Result {
    let rendering = rendering.overridden(by: request.options)
    if case .file(let output) = request.output {
      try Publishing.check(output, replacesFiles: false)
    }
    let (bytes, path) = try read(request.input, rendering)
    let input = path ?? "payload"
    let original = bytes.digest()
    if let expected = request.digest, expected != original {
      throw CommandFailure(
        .badData, "\(input): its SHA-256 is \(original.hex), expected \(expected.hex)",
        code: "changed")
    }
    let look = try look(of: request)
    var options = rendering.options(environment)
    options.threads = rendering.threads ?? 1
    options.assetFiles = { [files = look.files] in files[$0] }
    options.attachments = look.attachments
    let image = try inImage(input, ImageSource(bytes, limits: rendering.limits))
    if case .file(let output) = request.output {
      options.staged = try mapFileErrors(StagedFile(for: output, keepsDigest: true))
    }
    let result = try inImage(input, Renderer.render(image, look.graph, options: options))
    // Not synced: the file is to be published elsewhere, and the worker would wait for the disk.
    let digest = try translating({ CommandFailure($0) }) { () throws(FileError) in
      let digest = try options.staged?.complete(with: result.jpeg)
      try options.staged?.publish(like: path)
      return digest
    }
    return Result(
      original: original, look: look.digest,
      key: ResultKey.digest(
        original: original, look: look.digest,
        options: try JSONValue.object(rendering.resultOptions).canonicalText()),
      rendering: result, digest: digest ?? SHA256Digest(of: result.jpeg))
  }

  static func maximumInputBytes(_ rendering: RenderingArguments) -> Int {
    min(4 << 30, rendering.maximumMemory.bytes)
  }

  /// Reads an image; its path is nil if it is not in a file.
  private func read(
    _ input: Input, _ rendering: RenderingArguments
  ) throws(CommandFailure) -> (FileBytes, path: String?) {
    func file(_ path: String) throws(CommandFailure) -> (FileBytes, String?) {
      let limit = Self.maximumInputBytes(rendering)
      return (try mapFileErrors(FileBytes.reading(path, maximumBytes: limit)), path)
    }
    switch input {
    case .file(let path): return try file(path)
    case .bytes(let bytes): return (bytes, nil)
    case .asset(let name, let folder):
      var arguments = LibraryArguments()
      arguments.path = folder
      let library = try arguments.open(environment)
      let asset = try library.asset(named: name)
      guard let original = try inLibrary(library.original(of: asset)) else {
        throw CommandFailure(
          .inputMissing, "\(name): the asset has no original in \(folder)", code: "missing")
      }
      return try file(original.path)
    }
  }

  private mutating func look(of request: Request) throws(CommandFailure) -> Look {
    switch request.look {
    case .file(let path): try looks.look(path)
    case .graph(let bytes): try Look(json: bytes)
    }
  }
}

extension ImageWorker.Result {
  var json: [String: JSONValue] {
    [
      "original": .string(original.hex), "look": .string(look.hex), "key": .string(key.hex),
      "rendering": .string(digest.hex), "bytes": .whole(rendering.jpeg.count),
      "width": .whole(rendering.size.width), "height": .whole(rendering.size.height),
      "path": .string(rendering.path.rawValue), "notices": .texts(rendering.notices),
      "losses": .array(
        rendering.losses.map { ["kind": .string($0.kind), "detail": .string($0.detail)] }),
    ]
  }
}
