// SPDX-License-Identifier: Apache-2.0

/// The keywords of a `.cube` file, and how they apply to the rows that follow.
struct CubeHeader {
  private static let keywords = [
    "TITLE", "DOMAIN_MIN", "DOMAIN_MAX", "LUT_1D_SIZE", "LUT_3D_SIZE", "LUT_1D_INPUT_RANGE",
    "LUT_3D_INPUT_RANGE",
  ]

  /// A value and the line on which it was given.
  private struct LineValue<Value: Hashable> {
    let value: Value
    let line: Int
  }

  private(set) var title: String?
  private var tableSize: LineValue<Int>?
  private var cubeSize: LineValue<Int>?
  private var ranges: [String: LineValue<[Float]>] = [:]

  static func isTitle(_ line: ArraySlice<UInt8>) -> Bool {
    token(line.trimmed).elementsEqual("TITLE".utf8)
  }

  private static func token(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.prefix { $0 != 0x20 && $0 != 0x09 }
  }

  /// Reads a number of values separated by spaces; nil if the count differs.
  static func numbers(_ line: ArraySlice<UInt8>, count: Int) -> [Float]? {
    var numbers: [Float] = []
    numbers.reserveCapacity(count)
    var rest = line
    while true {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      if rest.isEmpty { return numbers.count == count ? numbers : nil }
      let token = token(rest)
      guard numbers.count < count, let number = DecimalFloat.value(token) else { return nil }
      numbers.append(number)
      rest = rest[token.endIndex...]
    }
  }

  mutating func read(_ line: ArraySlice<UInt8>, number: Int) throws(LUTFileError) {
    let token = Self.token(line)
    let rest = line[token.endIndex...].trimmed
    func refusal(_ allowed: String) -> LUTFileError {
      .line(number, found: LUTFileError.excerpt(line), allowed: allowed)
    }
    switch String(decoding: token, as: UTF8.self) {
    case "TITLE": title = Self.title(rest)
    case "LUT_1D_SIZE":
      tableSize = try size(rest, tableSize, ColorLUT1D.allowedSize, number, refusal)
    case "LUT_3D_SIZE":
      cubeSize = try size(rest, cubeSize, CubeFile.allowedCubeSize, number, refusal)
    case "DOMAIN_MIN": try keep("DOMAIN_MIN", rest, count: 3, number, refusal)
    case "DOMAIN_MAX": try keep("DOMAIN_MAX", rest, count: 3, number, refusal)
    case "LUT_1D_INPUT_RANGE": try keep("LUT_1D_INPUT_RANGE", rest, count: 2, number, refusal)
    case "LUT_3D_INPUT_RANGE": try keep("LUT_3D_INPUT_RANGE", rest, count: 2, number, refusal)
    case "LUT_IN_VIDEO_RANGE", "LUT_OUT_VIDEO_RANGE":
      throw refusal("full-range tables; export the LUT with data levels")
    default: throw refusal("a comment, three numbers, or \(Self.keywords.joined(separator: ", "))")
    }
  }

