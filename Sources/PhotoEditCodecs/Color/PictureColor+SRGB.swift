// SPDX-License-Identifier: Apache-2.0

extension PictureColor {
  /// The way from the linear light of the picture to that of sRGB, for pictures whose curves alone
  /// filters change; nil where the lights are those of sRGB, or are converted otherwise.
  ///
  /// Relative colorimetric: white stays white.
  ///
  /// - Parameter icc: The profile of the file.
  package func matrixToSRGB(icc: [UInt8]?) -> [[Double]]? {
    guard let own = otherLights(icc), let sRGB = ICCProfile.sRGB?.colorants,
      let back = ColorMatrix.inverse(sRGB)
    else { return nil }
    return ColorMatrix.product(back, own)
  }

  /// The rows from the linear light that filters see to X, Y and Z under D65; nil where that is the
  /// light of sRGB.
  ///
  /// - Parameter icc: The profile of the file.
  package func lightsUnderD65(icc: [UInt8]?) -> [[Double]]? {
    otherLights(icc).flatMap { ColorMatrix.underD65($0, white: ColorMatrix.d50) }
  }

  /// The lights of the profile under D50; nil where they are those of sRGB, or become them.
  private func otherLights(_ icc: [UInt8]?) -> [[Double]]? {
    guard conversion == nil, handling != .converted, let own = profile(icc)?.colorants,
      let sRGB = ICCProfile.sRGB?.colorants
    else { return nil }
    // Profiles of sRGB differ by as much.
    return zip(own.joined(), sRGB.joined()).allSatisfy { abs($0 - $1) < 0.003 } ? nil : own
  }

  /// The profile of the numbers that filters leave.
  private func profile(_ icc: [UInt8]?) -> ICCProfile? {
    switch origin {
    case .nowhere: nil
    // It was valid when the space of the picture was found.
    case .profile: icc.flatMap { try? ICCProfile(validating: $0) }
    case .stated: statedProfile
    }
  }
}

extension ICCProfile {
  /// X, Y and Z under D50 of the three lights, a row each with red, green and blue; nil for profiles
  /// that are not of three lights.
  ///
  /// - Source: ICC.1:2022, 8.3.3 (three-component matrix-based display profiles), 10.31.
  var colorants: [[Double]]? {
    guard colorSpace == "RGB " else { return nil }
    let lights = ["rXYZ", "gXYZ", "bXYZ"].compactMap { name -> [Double]? in
      guard let element = tag(name), element.has(Array("XYZ ".utf8), at: element.startIndex)
      else { return nil }
      let values = (0..<3).compactMap { element.unsigned32(at: element.startIndex + 8 + 4 * $0) }
      return values.count == 3
        ? values.map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 } : nil
    }
    return lights.count == 3 ? (0..<3).map { row in lights.map { $0[row] } } : nil
  }
}
