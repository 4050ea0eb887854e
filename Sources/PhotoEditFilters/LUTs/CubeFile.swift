// SPDX-License-Identifier: Apache-2.0

/// The contents of a `.cube` file: a table, a cube, or a table followed by a cube.
///
/// - Source: Adobe, "Cube LUT Specification 1.0", 2013, and the format of IRIDAS that it describes;
///   the keywords of DaVinci Resolve for input ranges and for a table before the cube.
public struct CubeFile: Sendable, Hashable {
  /// The title; nil if the file has none.
  public var title: String?
  /// The one-dimensional table, applied first.
  public internal(set) var table: ColorLUT1D?
  /// The three-dimensional table.
  public internal(set) var cube: ColorLUT3D?

  /// The sizes of cubes that can be read.
  public static let allowedCubeSize = 2...129

  /// Creates the contents of a file with a table.
  public init(title: String? = nil, _ table: ColorLUT1D) {
    (self.title, self.table) = (title, table)
  }

  /// Creates the contents of a file with a cube.
  public init(title: String? = nil, _ cube: ColorLUT3D) { (self.title, self.cube) = (title, cube) }

  /// Reads a file.
  ///
  /// Accepted are lines that end in LF, CRLF or CR; spaces and tabs; comments; blank lines; a byte
  /// order mark; integers, exponents and any number of digits; titles with and without quotes.
  ///
  /// - Throws: `LUTFileError` with the line, the text found and the text allowed.
  public init(_ bytes: [UInt8]) throws(LUTFileError) {
    var reader = CubeReader(bytes)
    self = try reader.read()
  }

  init(title: String?, table: ColorLUT1D?, cube: ColorLUT3D?) {
    (self.title, self.table, self.cube) = (title, table, cube)
  }

  /// The maximum number of bytes of a title when it is written.
  public static let longestTitle = 200

  /// Returns the file: the same contents give the same bytes, and reading them gives the same
  /// contents.
  ///
  /// Numbers have the fewest digits that read back as the same float, and always a decimal point,
  /// because some programs reject integers. Quotes and control characters of the title are
  /// replaced. A table before a cube is written with the keywords of DaVinci Resolve.
  public func bytes() -> [UInt8] {
    var text: [UInt8] = []
    if let title { text += "TITLE \"\(Self.written(title))\"\n".utf8 }
    let isBoth = table != nil && cube != nil
    if let table {
      text += "LUT_1D_SIZE \(table.size)\n".utf8
      Self.write(table.domain, isBoth ? "LUT_1D_INPUT_RANGE" : nil, to: &text)
    }
    if let cube {
      text += "LUT_3D_SIZE \(cube.size)\n".utf8
      Self.write(cube.domain, isBoth ? "LUT_3D_INPUT_RANGE" : nil, to: &text)
    }
    if let table {
      for entry in 0..<table.size { Self.write(table[entry], to: &text) }
    }
    if let cube {
      for node in cube.nodes { Self.write(SIMD3(node.x, node.y, node.z), to: &text) }
    }
    return text
  }

  private static func written(_ title: String) -> String {
    // Scalar by scalar: a quote with a combining accent is one character, but still ends a title.
    var text = String.UnicodeScalarView()
    var length = 0
    for scalar in title.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      let next: Unicode.Scalar = scalar == "\"" ? "'" : isControl ? " " : scalar
      length += UTF8.width(next)
      if length > longestTitle { break }
      text.append(next)
    }
    return String(text)
  }

  private static func write(_ domain: LookupDomain, _ range: String?, to text: inout [UInt8]) {
    guard domain != .unit else { return }
    if let range {
      text += "\(range) \(number(domain.lower.x)) \(number(domain.upper.x))\n".utf8
    } else {
      text += "DOMAIN_MIN ".utf8
      write(domain.lower, to: &text)
      text += "DOMAIN_MAX ".utf8
      write(domain.upper, to: &text)
    }
  }

  private static func write(_ color: SIMD3<Float>, to text: inout [UInt8]) {
    text += number(color.x).utf8
    text.append(UInt8(ascii: " "))
    text += number(color.y).utf8
    text.append(UInt8(ascii: " "))
    text += number(color.z).utf8
    text.append(UInt8(ascii: "\n"))
  }

  /// Returns the shortest decimal of a float: "0.0", "0.25", "1.0e-7".
  static func number(_ value: Float) -> String {
    // The standard library's description is the shortest; only in "1e-07" does it lack the point.
    let text = (value == 0 ? 0 : value).description
    guard let e = text.utf8.firstIndex(of: UInt8(ascii: "e")) else { return text }
    let (digits, exponent) = (text[..<e], text[text.index(after: e)...])
    return digits + (digits.contains(".") ? "" : ".0") + "e"
      + (Int(exponent).map(String.init) ?? "0")
  }
}