  private static func title(_ text: ArraySlice<UInt8>) -> String {
    var text = text
    if text.first == UInt8(ascii: "\"") {
      text.removeFirst()
      text = text.prefix { $0 != UInt8(ascii: "\"") }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func size(
    _ text: ArraySlice<UInt8>, _ earlier: LineValue<Int>?, _ allowed: ClosedRange<Int>, _ line: Int,
    _ refusal: (String) -> LUTFileError
  ) throws(LUTFileError) -> LineValue<Int> {
    let range = "\(allowed.lowerBound)–\(allowed.upperBound)"
    guard text.count <= 9, let size = Int(String(decoding: text, as: UTF8.self)),
      allowed.contains(size)
    else { throw refusal("a whole number, " + range) }
    if let earlier, earlier.value != size {
      throw refusal("\(earlier.value), as in line \(earlier.line)")
    }
    return LineValue(value: size, line: line)
  }

  private mutating func keep(
    _ name: String, _ text: ArraySlice<UInt8>, count: Int, _ line: Int,
    _ refusal: (String) -> LUTFileError
  ) throws(LUTFileError) {
    guard let numbers = Self.numbers(text, count: count) else {
      throw refusal(count == 2 ? "two numbers, such as 0 1" : "three numbers, such as 0 0 0")
    }
    if let earlier = ranges[name], earlier.value != numbers {
      throw refusal("one \(name), as in line \(earlier.line)")
    }
    ranges[name] = LineValue(value: numbers, line: line)
  }

  /// Returns the error for a file that ended without a row.
  func missingTable(line: Int) throws(LUTFileError) -> LUTFileError {
    let plan = try plan(line: line)
    return .incomplete(line: line, rows: 0, needed: plan.rows)
  }

  // MARK: Meaning of the rows

  /// The number of rows that belong to each table.
  struct Plan {
    let tableSize: Int
    let cubeSize: Int
    let tableDomain: LookupDomain
    let cubeDomain: LookupDomain

    var rows: Int { tableSize + cubeSize * cubeSize * cubeSize }

    func file(of rows: [SIMD4<Float>], title: String?) throws(LUTFileError) -> CubeFile {
      var file = CubeFile(title: title, table: nil, cube: nil)
      if tableSize > 0 {
        file.table = try ColorLUT1D(
          entries: rows[..<tableSize].map { SIMD3($0.x, $0.y, $0.z) }, domain: tableDomain)
      }
      if cubeSize > 0 {
        let nodes = tableSize == 0 ? rows : Array(rows[tableSize...])
        file.cube = try ColorLUT3D(size: cubeSize, nodes: nodes, domain: cubeDomain)
      }
      return file
    }
  }

  /// Returns the number of rows that belong to each table.
  ///
  /// - Parameter line: The line of the first row, or of the end of the file.
  func plan(line: Int) throws(LUTFileError) -> Plan {
    guard tableSize != nil || cubeSize != nil else {
      throw .line(
        line, found: "a row without a size",
        allowed: "LUT_1D_SIZE or LUT_3D_SIZE before the first row")
    }
    if tableSize != nil, cubeSize != nil,
      let domain = ranges["DOMAIN_MIN"] ?? ranges["DOMAIN_MAX"]
    {
      throw .line(
        domain.line, found: "a domain for two tables",
        allowed: "LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE, one per table")
    }
    return Plan(
      tableSize: tableSize?.value ?? 0, cubeSize: cubeSize?.value ?? 0,
      tableDomain: try domain("LUT_1D_INPUT_RANGE", exists: tableSize != nil),
      cubeDomain: try domain("LUT_3D_INPUT_RANGE", exists: cubeSize != nil))
  }

  private func domain(_ name: String, exists: Bool) throws(LUTFileError) -> LookupDomain {
    let range = ranges[name]
    guard exists else {
      // The default range has no effect and is accepted; any other may be meant for the other
      // table.
      guard let range, range.value != [0, 1] else { return .unit }
      throw .line(
        range.line, found: "\(name) without a matching table",
        allowed: "the range of a table in the file")
    }
    let (lower, upper) = (ranges["DOMAIN_MIN"], ranges["DOMAIN_MAX"])
    guard range != nil || lower != nil || upper != nil else { return .unit }
    var bounds: [(line: Int, LookupDomain)] = []
    func add(_ line: Int, _ low: [Float], _ high: [Float]) throws(LUTFileError) {
      do throws(LUTFileError) {
        bounds.append(
          (
            line,
            try LookupDomain(
              lower: SIMD3(low[0], low[1], low[2]), upper: SIMD3(high[0], high[1], high[2]))
          ))
      } catch {
        guard case .values(let found, let allowed) = error else { throw error }
        throw .line(line, found: found, allowed: allowed)
      }
    }
    if lower != nil || upper != nil {
      try add(
        max(lower?.line ?? 0, upper?.line ?? 0), lower?.value ?? [0, 0, 0],
        upper?.value ?? [1, 1, 1])
    }
    if let range {
      try add(
        range.line, Array(repeating: range.value[0], count: 3),
        Array(repeating: range.value[1], count: 3))
    }
    guard bounds.allSatisfy({ $0.1 == bounds[0].1 }) else {
      throw .line(
        bounds[1].line, found: "\(name) and a different DOMAIN_MIN and DOMAIN_MAX",
        allowed: "one domain")
    }
    return bounds[0].1
  }
}
