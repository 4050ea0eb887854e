// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage

/// A line of a result file.
enum ResultLine {
  /// A description of the node that wrote the file.
  case node(name: String?, engine: Int?, components: [String: String])
  /// The result of one image.
  case result(ImageResult)

  /// Reads a line.
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

/// The result of one image.
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
    milliseconds = max(0, json["cpuMs"]?.numberValue ?? 0)
    key = json["key"]?.stringValue.flatMap { SHA256Digest($0) }
    rendering = json["rendering"]?.stringValue.flatMap { SHA256Digest($0) }
    guard !rank.isDone || key != nil && rendering != nil else {
      throw .badLine("key and rendering: expected 64 lowercase hexadecimal digits each")
    }
  }
}
