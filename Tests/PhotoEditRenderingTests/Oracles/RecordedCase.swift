// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// A graph, and the results of other programs for small images with the same arithmetic.
///
/// `Tools/oracles/record` writes them from the table in `Tools/oracles`. No filter is named here:
/// the files name them.
struct RecordedCase: CustomTestStringConvertible, Sendable {
  /// The filter under test.
  let filter: String
  /// The distinguishing name of this case of the filter.
  let name: String
  /// The programs and their versions.
  let oracle: String
  /// The call of the other program.
  let call: String
  /// The required tolerance.
  let tolerance: Tolerance
  /// Pixels at every edge that the other program handles by another rule.
  let margin: Int
  /// The transfer encoding in which the filter computes.
  let light: TransferEncoding
  /// Indicates whether wrong weights are applied to the red input, because the result is black or
  /// white.
  let seedsWeightsInRed: Bool
  /// The defects that the comparison must detect.
  let notices: [SeededDefect]
  /// The image on which they show.
  let image: String
  /// The filter graph.
  let graph: FilterGraph
  /// The results of the programs, by image name.
  let results: [(image: String, result: Result)]

  /// An image of levels.
  struct Result: Sendable {
    let size: PixelSize
    /// One plane or three, as levels that need not be integers.
    let planes: [[Double]]
  }

  var testDescription: String { "\(filter) \(name) · \(oracle)" }

  /// Every recorded case.
  static let all: [RecordedCase] = {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Filters").sorted()
        .flatMap { try cases(of: "\(folder)/Filters/\($0)") }
    } catch {
      preconditionFailure("\(folder): \(error)")
    }
  }()

  private static var folder: String { "\(TestImages.packageRoot)/Tests/Oracles" }

  /// An image by its name.
  static func source(_ name: String) throws -> ImageSource {
    try ImageSource(
      FileBytes([UInt8](Data(contentsOf: URL(filePath: "\(folder)/Images/\(name).png")))))
  }

  private static func cases(of path: String) throws -> [RecordedCase] {
    let file = try JSONValue(
      parsing: [UInt8](Data(contentsOf: URL(filePath: path))),
      limits: JSONLimits(maximumBytes: 16 << 20, maximumStringBytes: 1 << 20))
    let filter = try #require(file["filter"]?.stringValue)
    let items = try #require(file["cases"]?.arrayValue)
    try #require(!items.isEmpty, "\(path) holds no case")
    return try items.map { try RecordedCase($0, filter: filter) }
  }

  private init(_ json: JSONValue, filter: String) throws {
    self.filter = filter
    name = try #require(json["name"]?.stringValue)
    oracle = try #require(json["oracle"]?.stringValue)
    call = try #require(json["call"]?.stringValue)
    tolerance = try Tolerance(
      name: #require(json["class"]?.stringValue), limit: #require(json["limit"]?.numberValue),
      mean: json["mean"]?.numberValue)
    margin = try #require(json["margin"]?.integerValue)
    light = try #require(TransferEncoding(rawValue: json["light"]?.stringValue ?? ""))
    seedsWeightsInRed = json["weights"] == .string("red")
    notices = try #require(json["notices"]?.arrayValue).map {
      try #require(SeededDefect(rawValue: $0.stringValue ?? ""))
    }
    image = try #require(json["noticedOn"]?.stringValue)
    graph = try FilterGraph(json: #require(json["graph"]).canonicalBytes())
    results = try #require(json["results"]?.objectValue).sorted { $0.key < $1.key }
      .map { ($0.key, try Result($0.value)) }
    try #require(!results.isEmpty && !oracle.isEmpty && !call.isEmpty, "\(filter) \(name)")
  }
}

extension RecordedCase.Result {
  fileprivate init(_ json: JSONValue) throws {
    size = try PixelSize(
      width: #require(json["width"]?.integerValue), height: #require(json["height"]?.integerValue))
    let levels = try Self.levels(json)
    let count = levels.count / size.pixelCount
    try #require((count == 1 || count == 3) && levels.count == count * size.pixelCount)
    planes = (0..<count).map { channel in
      stride(from: channel, to: levels.count, by: count).map { levels[$0] }
    }
  }

  /// Integer levels are bytes; others are thousandths in 24 bits each, least significant byte
  /// first.
  private static func levels(_ json: JSONValue) throws -> [Double] {
    if let text = json["levels"]?.stringValue {
      return try #require(Data(base64Encoded: text)).map { Double($0) }
    }
    let text = try #require(json["thousandths"]?.stringValue)
    let bytes = try [UInt8](#require(Data(base64Encoded: text)))
    return stride(from: 0, to: bytes.count - 2, by: 3).map { i in
      let word = Int32(bytes[i]) | Int32(bytes[i + 1]) << 8 | Int32(bytes[i + 2]) << 16
      return Double((word << 8) >> 8) / 1000
    }
  }
}
