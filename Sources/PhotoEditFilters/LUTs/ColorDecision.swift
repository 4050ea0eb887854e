// SPDX-License-Identifier: Apache-2.0

/// The ten numbers of an ASC CDL: slope, offset and power of each channel, and saturation.
///
/// - Source: ASC Color Decision List, version 1.2, 2009.
public struct ColorDecision: Sendable, Hashable {
  /// The factor for red, green and blue; 0 or more.
  public var slope = SIMD3<Double>(repeating: 1)
  /// The value added to each channel.
  public var offset = SIMD3<Double>(repeating: 0)
  /// The exponent of each channel; above 0.
  public var power = SIMD3<Double>(repeating: 1)
  /// The saturation, a factor for the distance of colors from gray; 0 or more.
  public var saturation = 1.0

  /// Creates a correction that changes nothing.
  public init() {}
}

/// The corrections in a `.cdl`, `.cc` or `.ccc` file.
public struct CDLDocument: Sendable, Hashable {
  /// One correction of the file.
  public struct Correction: Sendable, Hashable {
    /// Its identifier in the file; nil if it has none.
    public let id: String?
    /// The numbers of the correction.
    public let decision: ColorDecision
  }

  /// The maximum number of corrections in a file.
  public static let maximumCorrections = 65536

  /// The corrections, in the order of the file; at least one.
  public let corrections: [Correction]

  /// Reads a file: a ColorCorrection, a ColorCorrectionCollection or a ColorDecisionList.
  ///
  /// Element names are matched without their namespace; unknown elements are skipped. Omitted
  /// values of a correction keep their identity values.
  ///
  /// - Throws: `LUTFileError` with the line, the text found and the text allowed.
  public init(_ bytes: [UInt8]) throws(LUTFileError) {
    corrections = try ColorDecisionReader.corrections(in: bytes)
  }

  /// Returns the correction with an identifier, or the only one.
  ///
  /// - Throws: `LUTFileError` when the identifier does not occur, or when none is given and there are
  ///   several, because the first one may belong to another shot.
  public func correction(id: String? = nil) throws(LUTFileError) -> ColorDecision {
    let names = corrections.enumerated().map { $1.id ?? "#\($0 + 1)" }
    guard let id else {
      guard corrections.count == 1 else { throw .severalCorrections(names) }
      return corrections[0].decision
    }
    guard let index = names.firstIndex(of: id) else {
      throw .unknownCorrection(id, known: names)
    }
    return corrections[index].decision
  }
}

/// Collects the corrections of an XML document while parsing it.
final class ColorDecisionReader {
  /// The maximum nesting depth of elements; a decision list needs six.
  private static let deepest = 32
  private static let longestText = 4096
  private static let longestName = 1024

  private static let roots = [
    "ColorCorrection", "ColorCorrectionCollection", "ColorDecisionList",
  ]

  private var corrections: [CDLDocument.Correction] = []
  private var names: Set<String> = []
  private var path: [String] = []
  private var id: String?
  private var decision: ColorDecision?
  /// The elements of the current correction that have been read.
  private var parsedElements: Set<String> = []
  private var text: [UInt8] = []

  static func corrections(
    in bytes: [UInt8]
  ) throws(LUTFileError) -> [CDLDocument.Correction] {
    guard !bytes.isEmpty else { throw .empty }
    let reader = ColorDecisionReader()
    try reader.read(bytes)
    guard !reader.corrections.isEmpty else { throw .noCorrection }
    return reader.corrections
  }

  private func read(_ bytes: [UInt8]) throws(LUTFileError) {
    let flaw = try XMLReader.read(bytes[...]) { (event, line) throws(LUTFileError) in
      switch event {
      case .start(let name, let attributes): try start(name, attributes, line: line)
      case .text(let text): try append(text, line: line)
      case .end: try end(line: line)
      }
    }
    switch flaw {
    case nil: return
    case .documentType(let line):
      throw .line(
        line, found: "a document type declaration", allowed: "only elements, attributes and text")
    case .malformed(let line, let reason): throw .notXML(line: line, reason: reason)
    case .outOfMemory: throw .outOfMemory
    }
  }

  // MARK: Elements

