// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport

/// Renders the edits of goldens and writes what they give beside them, to be looked at.
enum Recorder {
  typealias Refusal = GoldenCandidate.Refusal

  static func run(_ arguments: [String]) throws {
    // A machine that records what it tests would find nothing, ever.
    if let value = ProcessInfo.processInfo.environment["CI"], !value.isEmpty {
      throw Refusal("CI is set; goldens are recorded by people who look at them")
    }
    switch arguments.first {
    case "--new":
      guard arguments.count > 5 else {
        throw Refusal("--new needs NAME INPUT CLASS PURPOSE FILTER…")
      }
      try make(
        arguments[1], input: arguments[2], tolerance: arguments[3], purpose: arguments[4],
        filters: Array(arguments[5...]))
    case "--accept":
      guard arguments.count > 1 else { throw Refusal("--accept needs NAME…") }
      for name in arguments.dropFirst() {
        try candidate(name).accept(isGraphNew: try Manifest.isNew("goldens/\(name)/graph.json"))
        print("\(name): accepted")
      }
      try Manifest.update()
    case let option? where option.hasPrefix("-"):
      throw Refusal("unknown option '\(option)'; there are --new and --accept")
    default:
      for name in arguments.isEmpty ? try Golden.names() : arguments { try record(name) }
    }
  }

  private static func make(
    _ name: String, input: String, tolerance: String, purpose: String, filters: [String]
  ) throws {
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
      throw Refusal("'\(name)' is no name; use letters, digits and hyphens")
    }
    let folder = "\(Golden.root)/\(name)"
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw Refusal("there is a golden '\(name)' already")
    }
    guard ToleranceClass(rawValue: tolerance) != nil else {
      let names = ToleranceClass.allCases.map(\.rawValue).joined(separator: ", ")
      throw Refusal("'\(tolerance)' is no tolerance class; there are \(names)")
    }
    var graph: FilterGraph
    if filters.count == 1, filters[0].hasSuffix(".json") {
      graph = try FilterGraph(json: [UInt8](Data(contentsOf: URL(filePath: filters[0]))))
      graph.writeDefaults()
    } else {
      graph = try FilterGraph(filters.map { try FilterCatalog.filter(argument: $0) })
    }
    graph.source = try picture(input).identity
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(Array((graph.prettyPrinted + "\n").utf8), to: "\(folder)/graph.json")
    let record = Golden.Record(
      input: input, tolerance: tolerance, engine: 0, rasters: [], purpose: purpose)
    let candidate = try rendered(name, record)
    print("\(name): new, look at \(try candidate.write())")
  }

  /// Renders one golden, says how far it is from the one before, and writes a candidate.
  private static func record(_ name: String) throws {
    let candidate = try candidate(name)
    if let before = try? Golden(name), before.record == candidate.record {
      try candidate.discard()
      return print("\(name): unchanged")
    }
    print("\(name): \(try difference(name, candidate)); look at \(try candidate.write())")
  }

  private static func difference(_ name: String, _ candidate: GoldenCandidate) throws -> String {
    guard let before = try? Golden(name) else { return "new" }
    guard before.picture.size == candidate.picture.size else {
      return "\(candidate.picture.size) instead of \(before.picture.size)"
    }
    return "\(try PictureDifference(before.picture, candidate.picture))"
  }

  /// What an edit gives now; its record is that of the golden, or of the candidate for a new one.
  private static func candidate(_ name: String) throws -> GoldenCandidate {
    let paths = ["golden", "golden.candidate"].map { "\(Golden.root)/\(name)/\($0).json" }
    guard let data = paths.lazy.compactMap({ try? Data(contentsOf: URL(filePath: $0)) }).first
    else { throw Refusal("there is no golden '\(name)'; make one with --new") }
    return try rendered(name, try JSONDecoder().decode(Golden.Record.self, from: data))
  }

  private static func rendered(
    _ name: String, _ record: Golden.Record
  ) throws -> GoldenCandidate {
    let graph = try FilterGraph(
      json: [UInt8](Data(contentsOf: URL(filePath: "\(Golden.root)/\(name)/graph.json"))))
    let raster = try Renderer.raster(picture(record.input), graph)
    guard raster.size.longEdge <= 256 else {
      throw Refusal("'\(name)' gives \(raster.size); goldens are at most 256 pixels long")
    }
    let digest = Golden.digest(size: raster.size, planes: raster.planes).hex
    var record = record
    // A raster that was accepted stays accepted.
    if !record.rasters.contains(digest) { record.rasters = [digest] }
    record.engine = Renderer.semanticsVersion
    // Eight bits cannot show what class F asks.
    let image = raster.image(bytesPerSample: record.tolerance == "F" ? 2 : 1)
    return GoldenCandidate(name, record: record, picture: image)
  }

  private static func picture(_ input: String) throws -> Picture {
    try Picture(FileBytes(TestImages.bytes(input)))
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
  }
}
