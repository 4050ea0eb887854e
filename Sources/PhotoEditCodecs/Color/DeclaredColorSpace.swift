// SPDX-License-Identifier: Apache-2.0

/// Color information of a file in addition to, or instead of, a profile.
package struct DeclaredColorSpace: Sendable, Hashable {
  /// The source of the information: "EXIF", or the names of chunks.
  package let origin: String
  /// The display name of the color space.
  package let name: String
  /// The primaries; ignored for grayscale images.
  package let primaries: ColorPrimaries
  /// The transfer function.
  package let transfer: TransferFunction
  /// Indicates whether this takes precedence over a profile.
  package private(set) var precedesProfile = false

  /// Adobe RGB (1998), as marked by cameras.
  ///
  /// - Source: CIPA DC-010 (DCF 2.0 with the optional color space), DC-008 for the tags.
  static let exifAdobeRGB = DeclaredColorSpace(
    origin: "EXIF", name: "Adobe RGB (1998)", primaries: .adobeRGB,
    transfer: .gamma(2.199_218_75))

  /// The color space of the rendering: the same space, or its primaries with the sRGB curve if
  /// eight bits would be too coarse for its own curve.
  ///
  /// Only a profile requires its own curve; otherwise the same colors are sufficient.
  var rendered: DeclaredColorSpace {
    guard transfer.isCoarseInDarks else { return self }
    let name =
      primaries == .sRGB
      ? "sRGB" : primaries == .displayP3 ? "Display P3" : "\(name) with the sRGB curve"
    return DeclaredColorSpace(origin: origin, name: name, primaries: primaries, transfer: .sRGB)
  }

  /// Returns the equivalent profile.
  func profile(isGray: Bool) -> ICCProfile? {
    if isGray { return .gray(transfer: transfer, description: "Gray, \(name)") }
    if self == Self.exifAdobeRGB { return .adobeRGB }
    return .matrix(primaries: primaries, transfer: transfer, description: name)
  }
}

/// The color information in the chunks of a PNG, other than a profile.
///
/// Order of precedence: cICP, iCCP, sRGB, then gAMA and cHRM.
///
/// - Source: PNG, third edition (W3C, 2025), 4.3 and 11.3.2.
struct PNGColor {
  private var isSRGB = false
  private var gamma: Int?
  private var chromaticities: [Int]?
  private var codes: [Int]?
  private var brightest: Double?

  init() {}

  /// Reads the chunks before the image.
  init(_ buffer: UnsafeRawBufferPointer) {
    var reader = ChunkReader(png: buffer)
    while let chunk = reader.next(), !chunk.isTruncated, chunk.type != "IDAT" {
      if Self.chunks.contains(chunk.name), buffer.hasRightChecksum(chunk.body) {
        read(chunk.name, Array(buffer[chunk.body].prefix(32)))
      }
    }
  }

  /// The names of the chunks that are read.
  static let chunks = ["sRGB", "gAMA", "cHRM", "cICP", "cLLI"]

  /// Reads a chunk; chunks that are too short are ignored.
  mutating func read(_ type: String, _ body: [UInt8]) {
    switch type {
    case "sRGB": isSRGB = true
    case "gAMA": gamma = body.unsigned32(at: 0)
    case "cHRM":
      let numbers = (0..<8).compactMap { body.unsigned32(at: 4 * $0) }
      if numbers.count == 8 { chromaticities = numbers }
    case "cICP": if body.count >= 4 { codes = body[..<4].map { Int($0) } }
    case "cLLI": brightest = body.unsigned32(at: 0).map { Double($0) / 10_000 }
    default: return
    }
  }

  /// The resulting color space; nil for sRGB.
  ///
  /// Unsupported codes are ignored, and a profile may turn out to be unusable.
  var stated: DeclaredColorSpace? {
    if let codes, let stated = coded(codes) { return stated }
    if isSRGB { return nil }
    let primaries = primaries
    // 1/2.2 and the sRGB value correspond to the default for files without color information.
    let isUsual = gamma.map { $0 <= 0 || (45_000...46_000).contains($0) } ?? true
    if isUsual && primaries == nil { return nil }
    let chunks = [gamma == nil ? nil : "gAMA", primaries == nil ? nil : "cHRM"].compactMap { $0 }
    let transfer = gamma.flatMap { $0 > 0 ? TransferFunction.gamma(100_000 / Double($0)) : nil }
    return DeclaredColorSpace(
      origin: chunks.joined(separator: " and "),
      name: gamma.map { "gamma \($0)/100000" } ?? "custom primaries",
      primaries: primaries ?? .sRGB, transfer: transfer ?? .sRGB)
  }

  /// A sentence about unsupported codes in cICP; nil if there are no such codes.
  var unreadCodes: String? {
    guard let codes, coded(codes) == nil else { return nil }
    let numbers = codes.map { String($0) }.joined(separator: "/")
    return "The PNG defines its colors by cICP codes \(numbers), which are not supported."
  }

  /// The primaries in cHRM; nil if the chunk is missing or states those of sRGB.
  private var primaries: ColorPrimaries? {
    guard let chromaticities else { return nil }
    let points = stride(from: 0, to: 8, by: 2).map {
      ColorPrimaries.Chromaticity(
        Double(chromaticities[$0]) / 100_000, Double(chromaticities[$0 + 1]) / 100_000)
    }
    let stated = ColorPrimaries(
      red: points[1], green: points[2], blue: points[3], white: points[0])
    return stated.isNear(.sRGB) ? nil : stated
  }

  /// The dynamic range defined by codes; nil if it is standard.
  var dynamicRange: HighDynamicRange? {
    guard let codes, Self.areOfRGB(codes) else { return nil }
    return HighDynamicRange(
      primariesCode: codes[0], transferCode: codes[1], brightest: brightest)
  }

  /// Returns whether the matrix is that of RGB, and the range is full.
  private static func areOfRGB(_ codes: [Int]) -> Bool { codes[2] == 0 && codes[3] == 1 }

  private func coded(_ codes: [Int]) -> DeclaredColorSpace? {
    let (primariesCode, transferCode) = (codes[0], codes[1])
    if dynamicRange != nil { return Self.coded(.displayP3, .sRGB, "") }
    // Unknown codes are ignored.
    guard Self.areOfRGB(codes), let primaries = ColorPrimaries(codePoint: primariesCode),
      let transfer = try? TransferFunction(
        codePoint: transferCode, primariesCode: primariesCode)
    else { return nil }
    return Self.coded(primaries, transfer, "H.273 \(primariesCode)/\(transferCode)")
  }

  private static func coded(
    _ primaries: ColorPrimaries, _ transfer: TransferFunction, _ name: String
  ) -> DeclaredColorSpace {
    DeclaredColorSpace(
      origin: "cICP", name: Self.name(primaries, transfer) ?? name, primaries: primaries,
      transfer: transfer, precedesProfile: true)
  }

  private static func name(_ primaries: ColorPrimaries, _ transfer: TransferFunction) -> String? {
    guard transfer == .sRGB else { return nil }
    return primaries == .sRGB ? "sRGB" : primaries == .displayP3 ? "Display P3" : nil
  }
}

extension ColorPrimaries {
  /// Returns whether all points equal those of other primaries, apart from the rounding in files.
  func isNear(_ other: ColorPrimaries) -> Bool {
    zip([red, green, blue, white], [other.red, other.green, other.blue, other.white])
      .allSatisfy { abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002 }
  }
}