  private func start(
    _ name: String, _ attributes: [(name: String, value: String)], line: Int
  ) throws(LUTFileError) {
    let name = Self.localName(name)
    guard path.count < Self.deepest else {
      throw .line(
        line, found: "more than \(Self.deepest) nested elements",
        allowed: "at most \(Self.deepest)")
    }
    if path.isEmpty, !Self.roots.contains(name) {
      throw .line(
        line, found: "element \(LUTFileError.excerpt(name.utf8))",
        allowed: Self.roots.joined(separator: ", "))
    }
    path.append(name)
    text = []
    guard name == "ColorCorrection" else { return }
    guard decision == nil else {
      throw .line(
        line, found: "nested ColorCorrection elements", allowed: "separate elements")
    }
    guard corrections.count < CDLDocument.maximumCorrections else {
      throw .line(
        line, found: "more than \(CDLDocument.maximumCorrections) corrections",
        allowed: "at most \(CDLDocument.maximumCorrections)")
    }
    decision = ColorDecision()
    parsedElements = []
    id = try Self.identifier(in: attributes, line: line)
    if let id, !names.insert(id).inserted {
      throw .line(
        line, found: "a second ColorCorrection with the id \(LUTFileError.excerpt(id.utf8))",
        allowed: "unique ids")
    }
  }

  private static func identifier(
    in attributes: [(name: String, value: String)], line: Int
  ) throws(LUTFileError) -> String? {
    guard let id = attributes.first(where: { $0.name == "id" })?.value else { return nil }
    guard id.utf8.count <= longestName else {
      throw .line(
        line, found: "an id of \(id.utf8.count) bytes", allowed: "at most \(longestName) bytes")
    }
    return id
  }

  private func append(_ bytes: UnsafeRawBufferPointer, line: Int) throws(LUTFileError) {
    guard decision != nil, let name = path.last, Self.isValue(name) else { return }
    guard text.count + bytes.count <= Self.longestText else {
      throw .line(
        line, found: "more than \(Self.longestText) bytes in \(name)", allowed: Self.allowed(name))
    }
    text += bytes
  }

  private func end(line: Int) throws(LUTFileError) {
    guard let name = path.popLast() else { return }
    if name == "ColorCorrection", let decision {
      corrections.append(.init(id: id, decision: decision))
      self.decision = nil
    } else if decision != nil, Self.isValue(name) {
      try set(name, line: line)
    }
    text = []
  }

  // MARK: Numbers

  private static func isValue(_ name: String) -> Bool {
    ["Slope", "Offset", "Power", "Saturation"].contains(name)
  }

  private static func allowed(_ name: String) -> String {
    switch name {
    case "Slope": "three numbers, each 0 or more"
    case "Offset": "three numbers"
    case "Power": "three numbers, each above 0"
    default: "one number, 0 or more"
    }
  }

  private func set(_ name: String, line: Int) throws(LUTFileError) {
    let tokens = text.split { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let numbers = tokens.compactMap(Self.number)
    let least: Double = name == "Offset" ? -.infinity : 0
    guard numbers.count == tokens.count, numbers.count == (name == "Saturation" ? 1 : 3),
      numbers.allSatisfy({ name == "Power" ? $0 > 0 : $0 >= least })
    else {
      throw .line(
        line, found: "\(name) \(LUTFileError.excerpt(text))", allowed: Self.allowed(name))
    }
    guard parsedElements.insert(name).inserted else {
      throw .line(line, found: "a second \(name)", allowed: "one per ColorCorrection")
    }
    switch name {
    case "Slope": decision?.slope = SIMD3(numbers)
    case "Offset": decision?.offset = SIMD3(numbers)
    case "Power": decision?.power = SIMD3(numbers)
    default: decision?.saturation = numbers[0]
    }
  }

  private static func number(_ text: ArraySlice<UInt8>) -> Double? {
    // The standard library also reads hexadecimal numbers and names of infinity, which are invalid
    // here.
    guard text.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite
    else { return nil }
    return number
  }

  private static func localName(_ name: String) -> String {
    guard let colon = name.lastIndex(of: ":") else { return name }
    return String(name[name.index(after: colon)...])
  }
}

extension LUTFileError {
  /// The version of expat, which parses color corrections: "expat_2.5.0".
  package static var expatVersion: String { XMLReader.version }
}
