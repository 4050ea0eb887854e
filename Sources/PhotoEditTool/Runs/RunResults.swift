// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

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
  private var files: [String] = []
  private var codeNumbers: [String: Int32] = [:]

  /// Reads all result files of a run, in the order of their names.
  init(
    _ index: RunIndex, _ description: RunDescription, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    self.index = index
    states = Array(repeating: State(), count: index.entries.count)
    let folder = index.folder.resultFolder
    let names = try mapFileErrors(FileSystem.names(in: folder))
    for name in names where name.hasSuffix(".jsonl") && !name.hasPrefix(".") {
      try environment.checkCancellation()
      files.append(folder + "/" + name)
      try read(folder + "/" + name, description)
    }
  }

  private mutating func read(
    _ path: String, _ description: RunDescription
  ) throws(CommandFailure) {
    var lines = try FileLines(path)
    while let line = try lines.next() {
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

  /// Returns the best result of an image.
  func result(_ position: Int) throws(CommandFailure) -> ImageResult {
    let state = states[position]
    let bytes = try LineAccess(files[Int(state.file)])
      .bytes(offset: state.offset, length: Int(state.length))
    return try ImageResult(try LineFields(bytes).all)
  }
}
