// SPDX-License-Identifier: Apache-2.0

extension ImageWorker.Request {
  init(_ fields: inout LineFields, _ payload: FileBytes?) throws(CommandFailure) {
    self.init(
      id: try fields.value("id"), input: try ImageWorker.Input(&fields, payload),
      output: try ImageWorker.Output(&fields), look: try ImageWorker.LookSource(&fields),
      digest: try fields.digest("sha256"), options: try WorkerLineOptions.parse(&fields))
    try fields.finish()
  }
}

extension ImageWorker.Input {
  fileprivate init(
    _ fields: inout LineFields, _ payload: FileBytes?
  ) throws(CommandFailure) {
    if let library = try fields.text("library") {
      self = .asset(try fields.required("asset"), library: library)
    } else {
      let path = try fields.required("input")
      if path == "-" {
        guard let payload else {
          throw .badLine("input: '-' requires payload, the number of bytes after the line")
        }
        self = .bytes(payload)
        return
      }
      self = .file(path)
    }
    if payload != nil { throw .badLine("payload: allowed only with the input '-'") }
  }
}

extension ImageWorker.Output {
  fileprivate init(_ fields: inout LineFields) throws(CommandFailure) {
    let path = try fields.required("output")
    self = path == "-" ? .bytes : .file(path)
  }
}

extension ImageWorker.LookSource {
  fileprivate init(_ fields: inout LineFields) throws(CommandFailure) {
    guard let graph = fields.optional("graph") else {
      self = .file(try fields.required("look"))
      return
    }
    guard graph.objectValue != nil else {
      throw .badLine("graph: found \(graph.kind), expected an object")
    }
    self = .graph(Array(try graph.canonicalText().utf8))
  }
}

/// The options of one line of a worker, by their names on the command line.
private struct WorkerLineOptions: Command {
  static let configuration = CommandConfiguration<Self>(
    "worker", "Options of a line.",
    arguments: [
      .group(\.rendering, RenderingArguments.results + RenderingArguments.limiting)
    ])

  var rendering = RenderingArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {}

  static func parse(_ fields: inout LineFields) throws(CommandFailure) -> RenderingArguments {
    guard let value = fields.optional("options") else { return RenderingArguments() }
    guard let options = value.objectValue else {
      throw .badLine("options: found \(value.kind), expected an object")
    }
    var words: [String] = []
    for (name, value) in options.sorted(by: { $0.key < $1.key }) where value != false {
      if value == true {
        words.append("--\(name)")
      } else if let text = value.stringValue ?? value.integerValue.map(String.init) {
        words.append("--\(name)=\(text)")
      } else {
        throw .badLine("options: \(name): expected a string, a whole number or a boolean")
      }
    }
    return try translating({ CommandFailure.badLine("options: \($0.message)") }) {
      () throws(CommandFailure) in try parse(words).rendering
    }
  }
}

extension RenderingArguments {
  /// Returns the options with those of one image; its limits can only be lower.
  func overridden(by other: RenderingArguments) -> RenderingArguments {
    var result = self
    result.quality = other.quality ?? quality
    result.strip = other.strip ?? strip
    result.dither = other.dither ?? dither
    result.isLenient = isLenient || other.isLenient
    result.maximumPixels = min(maximumPixels, other.maximumPixels)
    result.maximumSide = min(maximumSide, other.maximumSide)
    result.maximumScans = min(maximumScans, other.maximumScans)
    result.maximumMemory = ByteCount(min(maximumMemory.bytes, other.maximumMemory.bytes))
    return result
  }
}
