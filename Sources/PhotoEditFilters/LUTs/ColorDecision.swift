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
