// SPDX-License-Identifier: Apache-2.0

/// The best result of each image of a run, from all attempts and levels.
struct RunResults: Sendable {
  /// The best result of one image and its position.
  struct State {
    var rank = ImageResult.Rank.missing
    /// The position in `codes`.
    var code: Int32 = 0
    /// The position in `files`.
    var file: Int32 = 0
    var length: Int32 = 0
    var offset = 0
    var byteCount = 0
    var milliseconds = 0.0
  }

  let index: RunIndex
  /// The states in the order of `index.entries`.
  private(set) var states: [State]
  private(set) var codes: [String] = []
  /// Result lines that are not of the run.
  private(set) var unknownCount = 0
  /// The versions of each library on the nodes.
  private(set) var components: [String: Set<String>] = [:]
  private(set) var nodes: Set<String> = []
  /// The names of the result files beneath the folder of the run.
  private var files: [String] = []
  private var codeNumbers: [String: Int32] = [:]

  /// Reads all result files of a run, in the order of their names.
  init(
    _ index: RunIndex, _ description: RunDescription, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    self.index = index
    states = Array(repeating: State(), count: index.entries.count)
    guard try mapFileErrors(index.files.entry(RunFolder.resultsName)) != nil else { return }
    let names = try mapFileErrors(index.files.folder(RunFolder.resultsName).names())
    for name in names where name.hasSuffix(".jsonl") && !name.hasPrefix(".") {
      try environment.checkCancellation()
      files.append(RunFolder.resultsName + "/" + name)
      try read(RunFolder.resultsName + "/" + name, description, environment)
    }
  }

  private mutating func read(
    _ name: String, _ description: RunDescription, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let path = index.files.path(of: name)
    var lines = try FileLines(try mapFileErrors(index.files.open(name)))
    while let line = try lines.next() {
      // An engine that was killed while it appended the line has not reported this result. A torn
      // object is never valid JSON.
      if line.isUnterminated, (try? LineFields(line.bytes)) == nil {
        environment.warn("\(path):\(line.number): the last line is incomplete and is left out")
        continue
      }
      do throws(CommandFailure) {
        switch try ResultLine(line.bytes) {
        case .node(let name, let engine, let components):
          if let name { nodes.insert(name) }
          guard engine ?? description.engine == description.engine else {
            throw CommandFailure(
              .configuration,
              "engine \(engine ?? 0) was used, but the run is for engine \(description.engine)",
              hint: "use one version of photoedit on all nodes", code: "otherEngine")
          }
          for (library, version) in components {
            self.components[library, default: []].insert(version)
          }
        case .result(let result): add(result, line)
        }
      } catch {
        throw error.at(path, line.number)
      }
    }
    _ = try lines.finish()
  }

  private mutating func add(_ result: ImageResult, _ line: FileLines.Line) {
    guard let position = index.position(of: result.id) else {
      unknownCount += 1
      return
    }
    guard result.rank < states[position].rank else { return }
    let code = codeNumbers[result.code] ?? Int32(clamping: codes.count)
    if Int(code) == codes.count {
      codes.append(result.code)
      codeNumbers[result.code] = code
    }
    states[position] = State(
      rank: result.rank, code: code, file: Int32(clamping: files.count - 1),
      length: Int32(line.bytes.count), offset: line.offset, byteCount: result.byteCount,
      milliseconds: result.milliseconds)
  }

  /// Returns the positions of images with results that match.
  func positions(_ isIncluded: (ImageResult.Rank) -> Bool) -> [Int] {
    states.indices.filter { isIncluded(states[$0].rank) }
  }

  func result(_ position: Int) throws(CommandFailure) -> ImageResult {
    let state = states[position]
    let bytes = try LineAccess(files[Int(state.file)], in: index.files)
      .bytes(offset: state.offset, length: Int(state.length))
    return try ImageResult(try LineFields(bytes).all)
  }
}

/// A line of a result file.
enum ResultLine {
  /// A description of the node that wrote the file.
  case node(name: String?, engine: Int?, components: [String: String])
  case result(ImageResult)

  init(_ bytes: [UInt8]) throws(CommandFailure) {
    let json = try LineFields(bytes).all
    if json["results"] != nil {
      self = .node(
        name: json["node"]?.stringValue, engine: json["engine"]?.integerValue,
        components: json["components"]?.objectValue?.compactMapValues(\.stringValue) ?? [:])
    } else {
      self = .result(try ImageResult(json))
    }
  }
}

struct ImageResult {
  /// The classes of results, the best first.
  enum Rank: UInt8, Comparable, Sendable {
    /// The result was published.
    case written
    /// The result existed.
    case present
    /// The image cannot be rendered, and a repetition would not help.
    case failed
    /// The image ended two workers.
    case poison
    /// A failure of the machine or of the moment.
    case unfinished
    /// There is no result.
    case missing

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }

    /// Indicates whether the result is published.
    var isDone: Bool { self <= .present }
  }

  /// Exit codes for which another attempt would fail in the same way.
  private static let finalCodes: Set<Int> = [64, 65, 66, 73, 77, 78]

  /// The largest processor time that is counted, 30,000 years; sums of any number of them are
  /// finite.
  private static let maximumMilliseconds = 1e15

  let id: String
  let rank: Rank
  /// The code of a failure; empty for others.
  let code: String
  let byteCount: Int
  let milliseconds: Double
  /// The digests of a published result.
  let key: SHA256Digest?
  let rendering: SHA256Digest?

  init(_ json: [String: JSONValue]) throws(CommandFailure) {
    guard let id = json["id"]?.stringValue else { throw .badLine("id is missing") }
    self.id = id
    let exit = json["exit"]?.integerValue
    code = json["code"]?.stringValue ?? exit.map { "exit \($0)" } ?? ""
    switch json["status"]?.stringValue {
    case "written": rank = .written
    case "present": rank = .present
    case "poison": rank = .poison
    case "failed": rank = Self.finalCodes.contains(exit ?? 0) ? .failed : .unfinished
    default: throw .badLine("status: expected written, present, failed or poison")
    }
    byteCount = max(0, json["bytes"]?.integerValue ?? 0)
    milliseconds = min(max(0, json["cpuMs"]?.numberValue ?? 0), Self.maximumMilliseconds)
    key = json["key"]?.stringValue.flatMap { SHA256Digest($0) }
    rendering = json["rendering"]?.stringValue.flatMap { SHA256Digest($0) }
    guard !rank.isDone || key != nil && rendering != nil else {
      throw .badLine("key and rendering: expected 64 lowercase hexadecimal digits each")
    }
  }
}
