// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport

/// Renders the edits of goldens and writes the results next to them for review.
enum Recorder {
  typealias Refusal = GoldenCandidate.Refusal

  static func run(_ arguments: [String]) throws {
    // A machine that records its own expectations would never find a difference.
    if let value = ProcessInfo.processInfo.environment["CI"], !value.isEmpty {
      throw Refusal("CI is set; record goldens locally and review them")
    }
    switch arguments.first {
    case "--new":
      guard arguments.count > 5 else {
        throw Refusal("--new requires NAME INPUT CLASS PURPOSE FILTER…")
      }
      try make(
        arguments[1], input: arguments[2], tolerance: arguments[3], purpose: arguments[4],
        filters: Array(arguments[5...]))
    case "--accept":
      guard arguments.count > 1 else { throw Refusal("--accept requires NAME…") }
      for name in arguments.dropFirst() {
        try candidate(name).accept(isGraphNew: try Manifest.isNew("goldens/\(name)/graph.json"))
        print("\(name): accepted")
      }
      try Manifest.update()
    case let option? where option.hasPrefix("-"):
      throw Refusal("unknown option '\(option)' (allowed: --new, --accept)")
    default:
      for name in arguments.isEmpty ? try Golden.names() : arguments { try record(name) }
    }
  }

  private static func make(
    _ name: String, input: String, tolerance: String, purpose: String, filters: [String]
  ) throws {
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
      throw Refusal("'\(name)' is not a valid name; use letters, digits and hyphens")
    }
    let folder = "\(Golden.root)/\(name)"
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw Refusal("golden '\(name)' already exists")
    }
    guard ToleranceClass(rawValue: tolerance) != nil else {
      let names = ToleranceClass.allCases.map(\.rawValue).joined(separator: ", ")
      throw Refusal("'\(tolerance)' is not a tolerance class (allowed: \(names))")
    }
    var graph: FilterGraph
    if filters.count == 1, filters[0].hasSuffix(".json") {
      graph = try FilterGraph(json: [UInt8](Data(contentsOf: URL(filePath: filters[0]))))
      graph.writeDefaults()
    } else {
      graph = try FilterGraph(filters.map { try FilterCatalog.filter(argument: $0) })
    }
    graph.source = try source(input).identity
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(Array((graph.prettyPrinted + "\n").utf8), to: "\(folder)/graph.json")
    let record = Golden.Record(
      input: input, tolerance: tolerance, engine: 0, rasters: [], purpose: purpose)
    let candidate = try rendered(name, record)
    print("\(name): new, review \(try candidate.write())")
  }

  /// Renders one golden, reports the difference from the recorded one, and writes a candidate.
  private static func record(_ name: String) throws {
    let candidate = try candidate(name)
    if let before = try? Golden(name), before.record == candidate.record {
      try candidate.discard()
      return print("\(name): unchanged")
    }
    print("\(name): \(try difference(name, candidate)); review \(try candidate.write())")
  }

  private static func difference(_ name: String, _ candidate: GoldenCandidate) throws -> String {
    guard let before = try? Golden(name) else { return "new" }
    guard before.image.size == candidate.image.size else {
      return "\(candidate.image.size) instead of \(before.image.size)"
    }
    return "\(try ImageDifference(before.image, candidate.image))"
  }

  /// The current result of an edit, with the record of the golden or of a new candidate.
  private static func candidate(_ name: String) throws -> GoldenCandidate {
    let paths = ["golden", "golden.candidate"].map { "\(Golden.root)/\(name)/\($0).json" }
    guard let data = paths.lazy.compactMap({ try? Data(contentsOf: URL(filePath: $0)) }).first
    else { throw Refusal("no golden '\(name)'; create it with --new") }
    return try rendered(name, try JSONDecoder().decode(Golden.Record.self, from: data))
  }

  private static func rendered(
    _ name: String, _ record: Golden.Record
  ) throws -> GoldenCandidate {
    let graph = try FilterGraph(
      json: [UInt8](Data(contentsOf: URL(filePath: "\(Golden.root)/\(name)/graph.json"))))
    let raster = try Renderer.raster(source(record.input), graph)
    guard raster.size.longEdge <= 256 else {
      throw Refusal("'\(name)' has size \(raster.size); goldens are at most 256 pixels per side")
    }
    let digest = Golden.digest(size: raster.size, planes: raster.planes).hex
    var record = record
    // An accepted raster remains accepted.
    if !record.rasters.contains(digest) { record.rasters = [digest] }
    record.engine = Renderer.semanticsVersion
    // Eight bits are not precise enough for class F.
    let image = raster.image(bytesPerSample: record.tolerance == "F" ? 2 : 1)
    return GoldenCandidate(name, record: record, image: image)
  }

  private static func source(_ input: String) throws -> ImageSource {
    try ImageSource(FileBytes(TestImages.bytes(input)))
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
  }
}
