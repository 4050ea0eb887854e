// SPDX-License-Identifier: Apache-2.0

/// The ten numbers of an ASC CDL: slope, offset and power of each channel, and saturation.
///
/// - Source: ASC Color Decision List, version 1.2, 2009.
public struct ColorDecision: Sendable, Hashable {
  /// What red, green and blue are multiplied by; 0 or more.
  public var slope = SIMD3<Double>(repeating: 1)
  /// What is added to them.
  public var offset = SIMD3<Double>(repeating: 0)
  /// The power that they are raised to; above 0.
  public var power = SIMD3<Double>(repeating: 1)
  /// How far colours lie from gray; 0 or more.
  public var saturation = 1.0

  /// Makes the correction that changes nothing.
  public init() {}
}

/// The corrections in a `.cdl`, `.cc` or `.ccc` file.
public struct ColorDecisionFile: Sendable, Hashable {
  /// One correction of the file.
  public struct Correction: Sendable, Hashable {
    /// Its name in the file; nil where it has none.
    public let id: String?
    /// The numbers.
    public let decision: ColorDecision
  }

  /// How many corrections a file may hold.
  public static let maximumCorrections = 65536

  /// The corrections, in the order of the file; at least one.
  public let corrections: [Correction]

  /// Reads a file: a ColorCorrection, a ColorCorrectionCollection or a ColorDecisionList.
  ///
  /// Names of elements are taken without their namespace; elements that are not known are skipped.
  /// What a correction leaves out keeps its neutral value.
  ///
  /// - Throws: `GradeError` with the line, what it says and what it might say.
  public init(_ bytes: [UInt8]) throws(GradeError) {
    corrections = try ColorDecisionReader.corrections(in: bytes)
  }

  /// The correction of a name, or the only one.
  ///
  /// - Throws: `GradeError` when the name does not occur, or when none is given and there are
  ///   several: nobody wants the grade of another shot.
  public func correction(id: String? = nil) throws(GradeError) -> ColorDecision {
    let names = corrections.enumerated().map { $1.id ?? "#\($0 + 1)" }
    guard let id else {
      guard corrections.count == 1 else { throw .severalCorrections(names) }
      return corrections[0].decision
    }
    guard let place = names.firstIndex(of: id) else {
      throw .unknownCorrection(id, known: names)
    }
    return corrections[place].decision
  }
}
