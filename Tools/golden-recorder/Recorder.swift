// SPDX-License-Identifier: Apache-2.0
import Codecs
import Filters
import FoundationEssentials
import Pixels
import Rendering
import Storage
import TestSupport

/// Renders the edits of goldens and writes what they give.
enum Recorder {
  /// What stands in the way, as one sentence.
  struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  static func run(_ arguments: [String]) throws {
    // A machine that records what it tests would find nothing, ever.
    if let value = ProcessInfo.processInfo.environment["CI"], !value.isEmpty {
      throw Refusal("CI is set; goldens are recorded by people who look at them")
    }
    if arguments.first == "--new" {
      guard arguments.count > 5 else {
        throw Refusal("--new needs NAME INPUT CLASS PURPOSE FILTER…")
      }
      try make(
        arguments[1], input: arguments[2], tolerance: arguments[3], purpose: arguments[4],
        filters: Array(arguments[5...]))
      try record(arguments[1])
    } else {
      for name in arguments.isEmpty ? try Golden.names() : arguments { try record(name) }
    }
    try Manifest.update()
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
    try write(
      Golden.Record(input: input, tolerance: tolerance, engine: 0, rasters: [], purpose: purpose),
      to: folder)
  }

  /// Renders one golden, says how far it lies from the one before, and replaces it.
  private static func record(_ name: String) throws {
    let folder = "\(Golden.root)/\(name)"
    let data = try Data(contentsOf: URL(filePath: "\(folder)/golden.json"))
    var record = try JSONDecoder().decode(Golden.Record.self, from: data)
    let graph = try FilterGraph(
      json: [UInt8](Data(contentsOf: URL(filePath: "\(folder)/graph.json"))))
    let raster = try Renderer.raster(picture(record.input), graph)
    guard raster.size.longEdge <= 256 else {
      throw Refusal("'\(name)' gives \(raster.size); goldens are at most 256 pixels long")
    }
    let digest = Golden.digest(size: raster.size, planes: raster.planes).hex
    // Eight bits cannot show what class F asks.
    let image = raster.image(bytesPerSample: record.tolerance == "F" ? 2 : 1)
    let before = try? Golden(name)
    if let before, before.record.rasters.contains(digest),
      before.record.engine == Renderer.semanticsVersion
    {
      return print("\(name): unchanged")
    }
    if let before, before.picture.size == image.size {
      print("\(name): \(try PictureDifference(before.picture, image))")
    } else {
      print("\(name): \(before == nil ? "new" : "another size"), \(raster.size)")
    }
    record.rasters = [digest]
    record.engine = Renderer.semanticsVersion
    try write(PNGEncoder.encode(image), to: "\(folder)/golden.png")
    try write(record, to: folder)
  }

  private static func picture(_ input: String) throws -> Picture {
    try Picture(FileBytes(TestImages.bytes(input)))
  }

  private static func write(_ record: Golden.Record, to folder: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try write([UInt8](encoder.encode(record)) + [0x0A], to: "\(folder)/golden.json")
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
  }
}
