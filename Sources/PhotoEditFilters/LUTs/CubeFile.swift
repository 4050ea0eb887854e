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
    self.title = title
    self.table = table
  }

  /// Creates the contents of a file with a cube.
  public init(title: String? = nil, _ cube: ColorLUT3D) {
    self.title = title
    self.cube = cube
  }

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
    self.title = title
    self.table = table
    self.cube = cube
  }
}
