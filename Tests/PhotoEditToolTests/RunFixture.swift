// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// A run in a temporary folder, whose shards are executed as any engine does it: by a worker, and
/// published by their keys.
struct RunFixture {
  let folder: TemporaryFolder

  /// Creates photos that differ in their comments, and a look.
  init(photos count: Int = 6, in other: TemporaryFolder? = nil) throws {
    folder = try other ?? TemporaryFolder()
    try folder.writeLook(["sepia"], to: "look.json")
    try FileSystem.createFolder(folder.path("photos"))
    for number in 0..<count {
      try folder.write(try ImageFile().jpeg(number + 1), to: "photos/\(number).jpg")
    }
  }

  /// Runs the program.
  func tool(_ arguments: [String]) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  /// The line of a photo in a manifest.
  func line(_ number: Int, _ more: String = "") -> String {
    #"{"id":"p\#(number)","src":"\#(number).jpg"\#(more)}"#
  }

  /// Plans a manifest of lines.
  func plan(_ lines: [String], _ arguments: [String] = []) throws -> Tool.Result {
    try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "manifest.jsonl")
    return try tool(
      ["plan", "manifest.jsonl", "--graph", "look.json", "-o", "out", "--run", "run", "--json"]
        + ["--root", "photos"] + arguments)
  }

  /// Plans a manifest of lines, which must succeed.
  func planned(_ lines: [String], _ arguments: [String] = []) throws {
    let result = try plan(lines, arguments)
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  /// The lines of the shards of a level, one list for each shard.
  func shards(level: Int = 0) throws -> [[JSONValue]] {
    let names = try FileSystem.names(in: folder.path("run/shards"))
      .filter { $0.hasPrefix("\(level)-") }
    return try names.indices.map { number in
      try lines(of: "run/shards/\(level)-\(number).jsonl")
    }
  }

  func lines(of name: String) throws -> [JSONValue] {
    try FileBytes.reading(folder.path(name)).array.split(separator: 10)
      .map { try JSONValue(parsing: Array($0)) }
  }

  /// Renders a shard, publishes its results and returns their lines.
  ///
  /// - Parameter isIncluded: Whether an image gets a result.
  @discardableResult
  func execute(
    level: Int = 0, _ number: Int, attempt: String = "1",
    where isIncluded: (String) -> Bool = { _ in true }
  ) throws -> [JSONValue] {
    let run = try JSONValue(parsing: FileBytes.reading(folder.path("run/run.json")).array)
    let look = try #require(run["looks"]?.arrayValue?.first?.stringValue)
    let arguments = run["workerArguments"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let images = try lines(of: "run/shards/\(level)-\(number).jsonl").filter {
      isIncluded($0["id"]?.stringValue ?? "")
    }
    let scratch = try TemporaryFolder()
    let requests = try images.enumerated().map { index, image in
      var request: [String: JSONValue] = [
        "id": image["id"] ?? .null,
        "input": .string(Self.path(image["src"]?.stringValue ?? "")),
        "output": .string(scratch.path("\(index).jpg")),
        "look": .string("run/looks/\(look).json"),
      ]
      request["sha256"] = image["sha256"]
      return try JSONValue.object(request).canonicalBytes() + [10]
    }
    let result = try Tool.run(
      ["worker"] + arguments, in: folder.path, input: Array(requests.joined()))
    try #require(result.exitCode == 0, "\(result.errors)")
    let results = try zip(result.jsonLines().dropFirst(), images.indices).map { answer, index in
      guard answer["status"] == "rendered" else { return answer }
      return try publish(answer, images[index], scratch.path("\(index).jpg"))
    }
    try record(results, "\(level)-\(number).\(attempt)")
    return results
  }

  private static func path(_ source: String) -> String {
    source.hasPrefix("file://") ? String(source.dropFirst(7)) : "photos/" + source
  }

  /// Publishes a rendering: blob, name, record.
  private func publish(
    _ answer: JSONValue, _ image: JSONValue, _ file: String
  ) throws -> JSONValue {
    let key = try #require(answer["key"]?.stringValue)
    let rendering = try #require(answer["rendering"]?.stringValue)
    var paths = ["blobs/\(rendering.prefix(2))/\(rendering).jpg"]
    if let name = image["out"]?.stringValue { paths.append(name) }
    let record = "records/\(key.prefix(2))/\(key).json"
    let isPresent = FileSystem.itemExists(folder.path("out/" + record))
    for path in paths + [record] {
      try FileManager.default.createDirectory(
        atPath: FileSystem.folder(of: folder.path("out/" + path)),
        withIntermediateDirectories: true)
    }
    for path in paths where !FileSystem.itemExists(folder.path("out/" + path)) {
      try StagedFile.write(FileBytes.reading(file).array, to: folder.path("out/" + path))
    }
    if !isPresent {
      var fields = try #require(answer.objectValue)
      fields["engine"] = try engine()
      try StagedFile.write(
        try JSONValue.object(fields).canonicalBytes(), to: folder.path("out/" + record))
    }
    return .object([
      "id": answer["id"] ?? .null, "status": isPresent ? "present" : "written",
      "key": .string(key), "rendering": .string(rendering), "bytes": answer["bytes"] ?? .null,
      "cpuMs": answer["cpuMs"] ?? .null, "attempt": 1,
    ])
  }

  /// The version of the engine that the run was planned for.
  func engine() throws -> JSONValue {
    let run = try JSONValue(parsing: FileBytes.reading(folder.path("run/run.json")).array)
    return try #require(run["engine"])
  }

  /// Writes a result file.
  func record(_ results: [JSONValue], _ name: String) throws {
    let bytes = try results.map { try $0.canonicalBytes() + [10] }.joined()
    try StagedFile.write(Array(bytes), to: folder.path("run/results/\(name).jsonl"))
  }

  /// Runs collect; returns its exit code and its report.
  func collect(_ arguments: String...) throws -> (exitCode: Int32, report: JSONValue) {
    let result = try tool(["collect", "run", "--json"] + arguments)
    return (result.exitCode, try #require(try result.jsonLines().first))
  }
}
